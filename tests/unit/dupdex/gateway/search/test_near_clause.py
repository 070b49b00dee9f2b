"""What a clause may say, and what it is taken for."""

from __future__ import annotations

from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupdex.gateway.search.near_clause import MOST, NearClause, clause_in, clause_of
from dupdex.gateway.search.search_refused import SearchRefused
from mappings.contract import Field
from query.answers import Evidence, Match, Ref, Verdict


def match(verdict: Verdict, *fields: Field) -> Match:
    keys = dict.fromkeys(fields, ("k",))
    return Match("1", "i", verdict, 0.5, 0.5, 0.5, None, Evidence(keys))


def test_all_that_a_clause_may_say() -> None:
    content = {
        "text": "文",
        "min_similarity": 0.8,
        "verdicts": ["exact", "near"],
        "schemes": ["passages"],
        "max": 7,
        "boost": 2,
        "_name": "mine",
    }
    clause = clause_in(orjson.dumps(content))
    assert clause == NearClause(
        "文",
        None,
        0.8,
        frozenset({Verdict.EXACT, Verdict.NEAR}),
        frozenset({"passages"}),
        7,
        2.0,
        "mine",
    )
    options = clause.options(({"term": {"a": 1}},))
    assert (options.threshold, options.size, options.verify) == (0.8, None, None)
    assert options.filters == ({"term": {"a": 1}},)


def test_the_least_that_a_clause_may_say() -> None:
    clause = clause_of({"like": {"_index": "a", "_id": "1"}})
    assert clause == NearClause(like=Ref("a", "1"))
    assert clause.verdicts == frozenset(Verdict)


def test_verdicts_and_schemes_narrow() -> None:
    clause = clause_of({"text": "x", "verdicts": ["near"], "schemes": ["passages", "simhash"]})
    assert clause.accepts(match(Verdict.NEAR, Field.PASSAGE_KEYS))
    assert clause.accepts(match(Verdict.NEAR, Field.SIMHASH_KEYS, Field.SENTENCES))
    assert not clause.accepts(match(Verdict.NEAR, Field.SENTENCES))
    assert not clause.accepts(match(Verdict.EXACT, Field.PASSAGE_KEYS))


@pytest.mark.parametrize(
    ("content", "named"),
    [
        ({"text": "x", "minimum": 1}, "[minimum]"),
        ({"text": None}, "[text]"),
        ({"like": "a"}, "[like]"),
        ({"like": {"_index": "a", "_id": ""}}, "[like._id]"),
        ({"text": "x", "min_similarity": "0.8"}, "[min_similarity]"),
        ({"text": "x", "min_similarity": -0.1}, "[min_similarity]"),
        ({"text": "x", "max": 1.5}, "[max]"),
        ({"text": "x", "max": MOST + 1}, "[max]"),
        ({"text": "x", "verdicts": []}, "[verdicts]"),
        ({"text": "x", "verdicts": [["near"]]}, "[verdicts]"),
        ({"text": "x", "schemes": ["exact", 1]}, "[schemes]"),
        ({"text": "x", "boost": -1}, "[boost]"),
        ({"text": "x", "_name": 1}, "[_name]"),
        ("text", "[near_duplicate]"),
    ],
)
def test_what_is_wrong_is_named(content: Any, named: str) -> None:
    with pytest.raises(SearchRefused) as refused:
        clause_of(content)
    assert named in refused.value.reason
    assert refused.value.body()["status"] == 400


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats(allow_nan=False) | st.text(max_size=3),
        lambda inner: (
            st.lists(inner, max_size=2)
            | st.dictionaries(
                st.sampled_from(["text", "like", "_index", "_id", "max", "verdicts", "boost"]),
                inner,
                max_size=3,
            )
        ),
        max_leaves=8,
    )
)
def test_anything_else_is_refused_in_words(content: Any) -> None:
    try:
        clause_of(content)
    except SearchRefused as refused:
        assert refused.reason.startswith("[near_duplicate]")
