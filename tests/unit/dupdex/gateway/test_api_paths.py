"""Which requests the gateway adds something to: paths are read as Elasticsearch reads them."""

from __future__ import annotations

import pytest

from dupdex.gateway.api_paths import Api, ApiCall, api_call, typed_call


@pytest.mark.parametrize(
    ("method", "path", "call"),
    [
        ("POST", "/_bulk", ApiCall(Api.BULK)),
        ("POST", "/_bulk/", ApiCall(Api.BULK)),
        ("PUT", "/a/_bulk", ApiCall(Api.BULK, "a")),
        ("GET", "/a,b/_search", ApiCall(Api.SEARCH, "a,b")),
        ("GET", "/_all/_search", ApiCall(Api.SEARCH, "_all")),
        ("POST", "/%61%2Cb/_search//", ApiCall(Api.SEARCH, "a,b")),
        ("POST", "/a/_doc", ApiCall(Api.INDEX, "a")),
        ("POST", "/a/_doc/", ApiCall(Api.INDEX, "a")),
        ("PUT", "/a/_doc/x%2Fy", ApiCall(Api.INDEX, "a", "x/y")),
        ("PUT", "/a/_doc/a+b", ApiCall(Api.INDEX, "a", "a+b")),
        ("DELETE", "/a/_doc/1", ApiCall(Api.DELETE, "a", "1")),
        ("POST", "//_bulk", ApiCall(Api.BULK)),
        ("POST", "//_update_by_query", ApiCall(Api.UPDATE_BY_QUERY)),
        ("POST", "/_all,/_update_by_query", ApiCall(Api.UPDATE_BY_QUERY, "_all,")),
        ("POST", "/a/_update/_search", ApiCall(Api.UPDATE, "a", "_search")),
    ],
)
def test_what_is_more_than_passed_on(method: str, path: str, call: ApiCall) -> None:
    assert api_call(method, path.encode()) == call


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/"),
        ("GET", "/_bulk"),
        ("POST", "//_doc"),
        ("PUT", "//_doc/1"),
        ("POST", "/a//_bulk"),
        ("POST", "/%5Fbulk"),
        ("POST", "/a/%5Fdoc/1"),
        ("GET", "/a/_doc/1"),
        ("PUT", "/a/_doc"),
        ("POST", "/a/_doc/1/2"),
        ("POST", "/%5Fsecurity/_search"),
        ("POST", "/_search/template"),
        ("GET", "/_async_search/id"),
    ],
)
def test_what_is_passed_on(method: str, path: str) -> None:
    assert api_call(method, path.encode()) is None


@pytest.mark.parametrize(
    ("method", "path", "call"),
    [
        ("PUT", "/a/t/1", ApiCall(Api.TYPED, "a")),
        ("POST", "/a/t", ApiCall(Api.TYPED, "a")),
        ("POST", "/a/%5Fdoc/1", ApiCall(Api.TYPED, "a")),
        ("PUT", "/%61/_unknown/1/", ApiCall(Api.TYPED, "a")),
        ("POST", "/a/t/1/_create", ApiCall(Api.TYPED, "a")),
        ("POST", "/a/t/1/_update", ApiCall(Api.TYPED, "a")),
        ("DELETE", "/a/t/1", ApiCall(Api.TYPED, "a")),
        ("POST", "/a/t/_update_by_query", ApiCall(Api.TYPED, "a")),
        ("POST", "/a/t/_bulk", ApiCall(Api.BULK, "a")),
        ("POST", "///_bulk", ApiCall(Api.BULK)),
        ("GET", "/a/t/1", None),
        ("POST", "/a/t/_search", None),
        ("POST", "/a/t/1/_termvectors", None),
        ("PUT", "/a/_alias/b", None),
        ("PUT", "/a", None),
        ("PUT", "/_template/t/1", None),
    ],
)
def test_paths_with_a_type(method: str, path: str, call: ApiCall | None) -> None:
    assert typed_call(method, path.encode()) == call
