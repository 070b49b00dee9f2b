"""What each scheme of a plan stores of a document: keys, their bits, and the bytes they take."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, comb, log2
from typing import Final, Protocol

from dupdex.forecast.chance import KeyRows
from dupdex.forecast.layouts import KEY_BITS
from indexer.fingerprints.classic.dna import SIZES
from mappings.contract import SCHEME_FIELDS, Field
from mappings.plan import Plan
from mappings.plan.parts import DnaPlan

BYTES_PER_HASHED_KEY: Final = 7.5
BYTES_PER_SENTENCE: Final = 15.0  # with the doc values that Kibana aggregates
BYTES_PER_BLOCK_KEY: Final = {1: 4.5}
"""Index bytes of a key, by chosen blocks: few distinct keys (16-bit blocks) share long posting
lists and cost less. These and the others are what the size section of `scripts/bench` measures
(docs/benchmarks.md), rounded; layouts not measured there count as hashed keys."""

BYTES_PER_WINDOW: Final = 3.3
"""Of a window of initials, beside its packed digits; measured by `_disk_usage` as well, with a plan
that stores them."""

BYTES_PER_TEXT_HASH: Final = 48.0
BYTES_FIXED: Final = 10.0  # simhash, plan, length
BYTES_IN_SOURCE: Final = 9  # a key of six characters, quoted, with its comma
BYTES_OF_SOURCE_FRAME: Final = 100  # field names, text hash, simhash

LETTERS: Final = 1_400
"""Of the document whose windows of initials are counted; that of docs/benchmarks.md."""

BY_LENGTH: Final = (Field.DNA_KEYS, Field.IMATCH_KEYS)
"""Fields that hold more keys of longer texts: a sample tells how many."""

_DIGITS: Final = 20  # of a window of initials


class Sampled(Protocol):
    """Texts with their keys."""

    def keys(self, field: Field) -> KeyRows: ...


def fields_of(plan: Plan) -> tuple[Field, ...]:
    """The fields that hold the keys of a plan's schemes; the text hash is no chance key."""
    stored = (field for name, field in SCHEME_FIELDS.items() if name in plan.schemes)
    return tuple(field for field in stored if field is not Field.TEXT_HASH)


def keys_of(plan: Plan, sample: Sampled | None = None) -> dict[Field, int]:
    """Keys of a document long enough to have all of them, and not longer than one chunk; windows
    of initials, and signatures of words, as the texts of the sample have them."""
    projection = plan.projection
    most = {
        Field.SIMHASH_KEYS: comb(plan.simhash.blocks, plan.simhash.choose),
        Field.MINHASH_KEYS: plan.minhash.bands,
        Field.SYLLABLE_KEYS: plan.syllable_minhash.bands,
        Field.PASSAGE_KEYS: plan.passages.keep,
        Field.SENTENCES: plan.sentences.keep,
        Field.DNA_KEYS: _windows(plan.dna),
        Field.IMATCH_KEYS: 1 + plan.imatch.lexicons,
        Field.PROJECTION_KEYS: projection.planes // 64 * comb(projection.blocks, projection.choose),
    }
    keys = {field: most[field] for field in fields_of(plan)}
    for field in BY_LENGTH:
        if sample is not None and field in keys:
            keys[field] = _mean(sample.keys(field))
    return {**keys, Field.TEXT_HASH: 1}


def bits_of(plan: Plan, field: Field) -> float:
    """Random bits of a key of a field, as far as arithmetic goes."""
    if field is Field.SIMHASH_KEYS:
        return plan.simhash.bits * plan.simhash.choose / plan.simhash.blocks
    if field is Field.PROJECTION_KEYS:
        return 64 * plan.projection.choose / plan.projection.blocks
    if field is Field.DNA_KEYS:  # a window may meet any of another text
        return _DIGITS * log2(plan.dna.levels) - log2(_windows(plan.dna))
    return KEY_BITS


def index_bytes(plan: Plan, field: Field, keys: int) -> float:
    """What so many keys of one field take in the index."""
    each = {
        Field.SIMHASH_KEYS: block_bytes(plan.simhash.choose),
        Field.PROJECTION_KEYS: block_bytes(plan.projection.choose),
        Field.SENTENCES: BYTES_PER_SENTENCE,
        Field.DNA_KEYS: BYTES_PER_WINDOW + SIZES[plan.dna.levels],
        Field.TEXT_HASH: BYTES_PER_TEXT_HASH,
    }
    return keys * each.get(field, BYTES_PER_HASHED_KEY)


def block_bytes(choose: int) -> float:
    """What a key of so many blocks of a simhash takes in the index."""
    return BYTES_PER_BLOCK_KEY.get(choose, BYTES_PER_HASHED_KEY)


def source_bytes(keys: dict[Field, int]) -> int:
    """What keys take in `_source`."""
    return sum(keys.values()) * BYTES_IN_SOURCE + BYTES_OF_SOURCE_FRAME


def _windows(part: DnaPlan) -> int:
    step = max(1, round(part.granularity * (1 - part.overlap)))
    return ceil(max(0, LETTERS - part.granularity) / step) + 1


def _mean(rows: Sequence[Sequence[str]]) -> int:
    return round(sum(len(set(row)) for row in rows) / len(rows))
