"""Search bodies, compared as plain values."""

from __future__ import annotations

import pytest

from mappings.contract import Field
from query.answers import Ref, Request
from query.stores.elastic.bodies import (
    candidate_body,
    frequencies_body,
    frequencies_in,
    ids_body,
    may_be_frequent,
    pairs_body,
    parts_of,
    scan_body,
    search_body,
    search_terms,
    terms_of,
    without,
)
from query.stores.elastic.scores import Cut

KEYS = {Field.TEXT_HASH: ("h",), Field.SENTENCES: ("a", "b", "a")}


def test_candidate_body_scores_one_clause_per_term() -> None:
    assert candidate_body(Request(KEYS), 51) == {
        "query": {
            "bool": {
                "should": [
                    {"term": {"dupdex.text_hash": "h"}},
                    {"term": {"dupdex.sentences": "a"}},
                    {"term": {"dupdex.sentences": "b"}},
                ],
                "minimum_should_match": 1,
            }
        },
        "size": 51,
        "track_total_hits": False,
        "_source": False,
        "sort": [{"_score": "desc"}, "_doc"],
        "docvalue_fields": ["dupdex.simhash", "dupdex.text_hash"],
    }


def test_with_a_cut_a_term_scores_its_rarity_and_a_simhash_key_the_least() -> None:
    request = Request({Field.SIMHASH_KEYS: ("~A1",), Field.SENTENCES: ("a",)})
    clause = {"term": {"dupdex.simhash_keys": "~A1"}}
    body = candidate_body(request, 10, Cut(2.5, {Field.SENTENCES: 0.75}))
    should = body["query"]["bool"]["should"]
    assert should[0] == {"constant_score": {"filter": clause, "boost": 2.5}}
    assert should[1] == {"term": {"dupdex.sentences": {"value": "a", "boost": 0.75}}}
    assert body["min_score"] == 2.5
    plain = candidate_body(request, 10)
    assert plain["query"]["bool"]["should"][0]["constant_score"]["boost"] == 1.0
    assert "min_score" not in plain
    assert candidate_body(request, 10, shared=2)["query"]["bool"]["minimum_should_match"] == 2


def test_pairs_are_only_counted_and_only_to_one() -> None:
    many = {**KEYS, Field.PASSAGE_KEYS: tuple("pqrstuvw")}
    body = pairs_body(Request(many, exclude=Ref("", "7")))
    assert (body["size"], body["terminate_after"]) == (0, 1)
    inner = body["query"]["bool"]["filter"][0]["bool"]
    assert inner["minimum_should_match"] == 2
    assert inner["must_not"] == [{"bool": {"filter": [{"ids": {"values": ["7"]}}]}}]
    asked = {next(iter(each["term"])) for each in inner["should"]}
    assert asked == {"dupdex.passage_keys", "dupdex.sentences"}
    few = pairs_body(Request({Field.MINHASH_KEYS: ("m", "n"), Field.PASSAGE_KEYS: ("p",)}))
    assert len(few["query"]["bool"]["filter"][0]["bool"]["should"]) == 3


def test_candidate_body_with_filters_and_exclusion() -> None:
    request = Request(KEYS, filters=({"term": {"site": "x"}},), exclude=Ref("", "7"))
    query = candidate_body(request, 10)["query"]["bool"]
    assert query["filter"] == [{"term": {"site": "x"}}]
    assert query["must_not"] == [{"bool": {"filter": [{"ids": {"values": ["7"]}}]}}]
    # a filter alone would make every `should` optional
    assert query["minimum_should_match"] == 1


@pytest.mark.parametrize("name", ["", "\ud83d", "i" * 513])
def test_an_impossible_id_excludes_nothing(name: str) -> None:
    request = Request(KEYS, exclude=Ref("", name))
    assert "must_not" not in candidate_body(request, 10)["query"]["bool"]


def test_parts_keep_every_term_once_and_all_else() -> None:
    keys = {
        Field.TEXT_HASH: ("h",),
        Field.PASSAGE_KEYS: tuple(f"p{i}" for i in range(2_000)),
        Field.SENTENCES: ("p0", "s"),
    }
    request = Request(keys, limit=7, exclude=Ref("", "x"), max_df=9)
    parts = parts_of(request, 900)
    assert [sum(1 for _ in terms_of(part.keys)) for part in parts] == [900, 900, 203]
    assert [term for part in parts for term in terms_of(part.keys)] == list(terms_of(keys))
    assert {(part.limit, part.exclude, part.max_df) for part in parts} == {(7, Ref("", "x"), 9)}
    assert parts_of(Request({})) == []


def test_frequent_terms_lose_their_vote_and_the_text_hash_never_does() -> None:
    assert may_be_frequent(KEYS) == [(Field.SENTENCES, "a"), (Field.SENTENCES, "b")]
    assert without(KEYS, [(Field.SENTENCES, "a")]) == {
        Field.TEXT_HASH: ("h",),
        Field.SENTENCES: ("b",),
    }
    assert without({Field.SENTENCES: ("a",)}, [(Field.SENTENCES, "a")]) == {}


def test_frequencies_are_asked_and_read_by_place() -> None:
    terms = may_be_frequent(KEYS)
    assert frequencies_body(terms) == {
        "size": 0,
        "track_total_hits": False,
        "sort": ["_doc"],
        "aggs": {
            "frequencies": {
                "filters": {
                    "filters": {
                        "0": {"term": {"dupdex.sentences": "a"}},
                        "1": {"term": {"dupdex.sentences": "b"}},
                    }
                }
            }
        },
    }
    counts = {"frequencies": {"buckets": {"0": {"doc_count": 5}, "1": {"doc_count": 0}}}}
    assert frequencies_in(counts, terms) == {terms[0]: 5, terms[1]: 0}


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("", []),
        ("  \n ", []),
        ("台风 登陆", ["台风", "登陆"]),
        ('"two words" three', ["two words", "three"]),
        ("“两 个词”三", ["两 个词", "三"]),
        ('open "quote', ["open", "quote"]),
        ("don't AND *:* (", ["don't", "AND"]),
        ("， 。", []),
        ("字 字 \ud83d half\ud83d", ["字", "half"]),
    ],
)
def test_search_terms(text: str, terms: list[str]) -> None:
    assert search_terms(text) == terms


def test_search_body_wants_every_term_as_a_phrase() -> None:
    def phrase(query: str) -> dict[str, object]:
        fields = ["title", "text"]
        return {
            "multi_match": {"query": query, "type": "phrase", "fields": fields, "lenient": True}
        }

    body = search_body(["台风", "两 个"], ["title", "text"], 10, 20, [{"term": {"n": 1}}])
    assert body == {
        "query": {
            "bool": {
                "must": [phrase("台风"), phrase("两 个")],
                "filter": [{"term": {"n": 1}}],
            }
        },
        "from": 20,
        "size": 10,
        "track_total_hits": True,
        "_source": {"excludes": ["dupdex"]},
    }


def test_ids_body() -> None:
    body = ids_body([Ref("x", "a"), Ref("", "b"), Ref("x", "c")], 7)
    in_x = [{"ids": {"values": ["a", "c"]}}, {"term": {"_index": "x"}}]
    in_any = [{"ids": {"values": ["b"]}}]
    should = [{"bool": {"filter": in_x}}, {"bool": {"filter": in_any}}]
    query = {"bool": {"filter": [{"bool": {"should": should}}]}}
    assert body == {"query": query, "size": 7, "track_total_hits": True}


def test_scan_body() -> None:
    assert scan_body(None) == {"query": {"match_all": {}}}
    assert scan_body("plan-1") == {
        "query": {"bool": {"must_not": [{"term": {"dupdex.plan": "plan-1"}}]}}
    }
    part = scan_body(None, 0.25)
    assert part["min_score"] == 0.75
    assert part["query"]["function_score"]["random_score"]["field"] == "_seq_no"
