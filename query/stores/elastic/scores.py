"""How Elasticsearch scores the terms of a lookup, and from which score on they are rare enough.

BM25 scores a term by its rarity, times a factor for the length of the field. Our fields keep no
lengths: each counts as one term long, while the average that it is held against counts all terms.
So with 16 keys a document a term scores 1.6 times what it scores in a field of one, and in an index
of short texts less. Boosts take that out: a term then scores its rarity, whatever its field.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from mappings.contract import OBJECT_FIELD, Field
from query.answers import CUT_FROM

_SIZES: Final = "sizes"
_MOST_INDICES: Final = 10_000
_K1, _B = 1.2, 0.75  # the server's defaults
_TIME: Final = "@timestamp"
_SAME: Final = 1e-5
"""Scores come as 32-bit floats, and so do sums of them."""

_WHOLE: Final = 1e-6
"""How far from a whole number a sum of equal scores may be."""


@dataclass(frozen=True, slots=True)
class Cut:
    """`least`: the score of a document that shares one key in exactly `max_df` documents.
    `boosts`: by field, the factor that makes a key score its rarity.
    """

    least: float
    boosts: Mapping[Field, float]


@dataclass(frozen=True, slots=True)
class Scale:
    """The documents of an index, and the boosts of its fields."""

    documents: int = 0
    boosts: Mapping[Field, float] = field(default_factory=dict)

    def cut(self, max_df: int) -> Cut | None:
        """The cut that leaves out documents which share one key of more than `max_df` documents and
        nothing rarer; None in an index too small for it (see CUT_FROM).
        """
        if self.documents < CUT_FROM * max(1, max_df):
            return None
        rarity = math.log1p((self.documents - max_df + 0.5) / (max_df + 0.5))
        return Cut(rarity * (1 - _SAME), self.boosts)


def simhash_weight(cut: Cut | None) -> float:
    """The score of one shared simhash key: that of the most frequent key that has a vote."""
    return cut.least if cut else 1.0


def is_simhash_only(score: float, weight: float) -> bool:
    """Whether a score is made of simhash keys alone: a whole number of their weights.

    Rarities of other terms add up to one by chance only, and no verdict hangs on this alone.
    """
    keys = score / weight
    return round(keys) >= 1 and abs(keys - round(keys)) < _WHOLE


def sizes_body() -> dict[str, Any]:
    """Counts the documents of each index behind a name that have keys: rarity is counted among
    them, and in an attached index others may be many."""
    by_index = {"terms": {"field": "_index", "size": _MOST_INDICES}}
    query = {"exists": {"field": Field.TEXT_HASH.path}}
    return {"size": 0, "track_total_hits": False, "query": query, "aggs": {_SIZES: by_index}}


def smallest_in(answer: Mapping[str, Any]) -> tuple[str, int]:
    """Name and documents of the smallest index behind a name, from the answer to `sizes_body`.

    Rarity is counted within an index, so a small one behind an alias decides for all. "" and 0
    when nothing is stored.
    """
    buckets = answer["aggregations"][_SIZES]["buckets"]
    sizes = ((int(bucket["doc_count"]), str(bucket["key"])) for bucket in buckets)
    documents, name = min(sizes, default=(0, ""))
    return name, documents


def statistics_body(fields: Iterable[Field], in_stream: bool = False) -> dict[str, Any]:
    """Asks `_termvectors` how many terms the documents of an index have in each field, by a made
    document; one of an index in a data stream (`in_stream`) must have a time."""
    time = {_TIME: 0} if in_stream else {}
    return {
        "doc": {**time, OBJECT_FIELD: {name.value: "any" for name in fields}},
        "fields": [f"{OBJECT_FIELD}.*"],
        "positions": False,
        "offsets": False,
    }


def boosts_in(answer: Mapping[str, Any], fields: Iterable[Field]) -> dict[Field, float]:
    """The boosts of fields, from the answer to `statistics_body`."""
    vectors = answer.get("term_vectors", {})
    return {name: _boost(vectors.get(name.path, {}).get("field_statistics", {})) for name in fields}


def _boost(statistics: Mapping[str, Any]) -> float:
    """One over what BM25 makes of a rarity of 1."""
    documents = max(1, int(statistics.get("doc_count", 0)))
    terms = max(1.0, int(statistics.get("sum_ttf", 0)) / documents)
    length = 1 - _B + _B / terms
    return round((1 + _K1 * length) / (1 + _K1), 6)
