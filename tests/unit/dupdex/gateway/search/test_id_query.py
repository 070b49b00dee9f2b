"""The query that a clause becomes: every document once, with its similarity as score."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from dupdex.gateway.search.id_query import grouped, id_query, without_ours
from dupdex.gateway.search.near_clause import NearClause
from dupdex.gateway.search.resolving import Resolution
from query.answers import Evidence, Match, Verdict

CLAUSE = NearClause("文")


def match(name: str, similarity: float, index: str = "i", verdict: str = "near") -> Match:
    return Match(name, index, Verdict(verdict), similarity, None, None, None, Evidence())


def test_nothing_found_matches_nothing() -> None:
    assert id_query(Resolution(CLAUSE), 0, True) == {"match_none": {}}
    named = NearClause("文", name="mine", boost=2.0)
    assert id_query(Resolution(named), 0, True) == {"match_none": {"_name": "mine", "boost": 2.0}}


def test_equal_similarities_share_a_clause() -> None:
    matches = (
        match("1", 0.98761),
        match("2", 0.98764),
        match("3", 0.5),
        match("4", 0.5, verdict="partial"),
    )
    query = id_query(Resolution(CLAUSE, matches, single="i"), 3, named=True)
    assert query == {
        "bool": {
            "should": [
                clause(["1", "2"], 0.9876, "dupdex:3:near:0.9876"),
                clause(["3"], 0.5, "dupdex:3:near:0.5"),
                clause(["4"], 0.5, "dupdex:3:partial:0.5"),
            ]
        }
    }
    plain = id_query(Resolution(CLAUSE, matches[2:3], single="i"), 3, named=False)
    assert plain == {"bool": {"should": [clause(["3"], 0.5)]}}


def clause(ids: list[str], boost: float, name: str | None = None) -> dict[str, Any]:
    named = {"_name": name} if name else {}
    return {"constant_score": {"filter": {"ids": {"values": ids}}, "boost": boost, **named}}


def test_ids_of_several_indices_are_told_apart() -> None:
    matches = (match("1", 1.0, "a"), match("1", 0.5, "b"))
    for single in (None, "a"):
        query = id_query(Resolution(CLAUSE, matches, single=single), 0, named=False)
        assert query["bool"]["should"] == [
            {
                "bool": {
                    "filter": {"term": {"_index": index}},
                    "should": [clause(["1"], boost)],
                    "minimum_should_match": 1,
                }
            }
            for index, boost in (("a", 1.0), ("b", 0.5))
        ]
    behind_an_alias = id_query(Resolution(CLAUSE, matches[:1], single="alias"), 0, named=False)
    assert behind_an_alias["bool"]["should"][0]["bool"]["filter"] == {"term": {"_index": "a"}}


similarities = st.floats(min_value=0, max_value=1)


@given(st.lists(similarities, max_size=60), st.integers(min_value=1, max_value=12))
def test_every_document_is_in_one_clause_of_few(values: list[float], most: int) -> None:
    matches = [match(str(at), value) for at, value in enumerate(values)]
    groups = grouped(matches, most)
    ids = [name for each in groups.values() for names in each.values() for name in names]
    assert sorted(ids) == sorted(str(at) for at in range(len(values)))
    assert sum(map(len, groups.values())) <= max(most, 2)


@given(st.lists(similarities, min_size=1, max_size=60))
def test_scores_keep_the_order_of_similarities(values: list[float]) -> None:
    groups = grouped([match(str(at), value) for at, value in enumerate(values)])
    score = {name: s for (_, s), names in groups["i"].items() for name in names}
    for one, other in zip(range(len(values)), range(1, len(values)), strict=False):
        if values[one] <= values[other]:
            assert score[str(one)] <= score[str(other)]
    assert all(abs(score[str(at)] - value) <= 5.1e-5 for at, value in enumerate(values))


def test_our_names_are_known() -> None:
    assert without_ours(["a", "dupdex:0:near:0.5", "dupdexed"]) == ["a", "dupdexed"]
