"""What each scheme of a plan stores per document: keys, their random bits and bytes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

from dupdex.forecast.chance import KeyRows
from mappings.contract import Field
from mappings.plan import Plan
from mappings.schemes import STORED, StoredScheme

BYTES_FIXED: Final = 10.0  # simhash, plan, length
BYTES_IN_SOURCE: Final = 9  # a key of six characters, quoted, with its comma
BYTES_OF_SOURCE_FRAME: Final = 100  # field names, text hash, simhash


class Sampled(Protocol):
    """Texts with their keys."""

    def keys(self, field: Field) -> KeyRows: ...


def rows_of(plan: Plan) -> dict[Field, StoredScheme]:
    """The stored schemes of a plan, by field."""
    return {row.field: row for name, row in STORED.items() if name in plan.schemes}


def bits_of(plan: Plan) -> dict[Field, float]:
    """Random bits of a key of each field, as far as arithmetic goes; the text hash is left out, as
    nobody meets it by chance."""
    return {field: row.bits(plan) for field, row in rows_of(plan).items() if row.bits}


def keys_of(plan: Plan, sample: Sampled | None = None) -> dict[Field, int]:
    """Keys of a document of each field; where longer texts have more, as the texts of the sample
    have them."""
    return {
        field: _mean(sample.keys(field)) if row.by_length and sample else row.keys(plan)
        for field, row in rows_of(plan).items()
    }


def index_bytes(plan: Plan, field: Field, keys: int) -> float:
    """Bytes in the index for this many keys of one field."""
    return keys * rows_of(plan)[field].bytes(plan)


def source_bytes(keys: dict[Field, int]) -> int:
    """Bytes of the keys in `_source`."""
    return sum(keys.values()) * BYTES_IN_SOURCE + BYTES_OF_SOURCE_FRAME


def _mean(rows: Sequence[Sequence[str]]) -> int:
    return round(sum(len(set(row)) for row in rows) / len(rows))
