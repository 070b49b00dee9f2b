"""The connection of a client: what uvicorn's parser lets through that a gateway must not, and how
long a client may take.

A request is refused here in the form of Elasticsearch, as the cluster would refuse it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, Final, cast

import httptools
import orjson
from uvicorn.protocols.http.httptools_impl import (
    STATUS_LINE,
    HttpToolsProtocol,
    RequestResponseCycle,
)

from dupdex.gateway.joined_writes import JoinedWrites
from dupdex.gateway.replies import elastic_error

HEAD_BYTES: Final = 64 << 10
"""The largest request line and headers, which are held in memory. Elasticsearch takes 4 KiB and
16 KiB and says so itself; above this limit we do."""

HEAD_SECONDS: Final = 30.0
"""How long request line and headers may take, and a connection on which nothing was asked yet."""

BODY_SECONDS: Final = 60.0
BODY_BYTES: Final = 600
"""A body is given up when fewer bytes than these came in that time, while we waited for them; an
answer, when fewer were read."""

MOST_CONNECTIONS: Final = 4_096
"""Of one process."""

LEFT: Final = "dupdex.left"
"""Where the scope of a request holds what is called when its client closes the connection."""

_CODING: Final = b"transfer-encoding"
_FRAMING: Final = (b"content-length", _CODING)


class Connection(HttpToolsProtocol):
    """Unlike its base it takes only one coding of transfer, limits the size of the head, ignores
    trailers, has no patience for slow clients, and never writes an error into another answer."""

    _watch: asyncio.TimerHandle | None = None
    _refused = False
    _in_head = True
    _begun = False
    _head = 0
    """Bytes of the head so far, or of what came with it."""
    _coding: Sequence[bytes] = ()
    """The values of Transfer-Encoding."""
    _length = 0
    """Bytes of the headers of this request."""
    _framing = b""
    """A head for the body of a request that wishes for an upgrade, while it is still to come."""
    _in_body_only = False
    """Whether the parser reads such a head."""
    _new = 0
    _since = 0.0
    """Bytes since that time."""
    _in_body = False
    """Whether the body of a request that was taken is still to come, or its end."""
    _beside = 0
    """Bytes that came since then without any of the body: a trailer, and others like it."""
    _unsent = 0
    """Bytes that wait for the client to read, at the last look."""

    def connection_made(self, transport: Any) -> None:
        self._cycles: list[RequestResponseCycle] = []
        self._joined = JoinedWrites(transport, self.loop, self._is_sending)
        super().connection_made(self._joined)
        if len(self.connections) > MOST_CONNECTIONS:
            transport.abort()
            return
        self._since = self.loop.time()
        self._watch = self.loop.call_later(HEAD_SECONDS, self._look)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._watch is not None:
            self._watch.cancel()
        super().connection_lost(exc)
        for cycle in self._cycles:  # the base knows the last one alone
            cycle.disconnected = True
            cycle.message_event.set()
            left: Callable[[], None] | None = cast(Any, cycle.scope).get(LEFT)
            if left is not None:
                left()
        self._cycles.clear()

    def on_response_complete(self) -> None:
        self._joined.flush()  # what is counted and logged next need not keep the client waiting
        self._cycles = [each for each in self._cycles if not each.response_complete]
        super().on_response_complete()

    def data_received(self, data: bytes) -> None:
        if self._joined.is_closing():
            return
        self._unset_keepalive_if_required()
        self._new += len(data)
        if self._in_head:
            self._head += len(data)
        self._beside += len(data)
        while data and not self._refused:
            data = self._fed(data)
        if self._in_head and self._head > HEAD_BYTES:
            self._too_long()
        elif self._in_body and self._beside > HEAD_BYTES:  # the parser keeps a trailer whole
            self._refuse(400, "illegal_argument_exception", "the trailer of a body is too long")

    def _fed(self, data: bytes) -> bytes:
        """What is left of these bytes."""
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade as upgrade:
            # The wish is not granted. What follows is the body, which the parser leaves out then,
            # or the next request: both to a parser that has not stopped for it.
            self.parser = httptools.HttpRequestParser(self)
            framing, self._framing = self._framing, b""
            self._in_body_only = bool(framing)
            return framing + data[upgrade.args[0] :]
        except httptools.HttpParserError:
            self._refuse(400, "illegal_argument_exception", "this is no valid HTTP request")
        return b""

    def pause_writing(self) -> None:
        super().pause_writing()
        self._since = self.loop.time()

    def on_message_begin(self) -> None:
        if not self._in_body_only:
            super().on_message_begin()
            self._begun, self._since, self._coding = True, self.loop.time(), ()
            self._length = 0

    def on_url(self, url: bytes) -> None:
        if not self._in_body_only:
            super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        # A trailer comes after the head, and would become one of its headers.
        if self._in_head:
            name = name.lower()
            self.headers.append((name, value))
            self._length += len(name) + len(value) + 4
            if name == b"expect" and value.lower() == b"100-continue":
                self.expect_100_continue = True
            elif name == _CODING:
                self._coding = [*self._coding, value.strip().lower()]

    def on_headers_complete(self) -> None:
        self._in_head = False
        if self._refused or self._in_body_only:
            self._in_body_only = False
            return
        if self.parser.should_upgrade():
            lines = [b"%s: %s\r\n" % pair for pair in self.headers if pair[0] in _FRAMING]
            self._framing = b"POST / HTTP/1.1\r\n%s\r\n" % b"".join(lines) if lines else b""
        coding = self._coding
        if coding and (coding != [b"chunked"] or self.parser.get_http_version() == "1.0"):
            self._refuse(400, "illegal_argument_exception", "a transfer coding is not understood")
        elif self.parser.get_method() == b"CONNECT":
            self._refuse(405, "method_not_allowed", "this is no proxy to other hosts")
        elif len(self.url) + self._length > HEAD_BYTES:
            self._too_long()
        else:
            self._new, self._since = 0, self.loop.time()
            super().on_headers_complete()
            self._in_body, self._beside = True, 0
            self._cycles.append(self.cycle)

    def on_body(self, body: bytes) -> None:
        self._beside = 0
        if not self._refused:
            super().on_body(body)

    def on_message_complete(self) -> None:
        if not self._refused and not self._framing:
            super().on_message_complete()
            # What follows is the next head.
            self._in_head, self._begun, self._head = True, False, 0
            self._in_body = False

    def _should_upgrade(self) -> bool:
        return False

    def _too_long(self) -> None:
        reason = f"HTTP header is larger than {HEAD_BYTES} bytes."
        self._refuse(400, "too_long_http_header_exception", reason)

    def _refuse(self, status: int, kind: str, reason: str) -> None:
        """Answer in place of the application, and read no more. Where another answer is under way
        there is no place for one: the connection ends behind it, or at once if it is the answer
        to what is broken."""
        if self._refused:
            return
        self._refused = True
        under_way = self.cycle is not None and not self.cycle.response_complete
        if under_way and not self.cycle.more_body:
            self.cycle.keep_alive = False
            self.flow.pause_reading()
            return
        if under_way:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        is_answered = self._in_body and self.cycle.response_started
        if not is_answered:
            body = orjson.dumps(elastic_error(status, kind, reason))
            self.transport.write(
                STATUS_LINE[status]
                + b"x-elastic-product: Elasticsearch\r\ncontent-type: application/json\r\n"
                + b"connection: close\r\ncontent-length: %d\r\n\r\n" % len(body)
                + body
            )
        self.transport.close()

    def _look(self) -> None:
        """Close the connection of a client that keeps us waiting; look again later."""
        now, unsent = self.loop.time(), self._joined.get_write_buffer_size()
        passed, read = now - self._since, self._unsent - unsent
        if self.flow.write_paused or self.transport.is_closing():
            if read >= BODY_BYTES or not self._unsent:  # it reads, if slowly
                self._since = now
            elif passed >= BODY_SECONDS:
                self.transport.abort()
        elif self.flow.read_paused:
            self._since = now  # it is we who are slow
        elif self._in_head:
            # Between two requests, the time to keep a connection alive counts.
            if passed >= HEAD_SECONDS and (self._begun or self.cycle is None):
                self._refuse(408, "request_timeout", "the request did not come in time")
        elif passed >= BODY_SECONDS:
            if self._new < BODY_BYTES:
                self._refuse(408, "request_timeout", "the body did not come in time")
            self._new, self._since = 0, now
        self._unsent = unsent
        self._watch = self.loop.call_later(HEAD_SECONDS / 2, self._look)  # until it is closed

    def _is_sending(self) -> bool:
        return self._refused or self._in_body
