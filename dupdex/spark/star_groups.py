"""Edges and documents as groups: a star partition of some components at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import orjson
import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812

from dupdex.groups.canonical import Member, canonical
from dupdex.groups.naming import named
from dupdex.groups.partition import Star, stars
from dupdex.spark.corpus_rows import PLACE, PLACE_TYPE
from dupdex.wire.forms import DIGITS
from indexer.grouping import Grouping
from indexer.model import Ref
from query.answers import Verdict

BUCKET_EDGES: Final = 50_000
"""Edges of components that are looked at together, on average."""

_MEMBERS: Final = f"array<struct<id: string, similarity: double, verdict: string, place: {PLACE}>>"
GROUPS: Final = (
    f"group string, canonical string, size bigint, members {_MEMBERS}, place {PLACE}, kept {PLACE}"
)
_MEMBER: Final = pa.struct(
    [
        ("id", pa.string()),
        ("similarity", pa.float64()),
        ("verdict", pa.string()),
        ("place", PLACE_TYPE),
    ]
)
_SCHEMA: Final = pa.schema(
    [
        ("group", pa.string()),
        ("canonical", pa.string()),
        ("size", pa.int64()),
        ("members", pa.list_(_MEMBER)),
        ("place", PLACE_TYPE),
        ("kept", PLACE_TYPE),
    ]
)


def star_groups(
    edges: DataFrame, documents: DataFrame, labels: DataFrame, grouping: Grouping, buckets: int
) -> DataFrame:
    """The groups (GROUPS) of documents. `edges`: first, second, similarity; `documents`: node, size
    (of the node), id, place, length, value; `labels`: the component of each node of an edge.
    `place`: of the first member; `kept`: of the canonical one.
    """
    bucket = F.pmod(F.xxhash64("component"), F.lit(buckets)).alias("bucket")
    of_first = labels.withColumnRenamed("node", "first")
    pairs = edges.join(of_first, "first").select(bucket, "first", "second", "similarity")
    several = documents.join(labels, "node", "left").where("component is not null or size > 1")
    several = several.withColumn("component", F.coalesce("component", "node"))
    members = several.select(bucket, "node", "size", "id", "place", "length", "value")

    def grouped(of_documents: pa.Table, of_pairs: pa.Table) -> pa.Table:
        rows = groups_in(of_documents.to_pylist(), of_pairs.to_pylist(), grouping)
        return pa.Table.from_pylist(rows, schema=_SCHEMA)

    return members.groupBy("bucket").cogroup(pairs.groupBy("bucket")).applyInArrow(grouped, GROUPS)


def groups_in(
    documents: list[dict[str, Any]], pairs: list[dict[str, Any]], grouping: Grouping
) -> list[dict[str, Any]]:
    """The groups of some components, as rows of GROUPS; the rows of `star_groups`, without a
    bucket, come in."""
    return _Component(documents, pairs).groups(grouping)


class _Component:
    """Some components: their documents, in the order of the input, by number."""

    def __init__(self, documents: list[dict[str, Any]], pairs: list[dict[str, Any]]) -> None:
        self._documents = sorted(documents, key=_place)
        self._of: dict[int, list[int]] = {}
        for at, document in enumerate(self._documents):
            self._of.setdefault(document["node"], []).append(at)
        self._similarity = {(pair["first"], pair["second"]): pair["similarity"] for pair in pairs}

    def groups(self, grouping: Grouping) -> list[dict[str, Any]]:
        """The groups as rows."""
        found = [(star, self._members(star)) for star in self._stars()]
        ids = [[Ref("", self._documents[at]["id"]) for at in members] for _, members in found]
        names = [each.id for each in named(ids, {}, {})]
        return [
            self._row(name, members, self._canonical(star, grouping))
            for (star, members), name in zip(found, names, strict=True)
        ]

    def _stars(self) -> list[Star[int]]:
        """The stars of nodes, and nodes of several documents that are a group by themselves."""
        weights = {node: len(documents) for node, documents in self._of.items()}
        found = stars(self._similarity, None, weights)
        together = {node for star in found for node in star.members}
        alone = (node for node, size in weights.items() if size > 1 and node not in together)
        return [*found, *(Star(node, (node,), (node,)) for node in alone)]

    def _members(self, star: Star[int]) -> list[int]:
        return sorted(at for node in star.members for at in self._of[node])

    def _canonical(self, star: Star[int], grouping: Grouping) -> int:
        """The document that stands for a group. References are numbers, as an id may come twice."""
        members: dict[Ref, Member] = {}
        for at in (at for node in star.common for at in self._of[node]):
            document = self._documents[at]
            value = None if document["value"] is None else orjson.loads(document["value"])
            members[Ref("", f"{at:012}")] = Member(document["length"], at, value)
        return int(canonical(list(members), members, grouping, None).id)

    def _row(self, name: str, members: Sequence[int], chosen: int) -> dict[str, Any]:
        return {
            "group": name,
            "canonical": self._documents[chosen]["id"],
            "size": len(members),
            "members": [self._member(at, chosen) for at in members],
            "place": self._documents[members[0]]["place"],
            "kept": self._documents[chosen]["place"],
        }

    def _member(self, at: int, chosen: int) -> dict[str, Any]:
        node, center = self._documents[at]["node"], self._documents[chosen]["node"]
        similarity = 1.0
        if node != center:
            similarity = self._similarity[min(node, center), max(node, center)]
        verdict = Verdict.EXACT if node == center else Verdict.NEAR
        return {
            "id": self._documents[at]["id"],
            "similarity": round(similarity, DIGITS),
            "verdict": verdict.value,
            "place": self._documents[at]["place"],
        }


def _place(document: dict[str, Any]) -> tuple[str, int, int]:
    place = document["place"]
    return place["part"], place["start"], place["at"]
