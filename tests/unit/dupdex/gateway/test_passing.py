"""Requests through both connections of the gateway, before nodes that answer oddly."""

from __future__ import annotations

import asyncio
import gzip
import zlib
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import cast

import pytest
import uvicorn
from uvicorn.server import ServerState

from dupdex.gateway.connection import Connection
from dupdex.gateway.passing import Passing
from dupdex.gateway.upstream import Upstream
from indexer.stores.elastic.client import Server

OK = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}"
GET = b"GET /a HTTP/1.1\r\n\r\n"
LAST = b"GET /a HTTP/1.1\r\nConnection: close\r\n\r\n"
Talk = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[bytes]]


class Node:
    """Answers requests without bodies with one reply; `connections` counts what it took, `ended`
    what was closed."""

    def __init__(self, reply: bytes) -> None:
        self.reply = reply
        self.connections = self.ended = 0

    async def __call__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                if b"content-length: " in head:
                    length = head.partition(b"content-length: ")[2].split(b"\r\n")[0]
                    await reader.readexactly(int(length))
                writer.write(self.reply)
        self.ended += 1
        writer.close()


async def _between(node: Node, talk: Talk) -> bytes:
    loop, state = asyncio.get_running_loop(), ServerState()
    server = await asyncio.start_server(node, "127.0.0.1", 0)
    url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    upstream = Upstream(Server(url, request_timeout=10.0))
    await upstream.open()
    config = uvicorn.Config(Passing(upstream), ws="none", log_level="critical", lifespan="off")
    config.load()
    gateway = await loop.create_server(lambda: Connection(config, state, {}), "127.0.0.1", 0)
    host, port = gateway.sockets[0].getsockname()
    reader, writer = await asyncio.open_connection(host, port)
    try:
        return await asyncio.wait_for(talk(reader, writer), 20)
    finally:
        writer.close()
        for each in list(state.connections):
            cast(Connection, each).transport.abort()
        await upstream.close()
        gateway.close()
        server.close()
        await asyncio.sleep(0.02)


def passed(node: Node, data: bytes) -> bytes:
    """All that comes back to these bytes."""

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        writer.write(data)
        return await reader.read()

    return asyncio.run(_between(node, talk))


@pytest.mark.parametrize("status", [b"204 No Content", b"304 Not Modified"])
@pytest.mark.parametrize("length", [b"", b"content-length: 0\r\n", b"content-length: 50\r\n"])
def test_an_answer_without_a_body_may_tell_a_length(status: bytes, length: bytes) -> None:
    found = passed(Node(b"HTTP/1.1 " + status + b"\r\n" + length + b"\r\n"), GET + LAST)
    assert found.count(b"HTTP/1.1 " + status) == 2
    assert b"content-length" not in found


@pytest.mark.parametrize("framing", [b"content-length: 50", b"transfer-encoding: chunked"])
def test_head_tells_the_length_alone(framing: bytes) -> None:
    node = Node(b"HTTP/1.1 200 OK\r\n" + framing + b"\r\n\r\n")
    found = passed(node, (GET + LAST).replace(b"GET", b"HEAD"))
    assert found.count(b"HTTP/1.1 200 OK") == 2
    assert (b"content-length: 50" in found) == (b"length" in framing)
    assert node.connections == 1


def test_what_no_server_knows_as_a_status() -> None:
    found = passed(Node(b"HTTP/1.1 999 Odd\r\ncontent-length: 0\r\n\r\n"), LAST)
    assert found.startswith(b"HTTP/1.1 503")


def test_what_comes_behind_an_answer_is_nobodys() -> None:
    node = Node(OK + b"HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nevil")
    found = passed(node, GET + LAST)
    assert found.count(b"HTTP/1.1 200") == 2
    assert b"evil" not in found
    assert node.connections == 2


def test_a_client_that_leaves_takes_its_connection_along() -> None:
    """What is left of its answer is nobody's."""
    node = Node(b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhal")

    async def talk(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        writer.write(GET)
        while not node.connections:
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.05)
        writer.close()
        while not node.ended:
            await asyncio.sleep(0.01)
        return b""

    asyncio.run(_between(node, talk))


@pytest.mark.parametrize(
    ("coding", "body", "status"),
    [
        (b"gzip", gzip.compress(b"{}", mtime=0), 200),
        (b"gzip", gzip.compress(b"{", mtime=0) + gzip.compress(b"}", mtime=0), 200),
        (b"gzip", b"", 200),
        (b"gzip", gzip.compress(b"{}", mtime=0)[:-9], 400),
        (b"gzip", zlib.compress(b"{}"), 400),
        (b"deflate", zlib.compress(b"{}"), 200),
        (b"deflate", zlib.compress(b"{}", wbits=-15), 200),
        (b"deflate", gzip.compress(b"{}", mtime=0), 400),
        (b"deflate", b"{}", 400),
        (b"br", b"{}", 200),
    ],
)
def test_a_body_is_what_its_coding_says(coding: bytes, body: bytes, status: int) -> None:
    head = b"POST /a HTTP/1.1\r\nConnection: close\r\nContent-Encoding: %b\r\nContent-Length: %d"
    found = passed(Node(OK), head % (coding, len(body)) + b"\r\n\r\n" + body)
    assert found.startswith(b"HTTP/1.1 %d" % status)
