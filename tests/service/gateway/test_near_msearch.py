"""`_msearch` with clauses, `/_dupdex/clause`, restricted callers, and the official client."""

from __future__ import annotations

import orjson
import pytest
from elasticsearch import BadRequestError, Elasticsearch

from tests.service.gateway.near_data import ASKED, COPIES, Corpus, ids_in, near
from tests.service.gateway.test_passing import ask


def lines(*values: object) -> bytes:
    return b"".join(
        (value if isinstance(value, bytes) else orjson.dumps(value)) + b"\n" for value in values
    )


def test_each_search_is_on_its_own(stored: Corpus) -> None:
    """Clauses, other searches and errors of either side, in order."""
    plain = b'{"query": {"term": {"n": 3.0}}, "size": 1}'
    body = lines(
        {"index": stored.first},
        {"query": near(), "size": 2},
        {},
        plain,
        {"index": stored.first},
        {"query": {"near_duplicate": {"txt": "x"}}},
        {"index": [stored.second]},
        {"query": near()},
        {"index": "no-such-index"},
        {"query": near()},
    )
    status, answer = stored.post(f"/{stored.first}/_msearch", body)
    assert status == 200
    first, other, wrong, second, absent = answer["responses"]
    assert first["hits"]["total"]["value"] == COPIES
    assert [hit["_dupdex"]["verdict"] for hit in first["hits"]["hits"]] == ["near", "near"]
    assert first["_dupdex"]["clauses"][0]["found"] == COPIES
    assert "_dupdex" not in other
    assert other["hits"]["total"]["value"] == 2
    assert (wrong["status"], wrong["error"]["type"]) == (400, "parsing_exception")
    assert set(ids_in(second)) == {"c0", "c1"}
    assert (absent["status"], absent["error"]["type"]) == (404, "index_not_found_exception")


def test_only_wrong_searches(stored: Corpus) -> None:
    body = lines({"index": stored.first}, {"query": {"near_duplicate": {}}})
    status, answer = stored.post("/_msearch", body)
    assert (status, [each["status"] for each in answer["responses"]]) == (200, [400])


def test_what_holds_no_clause_is_passed_on(stored: Corpus) -> None:
    body = b'{}\n{"query": {"match": {"near_duplicate": 1.0}}}\n\n{"size": 0}\n'
    path = f"/{stored.first}/_msearch?filter_path=responses.hits"
    assert ask(stored.gateway.url, "POST", path, body) == ask(stored.client_url, "POST", path, body)
    odd = lines({"index": stored.first}, {"query": near()}, {})
    path = "/_msearch?filter_path=error"
    assert ask(stored.gateway.url, "POST", path, odd) == ask(stored.client_url, "POST", path, odd)


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_the_plain_query_of_a_clause(stored: Corpus, method: str) -> None:
    """It can be sent to the server itself, and tells why by the names of its clauses."""
    path, body = "/_dupdex/clause", orjson.dumps({"index": stored.first, "text": ASKED, "max": 5})
    if method == "GET":
        path, body = f"{path}?index={stored.first}&id=c2&max=5&verdicts=near,exact", b""
    status, headers, content = ask(stored.gateway.url, method, path, body or None)
    assert (status, headers["content-type"]) == (200, "application/json")
    told = orjson.loads(content)
    hits = stored.client.search(index=stored.first, query=told["query"])["hits"]["hits"]
    assert [hit["_id"] for hit in hits]
    assert {hit["_id"] for hit in hits} == {match["_id"] for match in told["matches"]}
    assert len(hits) == told["found"] == 5
    assert all(hit["matched_queries"][0].startswith("dupdex:0:near:") for hit in hits)
    candidates = told["candidates"][stored.first]
    found = stored.client.search(index=stored.first, query=candidates, size=50)["hits"]["hits"]
    assert {hit["_id"] for hit in hits} <= {hit["_id"] for hit in found}
    assert ("c2" in {hit["_id"] for hit in found}) is (method == "POST")


@pytest.mark.parametrize(
    ("query", "status", "code"),
    [
        ("index=no-such-index&text=x", 404, "resource_not_found_exception"),
        ("text=x&foo=1", 400, "parsing_exception"),
        ("text=x&max=many", 400, "parsing_exception"),
        ("text=x&index=", 400, "illegal_argument_exception"),
    ],
)
def test_what_is_wrong_with_a_clause_is_a_problem(
    stored: Corpus, query: str, status: int, code: str
) -> None:
    found, headers, content = ask(stored.gateway.url, "GET", f"/_dupdex/clause?{query}")
    assert (found, headers["content-type"]) == (status, "application/problem+json")
    problem = orjson.loads(content)
    assert (problem["status"], problem["code"]) == (status, code)
    assert problem["detail"]


def test_the_official_client(stored: Corpus) -> None:
    """Site search and moderation, with the client that people have."""
    with Elasticsearch(stored.gateway.url) as client:
        query = {"bool": {"must": [near(min_similarity=0.5)], "filter": [{"term": {"topic": "b"}}]}}
        answer = client.search(
            index=stored.all,
            query=query,
            sort=[{"published": "desc"}],
            highlight={"fields": {"text": {}}},
        )
        assert answer["hits"]["total"]["value"] == COPIES // 2 + 1
        assert answer["hits"]["hits"][0]["_dupdex"]["similarity"] > 0.5
        assert client.count(index=stored.first, query=near())["count"] == COPIES
        posted = client.msearch(
            searches=[{"index": stored.first}, {"query": near(verdicts=["exact", "near"])}]
        )
        assert posted["responses"][0]["hits"]["hits"][0]["_dupdex"]["verdict"] == "near"
        with pytest.raises(BadRequestError, match="maximum"):
            client.search(index=stored.first, query=near(maximum=3))
