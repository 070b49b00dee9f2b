"""The numbers and choices of the schemes that the standard plan does not store."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

DIGESTS: Final = ("murmur3", "md5", "sha1", "sha256")
"""What `exact` can hash with."""

LEVELS: Final = (2, 4, 8, 10)
"""In how many levels a frequency of the dna scheme can be told."""

MOST_PLANES: Final = 256


@dataclass(frozen=True, slots=True)
class ExactPlan:
    """Direct signature; murmur3 is the 128-bit one for x64."""

    digest: Literal["murmur3", "md5", "sha1", "sha256"] = "murmur3"


@dataclass(frozen=True, slots=True)
class ProjectionPlan:
    """Random hyperplanes: a bit for each of `planes`, cut into block keys 64 at a time.

    `entries` of a hyperplane: sign (1 or -1) or gaussian.
    """

    planes: int = 64
    entries: Literal["sign", "gaussian"] = "sign"
    blocks: int = 4
    choose: int = 1
    seed: int = 6


@dataclass(frozen=True, slots=True)
class ShinglesPlan:
    """Sets of shingles of `shingle` characters (`spaced_shingle` in scripts with spaces), or of
    `word_shingle` words, as `units` says. Only compared, never stored.
    """

    units: Literal["characters", "words"] = "characters"
    shingle: int = 5
    spaced_shingle: int = 9
    word_shingle: int = 3
    seed: int = 7


@dataclass(frozen=True, slots=True)
class CosinePlan:
    """Vectors of words; of pairs of characters in a plan without words. Only compared."""

    weights: Literal["tfidf", "tf"] = "tfidf"


@dataclass(frozen=True, slots=True)
class DnaPlan:
    """Pinyin-initial frequencies in windows of `granularity` letters, each shares `overlap` of
    itself with the next; every frequency is one of `levels`.

    With 2 levels unrelated texts share windows (56 of 400,000 pairs); with 4 none does, and an
    edit every 200 characters leaves two thirds of the windows equal, with 8 less than half.
    """

    granularity: int = 128
    overlap: float = 0.5
    levels: int = 4


@dataclass(frozen=True, slots=True)
class ImatchPlan:
    """I-Match over words that `low` to `high` of all documents hold.

    `lexicons` more signatures each leave a random `dropout` of the words out; a signature of
    fewer than `minimum` words is none. The numbers are those of the best F1 on Chinese paragraphs
    of 430 characters.
    """

    low: float = 0.001
    high: float = 0.05
    minimum: int = 8
    lexicons: int = 10
    dropout: float = 0.8
    seed: int = 8


def scheme_rules(
    exact: ExactPlan,
    projection: ProjectionPlan,
    shingles: ShinglesPlan,
    cosine: CosinePlan,
    words: str,
) -> Iterator[tuple[bool, str]]:
    """What must hold, each with what to say when it does not."""
    yield exact.digest in DIGESTS, f"exact.digest must be among {', '.join(DIGESTS)}"
    yield projection.entries in ("sign", "gaussian"), "projection.entries must be sign or gaussian"
    yield projection.planes % 64 == 0, "projection.planes must be 64, 128, 192 or 256"
    below = 1 <= projection.choose < projection.blocks
    yield below, "projection.choose must be below blocks"
    # 70 keys, where one of 64 characters says which choice of blocks a key is
    few = (projection.blocks, projection.choose) != (8, 4)
    yield few, "projection: 8 choose 4 is too many"
    yield shingles.units in ("characters", "words"), "shingles.units must be characters or words"
    sound = shingles.units != "words" or words != "none"
    yield sound, "shingles.units must be characters in a plan without words"
    yield cosine.weights in ("tfidf", "tf"), "cosine.weights must be tfidf or tf"


def statistics_rules(
    statistics: str, dna: DnaPlan, imatch: ImatchPlan
) -> Iterator[tuple[bool, str]]:
    """The same for the schemes that work by corpus statistics."""
    named = re.fullmatch("[0-9a-z]+|sha256-[0-9a-f]{16}", statistics) is not None
    yield named, "statistics must be 1, or sha256- with 16 hexadecimal digits"
    yield dna.levels in LEVELS, f"dna.levels must be among {', '.join(map(str, LEVELS))}"
    yield imatch.low < imatch.high, "imatch.low must be below high"
