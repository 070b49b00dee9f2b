"""Filters of the embedded store: what is refused; what matches is in the contract suite."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from mappings.errors import InputRefused
from query.stores.embedded.term_filter import acceptor


@pytest.mark.parametrize(
    ("clause", "named"),
    [
        ({}, "{}"),
        ({"range": {"year": {"gte": 1}}}, "range"),
        ({"term": {"a": 1}, "terms": {"b": [1]}}, "terms"),
        ({"term": {}}, "term"),
        ({"term": {"a": 1, "b": 2}}, "term"),
        ({"term": "a"}, "term"),
        ({"term": {"a": {"value": 1, "boost": 2}}}, "'a'"),
        ({"term": {"a": {"case_insensitive": True}}}, "'a'"),
        ({"term": {"a": None}}, "'a'"),
        ({"term": {"a": [1]}}, "'a'"),
        ({"term": {"a": "half \ud83d"}}, "'a'"),
        ({"term": {"_id": "x"}}, "_id"),
        ({"term": {"dupdex.plan": "x"}}, "dupdex.plan"),
        ({"bool": {"must": []}}, "bool"),
    ],
)
def test_what_is_not_understood_is_named(clause: dict[str, Any], named: str) -> None:
    with pytest.raises(InputRefused) as caught:
        acceptor([clause])
    assert named in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("body", "path", "value", "expected"),
    [
        ({"a": 1}, "a", 1.0, True),
        ({"a": 1}, "a", True, False),
        ({"a": True}, "a", 1, False),
        ({"a": "1"}, "a", 1, True),  # a keyword field takes a number by its spelling
        ({"a": 1}, "a", "1", True),  # a numeric field takes a string
        ({"a": "01"}, "a", 1, False),
        ({"a": 'x/"y"\\é\n'}, "a", 'x/"y"\\é\n', True),
        ({"a.b": "c"}, "a.b", "c", True),
        ({"a": {"b": "c"}}, "a.b", "c", True),
        ({"a": {"b.c": "d"}}, "a.b.c", "d", True),
        ({"a": [{"b": ["x"]}, {"b": ["y"]}]}, "a.b", "y", True),
        ({"a": {"b": "c"}}, "a", "c", False),
        ({"b": "c"}, "a", "c", False),
        ({"a": None}, "a", "null", False),
    ],
)
def test_equality(body: dict[str, Any], path: str, value: object, expected: bool) -> None:
    accepts = acceptor([{"term": {path: value}}])
    assert accepts is not None
    assert accepts(orjson.dumps(body)) is expected


def test_no_filters_no_test() -> None:
    assert acceptor([]) is None
