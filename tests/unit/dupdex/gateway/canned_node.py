"""A node that answers what a test says, and the client of the gateway before it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from typing import Any

from dupdex.gateway.upstream import Upstream
from indexer.stores.elastic.client import Server

OK = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}"
Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
Talk = Callable[[Upstream], Awaitable[Any]]


class Node:
    """Answers the requests of all its connections with `replies` in turn, the last one for ever;
    None closes the connection instead. `heard`: what came in, by connection."""

    def __init__(self, *replies: bytes | None) -> None:
        self._replies = list(replies)
        self.heard: list[bytes] = []

    async def __call__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        at = len(self.heard)
        self.heard.append(b"")
        while True:
            try:
                head = await reader.readuntil(b"\r\n\r\n")
            except (asyncio.IncompleteReadError, ConnectionError):
                break
            self.heard[at] += head
            if b"content-length:" in head:
                length = int(head.partition(b"content-length: ")[2].split(b"\r\n")[0])
                self.heard[at] += await reader.readexactly(length)
            elif b"chunked" in head:
                self.heard[at] += await reader.readuntil(b"0\r\n\r\n")
            reply = self._replies.pop(0) if len(self._replies) > 1 else self._replies[0]
            if reply is None:
                break
            writer.write(reply)
            if b"content-length" not in reply and b"chunked" not in reply:
                break
        writer.close()


def run(serve: Serve, talk: Talk, seconds: float = 20.0, more: str = "") -> Any:
    """What `talk` gives with the client of a node that is served so."""

    writers: list[asyncio.StreamWriter] = []

    async def served(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers.append(writer)
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            await serve(reader, writer)

    async def both() -> Any:
        server = await asyncio.start_server(served, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        upstream = Upstream(Server(f"{more}http://127.0.0.1:{port}", request_timeout=seconds))
        await upstream.open()
        try:
            return await asyncio.wait_for(talk(upstream), 30)
        finally:
            await upstream.close()
            server.close()
            for writer in writers:
                writer.transport.abort()
            await asyncio.sleep(0.01)

    return asyncio.run(both())


async def read(upstream: Upstream, method: str = "GET", target: str = "/", **more: Any) -> bytes:
    async with await upstream.send(method, target, more.get("headers", []), more.get("body")) as a:
        return await a.read()


async def parts(*pieces: bytes) -> AsyncIterator[bytes]:
    for piece in pieces:
        await asyncio.sleep(0)
        yield piece
