"""Which node the gateway asks, how often, and over how many connections."""

from __future__ import annotations

import asyncio
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from dupdex.gateway import upstream as module
from dupdex.gateway.upstream import Unreachable, Upstream
from indexer.stores.elastic.client import Server
from tests.unit.dupdex.gateway.canned_node import OK, Node, parts, read, run


@pytest.mark.parametrize(("method", "times"), [("GET", 2), ("HEAD", 2), ("PUT", 1), ("POST", 1)])
def test_only_what_reads_is_sent_again(method: str, times: int) -> None:
    node = Node(None)
    with pytest.raises(Unreachable):
        run(node, lambda upstream: read(upstream, method))
    assert len(node.heard) == times


@pytest.mark.parametrize("method", ["GET", "PUT"])
@pytest.mark.parametrize("is_stream", [False, True])
def test_another_node_is_asked_where_one_takes_no_connection(method: str, is_stream: bool) -> None:
    async def talk(upstream: Upstream) -> None:
        for _ in range(4):  # in turn
            body = parts(b"a", b"b") if is_stream else b"ab"
            assert await read(upstream, method, body=body) == b"{}"

    run(Node(OK), talk, more="http://127.0.0.1:9,")


@pytest.mark.parametrize("method", ["GET", "PUT"])
def test_a_stream_is_never_sent_again(method: str) -> None:
    node = Node(None)
    with pytest.raises(Unreachable):
        run(node, lambda upstream: read(upstream, method, body=parts(b"a")))
    assert len(node.heard) == 1


@contextmanager
def silent(host: str, port: int) -> Iterator[int]:
    """The port of a host that says nothing to whoever wants to connect: its queue is full."""
    with socket.create_server((host, port), backlog=0) as full, ExitStack() as stack:
        place = full.getsockname()
        for _ in range(4):
            waiting = stack.enter_context(socket.socket())
            waiting.setblocking(False)
            waiting.connect_ex(place)
        time.sleep(0.05)
        yield place[1]


def test_a_node_that_takes_no_connection_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_CONNECT_SECONDS", 0.5)

    async def talk(upstream: Upstream) -> None:
        assert await read(upstream, "PUT") == b"{}"
        began = time.monotonic()
        for _ in range(6):
            assert await read(upstream, "PUT") == b"{}"
        assert time.monotonic() - began < 0.5

    with silent("127.0.0.1", 0) as port:
        run(Node(OK), talk, more=f"http://127.0.0.1:{port},")


def test_nodes_that_rest_are_asked_when_there_are_no_others() -> None:
    async def talk(upstream: Upstream) -> None:
        node = upstream._nodes[0]
        place, node.port = node.port, 9
        with pytest.raises(Unreachable):
            await read(upstream, "PUT")
        node.port = place
        assert await read(upstream, "PUT") == b"{}"

    run(Node(OK), talk)


def test_another_address_of_a_node_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_CONNECT_SECONDS", 1.0)

    def resolved(_: str, port: int, *__: object, **___: object) -> list[Any]:
        stream = (socket.AF_INET, socket.SOCK_STREAM, 6, "")
        return [(*stream, (host, port)) for host in ("127.0.0.2", "127.0.0.1")]

    async def talk(upstream: Upstream) -> None:
        upstream._nodes[0].host = "two.invalid"
        with silent("127.0.0.2", upstream._nodes[0].port):
            monkeypatch.setattr(socket, "getaddrinfo", resolved)
            assert await read(upstream, "PUT") == b"{}"

    run(Node(OK), talk)


@pytest.mark.parametrize("is_trusted", [True, False])
@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])
def test_only_the_node_that_was_meant_is_talked_to(
    is_trusted: bool, host: str, tmp_path: Path
) -> None:
    certificate, key = tmp_path / "tls.pem", tmp_path / "tls.key"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj",
         "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", str(key), "-out",
         str(certificate)],
        check=True, capture_output=True,
    )  # fmt: skip
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    tls.load_cert_chain(certificate, key)
    node = Node(OK)

    async def talk() -> bytes:
        server = await asyncio.start_server(node, "127.0.0.1", 0, ssl=tls)
        url = f"https://{host}:{server.sockets[0].getsockname()[1]}"
        upstream = Upstream(Server(url, ca_file=str(certificate) if is_trusted else None))
        await upstream.open()
        try:
            return await read(upstream)
        finally:
            await upstream.close()
            server.close()

    if is_trusted and host == "localhost":
        assert asyncio.run(talk()) == b"{}"
        return
    with pytest.raises(Unreachable, match="CERTIFICATE_VERIFY_FAILED"):
        asyncio.run(talk())
    assert not any(node.heard)


def test_whoever_leaves_ends_the_request_alone() -> None:
    node = Node(OK)

    async def talk(upstream: Upstream) -> None:
        for at in range(200):  # at any moment of a request
            task = asyncio.create_task(read(upstream))
            for _ in range(at % 12):
                await asyncio.sleep(0)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            assert set(await asyncio.gather(read(upstream), read(upstream))) == {b"{}"}

    run(node, talk)


def test_more_requests_than_connections_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CONNECTIONS", 3)
    node = Node(OK)

    async def talk(upstream: Upstream) -> set[bytes]:
        return set(await asyncio.gather(*(read(upstream) for _ in range(40))))

    assert run(node, talk) == {b"{}"}
    assert len(node.heard) <= 3


def test_an_idle_connection_that_is_closed_is_not_used() -> None:
    lines: list[asyncio.StreamWriter] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        lines.append(writer)
        await reader.readuntil(b"\r\n\r\n")
        writer.write(OK)
        await reader.read()
        writer.close()

    async def talk(upstream: Upstream) -> None:
        assert await read(upstream, "POST") == b"{}"
        lines[0].close()
        await asyncio.sleep(0.1)
        assert await read(upstream, "POST") == b"{}"

    run(serve, talk)
    assert len(lines) == 2
