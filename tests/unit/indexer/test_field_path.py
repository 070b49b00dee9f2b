"""Values by dotted path: nested, in lists, or under a name with a dot in it."""

from __future__ import annotations

from typing import Any

import pytest

from indexer.field_path import strings_at, values_at


@pytest.mark.parametrize(
    ("body", "path", "values"),
    [
        ({"a": 1}, "a", [1]),
        ({"a": None}, "a", [None]),
        ({"a": [1, [2, "x"]]}, "a", [1, 2, "x"]),
        ({"a": {"b": 1}}, "a.b", [1]),
        ({"a.b": 1}, "a.b", [1]),
        ({"a": {"b.c": 1}}, "a.b.c", [1]),
        ({"a.b": {"c": 1}}, "a.b.c", [1]),
        ({"a.b": 2, "a": {"b": 1}}, "a.b", [1, 2]),
        ({"a": [{"b": 1}, {"c": 5}, 7, {"b": [2, 3]}]}, "a.b", [1, 2, 3]),
        ({"a": {"b": 1}}, "a", [{"b": 1}]),
        ({"a": "text"}, "a.b", []),
        ({"a": 1}, "b", []),
        ({"a": 1}, "", []),
        ({"": 1, "a": {"": 2}}, "a.", [2]),
    ],
)
def test_values(body: dict[str, Any], path: str, values: list[Any]) -> None:
    assert list(values_at(body, path)) == values


def test_strings_are_told_from_other_values() -> None:
    assert list(strings_at({"a": ["x", 1, None, {"b": "y"}, "z"]}, "a")) == ["x", "z"]


def test_any_depth() -> None:
    value: Any = "text"
    for _ in range(5_000):
        value = [value]
    assert list(values_at({"a": value}, "a")) == ["text"]
