"""Why stands on the hits that clauses found; all else of an answer keeps its bytes."""

from __future__ import annotations

import orjson
import pytest

from dupdex.gateway.search.filter_paths import FilterPaths
from dupdex.gateway.search.hits_why import Why, with_hits, with_top
from dupdex.gateway.search.near_clause import NearClause
from dupdex.gateway.search.resolving import Resolution
from query.answers import Evidence, Match, Verdict

ALL = FilterPaths()


def match(name: str, similarity: float) -> Match:
    return Match(name, "i", Verdict.NEAR, similarity, None, None, None, Evidence())


def resolution(*matches: Match) -> Resolution:
    return Resolution(NearClause("文"), matches)


def told(why: Why, answer: bytes) -> bytes:
    return with_hits(answer, lambda _place, hit: why.edit(hit))


def test_numbers_stay_as_they_were_written() -> None:
    answer = (
        b'{"took":1,"hits":{"max_score":1.10,"hits":[{"_index":"i","_id":"2","_score":0.30000001,'
        b'"_source":{"n": 12345678901234567890123}}]},"aggregations":{"x":{"value":1.0E3}}}'
    )
    assert told(Why([resolution(match("1", 0.5))], ALL), answer) == answer


def test_a_document_of_two_clauses() -> None:
    why = Why([resolution(match("1", 0.5)), resolution(match("1", 0.9))], ALL)
    answer = b'{"hits":{"hits":[{"_index":"i","_id":"1"},{"_index":"j","_id":"1"}]}}'
    first, second = orjson.loads(told(why, answer))["hits"]["hits"]
    assert (first["_dupdex"]["clause"], first["_dupdex"]["similarity"]) == (1, 0.9)
    assert [each["clause"] for each in first["_dupdex"]["others"]] == [0]
    assert "_dupdex" not in second


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b'["mine","dupdex:0:near:0.5"]', ["mine"]),
        (b'["dupdex:0:near:0.5"]', None),
        (b'{"mine":1.0,"dupdex:0:near:0.5":0.5}', {"mine": 1.0}),
    ],
)
def test_our_names_are_taken_out(before: bytes, after: object) -> None:
    why = Why([resolution(match("1", 0.5))], ALL, named=True)
    answer = b'{"hits":{"hits":[{"_index":"i","_id":"1","matched_queries":' + before + b"}]}}"
    (hit,) = orjson.loads(told(why, answer))["hits"]["hits"]
    assert hit.get("matched_queries") == after


def test_hits_within_hits() -> None:
    why = Why([resolution(match("1", 0.5))], ALL)
    inner = b'{"copies":{"hits":{"hits":[{"_index":"i","_id":"1"}]}}}'
    answer = b'{"hits":{"hits":[{"_index":"i","_id":"2","inner_hits":' + inner + b"}]}}"
    (hit,) = orjson.loads(told(why, answer))["hits"]["hits"]
    (copy,) = hit["inner_hits"]["copies"]["hits"]["hits"]
    assert copy["_dupdex"]["similarity"] == 0.5


@pytest.mark.parametrize("answer", [b'{"count":3}', b'{"hits":{"total":1}}'])
def test_an_answer_without_hits(answer: bytes) -> None:
    assert told(Why([resolution()], ALL), answer) == answer
    assert with_top(answer, {}) == answer
    assert orjson.loads(with_top(answer, {"a": 1}))["_dupdex"] == {"a": 1}


def test_why_as_a_field() -> None:
    """For clients that read no key of a hit which they do not know."""
    why = Why([resolution(match("1", 0.5))], ALL, as_field=True)
    for fields in (b"", b',"fields":{"a":[1]}'):
        answer = b'{"hits":{"hits":[{"_index":"i","_id":"1"' + fields + b"}]}}"
        (hit,) = orjson.loads(told(why, answer))["hits"]["hits"]
        assert hit["fields"]["_dupdex"] == [hit["_dupdex"]]
        assert hit["fields"].get("a") == ([1] if fields else None)
