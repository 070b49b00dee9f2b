"""What is made of the answers to searches, and of the lines of many."""

from __future__ import annotations

import orjson
import pytest

from dupdex.gateway.search.filter_paths import FilterPaths
from dupdex.gateway.search.hits_why import Why
from dupdex.gateway.search.many_searches import header_of, names_in, pairs_in
from dupdex.gateway.search.near_clause import NearClause
from dupdex.gateway.search.plain_search import PlainSearch
from dupdex.gateway.search.resolving import Resolution
from dupdex.gateway.search.searching import begun, plain_headers
from query.answers import Evidence, Match, Verdict


def test_the_first_results_of_an_async_search() -> None:
    match = Match("1", "i", Verdict.EXACT, 1.0, 1.0, 1.0, None, Evidence())
    paths = FilterPaths().below("response")
    why = Why([Resolution(NearClause("文"), (match,))], paths, named=True)
    search = PlainSearch(b"{}", why, None, "/i/_search", {})
    hit = {"_index": "i", "_id": "1", "matched_queries": ["dupdex:0:exact:1.0"]}
    answer = {"id": "x", "is_partial": True, "response": {"hits": {"hits": [hit]}}}
    told = orjson.loads(begun(orjson.dumps(answer), search))
    assert (told["id"], told["is_partial"]) == ("x", True)
    (found,) = told["response"]["hits"]["hits"]
    assert found.keys() == {"_index", "_id", "_dupdex"}
    assert told["response"]["_dupdex"]["clauses"][0]["found"] == 1
    assert begun(b'{"id":"x"}', search) == b'{"id":"x"}'


def test_headers_of_a_changed_request() -> None:
    headers = [(b"content-length", b"9"), (b"accept-encoding", b"gzip"), (b"x-opaque-id", b"7")]
    assert plain_headers(headers) == [
        (b"x-opaque-id", b"7"),
        (b"content-type", b"application/json"),
    ]
    typed = [(b"content-type", b"application/x-ndjson"), (b"connection", b"close")]
    assert plain_headers(typed) == typed[:1]


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        (b"{}\n{1}\n\n{2}\n", [(b"{}", b"{1}"), (b"", b"{2}")]),
        (b"{}\n{1}", [(b"{}", b"{1}")]),
        (b"{}\n{1}\n{}\n", []),
        (b"", []),
    ],
)
def test_pairs_of_lines(text: bytes, pairs: list[tuple[bytes, bytes]]) -> None:
    assert pairs_in(text) == pairs


@pytest.mark.parametrize(
    ("header", "names"),
    [
        (b"", "path"),
        (b"{}", "path"),
        (b'{"index":"a"}', "a"),
        (b'{"index":["a","b"]}', ["a", "b"]),
        (b'{"index":[]}', "path"),
        (b'{"index":5}', "path"),
        (b"{", "path"),
    ],
)
def test_names_of_a_header(header: bytes, names: object) -> None:
    assert names_in(header_of(header), "path") == names
