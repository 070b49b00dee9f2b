"""What an index stores for each scheme: one row per scheme, from which fields, mappings, parts of
the plan, labels and forecasts are derived.

`indexer.fingerprints.registry` has the code of the schemes; a new scheme is registered there
together with its row.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import ceil, comb, isqrt, log2
from typing import Any, Final

from mappings.contract import Field

PlanNumbers = Any
"""A `mappings.plan.Plan`. That class checks itself against these rows, so it is above this module
and cannot be named here; the tests of the tables call every function of every row."""

HASHED_BITS: Final = 36
"""Bits of a hashed key: six characters."""

HASHED_BYTES: Final = 7.5
BLOCK_BYTES: Final = {1: 4.5}
"""Index bytes of a hashed key, and of a simhash key by its number of blocks: 16-bit blocks have few
distinct keys, whose long posting lists take less space. The size section of `scripts/bench`
measures these and the constants below (docs/benchmarks.md); a layout not measured there counts as
hashed keys."""

KEYWORDS: Final[Mapping[str, Any]] = {
    "type": "keyword",
    "doc_values": False,
    "norms": False,
    "index_options": "docs",
}

LETTERS: Final = 1_400
"""Length of the document for which keys are counted where their number depends on the text; the one
in docs/benchmarks.md."""

_DIGITS: Final = 20  # in a window of initials
_WINDOW_BYTES: Final = 3.3  # in addition to its packed digits


@dataclass(frozen=True, slots=True)
class StoredScheme:
    """A scheme whose keys an index holds.

    `label`: the name of its keys in answers. `part`: the entry of a plan that holds its numbers, ""
    if it has none. `keys`: the number of keys of a document that is long enough to have all of them
    and no longer than one chunk; `by_length`: it depends on the text, to be counted in a sample.
    `bits`: random bits of a key, None if keys never coincide by chance. `bytes`: index bytes per
    key. `statistics`: whether its values depend on the plan's corpus statistics.
    """

    name: str
    field: Field
    label: str
    keys: Callable[[PlanNumbers], int]
    part: str = ""
    bits: Callable[[PlanNumbers], float] | None = lambda _plan: HASHED_BITS
    bytes: Callable[[PlanNumbers], float] = lambda _plan: HASHED_BYTES
    mapping: Mapping[str, Any] = dataclasses.field(default_factory=lambda: KEYWORDS)
    by_length: bool = False
    statistics: bool = False


def block_bytes(choose: int) -> float:
    """Index bytes of a simhash key that is made of `choose` blocks."""
    return BLOCK_BYTES.get(choose, HASHED_BYTES)


def _windows(plan: PlanNumbers) -> int:
    part = plan.dna
    step = max(1, round(part.granularity * (1 - part.overlap)))
    windows: int = ceil(max(0, LETTERS - part.granularity) / step) + 1
    return windows


def _passage_keys(plan: PlanNumbers) -> int:
    """Windows of n shingles have two smallest hashes in n + 1 shingles (Schleimer et al. 2003), and
    hold most of the smallest ones of the text.
    """
    part = plan.passages
    most: int = part.keep
    if part.winnow:
        window = min(part.winnow, LETTERS // part.winnow_parts)
        most = max(most, round(2 * LETTERS / (window + 1)))
    return most


def _loose_windows(plan: PlanNumbers) -> int:
    part = plan.loose
    wanted = isqrt(part.most**2 * part.full // LETTERS)
    return int(min(part.most, max(part.least, wanted)))


_ROWS: Final = (
    StoredScheme(
        "exact",
        Field.TEXT_HASH,
        "same text",
        part="exact",
        keys=lambda _plan: 1,
        bits=None,
        bytes=lambda _plan: 48.0,
        mapping={"type": "keyword"},
    ),
    StoredScheme(
        "simhash",
        Field.SIMHASH_KEYS,
        "simhash blocks",
        part="simhash",
        keys=lambda plan: comb(plan.simhash.blocks, plan.simhash.choose),
        bits=lambda plan: plan.simhash.bits * plan.simhash.choose / plan.simhash.blocks,
        bytes=lambda plan: block_bytes(plan.simhash.choose),
    ),
    StoredScheme(
        "minhash",
        Field.MINHASH_KEYS,
        "character bands",
        part="minhash",
        keys=lambda plan: plan.minhash.bands,
    ),
    StoredScheme(
        "syllables",
        Field.SYLLABLE_KEYS,
        "sound bands",
        part="syllable_minhash",
        keys=lambda plan: plan.syllable_minhash.bands,
    ),
    StoredScheme(
        "passages",
        Field.PASSAGE_KEYS,
        "passages",
        part="passages",
        keys=_passage_keys,
        by_length=True,
    ),
    StoredScheme(
        "sentences",
        Field.SENTENCES,
        "sentences",
        part="sentences",
        keys=lambda plan: plan.sentences.keep,
        bytes=lambda _plan: 15.0,
        mapping={"type": "keyword"},  # doc values: Kibana aggregates shared sentences
    ),
    StoredScheme(
        "loose",
        Field.LOOSE_KEYS,
        "loose windows",
        part="loose",
        keys=_loose_windows,
        by_length=True,
    ),
    StoredScheme(
        "dna",
        Field.DNA_KEYS,
        "initial windows",
        part="dna",
        keys=_windows,
        # a window may coincide with any window of another text
        bits=lambda plan: _DIGITS * log2(plan.dna.levels) - log2(_windows(plan)),
        bytes=lambda plan: _WINDOW_BYTES + ceil(_DIGITS * log2(plan.dna.levels) / 8),
        by_length=True,
        statistics=True,
    ),
    StoredScheme(
        "imatch",
        Field.IMATCH_KEYS,
        "mid-frequency words",
        part="imatch",
        keys=lambda plan: 1 + plan.imatch.lexicons,
        by_length=True,
        statistics=True,
    ),
    StoredScheme(
        "projection",
        Field.PROJECTION_KEYS,
        "projection blocks",
        part="projection",
        keys=lambda plan: (
            plan.projection.planes // 64 * comb(plan.projection.blocks, plan.projection.choose)
        ),
        bits=lambda plan: 64 * plan.projection.choose / plan.projection.blocks,
        bytes=lambda plan: block_bytes(plan.projection.choose),
        statistics=True,
    ),
)

STORED: Final[dict[str, StoredScheme]] = {}
"""Stored schemes by name, in the order in which answers list evidence."""

SCHEME_FIELDS: Final[dict[str, Field]] = {}
"""The field that holds the terms of each scheme."""

PARTS: Final[dict[str, str]] = {"shingles": "shingles", "cosine": "cosine"}
"""The entry of a plan that holds the numbers of a scheme, including schemes that only compare."""


def store(row: StoredScheme) -> None:
    """Make a scheme available to plans by adding it to all tables."""
    STORED[row.name] = row
    SCHEME_FIELDS[row.name] = row.field
    if row.part:
        PARTS[row.name] = row.part


def label_of(field: Field) -> str:
    """The name of a field's keys in answers."""
    return next(row.label for row in STORED.values() if row.field is field)


for _row in _ROWS:
    store(_row)
