"""Searches of callers who see a part of the documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from dupdex.gateway.callers import NotAllowed
from dupdex.gateway.guard.json_bodies import walk
from query.answers import Filter

_BESIDE_THE_QUERY: Final = frozenset({"knn", "retriever", "rank", "sub_searches", "suggest"})
"""Parts of a search that find documents past its query."""

_PAST_THE_QUERY: Final = frozenset(
    {"global", "significant_terms", "significant_text", "has_child", "has_parent", "indexed_shape"}
)
"""Clauses and aggregations that tell of documents which the query has not found."""


def restricted(body: Mapping[str, Any], filters: Sequence[Filter]) -> dict[str, Any]:
    """The same search among the documents that meet the filters; scores stay as they are.

    Raises NotAllowed for what would tell of others.
    """
    if not filters:
        return dict(body)
    for name in _BESIDE_THE_QUERY & body.keys():
        raise _refused(name)
    for name, value in walk(body):
        if _tells_of_others(name, value):
            raise _refused(name)
    query = body.get("query")
    found: dict[str, Any] = {"filter": list(filters)}
    found["must"] = [query if query is not None else {"match_all": {}}]
    return {**body, "query": {"bool": found}}


def _tells_of_others(name: str, value: object) -> bool:
    if not isinstance(value, dict):
        return False
    if name in _PAST_THE_QUERY or "target_index" in value:
        return True
    if name in ("terms", "multi_terms"):  # buckets of terms that only other documents have
        least = value.get("min_doc_count", 1)
        if not isinstance(least, int) or least < 1:
            return True
    if name in ("children", "parent"):  # the aggregations, which go to other documents
        return "type" in value
    if name == "more_like_this":
        return any(_names_a_document(value.get(each)) for each in ("like", "unlike"))
    if name == "percolate":
        return "id" in value
    return {"id", "path"} <= value.keys()  # a terms lookup: a field of another document


def _names_a_document(like: object) -> bool:
    return any(isinstance(each, dict) for each in (like if isinstance(like, list) else [like]))


def _refused(name: str) -> NotAllowed:
    return NotAllowed(
        f"this key sees a part of the documents, and {name!r} would tell of others; leave it out"
    )
