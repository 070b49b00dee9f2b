"""`filter_path`, as Elasticsearch reads it."""

from __future__ import annotations

import pytest

from dupdex.gateway.search.filter_paths import FilterPaths


@pytest.mark.parametrize(
    ("given", "path", "shown"),
    [
        (None, "a.b", True),
        ("a", "a.b", True),
        ("a.b", "a.c", False),
        ("a.*", "a.c", True),
        ("**.c", "a.b.c", True),
        ("**.c", "c", True),
        ("h*.hits", "hits.hits._id", True),
        ("-a.b", "a.c", True),
        ("-a.b", "a.b.c", False),
        ("a,-a.b", "a.b", False),
    ],
)
def test_what_is_shown(given: str | None, path: str, shown: bool) -> None:
    assert FilterPaths.of(given).shows(*path.split(".")) is shown


def test_parts_of_a_value() -> None:
    paths = FilterPaths.of("hits.hits._dupdex.verdict,_dupdex.clauses.found,-_dupdex.clauses.x")
    assert paths.touches("hits", "hits", "_dupdex")
    assert not paths.touches("hits", "hits", "_id")
    told = {"completeness": {"a": 1}, "clauses": [{"found": 2, "x": 1}, {"found": 3}]}
    assert paths.cut(told, "_dupdex") == {"clauses": [{"found": 2}, {"found": 3}]}
    assert FilterPaths.of(None).cut(told, "_dupdex") is told
    without = FilterPaths.of("-_dupdex.completeness")
    assert without.cut(told, "_dupdex") == {"clauses": told["clauses"]}


def test_names_of_hits_are_asked_for_where_they_are_needed() -> None:
    assert FilterPaths.of(None).with_names_of_hits() is None
    assert FilterPaths.of("took").with_names_of_hits() is None
    asked = FilterPaths.of("responses.hits.hits._dupdex,-took").below("responses")
    assert asked.with_names_of_hits() == (
        "responses.hits.hits._dupdex,-took,responses.hits.hits._index,responses.hits.hits._id"
    )
