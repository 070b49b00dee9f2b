"""A gateway in a process of its own, started as its users start it."""

from __future__ import annotations

import http.client
import socket
import ssl
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from tests.command import SCRIPT, environment

_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Running:
    """`log` holds what it wrote to standard error."""

    url: str
    process: subprocess.Popen[bytes]
    log: Path


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
        return port


@contextmanager
def gateway_before(
    store: str,
    *options: str,
    tls: ssl.SSLContext | None = None,
    waits: bool = True,
    **variables: str,
) -> Iterator[Running]:
    """A gateway before a server, or a folder, that has answered once (else, that listens). It is
    told to stop at the end, and must do so. `tls`: how to ask one that answers https.
    """
    port = free_port()
    with tempfile.TemporaryDirectory() as place:
        folder, log = Path(place), Path(place) / "log"
        with log.open("wb") as written:
            process = subprocess.Popen(
                [SCRIPT, "serve", "--store", store, "--port", str(port), *options],
                cwd=folder,
                env=environment(folder, **variables),
                stdout=written,
                stderr=written,
            )
        scheme = "https" if tls else "http"
        running = Running(f"{scheme}://127.0.0.1:{port}", process, log)
        try:
            _wait(running, tls, waits)
            yield running
        finally:
            process.terminate()
            try:
                process.wait(_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                raise


def _wait(running: Running, tls: ssl.SSLContext | None, asks: bool) -> None:
    place = urlsplit(running.url)
    deadline = time.monotonic() + _SECONDS
    while time.monotonic() < deadline:
        if running.process.poll() is not None:
            break
        connection = (
            http.client.HTTPSConnection(place.netloc, timeout=5, context=tls)
            if tls
            else http.client.HTTPConnection(place.netloc, timeout=5)
        )
        try:
            connection.connect()
            if asks:
                connection.request("GET", "/_cluster/health")
                connection.getresponse().read()
            return
        except OSError:
            time.sleep(0.05)
        finally:
            connection.close()
    raise AssertionError(f"the gateway did not start: {running.log.read_text()[-2_000:]}")
