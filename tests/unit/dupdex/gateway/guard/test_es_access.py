"""What keys for certain indices may send: what names no other index, and nothing that is not
understood."""

from __future__ import annotations

import gzip
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupdex.gateway.callers import ANYBODY, Caller, NotAllowed, Right, covers
from dupdex.gateway.guard.bulk_names import BulkLines
from dupdex.gateway.guard.es_access import body_for, demand_of
from dupdex.gateway.guard.guarded_bodies import Inflation
from mappings.errors import InputRefused

NEWS = Caller("news", frozenset({Right.WRITE}), ("news-*", "one"))
OWNER = Caller("owner", frozenset({Right.ADMIN}), ("news-*",))
CLAUSE = {"term": {"tenant": "a"}}
TENANT = Caller("tenant", frozenset({Right.READ}), ("news-*",), {"news-*": [CLAUSE]})
READER = Caller("reader", frozenset({Right.READ}))


def sent(caller: Caller, request: str, body: object = None) -> Any:
    """The body that goes on, parsed where there is one."""
    method, _, target = request.partition(" ")
    path, _, query = target.partition("?")
    raw = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
    demand = demand_of(caller, method, path.encode(), query.encode())
    if demand.reads_lines:
        lines = BulkLines(caller, demand.names)
        lines.feed(raw)
        lines.close()
        return raw
    return body_for(demand, raw).body if demand.reads_body else raw


ALLOWED: list[tuple[str, object]] = [
    ("GET /", None),
    ("GET /news-1/_search", {"query": {"match_all": {}}}),
    ("POST /news-1,news-2/_search?size=3", None),
    ("POST /news-*/_search", {}),
    ("POST /news-*,-news-3/_count", {}),
    ("GET /one/_doc/1", None),
    ("HEAD /one/_source/a%2Fb", None),
    ("PUT /one/_doc/1?refresh=true", {"index": "any", "text": "a"}),
    ("POST /one/_update/1", {"doc": {"_index": "any"}}),
    ("POST /_mget", {"docs": [{"_index": "one", "_id": "1"}]}),
    ("POST /one/_mget", {"ids": ["1"]}),
    ("POST /one/_delete_by_query", {"query": {"term": {"a": 1}}}),
    ("POST /_reindex", {"source": {"index": "one"}, "dest": {"index": "news-1"}}),
    ("POST /_msearch", b'{"index":"one"}\n{}\n{"index":["news-1","news-2"]}\n{"size":1}\n'),
    ("POST /one/_msearch", b"{}\n{}\n"),
    (
        "POST /_bulk",
        b'{"index":{"_index":"one"}}\n{"_index":"x"}\n{"delete":{"_index":"news-1"}}\n',
    ),
    ("POST /one/_bulk", b'{"create":{}}\n{"a":1}'),
    ("POST /one/_search", {"query": {"terms": {"a": {"index": "news-2", "id": "1", "path": "b"}}}}),
    ("POST /one/_search", {"query": {"near_duplicate": {"like": {"_index": "one", "_id": "1"}}}}),
    ("GET /_resolve/index/news-*", None),
    ("GET /_cluster/health", None),
]

REFUSED: list[tuple[str, object]] = [
    ("GET /two/_search", None),
    ("GET /one,two/_search", None),
    ("GET /one%2Ctwo/_search", None),
    ("GET /*/_search", None),
    ("GET /_all/_search", None),
    ("GET /_search", None),
    ("GET /n*/_search", None),
    ("GET /<news-{now}>/_search", None),
    ("GET /other:news-1/_search", None),
    ("GET /news-1::failures/_search", None),
    ("GET //one/_search", None),
    ("GET /%5Fall/_search", None),
    ("GET /one/%5Fsearch", None),
    ("GET /%5Fanalyze", None),
    ("GET /one//_search", None),
    ("GET /one/_search?index=two", None),
    ("GET /one/_search?pretty;index=two", None),
    ("GET /one/_search?q=a", None),
    ("GET /one/_search?source=%7B%7D&source_content_type=application/json", None),
    ("GET /one/_search?source%5Fcontent_type=a", None),
    ("DELETE /_pit", {}),
    ("DELETE /_pit", {"id": "abc"}),
    ("DELETE /_search/scroll", {"scroll_id": ["abc"]}),
    ("DELETE /_search/scroll/abc", None),
    ("POST /two/_pit?keep_alive=1m", None),
    ("GET /_count?index=one", None),
    ("POST /one/_search", {"query": {"terms": {"a": {"index": "two", "id": "1", "path": "b"}}}}),
    ("POST /one/_search", {"query": {"more_like_this": {"like": [{"_index": "two", "_id": "1"}]}}}),
    ("POST /one/_search", {"query": {"wrapper": {"query": "e30="}}}),
    ("POST /one/_search", {"query": {"near_duplicate": {"like": {"_index": "two", "_id": "1"}}}}),
    ("POST /one/_search", {"runtime_mappings": {"a": {"type": "lookup", "target_index": "two"}}}),
    ("POST /_search", {"pit": {"id": "abc"}}),
    ("POST /one/_search", {"pit": {"id": "abc"}}),
    ("POST /_search/scroll", {"scroll_id": "abc"}),
    ("POST /_sql", {"query": "select * from two"}),
    ("POST /_query", {"query": "from two"}),
    ("POST /_mget", {"docs": [{"_index": "two", "_id": "1"}]}),
    ("POST /one/_mget", {"docs": [{"_index": "two", "_id": "1"}]}),
    ("POST /_mget", {"docs": [{"_id": "1"}]}),
    ("POST /one/_termvectors/1", {"_index": "two"}),
    ("POST /one/_mtermvectors", {"ids": ["1"], "parameters": {"_index": "two"}}),
    ("POST /_reindex", {"source": {"index": "two"}, "dest": {"index": "one"}}),
    ("POST /_reindex", {"source": {"index": ["one", "two"]}, "dest": {"index": "one"}}),
    ("POST /_reindex", {"source": {"index": "one"}, "dest": {"index": "two"}}),
    ("POST /_reindex", {"source": {"index": "one", "remote": {}}, "dest": {"index": "one"}}),
    ("POST /_reindex", {"source": {"index": "one"}, "dest": {"index": "one"}, "script": {}}),
    ("POST /_msearch", b'{"index":"two"}\n{}\n'),
    ("POST /_msearch", b'{"index":"one"}\n{}\n{}\n{}\n'),
    ("POST /one/_msearch", b'{"index":"one","indices":"two"}\n{}\n'),
    ("POST /_bulk", b'{"index":{"_index":"two"}}\n{}\n'),
    ("POST /_bulk", b'{"index":{}}\n{}\n'),
    ("POST /one/_bulk", b'{"delete":{"_id":"1"}}\n{"delete":{"_id":"1","_index":"two"}}'),
    ("GET /_cat/indices", None),
    ("GET /_mapping", None),
    ("POST /_refresh", None),
    ("GET /_nodes", None),
    ("PUT /one/_mapping", {}),
    ("DELETE /one", None),
    ("POST /_aliases", {}),
    ("GET /_unknown/one", None),
]


@pytest.mark.parametrize(("request_line", "body"), ALLOWED)
def test_what_names_no_other_index_goes_on(request_line: str, body: object) -> None:
    sent(NEWS, request_line, body)


@pytest.mark.parametrize(("request_line", "body"), REFUSED)
def test_all_else_is_refused(request_line: str, body: object) -> None:
    with pytest.raises(NotAllowed):
        sent(NEWS, request_line, body)


@pytest.mark.parametrize(
    ("request_line", "body"),
    [
        ("POST /one/_search", b'{"query":{},"query":{}}'),
        ("POST /one/_search", b"[]"),
        ("POST /one/_search", b"{"),
        ("POST /one/_search", b'{"a":1e999}'),
        ("POST /one/_search", b'{"a":NaN}'),
        ("POST /one/_search", b'{"a":' * 200 + b"1" + b"}" * 200),
        ("POST /one/_search", b"[" * 100_000),
        ("POST /_msearch", b'{"index":"one"}\n'),
        ("POST /one/_bulk", b'{"index":{},"delete":{"_index":"two"}}\n{}\n'),
        ("POST /one/_bulk", b'{"index":{"_index":"one","_index":"two"}}\n{}\n'),
        ("POST /one/_bulk", b'{"index":[]}\n{}\n'),
        ("POST /one/_bulk", b" " * 70_000 + b'{"index":{}}\n{}\n'),
    ],
)
def test_what_programs_could_read_in_two_ways_is_refused(request_line: str, body: bytes) -> None:
    with pytest.raises(InputRefused):
        sent(NEWS, request_line, body)


def test_a_body_without_restriction_is_not_looked_into() -> None:
    for caller in (ANYBODY, READER):
        assert not demand_of(caller, "POST", b"/two/_search", b"q=a").reads_body


@pytest.mark.parametrize("method_path", ["PUT /two/_doc/1", "POST /_bulk", "POST /_reindex"])
def test_a_right_is_needed(method_path: str) -> None:
    with pytest.raises(NotAllowed, match="takes the right 'write'"):
        sent(READER, method_path)
    with pytest.raises(NotAllowed, match="takes the right 'admin'"):
        sent(READER, "PUT /_cluster/settings")


def test_an_owner_of_indices_makes_and_removes_them() -> None:
    sent(OWNER, "PUT /news-9", {"mappings": {}})
    sent(OWNER, "DELETE /news-9")
    with pytest.raises(NotAllowed):
        sent(OWNER, "PUT /news-9", {"aliases": {"two": {}}})
    with pytest.raises(NotAllowed):
        sent(OWNER, "DELETE /news-9,two")


def test_filters_go_around_the_query_and_scores_stay() -> None:
    query = {"match": {"text": "a"}}
    search = json.loads(sent(TENANT, "POST /news-1/_search", {"query": query, "size": 3}))
    assert search == {"query": {"bool": {"filter": [CLAUSE], "must": [query]}}, "size": 3}
    empty = json.loads(sent(TENANT, "GET /news-*/_count"))
    assert empty["query"]["bool"]["filter"] == [CLAUSE]
    lines = sent(TENANT, "POST /_msearch", b'{"index":"news-1"}\n{"size":0}\n').splitlines()
    assert json.loads(lines[1])["query"]["bool"]["filter"] == [CLAUSE]


def test_every_filter_that_could_be_meant_is_put_around() -> None:
    other = {"term": {"public": True}}
    caller = Caller(
        "two", frozenset({Right.READ}), ("*",), {"news-*": [CLAUSE], "news-2*": [other], "free": []}
    )
    for names in ("news-2,free", "news-*"):
        search = json.loads(sent(caller, f"POST /{names}/_search"))
        assert search["query"]["bool"]["filter"] == [CLAUSE, other]
    assert sent(caller, "POST /free/_search", {"size": 1}) == b'{"size":1}'
    with pytest.raises(NotAllowed):  # an alias could stand for an index with a filter
        sent(caller, "POST /other/_search")


TELLING: list[tuple[str, object]] = [
    ("GET /news-1/_doc/1", None),
    ("POST /news-1/_mget", {"ids": ["1"]}),
    ("GET /news-1/_explain/1", None),
    ("GET /news-1/_termvectors/1", None),
    ("GET /news-1/_stats", None),
    ("POST /news-1/_terms_enum", {"field": "a"}),
    ("PUT /news-1/_doc/1", {}),
    ("POST /news-1/_search", {"knn": {}}),
    ("POST /news-1/_search", {"suggest": {}}),
    ("POST /news-1/_search", {"retriever": {}}),
    ("POST /news-1/_search", {"aggs": {"a": {"global": {}}}}),
    ("POST /news-1/_search", {"aggs": {"a": {"terms": {"field": "a", "min_doc_count": 0}}}}),
    ("POST /news-1/_search", {"aggs": {"a": {"significant_terms": {"field": "a"}}}}),
    ("POST /news-1/_search", {"aggs": {"a": {"children": {"type": "b"}}}}),
    ("POST /news-1/_search", {"query": {"has_child": {"type": "b", "query": {}}}}),
    ("POST /news-1/_search", {"query": {"more_like_this": {"like": {"_id": "1"}}}}),
    ("POST /news-1/_search", {"query": {"terms": {"a": {"index": "news-1", "id": 1, "path": 0}}}}),
    ("POST /news-1/_search", {"runtime_mappings": {"a": {"target_index": "news-1"}}}),
]  # fmt: skip


@pytest.mark.parametrize(("request_line", "body"), TELLING)
def test_what_tells_of_other_documents_is_refused(request_line: str, body: object) -> None:
    caller = Caller("tenant", frozenset({Right.ADMIN}), TENANT.indices, TENANT.filters)
    with pytest.raises(NotAllowed):
        sent(caller, request_line, body)


def test_numbers_stay_as_exact_as_they_were() -> None:
    body = b'{"query":{"term":{"a":18446744073709551615}},"min_score":0.30000000000000004}'
    assert json.loads(sent(TENANT, "POST /news-1/_search", body))["query"]["bool"]["must"] == [
        {"term": {"a": 18446744073709551615}}
    ]
    assert b"0.30000000000000004" in sent(TENANT, "POST /news-1/_search", body)


@given(st.lists(st.sampled_from("ab*-"), max_size=6), st.lists(st.sampled_from("ab*-"), max_size=6))
def test_a_covered_wildcard_stands_for_covered_names_only(pattern: Any, name: Any) -> None:
    pattern, name = "".join(pattern), "".join(name)
    if covers(pattern, name):
        for filling in ("", "a", "bb-", "ab"):
            assert covers(pattern, name.replace("*", filling))


@given(st.integers(1, 200))
def test_action_lines_are_read_wherever_the_body_is_cut(size: int) -> None:
    body = (
        b'{"index":{"_index":"one"}}\n{"index":{"_index":"two"}}\n\n{"delete":{"_index":"one"}}\n'
    )
    lines = BulkLines(NEWS, None)
    for at in range(0, len(body), size):
        lines.feed(body[at : at + size])
    lines.close()
    whole, (first, second) = BulkLines(NEWS, None), body.split(b"\n\n")
    whole.feed(first + b"\n" * 3_000_000 + second)  # at once, and in no time
    with pytest.raises(NotAllowed):
        for at in range(0, len(body), size):
            lines.feed(
                body.replace(b'{"delete":{"_index":"one', b'{"delete":{"_index":"two')[
                    at : at + size
                ]
            )
        lines.close()


def test_compressed_bodies_are_one_stream_of_limited_size() -> None:
    packed = gzip.compress(b"a" * 1_000)
    assert Inflation(1_000).feed(packed, last=True) == b"a" * 1_000
    for most, body in ((999, packed), (5_000, packed * 2), (5_000, packed[:-4]), (9, b"no gzip")):
        with pytest.raises(InputRefused):
            Inflation(most).feed(body, last=True)


def test_a_pattern_covers_one_name() -> None:
    with pytest.raises(NotAllowed):
        Caller("a", frozenset({Right.READ}), ("news*",)).check(Right.READ, "news,secret")


def test_lines_without_end_are_refused_unread() -> None:
    demand = demand_of(NEWS, "POST", b"/one/_msearch", b"")
    with pytest.raises(InputRefused, match="lines"):
        body_for(demand, b"\n" * 5_000_000)


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        ("POST /one/_async_search", "_async_search"),
        ("GET /_async_search/status/abc", "_async_search/status"),
        ("POST /_sql", "_sql"),
        ("POST /one/_search/template", "_search/template"),
        ("POST /_render/template", "_render/template"),
    ],
)
def test_what_cannot_be_checked_is_named(request_: str, said: str) -> None:
    with pytest.raises(NotAllowed, match=f"what {said} reads cannot be checked; ask by _search"):
        sent(NEWS, request_)
