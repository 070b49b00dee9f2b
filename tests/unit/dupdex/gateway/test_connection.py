"""Connections of clients, over real sockets, with an application that says what it was asked."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, cast

import pytest
import uvicorn
from starlette.types import Receive, Scope, Send
from uvicorn.server import ServerState

from dupdex.gateway import connection, joined_writes
from dupdex.gateway.connection import LEFT, Connection

Talk = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[Any]]


class Application:
    """Answers with the body it got; waits for `go` first. `left` counts clients that left."""

    def __init__(self) -> None:
        self.scopes: list[Scope] = []
        self.go = asyncio.Event()
        self.go.set()
        self.left = 0
        self.answer: bytes | None = None
        self.at_once = self.is_early = False

    def leave(self) -> None:
        self.left += 1

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.scopes.append(scope)
        scope[LEFT] = self.leave
        body = b""
        while not self.is_early:
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            body += message.get("body", b"")
            if not message.get("more_body"):
                break
        await self.go.wait()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        content = self.answer or scope["raw_path"] + body
        await send({"type": "http.response.body", "body": content, "more_body": not self.at_once})
        if not self.at_once:
            await send({"type": "http.response.body"})


async def _with_server(talk: Talk, application: Application) -> Any:
    config = uvicorn.Config(application, ws="none", log_level="error", timeout_keep_alive=60)
    config.load()
    loop = asyncio.get_running_loop()
    state = ServerState()
    server = await loop.create_server(lambda: Connection(config, state, {}), "127.0.0.1", 0)
    async with server:
        host, port = server.sockets[0].getsockname()
        reader, writer = await asyncio.open_connection(host, port)
        try:
            return await asyncio.wait_for(talk(reader, writer), 20)
        finally:
            writer.close()
            for each in list(state.connections):
                cast(Connection, each).transport.abort()
            await asyncio.sleep(0.01)


def talked(data: bytes, application: Application | None = None) -> bytes:
    """All that comes back to these bytes until the other side closes."""

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        writer.write(data)
        return await reader.read()

    async def run() -> bytes:
        found: bytes = await _with_server(talk, application or Application())
        return found

    return asyncio.run(run())


CLOSE = b"Connection: close\r\n"


def test_a_request_is_answered() -> None:
    assert talked(b"GET /a HTTP/1.1\r\n" + CLOSE + b"\r\n").endswith(b"\r\n2\r\n/a\r\n0\r\n\r\n")


@pytest.mark.parametrize("coding", [b"gzip, chunked", b"identity", b"chunked\r\nX: y"])
def test_only_chunks_are_taken(coding: bytes) -> None:
    whole = b"POST /a HTTP/1.1\r\nTransfer-Encoding: " + coding + b"\r\n" + CLOSE
    found = talked(whole + b"\r\n2\r\n{}\r\n0\r\n\r\n")
    assert found.startswith(b"HTTP/1.1 200" if b"X" in coding else b"HTTP/1.1 400")


def test_a_trailer_is_no_header() -> None:
    application = Application()
    whole = b"POST /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n" + CLOSE
    found = talked(whole + b"\r\n1\r\nb\r\n0\r\nX-Late: 1\r\n\r\n", application)
    assert found.startswith(b"HTTP/1.1 200")
    assert b"x-late" not in dict(application.scopes[0]["headers"])


@pytest.mark.parametrize(
    "framing",
    [b"Content-Length: 1\r\n\r\nb", b"Transfer-Encoding: chunked\r\n\r\n1\r\nb\r\n0\r\n\r\n"],
)
def test_the_body_of_a_wish_for_an_upgrade(framing: bytes) -> None:
    """The parser passes over it; read as the next request, it would be one of somebody else."""
    wish = b"POST /a HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n" + framing
    application = Application()
    found = talked(wish + b"GET /c HTTP/1.1\r\n" + CLOSE + b"\r\n", application)
    assert [scope["path"] for scope in application.scopes] == ["/a", "/c"]
    assert b"\r\n/ab\r\n" in found
    assert b"\r\n/c\r\n" in found


def test_a_broken_request_behind_a_good_one() -> None:
    """The first is answered, and nothing is written that could be taken for its answer."""

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        writer.write(b"GET /a HTTP/1.1\r\n\r\nno request\r\n\r\n")
        await asyncio.sleep(0.05)
        application.go.set()
        return await reader.read()

    async def run() -> bytes:
        application.go.clear()
        found: bytes = await _with_server(talk, application)
        return found

    application = Application()
    found = asyncio.run(run())
    assert found.count(b"HTTP/1.1 ") == 1
    assert found.startswith(b"HTTP/1.1 200")
    assert found.endswith(b"0\r\n\r\n")


def test_a_trailer_has_an_end() -> None:
    start = b"POST /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nb\r\n0\r\nX-A: "
    found = talked(start + b"a" * (4 << 20))
    assert found.startswith(b"HTTP/1.1 400")
    assert b"trailer" in found


@pytest.mark.parametrize("rest", [b"no size\r\n", b"0\r\nX-A: " + b"a" * (4 << 20)])
def test_a_request_has_one_answer(rest: bytes) -> None:
    """Also where it was answered early, and what comes of its body afterwards is broken."""
    application = Application()
    application.is_early = True

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        writer.write(b"POST /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nb\r\n")
        found = await reader.readuntil(b"\r\n0\r\n\r\n")
        writer.write(rest)
        return found + await reader.read()

    async def run() -> bytes:
        found: bytes = await _with_server(talk, application)
        return found

    assert asyncio.run(run()).count(b"HTTP/1.1 ") == 1


def test_connect_opens_no_tunnel() -> None:
    assert talked(b"CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n").startswith(b"HTTP/1.1 405")


@pytest.mark.parametrize(
    "head",
    [
        b"GET /" + b"a" * connection.HEAD_BYTES + b" HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + b"X-A: " + b"a" * connection.HEAD_BYTES,
        b"GET / HTTP/1.1\r\n" + b"X-A: a\r\n" * (connection.HEAD_BYTES // 8),
    ],
)
def test_a_long_head(head: bytes) -> None:
    found = talked(head)
    assert found.startswith(b"HTTP/1.1 400")
    assert b"too_long_http_header_exception" in found


@pytest.mark.parametrize(
    "start",
    [
        b"",
        b"GET / HTTP/1.1\r\nX-A: ",
        b"POST / HTTP/1.1\r\nContent-Length: 999\r\n\r\n{",
        b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nfff\r\n{",
    ],
)
def test_a_client_that_goes_on_for_ever(start: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "HEAD_SECONDS", 0.2)
    monkeypatch.setattr(connection, "BODY_SECONDS", 0.2)

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        writer.write(start)
        reading = asyncio.ensure_future(reader.read())
        while start and not reading.done():  # a byte now and then does not help
            await asyncio.sleep(0.05)
            writer.write(b"a")
        return await reading

    async def run() -> bytes:
        found: bytes = await _with_server(talk, Application())
        return found

    assert asyncio.run(run()).startswith(b"HTTP/1.1 408")


@pytest.mark.parametrize("data", [b"a" * (4 << 20), b"a" * (4 << 20) + b"\r\n\r\n"])
def test_who_is_still_sending_reads_why_nobody_listens(data: bytes) -> None:
    """Bytes that nobody reads make a closed connection one that is reset, without the answer."""

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        writer.write(b"GET / HTTP/1.1\r\nX-A: " + data)
        await asyncio.sleep(0.3)
        writer.write(data)
        return await reader.read()

    async def run() -> bytes:
        found: bytes = await _with_server(talk, Application())
        return found

    assert asyncio.run(run()).startswith(b"HTTP/1.1 400")


def test_who_goes_on_sending_is_not_listened_to_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(joined_writes, "LINGER_SECONDS", 0.2)

    async def talk(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"no request\r\n\r\n")
        with pytest.raises(ConnectionError):
            while True:
                writer.write(b"a")
                await writer.drain()
                await asyncio.sleep(0.01)

    async def run() -> None:
        await _with_server(talk, Application())

    asyncio.run(run())


@pytest.mark.parametrize("more", [b"", CLOSE])
@pytest.mark.parametrize("at_once", [False, True])
def test_a_client_that_does_not_read(
    more: bytes, at_once: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "HEAD_SECONDS", 0.2)
    monkeypatch.setattr(connection, "BODY_SECONDS", 0.2)
    application = Application()
    application.answer, application.at_once = bytes(50 << 20), at_once
    lost = 0

    def is_lost(self: Connection, error: Exception | None) -> None:
        nonlocal lost
        lost += 1
        ended(self, error)

    ended = Connection.connection_lost
    monkeypatch.setattr(Connection, "connection_lost", is_lost)

    async def talk(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"GET / HTTP/1.1\r\n" + more + b"\r\n")
        while not lost:
            await asyncio.sleep(0.05)

    async def run() -> None:
        await _with_server(talk, application)

    asyncio.run(run())


def test_who_waits_for_us_may_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "HEAD_SECONDS", 0.1)
    monkeypatch.setattr(connection, "BODY_SECONDS", 0.1)

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        writer.write(b"GET /a HTTP/1.1\r\n\r\n")
        await asyncio.sleep(0.5)
        application.go.set()
        first = await reader.readuntil(b"0\r\n\r\n")
        await asyncio.sleep(0.5)  # idle, which is another limit
        writer.write(b"GET /b HTTP/1.1\r\n\r\n")
        return first + await reader.readuntil(b"0\r\n\r\n")

    async def run() -> bytes:
        application.go.clear()
        found: bytes = await _with_server(talk, application)
        return found

    application = Application()
    assert asyncio.run(run()).count(b"HTTP/1.1 200") == 2


def test_the_application_hears_that_a_client_left() -> None:
    async def talk(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"GET /a HTTP/1.1\r\n\r\nGET /b HTTP/1.1\r\n\r\n")
        await asyncio.sleep(0.05)
        writer.close()
        while not application.left:
            await asyncio.sleep(0.01)
        application.go.set()

    async def run() -> None:
        application.go.clear()
        await _with_server(talk, application)

    application = Application()
    asyncio.run(run())
    assert [scope["path"] for scope in application.scopes] == ["/a"]
