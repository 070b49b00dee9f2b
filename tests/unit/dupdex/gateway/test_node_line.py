"""One connection to a node: what is sent, and what is taken for its answer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dupdex.gateway import upstream as module
from dupdex.gateway.upstream import BrokenOff, TooSlow, Unreachable, Upstream
from tests.unit.dupdex.gateway.canned_node import OK, Node, parts, read, run


def test_a_connection_is_used_again() -> None:
    node = Node(OK)

    async def talk(upstream: Upstream) -> None:
        for _ in range(3):
            assert await read(upstream) == b"{}"

    run(node, talk)
    assert len(node.heard) == 1


@pytest.mark.parametrize(
    "reply",
    [
        b"HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{}",
        b"HTTP/1.1 400 Bad Request\r\ncontent-length: 2\r\n\r\n{}",
        b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}HTTP/1.1 200 OK\r\n",
        b"HTTP/1.0 200 OK\r\ncontent-length: 2\r\n\r\n{}",
    ],
)
def test_a_connection_that_cannot_be_trusted_is_closed(reply: bytes) -> None:
    node = Node(reply, OK)

    async def talk(upstream: Upstream) -> None:
        assert await read(upstream) == b"{}"
        assert await read(upstream) == b"{}"

    run(node, talk)
    assert len(node.heard) == 2


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        (b"HTTP/1.1 100 Continue\r\n\r\n" + OK, b"{}"),
        (
            b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\n{\r\n1\r\n}\r\n0\r\n\r\n",
            b"{}",
        ),
        (b"HTTP/1.1 200 OK\r\n\r\nuntil the end", b"until the end"),
        (b"HTTP/1.1 204 No Content\r\nx: content-length\r\n\r\n", b""),
        (b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n", b""),
    ],
)
def test_the_body_is_what_the_node_says(reply: bytes, expected: bytes) -> None:
    assert run(Node(reply), read) == expected


def test_head_has_no_body() -> None:
    node = Node(b"HTTP/1.1 200 OK\r\ncontent-length: 800\r\n\r\n", OK)

    async def talk(upstream: Upstream) -> None:
        assert await read(upstream, "HEAD") == b""
        assert await read(upstream) == b"{}"

    run(node, talk)
    assert len(node.heard) == 1


@pytest.mark.parametrize(
    "reply",
    [
        b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{}",
        b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n9\r\n{}",
        b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\nno size\r\n",
    ],
)
def test_an_answer_that_breaks_off(reply: bytes) -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(reply)
        writer.close()

    with pytest.raises(BrokenOff):
        run(serve, read)


@pytest.mark.parametrize(
    "reply",
    [
        b"SSH-2.0\r\n",
        b"HTTP/1.1 200 OK\r\nx: " + b"l" * (2 << 20),
        b"HTTP/1.1 099 Less\r\ncontent-length: 0\r\n\r\n",
        b"HTTP/1.1 600 More\r\ncontent-length: 0\r\n\r\n",
        b"HTTP/1.1 101 Other\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\n",
        b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n",
        b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nx: a\r\n folded\r\ncontent-length: 0\r\n\r\n",
    ],
)
def test_what_is_no_answer(reply: bytes) -> None:
    with pytest.raises(Unreachable):
        run(Node(reply), lambda upstream: read(upstream, "POST"))


def test_a_body_is_sent_as_it_is() -> None:
    node = Node(OK)
    length = [(b"content-length", b"4")]

    async def talk(upstream: Upstream) -> None:
        await read(upstream, "PUT", body=b"ab")
        await read(upstream, "PUT", headers=length, body=b"ab")
        await read(upstream, "PUT", body=parts(b"ab", b"", b"cd"))
        await read(upstream, "PUT", headers=length, body=parts(b"ab", b"cd"))
        await read(upstream, "POST")
        await read(upstream, "GET")

    run(node, talk)
    heads = [each.partition(b"\r\n\r\n") for each in node.heard[0].split(b" / HTTP/1.1\r\n")[1:]]
    framing = [head.rpartition(b"\r\n")[2] for head, _, _ in heads]
    assert framing[:2] == [b"content-length: 2"] * 2
    assert framing[2] == b"transfer-encoding: chunked"
    assert framing[3:5] == [b"content-length: 4", b"content-length: 0"]
    assert framing[5].startswith(b"host: 127.0.0.1")
    bodies = [body.removesuffix(b"PUT").removesuffix(b"POST") for _, _, body in heads]
    chunked = b"2\r\nab\r\n2\r\ncd\r\n0\r\n\r\n"
    assert bodies == [b"ab", b"ab", chunked, b"abcd", b"GET", b""]


@pytest.mark.parametrize("pieces", [(b"ab",), (b"abc", b"def")])
def test_a_stream_of_another_length_never_looks_whole(pieces: tuple[bytes, ...]) -> None:
    heard = b""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal heard
        heard = await reader.read()
        writer.close()

    length = [(b"content-length", b"4")]
    with pytest.raises(Unreachable):
        run(serve, lambda up: read(up, "PUT", headers=length, body=parts(*pieces)))
    assert len(heard.partition(b"\r\n\r\n")[2]) < 4


def test_an_early_answer_ends_the_request() -> None:
    """The node answers before it has the whole body, which never ends."""

    async def endless() -> AsyncIterator[bytes]:
        while True:
            await asyncio.sleep(0)
            yield bytes(1 << 16)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 413 Too Large\r\ncontent-length: 2\r\n\r\n{}")
        await asyncio.sleep(0.2)
        writer.close()

    assert run(serve, lambda upstream: read(upstream, "PUT", body=endless())) == b"{}"


def test_what_a_stream_raises_is_told() -> None:
    async def broken() -> AsyncIterator[bytes]:
        yield b"a"
        raise LookupError

    async def quiet(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
        await reader.read()

    with pytest.raises(LookupError):
        run(quiet, lambda upstream: read(upstream, "PUT", body=broken()))


def test_a_node_that_says_nothing() -> None:
    async def quiet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    with pytest.raises(TooSlow):
        run(quiet, read, seconds=0.2)


def test_a_node_that_stops_in_its_answer() -> None:
    async def stopping(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{}")
        await reader.read()
        writer.close()

    with pytest.raises(BrokenOff):
        run(stopping, read, seconds=0.2)


def test_a_slow_reader_is_no_slow_node() -> None:
    size = 8 << 20

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\n\r\n" % size + bytes(size))
        await reader.read()
        writer.close()

    async def talk(upstream: Upstream) -> int:
        async with await upstream.send("GET", "/", []) as answer:
            await asyncio.sleep(0.7)
            first = len(await answer.part())
            assert first < 2 << 20, "more was held than may be"
            return first + len(await answer.read())

    assert run(serve, talk, seconds=0.3) == size


def test_a_slow_body_is_no_slow_node() -> None:
    async def slow() -> AsyncIterator[bytes]:
        for _ in range(4):
            await asyncio.sleep(0.2)
            yield b"a"

    assert run(Node(OK), lambda up: read(up, "PUT", body=slow()), seconds=0.3) == b"{}"


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.tuples(st.binary(max_size=6), st.binary(max_size=6)), max_size=3),
    st.text(st.characters(max_codepoint=255), max_size=8),
)
def test_no_head_hides_another(headers: list[tuple[bytes, bytes]], rest: str) -> None:
    """A head has one line for each header, or is refused."""
    node = module._node("http://a:1")
    try:
        head = module._head("GET", f"/{rest}", node, headers)
    except ValueError:
        dangerous = "".join(f"{n!r}{v!r}" for n, v in headers) + repr(rest)
        assert "\\" in dangerous or " " in rest
        return
    lines = head.split(b"\r\n")
    assert len(lines) == 3 + len(headers)
    assert lines[0].count(b" ") == 2
    assert b"\n" not in b"".join(lines) and b"\r" not in b"".join(lines)
