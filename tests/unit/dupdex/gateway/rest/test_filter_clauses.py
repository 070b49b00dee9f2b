"""Filters of clients neither run scripts nor read other indices."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupdex.gateway.rest.filter_clauses import PLAIN, checked
from dupdex.gateway.rest.problems import Refused

SCRIPT = {"script": {"script": "true"}}


@pytest.mark.parametrize(
    "clause",
    [
        {"term": {"a": 1}},
        {"terms": {"a": [1, 2]}},
        {"range": {"day": {"gte": "now-1d"}}},
        {"bool": {"must": {"term": {"a": 1}}, "should": [{"exists": {"field": "b"}}]}},
        {"bool": {"filter": [{"bool": {"must_not": [{"ids": {"values": ["1"]}}]}}]}},
    ],
)
def test_plain_clauses_are_taken(clause: dict[str, Any]) -> None:
    assert checked([clause]) == (clause,)


@pytest.mark.parametrize(
    ("clause", "pointer"),
    [
        (SCRIPT, "/filters/0"),
        ({"bool": {"must": [{"term": {}}, SCRIPT]}}, "/filters/0/bool/must/1"),
        ({"bool": {"filter": SCRIPT}}, "/filters/0/bool/filter/0"),
        ({"terms": {"a": {"index": "other", "id": "1", "path": "b"}}}, "/filters/0/terms"),
        ({"more_like_this": {"like": [{"_index": "other"}]}}, "/filters/0"),
        ({"term": {"a": 1}, "script": {}}, "/filters/0"),
        ({"bool": {"mustNot": [SCRIPT]}}, "/filters/0/bool"),
        ({}, "/filters/0"),
    ],
)
def test_others_are_refused_and_named(clause: dict[str, Any], pointer: str) -> None:
    with pytest.raises(Refused) as caught:
        checked([clause])
    assert caught.value.pointer == pointer


@given(st.integers(1, 30), st.sampled_from(["must", "filter", "should", "must_not"]))
def test_nothing_hides_in_depth(depth: int, part: str) -> None:
    clause: dict[str, Any] = SCRIPT
    for _ in range(depth):
        clause = {"bool": {part: [clause]}}
    with pytest.raises(Refused):
        checked([clause])


def test_nothing_is_the_same_as_none() -> None:
    assert checked(None) == checked([]) == ()
    assert "script" not in PLAIN
