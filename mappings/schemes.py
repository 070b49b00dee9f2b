"""What an index stores of each scheme: one row a scheme, from which all tables of the project are
made (fields, mappings, parts of the plan, labels, forecasts).

`indexer.fingerprints.registry` has the code of the schemes; a further one is registered there
with its row.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import ceil, comb, log2
from typing import TYPE_CHECKING, Any, Final

from mappings.contract import Field

if TYPE_CHECKING:
    from mappings.plan.plan import Plan

HASHED_BITS: Final = 36
"""Of a hashed key: six characters."""

HASHED_BYTES: Final = 7.5
BLOCK_BYTES: Final = {1: 4.5}
"""Index bytes of a hashed key, and of a key of so many blocks: few distinct keys (16-bit blocks)
share long posting lists and cost less. The size section of `scripts/bench` measures these and those
below (docs/benchmarks.md); layouts not measured there count as hashed keys."""

KEYWORDS: Final[Mapping[str, Any]] = {
    "type": "keyword",
    "doc_values": False,
    "norms": False,
    "index_options": "docs",
}

LETTERS: Final = 1_400
"""Of the document whose keys are counted where longer texts have more; that of
docs/benchmarks.md."""

_DIGITS: Final = 20  # of a window of initials
_WINDOW_BYTES: Final = 3.3  # beside its packed digits


@dataclass(frozen=True, slots=True)
class StoredScheme:
    """A scheme whose keys an index holds.

    `label`: what its keys are called in answers. `part`: the entry of a plan with its numbers, ""
    for a scheme without any. `keys`: how many a document has that is long enough for all of them
    and no longer than one chunk; `grows`: longer texts have more, and a sample tells how many.
    `bits`: how many random bits a key has, None for one that never meets another by chance.
    `bytes`: what a key takes in the index. `statistics`: its values depend on those of the plan.
    """

    name: str
    field: Field
    label: str
    keys: Callable[[Plan], int]
    part: str = ""
    bits: Callable[[Plan], float] | None = lambda _plan: HASHED_BITS
    bytes: Callable[[Plan], float] = lambda _plan: HASHED_BYTES
    mapping: Mapping[str, Any] = dataclasses.field(default_factory=lambda: KEYWORDS)
    grows: bool = False
    statistics: bool = False


def block_bytes(choose: int) -> float:
    """What a key of so many blocks of a simhash takes in the index."""
    return BLOCK_BYTES.get(choose, HASHED_BYTES)


def _windows(plan: Plan) -> int:
    part = plan.dna
    step = max(1, round(part.granularity * (1 - part.overlap)))
    return ceil(max(0, LETTERS - part.granularity) / step) + 1


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
        keys=lambda plan: plan.passages.keep,
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
        "dna",
        Field.DNA_KEYS,
        "initial windows",
        part="dna",
        keys=_windows,
        # a window may meet any of another text
        bits=lambda plan: _DIGITS * log2(plan.dna.levels) - log2(_windows(plan)),
        bytes=lambda plan: _WINDOW_BYTES + ceil(_DIGITS * log2(plan.dna.levels) / 8),
        grows=True,
        statistics=True,
    ),
    StoredScheme(
        "imatch",
        Field.IMATCH_KEYS,
        "mid-frequency words",
        part="imatch",
        keys=lambda plan: 1 + plan.imatch.lexicons,
        grows=True,
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
"""By name; the order is the order of evidence in an answer."""

SCHEME_FIELDS: Final[dict[str, Field]] = {}
"""Which field holds the terms of which scheme."""

PARTS: Final[dict[str, str]] = {"shingles": "shingles", "cosine": "cosine"}
"""The entry of a plan that holds the numbers of a scheme, also of those that only compare."""


def store(row: StoredScheme) -> None:
    """Make a scheme one that plans can name; all tables have it from then on."""
    STORED[row.name] = row
    SCHEME_FIELDS[row.name] = row.field
    if row.part:
        PARTS[row.name] = row.part


def label_of(field: Field) -> str:
    """What the keys of a field are called in answers."""
    return next(row.label for row in STORED.values() if row.field is field)


for _row in _ROWS:
    store(_row)
