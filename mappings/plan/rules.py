"""Constraints on the parts of a plan, each with the message for a violation."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from mappings.plan.parts import (
    CosinePlan,
    DnaPlan,
    ExactPlan,
    ImatchPlan,
    ProjectionPlan,
    ShinglesPlan,
    SimhashPlan,
)

Rule = tuple[bool, str]
"""Whether it holds, and what to say when it does not."""

FORMAT: Final = 2
"""Version of the code that computes stored values; a change that alters any value raises it."""

FORMATS: Final = (1, 2)
"""Versions that are served: values of an index made under an older one stay what they are."""

TABLE_STEPS: Final = ("nfkc", "casefold", "simplified", "invisible", "space", "punctuation")
"""Preparation steps that look single code points up, in the order they are applied."""

STEPS: Final = (*TABLE_STEPS, "skeleton", "meant")
"""Preparation steps in the order they are applied; with `meant` a text that shows signs of a
disguise has the keys of what it may mean, too (`indexer.meant`)."""

SINCE: Final[Mapping[str, int]] = {"skeleton": 2, "meant": 2, "loose": 2}
"""Steps and schemes that an older format does not have, with the first format that does."""

STANDARD_SCHEMES: Final = (
    "exact",
    "simhash",
    "minhash",
    "syllables",
    "passages",
    "sentences",
    "loose",
)
"""Schemes whose terms a plan stores by default."""

ALWAYS: Final = ("exact", "simhash")
"""Required in every plan: their stored values judge candidates whose text is not read."""

DIGESTS: Final = ("murmur3", "md5", "sha1", "sha256")
"""What `exact` can hash with."""

LEVELS: Final = (2, 4, 8, 10)
"""How many levels the dna scheme may quantise a frequency to."""

MOST_PLANES: Final = 256


SIMHASH_WEIGHTS: Final = ("log", "count", "levels", "tfidf")
WORDLESS: Final = ("log", "none")
"""The weights and stop words of a simhash over characters, which has no words to weigh."""

MAX_USER_WORDS: Final = 10_000
MAX_WIDTH: Final = 64
"""The longest shingle for which the hash functions have precomputed powers."""

MAX_SEED: Final = (1 << 32) - 1
MAX_NAME: Final = 64
MAX_CHARACTERS: Final = 1 << 40
_MANY: Final = 1_000_000_000

SHARES: Final = (
    *("near", "short_near", "covered", "partial", "word_partial", "low", "high"),
    *("passage_share", "word_passage_share", "revised"),
)
"""Numbers in (0, 1]: parts of a text, or of the documents of a corpus."""

PARTLY: Final = ("overlap", "dropout")
"""Numbers in [0, 1)."""

LIMITS: Final[Mapping[str, tuple[int, int]]] = {
    **dict.fromkeys(("shingle", "spaced_shingle", "word_shingle"), (1, MAX_WIDTH)),
    **dict.fromkeys(("gram", "passage", "spaced_gram"), (1, MAX_WIDTH)),
    **dict.fromkeys(("window", "spaced_window", "short_window"), (2, MAX_WIDTH)),
    **dict.fromkeys(("middle_window", "spaced_middle_window"), (2, MAX_WIDTH)),
    **dict.fromkeys(("most", "least"), (1, 1_000)),
    **dict.fromkeys(("full", "spaced_full", "middle", "spaced_middle"), (1, _MANY)),
    **dict.fromkeys(("word_gram", "word_passage", "run"), (1, MAX_WIDTH)),
    **dict.fromkeys(
        ("shared", "word_shared", "hot", "minimum", "short", "covered_units", "unrelated"),
        (1, _MANY),
    ),
    **dict.fromkeys(("passage_units", "word_passage_units", "revised_units"), (1, _MANY)),
    "revised_runs": (1, _MANY),
    "seed": (0, MAX_SEED),
    "blocks": (2, 8),
    "planes": (64, MOST_PLANES),
    "bands": (1, 64),
    "rows": (1, 16),
    "keep": (1, 1_000),
    "chunk": (64, _MANY),
    **dict.fromkeys(("winnow", "spaced_winnow"), (0, _MANY)),
    "winnow_parts": (1, _MANY),
    "granularity": (16, 4_096),
    "levels": (2, 10),
    "lexicons": (0, 64),
    "dna_tolerance": (0, 180),
    **dict.fromkeys(("hamming", "simhash_only"), (0, 64)),
}
"""Smallest and largest value of each whole number, by entry name in any part of a plan."""


def simhash_rules(part: SimhashPlan, words: str) -> Iterator[Rule]:
    """Constraints on the simhash of a plan whose segmenter is `words`."""
    yield 1 <= part.choose < part.blocks, "simhash.choose must be below blocks"
    # that makes 70 keys, but a key names its choice of blocks by one of 64 characters
    yield (part.blocks, part.choose) != (8, 4), "simhash: 8 choose 4 is too many"
    yield part.bits in (32, 64), "simhash.bits must be 32 or 64"
    choices = ", ".join(SIMHASH_WEIGHTS)
    yield part.weights in SIMHASH_WEIGHTS, f"simhash.weights must be among {choices}"
    wordless = (part.weights, part.stop_words) == WORDLESS
    yield (
        words != "none" or wordless,
        "simhash.weights and simhash.stop_words need words; leave them out",
    )


def range_rules(meta: Mapping[str, Any]) -> Iterator[Rule]:
    """Every number of the parts against its limits; NaN fails all of them."""
    for part, entries in meta.items():
        for name, value in entries.items() if isinstance(entries, dict) else ():
            if name in PARTLY:
                yield 0 <= value < 1, f"{part}.{name} must be in [0, 1)"
            elif name in SHARES:
                yield 0 < value <= 1, f"{part}.{name} must be in (0, 1]"
            elif name in LIMITS:
                low, high = LIMITS[name]
                yield low <= value <= high, f"{part}.{name} must be {low} to {high}"


def scheme_rules(
    exact: ExactPlan,
    projection: ProjectionPlan,
    shingles: ShinglesPlan,
    cosine: CosinePlan,
    words: str,
) -> Iterator[Rule]:
    """Constraints on the parts of single schemes."""
    yield exact.digest in DIGESTS, f"exact.digest must be among {', '.join(DIGESTS)}"
    yield projection.entries in ("sign", "gaussian"), "projection.entries must be sign or gaussian"
    yield projection.planes % 64 == 0, "projection.planes must be 64, 128, 192 or 256"
    below = 1 <= projection.choose < projection.blocks
    yield below, "projection.choose must be below blocks"
    # that makes 70 keys, but a key names its choice of blocks by one of 64 characters
    few = (projection.blocks, projection.choose) != (8, 4)
    yield few, "projection: 8 choose 4 is too many"
    yield shingles.units in ("characters", "words"), "shingles.units must be characters or words"
    sound = shingles.units != "words" or words != "none"
    yield sound, "shingles.units must be characters in a plan without words"
    yield cosine.weights in ("tfidf", "tf"), "cosine.weights must be tfidf or tf"


def statistics_rules(statistics: str, dna: DnaPlan, imatch: ImatchPlan) -> Iterator[Rule]:
    """The same for the schemes that use corpus statistics."""
    named = re.fullmatch("[0-9a-z]+|sha256-[0-9a-f]{16}", statistics) is not None
    yield named, "statistics must be 1, or sha256- with 16 hexadecimal digits"
    yield dna.levels in LEVELS, f"dna.levels must be among {', '.join(map(str, LEVELS))}"
    yield imatch.low < imatch.high, "imatch.low must be below high"
