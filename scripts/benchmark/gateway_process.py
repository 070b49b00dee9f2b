"""A gateway as a process, for measuring it."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from scripts.benchmark.memory_section import resident

_ROOT: Final = Path(__file__).resolve().parent.parent.parent
_COMMAND: Final = "from dupdex.cli import main; main()"
_SECONDS: Final = 90.0


@dataclass(frozen=True, slots=True)
class Gateway:
    url: str
    process: subprocess.Popen[bytes]

    def resident(self) -> float:
        """Megabytes of all its processes together."""
        return sum(resident(pid) for pid in (self.process.pid, *self._children()))

    def _children(self) -> list[int]:
        path = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        try:
            return [int(each) for each in path.read_text(encoding="ascii").split()]
        except OSError:  # no such file on this system, or the process has ended
            return []


@contextmanager
def gateway_before(store: str, workers: int = 1) -> Iterator[Gateway]:
    """A gateway on a free port that has answered once. Raises RuntimeError when it does not."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [sys.executable, "-c", _COMMAND, "serve", "--store", store, "--port", str(port)]
    command += ["--workers", str(workers)]
    environment = {**os.environ, "PYTHONPATH": str(_ROOT)}
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
        gateway = Gateway(f"http://127.0.0.1:{port}", process)
        try:
            if not _answers(gateway):
                log.seek(0)
                raise RuntimeError(f"the gateway did not start: {log.read()[-300:]!r}")
            yield gateway
        finally:
            process.terminate()
            process.wait()


def _answers(gateway: Gateway) -> bool:
    deadline = time.monotonic() + _SECONDS
    while time.monotonic() < deadline and gateway.process.poll() is None:
        try:
            with urllib.request.urlopen(f"{gateway.url}/_cluster/health", timeout=10):
                return True
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    return False
