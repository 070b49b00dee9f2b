"""The numbers and choices of each scheme."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class SimhashPlan:
    """Simhash of 64 or 32 bits; `blocks` choose `choose` blocks make one key (Manku et al. 2007).

    `weights` of a word: log, 1 + floor(log2(count)); count; levels, 1 to 5 by rarity in the
    statistics; tfidf. `stop_words`: the shipped list of words to ignore.
    """

    blocks: int = 4
    choose: int = 1
    seed: int = 1
    bits: int = 64
    weights: Literal["log", "count", "levels", "tfidf"] = "log"
    stop_words: str = "none"


@dataclass(frozen=True, slots=True)
class MinhashPlan:
    """`bands` x `rows` MinHash over shingles of `shingle` units.

    `spaced_shingle` replaces it in texts whose script puts spaces between words.
    """

    shingle: int
    spaced_shingle: int
    bands: int
    rows: int
    seed: int


@dataclass(frozen=True, slots=True)
class PassagePlan:
    """The `keep` smallest hashes of long shingles, per chunk of about `chunk` units; and the
    smallest of every `winnow` shingles in a row (`spaced_winnow` in scripts with spaces), or of
    one in `winnow_parts` of the text, whichever is less. 0 is none.
    """

    shingle: int = 10
    spaced_shingle: int = 5
    keep: int = 16
    chunk: int = 2_048
    seed: int = 4
    winnow: int = 0
    spaced_winnow: int = 0
    winnow_parts: int = 10


@dataclass(frozen=True, slots=True)
class LoosePlan:
    """The smallest hashes of windows of `window` letters in any order (`spaced_window` in scripts
    with spaces): `most` of a text of up to `full` letters (`spaced_full`), fewer of longer ones,
    never fewer than `least`. Texts of up to `middle` letters (`spaced_middle`) have windows of
    `middle_window` (`spaced_middle_window`), those of up to `short` windows of `short_window`.
    """

    window: int = 6
    spaced_window: int = 12
    middle_window: int = 4
    middle: int = 20
    spaced_middle_window: int = 5
    spaced_middle: int = 44
    short_window: int = 3
    short: int = 14
    most: int = 12
    full: int = 150
    spaced_full: int = 450
    least: int = 3
    seed: int = 9


@dataclass(frozen=True, slots=True)
class SentencePlan:
    """The `keep` longest sentences of at least `minimum` letters and digits; MD5 has no seed."""

    keep: int = 5
    minimum: int = 8
    seed: int = 5
    hash: Literal["murmur3", "md5"] = "murmur3"


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
    """Pinyin-initial frequencies in windows of `granularity` letters that overlap by a share of
    `overlap`; every frequency is quantised to one of `levels`.

    With 2 levels unrelated texts share windows (56 of 400,000 pairs); with 4 none does, and with
    an edit every 200 characters two thirds of the windows stay equal; with 8, less than half.
    """

    granularity: int = 128
    overlap: float = 0.5
    levels: int = 4


@dataclass(frozen=True, slots=True)
class ImatchPlan:
    """I-Match over words that a share of `low` to `high` of all documents contain.

    Each of `lexicons` further signatures leaves out a random share of `dropout` of the words; no
    signature is made of fewer than `minimum` words. These defaults gave the best F1 on Chinese
    paragraphs of 430 characters.
    """

    low: float = 0.001
    high: float = 0.05
    minimum: int = 8
    lexicons: int = 10
    dropout: float = 0.8
    seed: int = 8
