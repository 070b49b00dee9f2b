"""A connection to a node, over which one request goes at a time (RFC 9112, without pipelining).

Bytes of heads and bodies are those of the caller; the parser is llhttp, as towards clients.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable, Callable
from typing import Any, Final

import httptools

from dupdex.gateway.headers import Headers
from dupdex.gateway.node_answer import Answer

Body = bytes | AsyncIterable[bytes] | None

_HEAD_BYTES: Final = 1 << 20
"""The longest head of an answer: what a client calls its request comes back in it."""

_JOINED: Final = 64 << 10
"""Bytes of a body up to which it is written in one piece with the head."""

_READ: Final = frozenset({401, 403, 404, 409, 429})
"""Answers of 400 to 499 to requests that a node has read. After others it may have stopped in the
middle of the request, or stop in its body, without a word: what comes next on that connection would
wait for ever, or have no answer."""


class Unreachable(Exception):
    """No node takes a connection, or one closed it before it answered."""


class TooSlow(Exception):
    """A node did not answer in time."""


class NodeLine(asyncio.Protocol):
    """`seconds`: how long a node may neither take nor give a byte. `ended` is called once after
    each request, when nothing more of it will come or go, and tells whether another may follow;
    `lost` when the connection is closed.

    `since`: when the line was last in use.
    """

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        seconds: float,
        ended: Callable[[NodeLine, bool], None],
        lost: Callable[[NodeLine], None],
    ) -> None:
        self.loop, self.since = loop, loop.time()
        self._seconds, self._ended, self._lost = seconds, ended, lost
        self._transport: Any = None
        self._parser = httptools.HttpResponseParser(self)
        self._busy = False
        self._head: asyncio.Future[Answer] | None = None
        self._answer: Answer | None = None
        self._headers: Headers = []
        self._head_bytes = 0
        self._sending: asyncio.Task[None] | None = None
        self._writable: asyncio.Future[None] | None = None
        self._clock: asyncio.TimerHandle | None = None
        self._unsent = 0
        self._is_held = self._is_whole = self._to_close = self._is_head = self._is_packed = False

    @property
    def is_open(self) -> bool:
        return not self._transport.is_closing()

    async def ask(self, head: bytes, body: Body, is_head: bool, length: int | None) -> Answer:
        """Send a request and wait for the head of its answer. `head` ends without the empty line,
        and without what says how long the body is, unless it tells the `length` of a stream.
        Raises Unreachable, TooSlow, and whatever the stream raises.
        """
        self._busy, self._is_head, self._is_whole, self._to_close = True, is_head, False, False
        self._is_packed = b"\r\ncontent-encoding:" in head
        waiting: asyncio.Future[Answer] = self.loop.create_future()
        self._head = waiting
        self.since = self.loop.time()
        self._clock = self.loop.call_later(self._seconds, self._look)
        try:
            if body is None:
                self._transport.write(head + b"\r\n")
            elif isinstance(body, bytes):
                self._write_whole(b"%bcontent-length: %d\r\n\r\n" % (head, len(body)), body)
            else:
                head += b"transfer-encoding: chunked\r\n\r\n" if length is None else b"\r\n"
                self._transport.write(head)
                self._sending = self.loop.create_task(self._stream(body, length))
            return await waiting
        except BaseException:
            if self._head is waiting:  # else the line may be another's by now
                self.abort()
            raise

    def abort(self) -> None:
        """Close the connection at once: nobody waits for what would still come."""
        self._fail(Unreachable("the gateway has closed the connection"))

    def hold(self) -> None:
        """Let the node wait: its answer is not read fast enough."""
        if not self._is_held and self.is_open:
            self._is_held = True
            self._transport.pause_reading()

    def go_on(self) -> None:
        if self._is_held:
            self._is_held, self.since = False, self.loop.time()
            if self.is_open:
                self._transport.resume_reading()

    def _write_whole(self, head: bytes, body: bytes) -> None:
        if len(body) <= _JOINED:
            self._transport.write(head + body)
        else:
            self._transport.write(head)
            self._transport.write(body)

    async def _stream(self, body: AsyncIterable[bytes], length: int | None) -> None:
        left = length
        try:
            async for part in body:
                if self._writable is not None:
                    await self._writable
                if left is None:
                    part = b"%x\r\n%b\r\n" % (len(part), part) if part else b""
                elif (left := left - len(part)) < 0:
                    break
                self._transport.write(part)
            if left:
                raise Unreachable("a body has another length than its head says")
            if left is None:
                self._transport.write(b"0\r\n\r\n")
        except Exception as error:
            self._sending = None
            self._fail(error)
        else:
            self._sending = None
            self.since = self.loop.time()

    def _look(self) -> None:
        """Give a node up that has neither taken nor given anything for too long."""
        now, unsent = self.loop.time(), self._transport.get_write_buffer_size()
        waits_for_us = self._is_held or (self._sending is not None and not unsent)
        if waits_for_us or unsent < self._unsent:
            self.since = now
        self._unsent = unsent
        left = self.since + self._seconds - now
        if left <= 0.001:
            self._fail(TooSlow("it did not answer in time"))
        else:
            self._clock = self.loop.call_later(left, self._look)

    def _fail(self, error: Exception) -> None:
        """End the request under way, and the connection."""
        head, self._head = self._head, None
        answer, self._answer = self._answer, None
        if head is not None and not head.done():
            head.set_exception(error)
            head.exception()  # nobody may be waiting any more
        if answer is not None:
            answer.end(error)
        self._to_close = True
        self._end()

    def _end(self) -> None:
        """The answer is whole, or nothing more will come of it."""
        if self._clock is not None:
            self._clock.cancel()
            self._clock = None
        if self._sending is not None:
            self._sending.cancel()
            self._sending, self._to_close = None, True
        elif self._transport.get_write_buffer_size():  # an answer to a part of the request
            self._to_close = True
        if self._to_close:
            self._transport.abort()
        else:
            self.go_on()
        if self._busy:
            self._busy, self.since = False, self.loop.time()
            self._ended(self, not self._to_close)

    # What the loop calls

    def connection_made(self, transport: Any) -> None:
        self._transport = transport

    def connection_lost(self, exc: Exception | None) -> None:
        answer = self._answer
        if answer is not None and exc is None and not self._is_framed(answer):
            self._answer, self._to_close = None, True
            answer.end()
            self._end()
        else:
            self._fail(Unreachable("a node closed the connection"))
        if self._writable is not None:
            self._writable.cancel()
        self._lost(self)

    def pause_writing(self) -> None:
        if self._writable is None:
            self._writable = self.loop.create_future()

    def resume_writing(self) -> None:
        self.since = self.loop.time()
        if self._writable is not None:
            self._writable.set_result(None)
            self._writable = None

    def data_received(self, data: bytes) -> None:
        if not self._busy:  # an answer to nothing
            self._transport.abort()
            return
        self.since = self.loop.time()
        if self._answer is None:
            self._head_bytes += len(data)
        try:
            self._parser.feed_data(data)
        except (httptools.HttpParserError, httptools.HttpParserUpgrade) as error:
            self._to_close = True
            if not self._is_whole:
                self._fail(Unreachable(f"the answer of a node is no HTTP: {error}"))
                return
        if self._is_whole:
            self._end_of_answer()
        elif self._answer is None and self._head_bytes > _HEAD_BYTES:
            self._fail(Unreachable("the head of an answer is too long"))

    # What the parser calls

    def on_header(self, name: bytes, value: bytes) -> None:
        if self._answer is None:  # a trailer is dropped
            self._headers.append((name.lower(), value))

    def on_headers_complete(self) -> None:
        status = self._parser.get_status_code()
        headers, self._headers = self._headers, []
        if not 100 <= status < 600:
            raise ValueError("no status")
        if status < 200 or self._is_whole or self._head is None:
            return
        self._to_close = not self._parser.should_keep_alive() or self._is_unread(status)
        self._answer = Answer(self, status, headers)
        if self._is_head:
            self._is_whole = True
        if not self._head.done():
            self._head.set_result(self._answer)

    def on_body(self, body: bytes) -> None:
        if self._is_whole:
            self._to_close = True
        elif self._answer is not None:
            self._answer.feed(body)

    def on_message_begin(self) -> None:
        if self._is_whole:
            self._to_close = True

    def on_message_complete(self) -> None:
        if self._answer is not None:
            self._is_whole = True

    def _end_of_answer(self) -> None:
        answer, self._answer, self._head = self._answer, None, None
        self._head_bytes = 0
        if self._is_head:  # this parser waits for a body
            self._parser = httptools.HttpResponseParser(self)
        if answer is not None:
            answer.end()
        self._end()

    def _is_unread(self, status: int) -> bool:
        return 400 <= status < 500 and (self._is_packed or status not in _READ)

    def _is_framed(self, answer: Answer) -> bool:
        return any(name in (b"content-length", b"transfer-encoding") for name, _ in answer.headers)
