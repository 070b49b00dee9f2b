"""HTTP/1.1 over a plain socket: requests are sent as they are written, whatever they are."""

from __future__ import annotations

import gzip
import socket
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

SECONDS: Final = 30.0
_MOST: Final = 64 << 20


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer: names of headers in lower case, the body without transfer and content coding.
    `closed`: the other side closed the connection at its end."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes
    closed: bool = False

    def header(self, name: str) -> str | None:
        return next((value for key, value in self.headers if key == name), None)


class Closed(Exception):
    """The connection ended before a whole answer had come."""


class Line:
    """A connection to a server, for one request after another."""

    def __init__(self, url: str, seconds: float = SECONDS) -> None:
        place = urlsplit(url)
        self._socket = socket.create_connection((str(place.hostname), place.port), seconds)
        self._read = self._socket.makefile("rb")

    def __enter__(self) -> Line:
        return self

    def __exit__(self, *_: object) -> None:
        self._read.close()
        self._socket.close()

    def write(self, data: bytes) -> None:
        """Send bytes; a side that has closed already is noticed while reading."""
        try:
            self._socket.sendall(data)
        except (BrokenPipeError, ConnectionResetError):
            return

    def no_more(self) -> None:
        self._socket.shutdown(socket.SHUT_WR)

    def reply(self, method: str = "GET") -> Reply:
        """Read one answer. Raises Closed, and TimeoutError when none comes."""
        try:
            return self._reply(method)
        except ConnectionResetError as error:
            raise Closed("reset") from error

    def _reply(self, method: str) -> Reply:
        status = 100
        headers: list[tuple[str, str]] = []
        while status == 100:  # `Expect` is answered at once
            status, headers = self._head()
        named = dict(headers)
        body = b"" if method == "HEAD" or status in (204, 304) else self._body(named)
        if body and named.get("content-encoding") == "gzip":
            body = gzip.decompress(body)
        closed = named.get("connection", "").lower() == "close"
        return Reply(status, tuple(headers), body, closed)

    def _head(self) -> tuple[int, list[tuple[str, str]]]:
        first = self._read.readline()
        if not first.endswith(b"\n"):
            raise Closed(f"after {first!r}")
        headers = []
        while line := self._line():
            name, _, value = line.partition(b":")
            headers.append((name.decode("latin-1").lower(), value.strip().decode("latin-1")))
        return int(first.split()[1]), headers

    def _line(self) -> bytes:
        line = self._read.readline()
        if not line.endswith(b"\n"):
            raise Closed("within the headers")
        return line.strip()

    def _body(self, headers: dict[str, str]) -> bytes:
        if headers.get("transfer-encoding", "").lower() == "chunked":
            parts = []
            while size := int(self._line().split(b";")[0], 16):
                parts.append(self._exactly(size))
                self._line()
            while self._line():
                pass
            return b"".join(parts)
        if "content-length" in headers:
            return self._exactly(int(headers["content-length"]))
        return self._read.read(_MOST)

    def _exactly(self, size: int) -> bytes:
        data = self._read.read(size)
        if len(data) < size:
            raise Closed(f"after {len(data)} of {size} bytes of the body")
        return data


def request(
    method: str, target: str, body: bytes | None = None, headers: tuple[str, ...] = ()
) -> bytes:
    """The bytes of a request; a body is announced by its length unless a header says otherwise."""
    lines = [f"{method} {target} HTTP/1.1", "Host: localhost"]
    if body is not None and not any(h.lower().startswith("transfer-encoding") for h in headers):
        lines.append(f"Content-Length: {len(body)}")
    head = "\r\n".join([*lines, *headers]).encode("utf-8")
    return head + b"\r\n\r\n" + (body or b"")


def asked(url: str, data: bytes, method: str = "GET") -> Reply:
    """The answer to these bytes on a connection of their own."""
    with Line(url) as line:
        line.write(data)
        return line.reply(method)
