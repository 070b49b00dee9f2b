"""What is too large, too slow or too much is told so, and costs others nothing."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest

from tests.service.gateway.asking import ask
from tests.service.gateway.running import Running, gateway_before
from tests.service.proxy import Proxy, Reply, Seen, proxied


@pytest.fixture(scope="module")
def proxy(es_url: str) -> Iterator[Proxy]:
    with proxied(es_url) as proxy:
        yield proxy


@pytest.fixture(scope="module")
def limited(proxy: Proxy) -> Iterator[Running]:
    with gateway_before(
        proxy.url, "--max-body", "64kb", "--max-requests", "2", "--max-waiting", "1",
        "--max-seconds", "1.5",
    ) as running:  # fmt: skip
        yield running


def test_a_large_body_is_refused_and_bulks_are_not(limited: Running) -> None:
    body = b" " * 70_000 + b"{}"
    assert ask(limited.url, "POST", "/_search", body).status == 413
    assert ask(limited.url, "POST", "/_bulk", body).status == 400  # by the server
    answer = chunked(limited, b"POST /_search HTTP/1.1\r\n", [b" " * 40_000] * 2)
    assert b" 413 " in answer.partition(b"\r\n")[0]


def chunked(limited: Running, head: bytes, pieces: list[bytes]) -> bytes:
    with connected(limited) as line:
        line.sendall(head + b"host: a\r\ntransfer-encoding: chunked\r\n\r\n")
        for piece in pieces:
            line.sendall(b"%x\r\n%s\r\n" % (len(piece), piece))
        return line.recv(65_536)


def connected(limited: Running) -> socket.socket:
    place = urlsplit(limited.url)
    line = socket.create_connection((str(place.hostname), place.port or 0), timeout=30)
    line.settimeout(30)
    return line


def test_a_slow_cluster_gets_no_more_than_it_answers(limited: Running, proxy: Proxy) -> None:
    def slow(seen: Seen) -> Reply | None:
        if "slow" in seen.path:
            time.sleep(3)
        return None

    proxy.rule = slow
    statuses: list[int] = []

    def asked() -> None:
        statuses.append(ask(limited.url, "GET", "/slow/_search").status)

    threads = [threading.Thread(target=asked) for _ in range(6)]
    for thread in threads:
        thread.start()
        time.sleep(0.05)
    answer = ask(limited.url, "GET", "/healthz")
    for thread in threads:
        thread.join()
    assert answer.status == 200
    assert sorted(statuses) == [429, 429, 429, 504, 504, 504]
    assert len([seen for seen in proxy.seen if "slow" in seen.path]) <= 3
    assert ask(limited.url, "GET", "/_cluster/health").status == 200
