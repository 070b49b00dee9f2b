"""What is said when the cluster answers a question of the gateway's own badly, or not at all."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from dupdex.gateway.search.cluster import Cluster
from dupdex.gateway.search.search_refused import SearchRefused
from dupdex.gateway.upstream import Upstream
from indexer.stores.elastic.client import Server

HEADERS = [(b"authorization", b"me"), (b"cookie", b"no")]


def ask(reply: bytes, params: dict[str, str] | None = None) -> tuple[bytes, Any]:
    """What a server that replies with these bytes, and closes, is asked, and what comes of it."""
    heard = b""

    async def run() -> Any:
        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            nonlocal heard
            heard = await reader.readuntil(b"\r\n\r\n")
            writer.write(reply)
            await writer.drain()
            writer.close()

        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        upstream = Upstream(Server(f"http://127.0.0.1:{port}"))
        await upstream.open()
        try:
            cluster = Cluster(upstream, HEADERS)
            return await cluster.ask("GET", "/a", None, params)
        finally:
            await upstream.close()
            server.close()

    answer = asyncio.run(run())
    return heard, answer


def test_who_asks_goes_along() -> None:
    reply = b"HTTP/1.1 404 Not Found\r\ncontent-length: 8\r\n\r\n" + b'{"a": 1}'
    heard, answer = ask(reply, {"routing": "ä"})
    assert answer == (404, {"a": 1})
    assert heard.startswith(b"GET /a?routing=%C3%A4 HTTP/1.1\r\n")
    assert b"authorization: me" in heard.lower()
    assert b"cookie" not in heard.lower()


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (b"", "cannot be reached"),
        (b'HTTP/1.1 200 OK\r\ncontent-length: 80\r\n\r\n{"a":', "broke off"),
        (b"HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\n<ht>", "no JSON"),
    ],
)
def test_a_bad_answer(reply: bytes, said: str) -> None:
    with pytest.raises(SearchRefused, match=said) as refused:
        ask(reply)
    assert (refused.value.status, refused.value.kind) == (503, "cluster_unreachable")
