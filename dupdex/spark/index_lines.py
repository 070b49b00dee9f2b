"""An index as the source of a job and as the place where its groups go: read in slices, and written
to by every task.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing
from itertools import islice
from typing import Any, Final

import orjson
import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812

from dupdex.location import Location
from dupdex.session import Session
from dupdex.spark.corpus_rows import LINES, PLACE_TYPE
from dupdex.spark.spark_job import SparkGroups
from indexer.model import Ref
from indexer.stores.stored_object import standing_in
from mappings.contract import OBJECT_FIELD, Field
from mappings.errors import InputRefused
from query.stores.elastic.slices import slice_of

ID: Final = "_id"
"""The field of a line that holds the id: no document of a server can have one of that name."""

_PAGE: Final = 500
_SCHEMA: Final = pa.schema([("place", PLACE_TYPE), ("line", pa.string())])
_KEPT: Final = [Field.GROUP.path, Field.INDEXED.path]


def lines_of_index(
    session: SparkSession, location: Location, moment: str, slices: int
) -> DataFrame:
    """The documents of an index as LINES, as of a moment (`query.stores.elastic.slices`)."""

    def read(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for number in batch.column(0).to_pylist():
                yield from _lines(location, moment, number, slices)

    return session.range(0, slices, 1, slices).mapInArrow(read, LINES)


def _lines(location: Location, moment: str, number: int, slices: int) -> Iterator[pa.RecordBatch]:
    own = {"excludes": [f"{OBJECT_FIELD}.{name.value}" for name in Field if name.path not in _KEPT]}
    hits = slice_of(location.elastic, moment, number, slices, {"size": _PAGE, "_source": own})
    counted = enumerate(hits, number << 40)
    while part := list(islice(counted, _PAGE)):
        rows = [_row(hit, at) for at, hit in part]
        yield pa.RecordBatch.from_pylist(rows, schema=_SCHEMA)


def _row(hit: Any, at: int) -> dict[str, Any]:
    source = hit.get("_source", {})
    indexed = standing_in(source.get(OBJECT_FIELD), hit["_id"]).indexed
    return {
        "place": {"part": hit["_index"], "start": indexed, "at": at},
        "line": orjson.dumps({**source, ID: hit["_id"]}).decode(),
    }


def check_writable(location: Location) -> None:
    """Raise InputRefused for an index whose groups are kept by others."""
    with Session(location) as session:
        meta = session.reader().meta
        if meta.grouping is not None:
            raise InputRefused(
                f"the index {location.index!r} keeps groups of its own, with decisions and "
                "corrections; bring them up to date with 'dupdex sweep'"
            )
        if meta.sidecar_of is not None:
            raise InputRefused(
                f"the index {location.index!r} has a sidecar, where a Spark job cannot put groups; "
                "group it with 'dupdex sweep'"
            )
        if not meta.standing:
            raise InputRefused(
                f"the index {location.index!r} has no place for groups, as an earlier version made "
                "it; run 'dupdex rebuild' first"
            )


def write_groups(found: SparkGroups, location: Location) -> int:
    """Give every document the id of its group, where it has another one; how many were changed."""
    members = found.groups.select("group", F.explode("members").alias("member"))
    members = members.select("group", F.col("member.place").alias("place"))
    read = found.rows.where("refused is null").select("place", "id", "before")
    wanted = read.join(members, "place", "left").withColumn("group", F.coalesce("group", "id"))
    changed = wanted.where("group != before").select(
        F.col("place.part").alias("part"), "id", "group"
    )

    def write(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        with Session(location) as session, closing(session.writer()) as writer:
            for batch in batches:
                rows = batch.to_pylist()
                there = writer.set_groups({Ref(r["part"], r["id"]): r["group"] for r in rows})
                yield pa.RecordBatch.from_pydict({"written": [len(there)]})

    row = changed.mapInArrow(write, "written bigint").agg(F.sum("written").alias("all")).first()
    with Session(location) as session, closing(session.writer()) as writer:
        writer.refresh()
    return int(row["all"] or 0)
