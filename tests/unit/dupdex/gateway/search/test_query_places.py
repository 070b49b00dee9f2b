"""Clauses are found wherever a query may stand, and nowhere else."""

from __future__ import annotations

import json
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupdex.gateway.search.query_places import CLAUSE, DEEPEST, rewritten
from dupdex.gateway.search.raw_json import NotJson
from dupdex.gateway.search.search_refused import SearchRefused

HERE: dict[str, Any] = {CLAUSE: {"text": "x"}}
FOUND: dict[str, Any] = {"match_none": {}}
LEAF = {"term": {"a": 1}}


def replaced(body: Any) -> Any:
    raw = rewritten(json.dumps(body).encode(), lambda _content: orjson.dumps(FOUND))
    return json.loads(raw)


PLACES: list[Any] = [
    {"query": HERE},
    {"query": {"bool": {"must": HERE, "filter": [LEAF, HERE], "should": [HERE], "must_not": HERE}}},
    {"query": {"constant_score": {"filter": HERE, "boost": 2}}},
    {"query": {"boosting": {"positive": HERE, "negative": LEAF, "negative_boost": 0.5}}},
    {"query": {"dis_max": {"queries": [HERE, LEAF]}}},
    {"query": {"function_score": {"query": HERE, "functions": [{"filter": HERE, "weight": 2}]}}},
    {"query": {"script_score": {"query": HERE, "script": {"source": "1"}}}},
    {"query": {"nested": {"path": "p", "query": {"bool": {"should": HERE}}}}},
    {"query": {"has_child": {"type": "t", "query": HERE}}},
    {"query": {"knn": {"field": "v", "filter": [HERE]}}},
    {"query": {"pinned": {"ids": ["1"], "organic": HERE}}},
    {"post_filter": HERE},
    {"knn": {"field": "v", "filter": HERE}},
    {"knn": [{"field": "v", "filter": [LEAF, HERE]}]},
    {"rescore": {"query": {"rescore_query": HERE}, "window_size": 5}},
    {"rescore": [{"query": {"rescore_query": HERE}}]},
    {"highlight": {"highlight_query": HERE, "fields": {"t": {"highlight_query": HERE}}}},
    {"highlight": {"fields": [{"t": {"highlight_query": HERE}}]}},
    {"sort": [{"a": {"nested": {"path": "a", "filter": HERE, "nested": {"filter": HERE}}}}, "b"]},
    {"aggs": {"x": {"filter": HERE, "aggs": {"y": {"filters": {"filters": {"z": HERE}}}}}}},
    {"aggregations": {"x": {"filters": {"filters": [HERE, LEAF]}}}},
    {"aggs": {"x": {"adjacency_matrix": {"filters": {"a": HERE}}}}},
    {"aggs": {"x": {"significant_text": {"field": "t", "background_filter": HERE}}}},
    {"retriever": {"standard": {"query": HERE, "filter": [HERE]}}},
    {
        "retriever": {
            "rrf": {"retrievers": [{"standard": {"query": HERE}}, {"knn": {"filter": HERE}}]}
        }
    },
    {"retriever": {"linear": {"retrievers": [{"retriever": {"standard": {"query": HERE}}}]}}},
]


def counted(value: Any, wanted: Any) -> int:
    if value == wanted:
        return 1
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return sum(counted(each, wanted) for each in inner)


@pytest.mark.parametrize("body", PLACES)
def test_a_clause_is_replaced(body: Any) -> None:
    out = replaced(body)
    assert counted(out, HERE) == 0
    assert counted(out, FOUND) == counted(body, HERE) > 0
    assert replaced(out) == out


@pytest.mark.parametrize(
    "body",
    [
        {"query": {"match": {CLAUSE: {"query": "x"}}}},
        {"query": {"term": {CLAUSE: "x"}}},
        {"query": {"exists": {"field": CLAUSE}}},
        {"aggs": {CLAUSE: {"terms": {"field": "a"}}}},
        {"aggs": {CLAUSE: {"filters": {"filters": {CLAUSE: LEAF}}}}},
        {"sort": [{CLAUSE: {"order": "asc"}}]},
        {"highlight": {"fields": {CLAUSE: {}}}},
        {"_source": [CLAUSE]},
        {"runtime_mappings": {CLAUSE: {"type": "long"}}},
        {"script_fields": {CLAUSE: {"script": {"source": "1", "params": HERE}}}},
        {"query": {"match": {"text": orjson.dumps(HERE).decode()}}},
        HERE,
    ],
)
def test_a_name_is_no_clause(body: Any) -> None:
    raw = orjson.dumps(body)
    assert rewritten(raw, lambda _content: b"1") is raw


def test_clauses_come_in_order() -> None:
    body = {"query": {"bool": {"should": [{CLAUSE: {"max": n}} for n in range(3)]}}}
    seen: list[bytes] = []
    rewritten(orjson.dumps(body), lambda content: seen.append(content) or content)  # type: ignore[func-returns-value]
    assert seen == [b'{"max":0}', b'{"max":1}', b'{"max":2}']


def test_what_stands_beside_it_keeps_its_bytes() -> None:
    raw = b'{"a": [1.10, 1e2, 12345678901234567890123, "\\u00e9"], "query": {"near_duplicate": {}}}'
    out = rewritten(raw, lambda _content: b"{}")
    assert out == b'{"a":[1.10, 1e2, 12345678901234567890123, "\\u00e9"],"query":{}}'


def test_a_clause_shares_its_object_with_nothing() -> None:
    with pytest.raises(SearchRefused, match=r"found \[term\]"):
        replaced({"query": {**HERE, "term": {"a": 1}}})


def test_depth_has_a_limit() -> None:
    query: Any = HERE
    for _ in range(DEEPEST):
        query = {"bool": {"must": query}}
    with pytest.raises(SearchRefused, match="levels"):
        replaced({"query": query})
    deep = b'{"query":' + b'{"bool":{"must":' * 30_000 + b'{"near_duplicate":{}}'
    with pytest.raises((NotJson, SearchRefused)):
        rewritten(deep + b"}}" * 30_000 + b"}", lambda _content: b"{}")


def test_a_long_body_is_not_held_once_a_level() -> None:
    beside = {"bool": {"must": HERE, "filter": {"term": {"a": "a" * 8_000_000}}}}
    assert rewritten(orjson.dumps({"query": beside}), lambda _content: b"{}")
    padded: Any = {CLAUSE: {"text": "a" * 2_000_000}}
    for _ in range(40):
        padded = {"bool": {"must": padded}}
    with pytest.raises(SearchRefused, match="shorter"):
        rewritten(orjson.dumps({"query": padded}), lambda _content: b"{}")


names = st.sampled_from(["query", "bool", "must", "filter", "aggs", "a", "knn", "sort", "terms"])
bodies = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.just(CLAUSE),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
    max_leaves=20,
)


@given(bodies)
def test_a_body_without_a_clause_is_never_changed(body: Any) -> None:
    raw = json.dumps(body).encode()
    assert rewritten(raw, lambda _content: b"1") is raw


@given(bodies, st.sampled_from(PLACES))
def test_a_body_around_a_clause_means_the_same(body: Any, place: Any) -> None:
    """What stands beside the places of queries stays, whatever it is."""
    around = {"ext": body, "_source": body, **place}
    out = replaced(around)
    assert (out["ext"], out["_source"]) == (body, body)
    assert counted({**out, "ext": 0, "_source": 0}, HERE) == 0
