"""The `near_duplicate` clause in searches: what the library finds, under the engine's own rules."""

from __future__ import annotations

import gzip
import http.client
from typing import Any
from urllib.parse import quote, urlsplit

import orjson
import pytest

from query.questions import EVERYTHING
from tests.service.gateway.near_data import (
    ASKED,
    COPIES,
    OTHERS,
    Corpus,
    copy_of,
    corpus,
    documents,
    ids_in,
    near,
)
from tests.service.gateway.running import Running
from tests.service.gateway.test_passing import ask


def found(stored: Corpus, text: str = ASKED) -> dict[str, float]:
    """Ids with their similarities, as the library finds them."""
    answer = stored.index(stored.first).lookup(text, EVERYTHING)
    return {match.id: match.similarity for match in answer.matches}


def by_ids(stored: Corpus, clause: dict[str, Any]) -> dict[str, Any]:
    """A search by ids, straight to the server."""
    answer = stored.client.search(index=stored.first, body=clause)
    return dict(answer.body)


def test_a_clause_finds_what_the_library_finds(stored: Corpus) -> None:
    expected = found(stored)
    answer = stored.search(stored.first, {"query": near(), "size": 100})
    assert set(ids_in(answer)) == set(expected) == {f"c{n}" for n in range(COPIES)}
    assert answer["hits"]["total"] == {"value": COPIES, "relation": "eq"}
    for hit in answer["hits"]["hits"]:
        assert hit["_score"] == pytest.approx(expected[hit["_id"]], abs=1e-4)
        why = hit["_dupdex"]
        assert why["similarity"] == pytest.approx(expected[hit["_id"]], abs=1e-4)
        assert why["verdict"] == "near"
        assert why["evidence"]["keys"]
        assert why["facts_differ"] == []
        assert "matched_queries" not in hit
    assert answer["_dupdex"]["completeness"]["truncated"] is False
    assert [clause["found"] for clause in answer["_dupdex"]["clauses"]] == [COPIES]


def test_the_rest_of_the_request_is_the_engine_s_own(stored: Corpus) -> None:
    """Filters, highlighting, aggregations, sorting and paging, as with the ids themselves."""

    def body(query: dict[str, Any]) -> dict[str, Any]:
        return {
            "query": {"bool": {"must": [query], "filter": [{"term": {"topic": "a"}}]}},
            "sort": [{"published": "desc"}],
            "from": 1,
            "size": 3,
            "highlight": {"fields": {"text": {}}, "highlight_query": {"match": {"text": "改"}}},
            "aggs": {
                "days": {"max": {"field": "published"}},
                "topics": {"terms": {"field": "topic"}},
            },
        }

    answer = stored.search(stored.first, body(near()))
    expected = by_ids(stored, body({"ids": {"values": list(found(stored))}}))
    assert answer["aggregations"] == expected["aggregations"]
    assert answer["hits"]["total"] == expected["hits"]["total"]
    for hit in answer["hits"]["hits"]:
        assert hit.pop("_dupdex")["verdict"] == "near"
    assert answer["hits"] == expected["hits"]


def test_numbers_keep_every_digit(stored: Corpus) -> None:
    """What stands beside the clause is sent as it was written, and answered as it was said."""
    number = b"123456789012345678901234567890"
    change = b'{"doc": {"as_written": ' + number + b"}}"
    ask(stored.client_url, "POST", f"/{stored.first}/_update/c0?refresh=true", change)
    body = b"""{"query": {"bool": {"must": [%s], "filter": [{"range": {"n": {"lt": 0.10}}}]}},
    "sort": [{"_score": {"order": "desc"}}], "_source": "as_written", "min_score": 1e-1}"""
    path = f"/{stored.first}/_search?filter_path=hits"
    query = orjson.dumps(near())
    status, _, answer = ask(stored.gateway.url, "POST", path, body % query)
    assert status == 200
    assert number in answer
    assert ids_in(orjson.loads(answer)) == ["c0"]


@pytest.mark.parametrize(
    "body",
    [
        {"query": {"constant_score": {"filter": near()}}},
        {"query": {"bool": {"filter": near(), "must_not": [{"ids": {"values": ["o1"]}}]}}},
        {"query": {"function_score": {"query": near(), "functions": [{"weight": 2}]}}},
        {"query": {"dis_max": {"queries": [near(), near(copy_of(ASKED, 3))]}}},
        {"query": {"match_all": {}}, "post_filter": near()},
        {"query": {"bool": {"should": [near()], "minimum_should_match": 1}}},
        {"query": near(), "rescore": {"query": {"rescore_query": near()}, "window_size": 5}},
    ],
)
def test_a_clause_may_stand_anywhere(stored: Corpus, body: dict[str, Any]) -> None:
    answer = stored.search(stored.first, {**body, "size": 100})
    assert set(ids_in(answer)) == set(found(stored))
    assert all("_dupdex" in hit for hit in answer["hits"]["hits"])


def test_what_is_not_like_a_text(stored: Corpus) -> None:
    answer = stored.search(stored.first, {"query": {"bool": {"must_not": [near()]}}, "size": 100})
    assert sorted(ids_in(answer)) == [f"o{n}" for n in range(OTHERS)]
    assert all("_dupdex" not in hit for hit in answer["hits"]["hits"])


def test_a_clause_in_an_aggregation(stored: Corpus) -> None:
    filters = {"filters": {"copies": near(), "like nothing": near("只有这一句话，别处都没有。")}}
    body = {"size": 0, "aggs": {"near_duplicate": {"filter": near()}, "by": {"filters": filters}}}
    answer = stored.search(stored.first, body)
    assert answer["aggregations"]["near_duplicate"]["doc_count"] == COPIES
    buckets = answer["aggregations"]["by"]["buckets"]
    assert [buckets[name]["doc_count"] for name in filters["filters"]] == [COPIES, 0]


def test_like_a_stored_document(stored: Corpus) -> None:
    like = {"_index": stored.first, "_id": "c3"}
    answer = stored.search(stored.first, {"query": {"near_duplicate": {"like": like}}, "size": 50})
    assert set(ids_in(answer)) == {f"c{n}" for n in range(COPIES)} - {"c3"}


def test_options_narrow_what_is_found(stored: Corpus) -> None:
    similarities = found(stored)
    bound = sorted(similarities.values())[COPIES // 2]
    some = stored.search(stored.first, {"query": near(min_similarity=bound), "size": 50})
    assert set(ids_in(some)) == {name for name, value in similarities.items() if value >= bound}
    assert stored.search(stored.first, {"query": near(verdicts=["exact"])})["hits"]["hits"] == []
    few = stored.search(stored.first, {"query": near(max=2)})
    assert len(ids_in(few)) == 2
    assert few["_dupdex"]["clauses"][0]["beyond_max"] == COPIES - 2
    by_passage = stored.search(stored.first, {"query": near(schemes=["passages"]), "size": 50})
    for hit in by_passage["hits"]["hits"]:
        assert hit["_dupdex"]["evidence"]["keys"]["passage_keys"]


def test_boost_and_name_are_those_of_any_query(stored: Corpus) -> None:
    query = near(boost=2, _name="mine", verdicts=["near"])
    (hit,) = stored.search(stored.first, {"query": query, "size": 1})["hits"]["hits"]
    assert hit["matched_queries"] == ["mine"]
    assert hit["_score"] == pytest.approx(2 * hit["_dupdex"]["similarity"], abs=1e-4)


def test_scrolled_pages_tell_why_by_name(stored: Corpus) -> None:
    first = stored.search(stored.first, {"query": near(), "size": 1}, "?scroll=1m")
    assert "matched_queries" not in first["hits"]["hits"][0]
    _, page = stored.post("/_search/scroll", {"scroll": "1m", "scroll_id": first["_scroll_id"]})
    (hit,) = page["hits"]["hits"]
    number, verdict, similarity = hit["matched_queries"][0].removeprefix("dupdex:").split(":")
    assert (number, verdict) == ("0", "near")
    assert hit["_score"] == pytest.approx(float(similarity))
    stored.client.clear_scroll(scroll_id=first["_scroll_id"])


@pytest.mark.parametrize("names", ["all", "first,second", "first*", "-all"])
def test_an_id_in_two_indices(stored: Corpus, names: str) -> None:
    asked = {
        "all": stored.all,
        "first,second": f"{stored.first},{stored.second}",
        "first*": f"{stored.first}*",
        "-all": f"{stored.first}*,-{stored.all}",
    }[names]
    answer = stored.search(asked, {"query": near(), "size": 100})
    refs = {(hit["_index"], hit["_id"]) for hit in answer["hits"]["hits"]}
    expected = {(stored.first, f"c{n}") for n in range(COPIES)}
    assert refs == expected | {(stored.second, "c0"), (stored.second, "c1")}
    assert answer["hits"]["total"]["value"] == len(refs)
    assert all(hit["_dupdex"]["verdict"] == "near" for hit in answer["hits"]["hits"])


def test_one_document_of_an_id_hides_no_other(stored: Corpus) -> None:
    """`like` leaves out its own document only."""
    like = {
        "near_duplicate": {"like": {"_index": stored.second, "_id": "c0"}, "verdicts": ["exact"]}
    }
    (hit,) = stored.search(stored.all, {"query": like})["hits"]["hits"]
    assert (hit["_index"], hit["_id"]) == (stored.first, "c0")


def test_counts(stored: Corpus) -> None:
    status, answer = stored.post(f"/{stored.first}/_count", {"query": near()})
    assert (status, answer["count"]) == (200, COPIES)
    assert answer["_dupdex"]["clauses"][0]["found"] == COPIES


def test_many_copies_are_paged_through_in_a_point_in_time(gateway: Running, es_url: str) -> None:
    copies = 300
    with corpus(gateway, es_url, documents(copies, 3)) as many:
        pit = many.client.open_point_in_time(index=many.first, keep_alive="1m")["id"]
        seen: list[str] = []
        body: dict[str, Any] = {
            "query": near(),
            "size": 110,
            "sort": [{"_score": "desc"}],
            "pit": {"id": pit, "keep_alive": "1m"},
        }
        while True:
            status, answer = many.post("/_search", body)
            assert status == 200, answer
            hits = answer["hits"]["hits"]
            if not hits:
                break
            assert answer["hits"]["total"]["value"] == copies
            assert all(hit["_dupdex"]["verdict"] in ("near", "exact") for hit in hits)
            seen += ids_in(answer)
            body["search_after"] = hits[-1]["sort"]
        many.client.close_point_in_time(id=pit)
    assert len(seen) == copies
    assert set(seen) == {f"c{n}" for n in range(copies)}


def test_the_body_as_a_parameter(stored: Corpus) -> None:
    source = quote(orjson.dumps({"query": near(), "size": 1}))
    path = f"/{stored.first}/_search?source={source}&source_content_type=application/json"
    status, _, answer = ask(stored.gateway.url, "GET", path)
    assert status == 200
    assert orjson.loads(answer)["hits"]["total"]["value"] == COPIES


def test_packed_both_ways(stored: Corpus) -> None:
    connection = http.client.HTTPConnection(urlsplit(stored.gateway.url).netloc, timeout=30)
    headers = {
        "Content-Type": "application/json",
        "Content-Encoding": "gzip",
        "Accept-Encoding": "gzip",
    }
    body = gzip.compress(orjson.dumps({"query": near(), "size": 50}))
    connection.request("POST", f"/{stored.first}/_search", body, headers)
    answer = connection.getresponse()
    assert (answer.status, answer.headers["content-encoding"]) == (200, "gzip")
    content = orjson.loads(gzip.decompress(answer.read()))
    connection.close()
    assert len(content["hits"]["hits"]) == COPIES


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        ("hits.hits._source.n", {"hits": {"hits": [{"_source": {"n": 0}}]}}),
        ("hits.hits._dupdex.verdict", {"hits": {"hits": [{"_dupdex": {"verdict": "near"}}]}}),
        ("hits.total.value,-_dupdex", {"hits": {"total": {"value": COPIES}}}),
        ("_dupdex.clauses.found", {"_dupdex": {"clauses": [{"found": COPIES}]}}),
    ],
)
def test_filter_path(stored: Corpus, paths: str, expected: dict[str, Any]) -> None:
    body = {"query": near(), "size": 1, "sort": [{"n": "asc"}]}
    answer = stored.search(stored.first, body, f"?filter_path={paths}")
    assert answer == expected


def test_other_forms_of_the_answer(stored: Corpus) -> None:
    body = {"query": near(), "aggs": {"n": {"max": {"field": "n"}}}}
    answer = stored.search(stored.first, body, "?rest_total_hits_as_int=true&typed_keys=true")
    assert answer["hits"]["total"] == COPIES
    assert answer["aggregations"] == {"max#n": {"value": COPIES - 1.0}}
    status, refused = stored.post(f"/{stored.first}/_search?format=yaml", body)
    assert (status, refused["error"]["type"]) == (400, "illegal_argument_exception")
    assert "JSON" in refused["error"]["reason"]


@pytest.mark.parametrize(
    ("clause", "named"),
    [
        ({"txt": "x"}, "[txt]"),
        ({"text": "x", "like": {"_index": "a", "_id": "b"}}, "[text] and [like]"),
        ({}, "[text] and [like]"),
        ({"text": 5}, "[text]"),
        ({"text": "x", "min_similarity": 2}, "[min_similarity]"),
        ({"text": "x", "min_similarity": True}, "[min_similarity]"),
        ({"text": "x", "verdicts": ["close"]}, "[close]"),
        ({"text": "x", "verdicts": "near"}, "[verdicts]"),
        ({"text": "x", "schemes": ["simhsh"]}, "[simhsh]"),
        ({"text": "x", "max": 0}, "[max]"),
        ({"like": {"_id": "b"}}, "[like._index]"),
        ({"like": {"_index": "a", "_id": "b", "id": 1}}, "[id]"),
        ([], "[near_duplicate]"),
    ],
)
def test_a_wrong_clause_is_named(stored: Corpus, clause: object, named: str) -> None:
    query = {"near_duplicate": clause}
    status, answer = stored.post(f"/{stored.first}/_search", {"query": query})
    assert status == answer["status"] == 400
    assert answer["error"]["type"] == "parsing_exception"
    assert named in answer["error"]["reason"]
    assert answer["error"]["root_cause"] == [
        {"type": "parsing_exception", "reason": answer["error"]["reason"]}
    ]


def test_what_cannot_be_looked_up(stored: Corpus) -> None:
    absent = {"near_duplicate": {"like": {"_index": stored.first, "_id": "absent"}}}
    status, answer = stored.post(f"/{stored.first}/_search", {"query": absent})
    assert (status, answer["error"]["type"]) == (404, "resource_not_found_exception")
    status, answer = stored.post("/elsewhere:news/_search", {"query": near()})
    assert (status, answer["error"]["type"]) == (400, "illegal_argument_exception")
    assert "elsewhere:news" in answer["error"]["reason"]
    status, answer = stored.post("/no-such-index/_search", {"query": near()})
    assert (status, answer["error"]["type"]) == (404, "index_not_found_exception")
    status, answer = stored.post("/no-such-index*/_search", {"query": near()})
    assert (status, answer["hits"]["total"]["value"]) == (200, 0)
    foreign = f"{stored.first}-foreign"
    stored.client.indices.create(index=foreign)
    status, answer = stored.post(f"/{foreign}/_search", {"query": near()})
    stored.client.indices.delete(index=foreign)
    assert status == 400
    assert "dupdex attach" in answer["error"]["reason"]


@pytest.mark.parametrize(
    "body",
    [
        b'{"query": {"match": {"near_duplicate": "x"}}}',
        b'{"query": {"near_duplicate": {"text": "x"}',
        b'{"query": {"term": {"dedup": 1}}, "size": 0}',
        b'{"size": 0, "aggs": {"near_duplicate": {"max": {"field": "n"}}}}',
        b'{"query": {"span_not": {"near_duplicate": {}}}}',
    ],
)
def test_what_is_not_ours_is_passed_on(stored: Corpus, body: bytes) -> None:
    path = f"/{stored.first}/_search?filter_path=-took"
    assert ask(stored.gateway.url, "POST", path, body) == ask(stored.client_url, "POST", path, body)


def test_an_answer_for_people(stored: Corpus) -> None:
    body = orjson.dumps({"query": near(), "size": 1})
    _, _, answer = ask(stored.gateway.url, "POST", f"/{stored.first}/_search?pretty", body)
    assert answer.startswith(b'{\n  "took":')
    assert answer.endswith(b"}\n")


def test_an_index_that_may_be_absent(stored: Corpus) -> None:
    """It must not read as if nothing were found in the others."""
    names = f"{stored.first},no-such-index"
    status, _ = stored.post(f"/{names}/_search", {"query": near()})
    assert status == 404
    answer = stored.search(names, {"query": near()}, "?ignore_unavailable=true")
    assert answer["hits"]["total"]["value"] == COPIES
    header = orjson.dumps({"index": names, "ignore_unavailable": True})
    lines = header + b"\n" + orjson.dumps({"query": near()}) + b"\n"
    status, answers = stored.post("/_msearch", lines)
    assert status == 200
    assert answers["responses"][0]["hits"]["total"]["value"] == COPIES


def test_why_as_a_field(stored: Corpus) -> None:
    answer = stored.search(stored.first, {"query": near(), "size": 1, "fields": ["_dupdex", "n"]})
    (hit,) = answer["hits"]["hits"]
    assert hit["fields"]["_dupdex"] == [hit["_dupdex"]]
    assert hit["fields"]["n"]


def test_the_same_clause_twice(stored: Corpus) -> None:
    body = {"query": near(), "post_filter": near(), "size": 1}
    answer = stored.search(stored.first, body)
    assert [each["found"] for each in answer["_dupdex"]["clauses"]] == [COPIES, COPIES]
    assert answer["hits"]["total"]["value"] == COPIES
    (hit,) = answer["hits"]["hits"]
    assert [each["clause"] for each in hit["_dupdex"]["others"]] == [1]
