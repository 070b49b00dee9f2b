"""A cluster that is slow, that is gone for a while, or that nobody waits for any more."""

from __future__ import annotations

import http.client
import itertools
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import orjson
import pytest

from scripts.devnode.nodes import Cluster
from tests.service.gateway.running import Running, gateway_before
from tests.service.gateway.wire import Closed, Line, asked, request

_MEBI = 1 << 20
_TARGET = "/some/_search"


@contextmanager
def cluster_of_one_line() -> Iterator[tuple[Running, socket.socket]]:
    """A gateway before a socket that answers nothing by itself."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(30)
        url = f"http://127.0.0.1:{server.getsockname()[1]}"
        with gateway_before(url, waits=False) as running:
            yield running, server


def resident(running: Running) -> int:
    """Megabytes of memory."""
    status = Path(f"/proc/{running.process.pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) >> 10


def test_a_cluster_that_reads_slowly_slows_the_client() -> None:
    head = b"POST /some/_search HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
    chunk = b"%x\r\n" % _MEBI + bytes(_MEBI) + b"\r\n"
    with cluster_of_one_line() as (running, server):
        before = resident(running)
        with socket.create_connection(server_of(running)) as client:
            client.settimeout(1)
            client.sendall(head)
            sent = 0
            with pytest.raises(TimeoutError):
                for _ in range(200):  # nobody reads: somewhere on the way it has to stop
                    client.sendall(chunk)
                    sent += 1
            node, _ = server.accept()
            with node:
                assert node.recv(65_536).startswith(b"POST /some/_search HTTP/1.1\r\n")
        assert sent < 50
        assert resident(running) - before < 20


def test_a_client_that_reads_slowly_slows_the_cluster() -> None:
    with cluster_of_one_line() as (running, server):
        before = resident(running)
        with socket.create_connection(server_of(running)) as client:
            client.sendall(request("GET", _TARGET))
            node, _ = server.accept()
            with node:
                node.recv(65_536)
                node.settimeout(1)
                node.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 209715200\r\n\r\n")
                sent = 0
                with pytest.raises(TimeoutError):
                    for _ in range(200):
                        node.sendall(bytes(_MEBI))
                        sent += 1
            assert sent < 50
            assert resident(running) - before < 20


def test_the_cluster_learns_that_a_client_left() -> None:
    with cluster_of_one_line() as (running, server):
        with socket.create_connection(server_of(running)) as client:
            client.sendall(request("GET", _TARGET))
            node, _ = server.accept()
            node.settimeout(10)
            assert node.recv(65_536)
        with node:
            assert node.recv(1) == b""
        assert "Traceback" not in running.log.read_text()


def test_an_answer_that_breaks_off_is_not_made_whole() -> None:
    with cluster_of_one_line() as (running, server), Line(running.url) as client:
        client.write(request("GET", _TARGET))
        node, _ = server.accept()
        with node:
            node.recv(65_536)
            node.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n")
        with pytest.raises(Closed):
            client.reply()


def test_one_client_does_not_cost_another_its_answer(es_url: str) -> None:
    """The server stops reading from a connection on which a head was too long, and does not say
    so: a request that came next on it would wait for ever."""
    with gateway_before(es_url) as running:
        for _ in range(5):
            long = request("GET", "/_cluster/health", None, ("X-Long: " + "l" * 20_000,))
            assert asked(running.url, long).status == 400
            with Line(running.url, seconds=10) as line:
                line.write(request("POST", "/no-such-index/_search"))
                assert line.reply().status == 404


def test_the_cluster_goes_and_comes_back_under_load() -> None:
    acknowledged: set[str] = set()
    statuses: list[int] = []
    done = threading.Event()
    numbers = itertools.count()

    def write(url: str) -> None:
        connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=60)
        while not done.is_set():
            name = str(next(numbers))
            try:
                headers = {"Content-Type": "application/json"}
                connection.request("PUT", f"/kept/_create/{name}", b'{"a":1}', headers)
                answer = connection.getresponse()
                answer.read()
            except (OSError, http.client.HTTPException):
                connection.close()
                continue
            statuses.append(answer.status)
            if answer.status == 201:
                acknowledged.add(name)
        connection.close()

    with (
        Cluster(short_lived=True) as cluster,
        gateway_before(cluster.urls[0]) as running,
        ThreadPoolExecutor(6) as pool,
    ):
        before = resident(running)
        writers = [pool.submit(write, running.url) for _ in range(6)]
        try:
            _until(lambda: len(acknowledged) > 100)
            cluster.kill(0)
            _until(lambda: statuses[-1:] == [503])
            cluster.restart(0)
            known = len(acknowledged)
            _until(lambda: len(acknowledged) > known + 100)
        finally:
            done.set()
        for writer in writers:
            writer.result()
        assert set(statuses) <= {201, 503}
        asked(running.url, request("POST", "/kept/_refresh"))
        body = orjson.dumps({"ids": sorted(acknowledged)})
        path = "/kept/_mget?_source=false&filter_path=docs.found"
        kind = ("Content-Type: application/json",)
        found = orjson.loads(asked(running.url, request("POST", path, body, kind)).body)
        assert found == {"docs": [{"found": True}] * len(acknowledged)}
        assert resident(running) - before < 30
        assert "Traceback" not in running.log.read_text()


def server_of(running: Running) -> tuple[str, int]:
    place = urlsplit(running.url)
    return str(place.hostname), int(place.port or 0)


def _until(holds: object, seconds: float = 120) -> None:
    assert callable(holds)
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.05)
