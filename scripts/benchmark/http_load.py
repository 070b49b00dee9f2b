"""Sends requests over so many connections, each as soon as the last was answered, and times them:
python -m scripts.benchmark.http_load URL TARGET KIND CONNECTIONS AMOUNT BODIES PACE

PACE: requests a second in all, timed from the moment that each is due; 0 for as many as there are
answers.

A process of its own, as a client in the process that is measured would be measured with it. BODIES
is a file of bodies, each behind its length and a line feed, sent in turn; KIND is their media type.
Prints one JSON object: seconds, bytes received, statuses, milliseconds of each answer.
"""

from __future__ import annotations

import json
import selectors
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import cycle, islice
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

_ROOT: Final = Path(__file__).resolve().parent.parent.parent
_RECEIVED: Final = 1 << 18


@dataclass(slots=True)
class Load:
    """What a run saw; milliseconds in the order of the answers."""

    seconds: float = 0.0
    statuses: Counter[str] = field(default_factory=Counter)
    milliseconds: list[float] = field(default_factory=list)


@dataclass(slots=True)
class _Line:
    """A connection with a request under way since `began`."""

    socket: socket.socket
    began: float = 0.0
    unsent: memoryview = field(default_factory=lambda: memoryview(b""))
    received: bytearray = field(default_factory=bytearray)


def write_bodies(path: Path, bodies: Iterable[bytes]) -> None:
    with path.open("wb") as file:
        for body in bodies:
            file.write(b"%d\n" % len(body) + body)


def loaded(
    url: str,
    target: str,
    kind: str,
    connections: int,
    amount: int,
    bodies: Path,
    pace: float = 0.0,
) -> Load:
    """Run this module as a process. Raises RuntimeError when it fails, or an answer has another
    status than 200."""
    command = [sys.executable, "-m", "scripts.benchmark.http_load", url, target, kind]
    command += [str(connections), str(amount), str(bodies), str(pace)]
    ended = subprocess.run(command, cwd=_ROOT, capture_output=True, text=True, check=False)
    if ended.returncode:
        raise RuntimeError(f"the load on {target} failed: {ended.stderr.strip()[-300:]}")
    seen = json.loads(ended.stdout)
    load = Load(seen["seconds"], Counter(seen["statuses"]), seen["milliseconds"])
    if set(load.statuses) != {"200"}:
        raise RuntimeError(f"{target} answered {dict(load.statuses)}")
    return load


def main(
    url: str, target: str, kind: str, connections: int, amount: int, bodies: Path, pace: float
) -> Load:
    heads = [_request(url, target, kind, body) for body in _read(bodies)]
    load, run = Load(), _Run(islice(cycle(heads), amount), pace)
    began = time.perf_counter()
    with selectors.DefaultSelector() as waiting:
        place = urlsplit(url)
        for _ in range(min(connections, amount)):
            line = _Line(socket.create_connection((str(place.hostname), place.port)))
            line.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            line.socket.setblocking(False)
            waiting.register(line.socket, selectors.EVENT_READ, line)
            run.idle.append(line)
        while waiting.get_map():
            run.begin_due(waiting)
            if not waiting.get_map():  # there is nothing to wait for
                break
            for key, events in waiting.select(run.until_due()):
                _go_on(waiting, key.data, events, run, load)
    load.seconds = time.perf_counter() - began
    return load


class _Run:
    """Requests that are still to be sent, when the next one is due, and connections without one."""

    def __init__(self, requests: Iterator[bytes], pace: float) -> None:
        self._requests, self._between = requests, 1 / pace if pace else 0.0
        self._due = time.perf_counter()
        self.idle: list[_Line] = []

    def begin_due(self, waiting: selectors.BaseSelector) -> None:
        """Send what is due, as far as there are connections; close those that have nothing to do
        any more."""
        while self.idle and self._due <= (now := time.perf_counter()):
            line, request = self.idle.pop(0), next(self._requests, None)
            if request is None:
                waiting.unregister(line.socket)
                line.socket.close()
                continue
            began = self._due if self._between else now
            self._due += self._between
            _begin(waiting, line, request, began)

    def until_due(self) -> float | None:
        return max(0.0, self._due - time.perf_counter()) if self.idle else None


def _go_on(
    waiting: selectors.BaseSelector, line: _Line, events: int, run: _Run, load: Load
) -> None:
    if events & selectors.EVENT_WRITE:
        _send(waiting, line)
    if not events & selectors.EVENT_READ:
        return
    part = line.socket.recv(_RECEIVED)
    line.received += part
    if part and not _is_whole(line.received):
        return
    load.milliseconds.append((time.perf_counter() - line.began) * 1e3)
    load.statuses[line.received[9:12].decode("ascii") or "closed"] += 1
    line.received.clear()
    if part:
        run.idle.append(line)
    else:
        waiting.unregister(line.socket)
        line.socket.close()


def _begin(waiting: selectors.BaseSelector, line: _Line, request: bytes, began: float) -> None:
    line.began, line.unsent = began, memoryview(request)
    _send(waiting, line)


def _send(waiting: selectors.BaseSelector, line: _Line) -> None:
    with suppress(BlockingIOError):
        line.unsent = line.unsent[line.socket.send(line.unsent) :]
    events = selectors.EVENT_READ | (selectors.EVENT_WRITE if line.unsent else 0)
    if waiting.get_key(line.socket).events != events:
        waiting.modify(line.socket, events, line)


def _is_whole(received: bytearray) -> bool:
    head, found, body = received.partition(b"\r\n\r\n")
    if not found:
        return False
    announced = head.lower().partition(b"content-length:")[2]
    if announced:
        return len(body) >= int(announced.split(b"\r\n")[0])
    return body.endswith(b"0\r\n\r\n")


def _request(url: str, target: str, kind: str, body: bytes) -> bytes:
    head = f"POST {target} HTTP/1.1\r\nHost: {urlsplit(url).netloc}\r\nContent-Type: {kind}\r\n"
    return head.encode() + b"Content-Length: %d\r\n\r\n" % len(body) + body


def _read(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while length := file.readline():
            yield file.read(int(length))


if __name__ == "__main__":
    url, target, kind, connections, amount, bodies, pace = sys.argv[1:]
    seen = main(url, target, kind, int(connections), int(amount), Path(bodies), float(pace))
    print(json.dumps({name: getattr(seen, name) for name in Load.__slots__}))
