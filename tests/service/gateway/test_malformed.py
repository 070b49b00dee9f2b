"""Requests that are wrong on the wire: the gateway refuses them or closes, and stays as it was."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.service.gateway.malformed import generated
from tests.service.gateway.running import Running, gateway_before
from tests.service.gateway.wire import Closed, Line, asked, request

AMOUNT = 5_600
SEED = 20_261_122
OWN_FAULTS = (0, 500, 502, 503, 504)


@pytest.fixture(scope="module")
def attacked(es_url: str) -> Iterator[Running]:
    """A gateway of its own, whose log holds what these tests did."""
    # Made beforehand: a search right after a write that makes it has no shard, and gets 503.
    asked(es_url, request("PUT", "/fuzzed?wait_for_active_shards=1"))
    with gateway_before(es_url, "--no-log-requests") as running:
        yield running
    asked(es_url, request("DELETE", "/fuzzed?ignore_unavailable=true"))


def sent(url: str, data: bytes, seconds: float = 0.5, most: int = 1) -> list[int]:
    """The status of each answer to these bytes; of so many, until the other side closes, or waits
    for more. 0 is no answer of HTTP."""
    out: list[int] = []
    with Line(url, seconds) as line:
        line.write(data)
        with contextlib.suppress(Closed, OSError):
            method = data.partition(b" ")[0].decode("latin-1")
            while len(out) < most:
                try:
                    out.append(line.reply(method).status)
                except (IndexError, ValueError):
                    return [*out, 0]
    return out


def most(kind: str) -> int:
    """How many answers such a request may get."""
    return 5 if kind in ("pipelines", "two framings", "chunks") else 1


def are_ours(found: list[int], of_server: list[int]) -> bool:
    """Whether a fault among the answers of the gateway has none of the server behind it: neither
    the same status, nor a connection closed in place of an answer (to some requests it does so,
    and what it had answered to those before may or may not come through)."""
    return any(
        status in OWN_FAULTS and at < len(of_server) and of_server[at] != status
        for at, status in enumerate(found)
    )


def resident(running: Running) -> int:
    """Kilobytes of memory."""
    status = Path(f"/proc/{running.process.pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0])


@pytest.mark.parametrize(
    ("found", "of_server", "ours"),
    [
        ([503], [], False),
        ([200, 200, 503, 200], [], False),
        ([200, 200, 503, 200], [200, 200], False),
        ([200, 200, 503, 200], [200], False),
        ([500], [500], False),
        ([200, 200, 503, 200], [200, 200, 400], True),
        ([503], [400], True),
        ([0], [200], True),
    ],
)
def test_whose_fault_it_is(found: list[int], of_server: list[int], ours: bool) -> None:
    assert are_ours(found, of_server) is ours


def test_malformed_requests(attacked: Running, es_url: str) -> None:
    requests = list(generated(SEED, AMOUNT))
    with ThreadPoolExecutor(16) as pool:

        def faults(part: list[tuple[str, bytes]]) -> list[tuple[str, bytes, list[int]]]:
            answers = pool.map(lambda each: sent(attacked.url, each[1], most=most(each[0])), part)
            return [
                (name, data, found)
                for (name, data), found in zip(part, answers, strict=True)
                if set(found) & set(OWN_FAULTS)
            ]

        wrong = faults(requests[: AMOUNT // 2])
        before = resident(attacked)
        wrong += faults(requests[AMOUNT // 2 :])
    # Nor is it ours what it does not do again: a connection may close while the next request is on
    # its way.
    own = [
        (found, name, data)
        for name, data, found in wrong
        if are_ours(found, sent(es_url, data, most=most(name)))
        and are_ours(sent(attacked.url, data, most=most(name)), sent(es_url, data, most=most(name)))
    ]
    assert len(wrong) < AMOUNT / 50
    assert not own
    assert attacked.process.poll() is None
    assert resident(attacked) < before + 20_000
    log = attacked.log.read_text()
    assert "Traceback" not in log
    assert len(log) < 10_000
    assert asked(attacked.url, request("GET", "/_cluster/health")).status == 200


def test_a_client_reaches_no_other_host(attacked: Running) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        place = f"127.0.0.1:{other.getsockname()[1]}"
        other.setblocking(False)
        for data in (
            f"GET http://{place}/_search HTTP/1.1\r\nHost: {place}\r\n\r\n",
            f"GET //{place}/_search HTTP/1.1\r\nHost: {place}\r\nX-Forwarded-Host: {place}\r\n\r\n",
            f"GET /@{place}/_search HTTP/1.1\r\nHost: {place}\r\nForwarded: host={place}\r\n\r\n",
            f"GET @{place}/_search HTTP/1.1\r\nHost: {place}\r\n\r\n",
            f"CONNECT {place} HTTP/1.1\r\nHost: {place}\r\n\r\n",
            f"GET {place} HTTP/1.1\r\n\r\n",
        ):
            (status,) = sent(attacked.url, data.encode(), seconds=5)
            assert 200 <= status < 500
        with pytest.raises(BlockingIOError):
            other.accept()


def test_hop_by_hop_headers_stay_here() -> None:
    """What the cluster gets to see of them, by way of what it is told."""
    heard: list[bytes] = []

    def listen(server: socket.socket) -> None:
        line, _ = server.accept()
        with line:
            heard.append(line.recv(65_536))
            line.sendall(
                b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: X-Secret\r\nX-Secret: 1\r\n"
                b"Keep-Alive: timeout=5\r\nUpgrade: h2c\r\nX-Kept: 1\r\n\r\n{}"
            )

    wish = (
        "Connection: keep-alive, X-Hidden",
        "X-Hidden: 1",
        "Keep-Alive: 1",
        "Proxy-Authorization: Basic YTpi",
        "TE: trailers",
        "Upgrade: h2c",
        "X-Kept: 1",
    )
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        ThreadPoolExecutor(1) as pool,
        gateway_before(f"http://127.0.0.1:{server.getsockname()[1]}", waits=False) as running,
    ):
        waiting = pool.submit(listen, server)
        reply = asked(running.url, request("GET", "/_search", None, wish))
        waiting.result()
    names = {line.split(b":")[0].lower() for line in heard[0].splitlines()[1:] if line}
    assert names == {b"host", b"x-kept"}
    assert {name for name, _ in reply.headers} == {"content-length", "x-kept"}
