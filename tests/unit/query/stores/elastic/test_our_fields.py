"""Clauses that name a field of the object, and those whose values only look like one."""

from __future__ import annotations

import pytest

from query.stores.elastic.our_fields import names_ours


@pytest.mark.parametrize(
    "clause",
    [
        {"term": {"dupdex.group": "a"}},
        {"bool": {"must_not": [{"exists": {"field": "dupdex"}}]}},
        {"multi_match": {"query": "a", "fields": ["title", "dupdex.plan^2"]}},
        {"query_string": {"query": "title:a AND dupdex.plan:b"}},
        {"bool": {"filter": {"range": {"dupdex.length": {"gte": 1}}}}},
        {"nested": {"path": "parts", "query": {"term": {"dupdex.plan": "a"}}}},
        {"has_child": {"type": "part", "query": {"term": {"dupdex.plan": "a"}}}},
        {"constant_score": {"filter": {"terms": {"dupdex.sentences": ["a"]}}}},
    ],
)
def test_a_field_of_the_object_is_seen(clause: dict[str, object]) -> None:
    assert names_ours(clause)


@pytest.mark.parametrize(
    "clause",
    [
        {"term": {"site": "dupdex.org"}},
        {"terms": {"site": ["dupdex.org", "dupdex.com"]}},
        {"match": {"title": {"query": "dupdex.group"}}},
        {"term": {"dupdexer": "a"}},
        {"query_string": {"query": "dupdex"}},
        {"query_string": {"query": "see dupdex.org"}},
        {"term": {"path": "dupdex.txt"}},
        {"match": {"field": "dupdex.x"}},
        {"multi_match": {"query": "a", "fields": None}},  # refused by the server
        {"exists": {"field": 5}},
    ],
)
def test_a_value_is_no_field(clause: dict[str, object]) -> None:
    assert not names_ours(clause)
