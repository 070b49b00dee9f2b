"""Documents in, one row each: what a document is named, its text, and what texts are joined by."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Any, Final

import numpy as np
import orjson
import pyarrow as pa
from pyspark.sql import DataFrame

from dupdex.groups.canonical import value_of
from indexer.boilerplate import NOTHING, Boilerplate
from indexer.fingerprints.key_rows import KEY_BITS, KeyRows, key_rows
from indexer.grouping import Grouping
from indexer.model import Document, Outcome
from indexer.pipeline import checked_batches, texts_of
from indexer.sources.byte_streams import Input
from indexer.sources.jsonl import read_jsonl
from indexer.sources.options import BadLine, ReadOptions
from indexer.stores.stored_object import standing_in
from mappings.contract import OBJECT_FIELD, Field
from mappings.plan import Plan

_FIELDS: Final = tuple(Field)
"""The number of a field stands above the bits of its keys."""

PLACE: Final = "struct<part: string, start: bigint, at: bigint>"
"""Where a document stands, in the order of the input: file or index, block, row."""

PLACE_TYPE: Final = pa.struct([("part", pa.string()), ("start", pa.int64()), ("at", pa.int64())])

LINES: Final = f"place {PLACE}, line string"
ROWS: Final = (
    f"place {PLACE}, id string, text string, value string, before string, refused string, "
    "bytes bigint, text_hash string, length bigint, simhash bigint, spaced boolean, units int, "
    "grams binary, letters binary, keys array<bigint>"
)
_SCHEMA: Final = pa.schema(
    [
        ("place", PLACE_TYPE),
        ("id", pa.string()),
        ("text", pa.string()),
        ("value", pa.string()),
        ("before", pa.string()),
        ("refused", pa.string()),
        ("bytes", pa.int64()),
        ("text_hash", pa.string()),
        ("length", pa.int64()),
        ("simhash", pa.int64()),
        ("spaced", pa.bool_()),
        ("units", pa.int32()),
        ("grams", pa.binary()),
        ("letters", pa.binary()),
        ("keys", pa.list_(pa.int64())),
    ]
)


@dataclass(frozen=True, slots=True)
class Reading:
    """How the texts of a corpus are read and compared. `fields`: whose keys bring candidates;
    `boilerplate`: sentences that have no say.
    """

    options: ReadOptions
    fields: frozenset[Field]
    grouping: Grouping
    boilerplate: Boilerplate = NOTHING

    @property
    def plan(self) -> Plan:
        return self.options.meta.plan


def field_number(field: Field) -> int:
    """The number of a field in a key."""
    return _FIELDS.index(field)


def corpus_rows(lines: DataFrame, reading: Reading) -> DataFrame:
    """The documents of `lines` (LINES: JSON objects and their places) as ROWS; `refused` says why
    one cannot be compared.
    """

    def rows(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            yield from _rows(batch, reading)

    return lines.mapInArrow(rows, ROWS)


def _rows(batch: pa.RecordBatch, reading: Reading) -> Iterator[pa.RecordBatch]:
    places = batch.column(0).to_pylist()
    lines = b"\n".join((line or "").encode() for line in batch.column(1).to_pylist())
    documents: list[Document] = []
    for item in read_jsonl(Input(BytesIO(lines), "", "utf-8"), reading.options):
        if isinstance(item, BadLine):
            yield _refused(_place(item, places), "", item.message)
        else:
            documents.append(item)
    for part in checked_batches(documents, reading.plan):
        good = [item for item in part if isinstance(item, Document)]
        for bad in part:
            if isinstance(bad, Outcome):
                yield _refused(_place(bad.document, places), bad.document.id, bad.reason)
        if good:
            rows = key_rows(texts_of(part), reading.plan, reading.fields, True)
            yield _described(good, [_place(each, places) for each in good], rows, reading)


def _place(item: Document | BadLine, places: Sequence[Any]) -> Any:
    return places[item.mark.position - 1] if item.mark else None  # lines always have a mark


def _refused(place: Any, document_id: str, reason: str) -> pa.RecordBatch:
    row = {"place": place, "id": document_id, "refused": reason}
    return pa.RecordBatch.from_pylist([row], schema=_SCHEMA)


def _described(
    documents: Sequence[Document], places: Sequence[Any], rows: KeyRows, reading: Reading
) -> pa.RecordBatch:
    count, sketched = len(documents), rows.sketched
    columns = [
        pa.array(places, PLACE_TYPE),
        pa.array([document.id for document in documents]),
        pa.array([document.text for document in documents]),
        pa.array([_value(document, reading.grouping) for document in documents], pa.string()),
        pa.array([_group(document) for document in documents]),
        pa.nulls(count, pa.string()),
        pa.array([len(document.text.encode()) for document in documents], pa.int64()),
        pa.array(rows.hashes),
        pa.array(rows.lengths, pa.int64()),
        pa.array(rows.simhashes.view(np.int64)),
        pa.array(sketched.spaced),
        pa.array(sketched.units),
        pa.array([row.tobytes() for row in sketched.grams], pa.binary()),
        pa.array([row.tobytes() for row in sketched.letters], pa.binary()),
        _keys(rows, count),
    ]
    return pa.RecordBatch.from_arrays(columns, schema=_SCHEMA)


def _value(document: Document, grouping: Grouping) -> str | None:
    """The value that the policy reads, as JSON."""
    value = value_of(document.body, grouping)
    return None if value is None else orjson.dumps(value).decode()


def _group(document: Document) -> str:
    """The group that the document is in, where it comes from an index."""
    return standing_in(document.body.get(OBJECT_FIELD), document.id).group


def _keys(rows: KeyRows, count: int) -> pa.Array:
    """The distinct keys of each text, with the numbers of their fields."""
    parts, owners = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for name, (keys, rows_of) in rows.keys.items():
        parts.append(keys.astype(np.int64) | (field_number(name) << KEY_BITS))
        owners.append(rows_of)
    every, owner = np.concatenate(parts), np.concatenate(owners)
    order = np.lexsort((every, owner))
    every, owner = every[order], owner[order]
    is_first = np.ones(len(every), np.bool_)
    is_first[1:] = (every[1:] != every[:-1]) | (owner[1:] != owner[:-1])
    ends = np.cumsum(np.bincount(owner[is_first], minlength=count))
    offsets = np.concatenate([[0], ends]).astype(np.int32)
    return pa.ListArray.from_arrays(pa.array(offsets), pa.array(every[is_first]))
