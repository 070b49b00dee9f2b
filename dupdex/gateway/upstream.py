"""The cluster behind the gateway: one pool of connections, streaming both ways.

A client of our own: a general one takes as long for a small request as all the rest that a gateway
does with it (`scripts/bench --sections gateway`).
"""

from __future__ import annotations

import asyncio
import base64
import socket
import ssl
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from typing import Final
from urllib.parse import unquote, urlsplit

from dupdex.gateway.headers import Headers, value_of
from dupdex.gateway.node_answer import Answer, BrokenOff
from dupdex.gateway.node_line import Body, NodeLine, TooSlow, Unreachable
from indexer.stores.elastic.client import Server

__all__ = ["Answer", "Body", "BrokenOff", "TooSlow", "Unreachable", "Upstream"]

CONNECTIONS: Final = 256
"""Requests of one process at once at most; further ones wait for one to end."""

_CONNECT_SECONDS: Final = 10.0
_RESTS_SECONDS: Final = 5.0
"""How long a node that took no connection is passed over, where others are."""

_IDLE_SECONDS: Final = 30.0
"""A connection without a request for so long is not used again: it may be gone without a word."""

_SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_BODILESS: Final = _SAFE | {"DELETE"}
_PORTS: Final = {"http": 80, "https": 443}


class _NotTaken(Unreachable):
    """A node took no connection."""


@dataclass(slots=True)
class _Node:
    """`place`: as the Host of a request names it. `idle`: connections, the last used at the end.
    `rests_until`: see _RESTS_SECONDS."""

    host: str
    port: int
    place: bytes
    path: bytes
    is_secure: bool
    idle: deque[NodeLine] = field(default_factory=deque)
    rests_until: float = 0.0


class Upstream:
    """Requests to the nodes of a server, in turn. Opened and closed by the loop that uses it."""

    def __init__(self, server: Server) -> None:
        self._nodes = [_node(url) for url in server.url.split(",")]
        self._turn = count()
        login = _authorization(server)
        self.authorization = login.encode() if login else None
        """What the gateway itself is known by; None for a cluster without authentication."""
        self._seconds = server.request_timeout
        is_secure = any(node.is_secure for node in self._nodes)
        self._ssl = ssl.create_default_context(cafile=server.ca_file) if is_secure else None
        self._lines: set[NodeLine] = set()
        self._free: asyncio.Semaphore | None = None

    async def open(self) -> None:
        self._free = asyncio.Semaphore(CONNECTIONS)

    async def close(self) -> None:
        self._free = None
        for line in list(self._lines):
            line.abort()
        await asyncio.sleep(0)  # the loop closes them then

    async def send(self, method: str, target: str, headers: Headers, body: Body = None) -> Answer:
        """Send a request; `target` is path and query as the client wrote them, never a host.
        The caller reads the answer and leaves it.

        Headers without authorization get that of the gateway. A request goes to the next node
        where one takes no connection; one that only reads, and whose body is no stream, also where
        a node closed the connection before it answered. Raises Unreachable, TooSlow, and whatever
        a stream raises that is the body.
        """
        if self._free is None:
            raise Unreachable("the gateway has not started, or has stopped")
        if self.authorization and value_of(headers, b"authorization") is None:
            headers = [*headers, (b"authorization", self.authorization)]
        once = body is not None and not isinstance(body, bytes)
        told = value_of(headers, b"content-length") if once else None
        length = int(told) if told is not None else None
        if body is None and method not in _BODILESS:
            body = b""
        if length is None:
            headers = [pair for pair in headers if pair[0] != b"content-length"]
        again = method in _SAFE and not once
        for left in reversed(range(len(self._nodes) + again)):
            node = self._next()
            head = _head(method, target, node, headers)
            try:
                line = await self._line(node)
                return await line.ask(head, body, method == "HEAD", length)
            except Unreachable as error:
                if not left or not (isinstance(error, _NotTaken) or again):
                    raise
        raise Unreachable("no node")

    def _next(self) -> _Node:
        """The node whose turn it is; of nodes that all rest, the one that has rested longest."""
        now = asyncio.get_running_loop().time()
        for _ in self._nodes:
            node = self._nodes[next(self._turn) % len(self._nodes)]
            if node.rests_until <= now:
                return node
        return min(self._nodes, key=lambda each: each.rests_until)

    async def _line(self, node: _Node) -> NodeLine:
        """A connection to a node for one request."""
        free = self._free
        assert free is not None
        await free.acquire()
        while node.idle:
            line = node.idle.pop()
            if line.is_open and line.loop.time() - line.since < _IDLE_SECONDS:
                return line
            line.abort()
        try:
            return await self._connected(node, free)
        except BaseException:
            free.release()
            raise

    async def _connected(self, node: _Node, free: asyncio.Semaphore) -> NodeLine:
        loop = asyncio.get_running_loop()

        def ended(line: NodeLine, goes_on: bool) -> None:
            free.release()
            if goes_on and self._free is free:
                node.idle.append(line)
            else:
                line.abort()

        def lost(line: NodeLine) -> None:
            self._lines.discard(line)
            with suppress(ValueError):
                node.idle.remove(line)

        try:
            line = await self._opened(node, lambda: NodeLine(loop, self._seconds, ended, lost))
        except (OSError, TimeoutError) as error:
            node.rests_until = loop.time() + _RESTS_SECONDS
            raise _NotTaken(str(error) or "it took no connection in time") from error
        self._lines.add(line)
        return line

    async def _opened(self, node: _Node, line: Callable[[], NodeLine]) -> NodeLine:
        """A line to the first of the addresses of a node that takes it: each has a fair part of
        the time, as one that is gone may say nothing. Raises OSError, TimeoutError."""
        loop = asyncio.get_running_loop()
        until = loop.time() + _CONNECT_SECONDS
        async with asyncio.timeout_at(until):
            found = await loop.getaddrinfo(node.host, node.port, type=socket.SOCK_STREAM)
        for left in reversed(range(len(found))):
            (family, _, _, _, (address, *_)), now = found[-1 - left], loop.time()
            try:
                async with asyncio.timeout_at(now + (until - now) / (left + 1)):
                    _, made = await loop.create_connection(
                        line,
                        str(address),
                        node.port,
                        family=family,
                        ssl=self._ssl if node.is_secure else None,
                        server_hostname=node.host if node.is_secure else None,
                    )
                    return made
            except (OSError, TimeoutError):
                if not left:
                    raise
        raise OSError("its name has no address")


def _head(method: str, target: str, node: _Node, headers: Headers) -> bytes:
    """Request line and headers, without the empty line. Raises ValueError for anything that would
    end a line before its end, which a second request could hide behind."""
    path = node.path + target.encode("latin-1")
    parts = [b"%b %b HTTP/1.1\r\nhost: %b\r\n" % (method.encode(), path, node.place)]
    parts += [b"%b: %b\r\n" % pair for pair in headers]
    head = b"".join(parts)
    ends = len(parts) + 1
    if head.count(b"\n") != ends or head.count(b"\r") != ends or b"\0" in head or b" " in path:
        raise ValueError("the head of a request holds what no head may hold")
    return head


def _node(url: str) -> _Node:
    """The node of a URL, whose login is left out."""
    parts = urlsplit(url.strip())
    place = parts.netloc.rpartition("@")[2]
    port = parts.port or _PORTS.get(parts.scheme, 80)
    path = parts.path.rstrip("/")
    return _Node(parts.hostname or "", port, place.encode(), path.encode(), parts.scheme == "https")


def _authorization(server: Server) -> str | None:
    login = urlsplit(server.url.split(",")[0].strip())
    user, password = server.username, server.password
    if server.api_key:
        key = server.api_key
        encoded = base64.b64encode(key.encode()).decode() if ":" in key else key
        return f"ApiKey {encoded}"
    if not user and login.username:
        user, password = unquote(login.username), unquote(login.password or "")
    if not user:
        return None
    return "Basic " + base64.b64encode(f"{user}:{password or ''}".encode()).decode()
