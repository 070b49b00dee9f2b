"""Bodies are looked into up to a limit, packed ones too, and stay as they came."""

from __future__ import annotations

import asyncio
import gzip
import zlib
from typing import Any

import pytest

from dupdex.gateway.search.request_body import (
    LARGEST,
    SearchBody,
    changed_scope,
    check_formats,
    packed,
    read_body,
)
from dupdex.gateway.search.search_refused import SearchRefused

MARKED = b'{"query":{"near_duplicate":{}}}'


def read(*chunks: bytes, query: bytes = b"", encoding: bytes | None = None) -> SearchBody:
    """A body that comes in these chunks."""
    messages = [
        {"type": "http.request", "body": chunk, "more_body": at + 1 < len(chunks)}
        for at, chunk in enumerate(chunks)
    ]

    async def receive() -> dict[str, Any]:
        return messages.pop(0)

    headers = [(b"content-length", str(sum(map(len, chunks))).encode())]
    if encoding:
        headers.append((b"content-encoding", encoding))
    scope = {"headers": headers, "query_string": query}

    async def body() -> SearchBody:
        found = await read_body(scope, receive)
        if found.raw is None or isinstance(found.raw, bytes):
            return found
        whole = b"".join([chunk async for chunk in found.raw])
        return SearchBody(whole, found.text)

    return asyncio.run(body())


@pytest.mark.parametrize(
    ("raw", "encoding"),
    [
        (MARKED, None),
        (gzip.compress(MARKED, mtime=0), b"gzip"),
        (zlib.compress(MARKED), b"deflate"),
    ],
)
def test_a_body_is_looked_into(raw: bytes, encoding: bytes | None) -> None:
    for chunks in ((raw,), (raw[:9], raw[9:])):
        body = read(*chunks, encoding=encoding)
        assert (body.raw, body.text, body.is_marked) == (raw, MARKED, True)


def test_what_cannot_be_unpacked_is_passed_on() -> None:
    assert read(b"x" * 9, encoding=b"gzip") == SearchBody(b"x" * 9, None)
    assert read(MARKED, encoding=b"zstd").text is None
    bomb = gzip.compress(b" " * (LARGEST + 1))
    assert read(bomb, encoding=b"gzip").text is None


def test_a_long_body_passes_by() -> None:
    part = b" " * (LARGEST // 2 + 1)
    assert read(part, part, b"{}") == SearchBody(part + part + b"{}", None)
    with pytest.raises(SearchRefused, match="16 MB") as refused:
        read(MARKED, part, part, b"{}")
    assert refused.value.status == 413


def test_the_body_may_be_a_parameter() -> None:
    body = read(b"", query=b"size=1&source=%7B%22dedup%22%3A%7B%7D%7D")
    assert (body.text, body.is_marked, body.from_source) == (b'{"dedup":{}}', True, True)


def test_parameters_are_changed_where_they_are_to_be() -> None:
    scope = {"query_string": b"a=1&source=x&a=2&b"}
    assert changed_scope(scope) is scope
    assert changed_scope(scope, filter_path=None) is scope
    changed = changed_scope(scope, ("source",), filter_path="a,b")
    assert changed["query_string"] == b"a=1&a=2&b=&filter_path=a%2Cb"


@pytest.mark.parametrize("accepts", [b"gzip, deflate", b"identity", None])
def test_answers_are_packed_for_who_takes_it(accepts: bytes | None) -> None:
    headers = [(b"accept-encoding", accepts)] if accepts else []
    content, more = packed(b"a" * 9_000, headers)
    if accepts == b"gzip, deflate":
        assert (gzip.decompress(content), more) == (b"a" * 9_000, [(b"content-encoding", b"gzip")])
    else:
        assert (content, more) == (b"a" * 9_000, [])
    assert packed(b"short", headers) == (b"short", [])


@pytest.mark.parametrize(
    ("headers", "params"),
    [
        ([(b"content-type", b"application/cbor")], {}),
        ([(b"accept", b"application/yaml")], {}),
        ([], {"format": "smile"}),
    ],
)
def test_only_json(headers: list[tuple[bytes, bytes]], params: dict[str, str]) -> None:
    check_formats([(b"content-type", b"application/json")], {"format": "json"})
    with pytest.raises(SearchRefused, match="JSON only"):
        check_formats(headers, params)
