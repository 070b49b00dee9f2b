"""Where queries stand in the body of a search, and how those that are ours are replaced there.

Elasticsearch's query language, as far as it holds queries: names lead to names. A field or an
aggregation that is called `near_duplicate` stands elsewhere, and is left alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from dupdex.gateway.search.raw_json import (
    array_of,
    elements,
    is_array,
    is_object,
    members,
    object_of,
)
from dupdex.gateway.search.search_refused import SearchRefused

CLAUSE: Final = "near_duplicate"
MARK: Final = CLAUSE.encode()
"""What a body must hold to be looked into."""

DEEPEST: Final = 200
"""Levels of JSON above a clause. Elasticsearch takes 30 levels of queries, each two or three."""

_MOST_HELD: Final = 32 << 20
"""Bytes of a body times levels: what is between the body and a clause is held once a level."""

_Q: Final = "query"
_PLACES: Final[Mapping[str, Mapping[str, str]]] = {
    "search": {
        "query": _Q,
        "post_filter": _Q,
        "rescore": "rescore",
        "knn": "with_filter",
        "aggs": "aggregations",
        "aggregations": "aggregations",
        "highlight": "highlight",
        "sort": "sort",
        "retriever": "retriever",
        "collapse": "collapse",
    },
    "query": {
        "bool": "bool",
        "boosting": "boosting",
        "constant_score": "with_filter",
        "dis_max": "dis_max",
        "function_score": "function_score",
        "script_score": "with_query",
        "nested": "with_query",
        "has_child": "with_query",
        "has_parent": "with_query",
        "knn": "with_filter",
        "pinned": "pinned",
        "rule": "pinned",
        "rule_query": "pinned",
    },
    "bool": {"must": _Q, "should": _Q, "filter": _Q, "must_not": _Q},
    "boosting": {"positive": _Q, "negative": _Q},
    "dis_max": {"queries": _Q},
    "function_score": {"query": _Q, "functions": "with_filter"},
    "pinned": {"organic": _Q},
    "with_filter": {"filter": _Q, "inner_hits": "inner_hits"},
    "with_query": {"query": _Q, "inner_hits": "inner_hits"},
    "inner_hits": {"highlight": "highlight", "sort": "sort"},
    "collapse": {"inner_hits": "inner_hits"},
    "rescore": {"query": "rescore_query"},
    "rescore_query": {"rescore_query": _Q},
    "highlight": {"highlight_query": _Q, "fields": "highlight_fields"},
    "highlight_fields": {"*": "highlight_field"},
    "highlight_field": {"highlight_query": _Q},
    "sort": {"*": "sort_field"},
    "sort_field": {"nested": "sort_nested"},
    "sort_nested": {"filter": _Q, "nested": "sort_nested"},
    "aggregations": {"*": "aggregation"},
    "aggregation": {
        "filter": _Q,
        "filters": "filters",
        "adjacency_matrix": "filters",
        "significant_terms": "background",
        "significant_text": "background",
        "top_hits": "inner_hits",
        "aggs": "aggregations",
        "aggregations": "aggregations",
    },
    "filters": {"filters": "named_queries"},
    "named_queries": {"*": _Q},
    "background": {"background_filter": _Q},
    "retriever": {"retriever": "retriever", "*": "retriever_body"},
    "retriever_body": {
        "query": _Q,
        "filter": _Q,
        "retriever": "retriever",
        "retrievers": "retriever",
        "rescore": "rescore",
    },
}
_IN_A_LIST: Final = {"named_queries": _Q}
"""A list holds what a single value would be, except where its items have no names."""

Visit = Callable[[bytes], bytes]


def rewritten(raw: bytes, visit: Visit, place: str = "search", depth: int = 0) -> bytes:
    """The body of a search with `visit(content)` in the place of every query that is a
    `near_duplicate` clause, from the first to the last; whatever holds none is the same bytes.

    Raises SearchRefused for a clause that shares its object with another query, NotJson.
    """
    if MARK not in raw or not place:
        return raw
    if depth * len(raw) > _MOST_HELD:
        raise SearchRefused(f"[{CLAUSE}] stands too deep in so long a body; write it shorter")
    if depth > DEEPEST:
        raise SearchRefused(f"[{CLAUSE}] stands below more than {DEEPEST} levels; write less deep")
    if is_array(raw):
        inner = _IN_A_LIST.get(place, place)
        before = elements(raw)
        after = [rewritten(each, visit, inner, depth + 1) for each in before]
        return raw if _same(before, after) else array_of(after)
    if not is_object(raw):
        return raw
    parts = members(raw)
    if place == _Q and CLAUSE in parts:
        if len(parts) > 1:
            other = next(name for name in parts if name != CLAUSE)
            raise SearchRefused(f"[{CLAUSE}] malformed query, expected the end but found [{other}]")
        return visit(parts[CLAUSE])
    known = _PLACES[place]
    after = [
        rewritten(value, visit, known.get(name) or known.get("*", ""), depth + 1)
        for name, value in parts.items()
    ]
    if _same(parts.values(), after):
        return raw
    return object_of(dict(zip(parts, after, strict=True)))


def _same(before: Iterable[bytes], after: Iterable[bytes]) -> bool:
    return all(one is other for one, other in zip(before, after, strict=True))
