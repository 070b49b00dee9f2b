"""An answer of a node, read as it comes in."""

from __future__ import annotations

import asyncio
from collections import deque
from types import TracebackType
from typing import Final, Protocol, Self

from dupdex.gateway.headers import Headers

_HELD: Final = 256 << 10
"""Bytes of an answer that wait to be read before the node has to wait."""


class BrokenOff(Exception):
    """The cluster closed the connection in the middle of an answer, or said no more."""


class Line(Protocol):
    """What an answer comes in by."""

    @property
    def loop(self) -> asyncio.AbstractEventLoop: ...

    def go_on(self) -> None:
        """There is room again."""

    def hold(self) -> None:
        """Let the node wait."""

    def abort(self) -> None:
        """Nobody reads the rest."""


class Answer:
    """Status, headers with names in lower case, and the body in parts. Whoever has asked leaves it
    (`async with`), which ends the connection where the body was not read to its end."""

    __slots__ = ("_error", "_line", "_parts", "_reader", "_size", "at_end", "headers", "status")

    def __init__(self, line: Line, status: int, headers: Headers) -> None:
        self.status, self.headers = status, headers
        self.at_end = False
        """Whether the body has been read to its end."""
        self._line: Line | None = line
        self._parts: deque[bytes] = deque()
        self._size = 0
        self._reader: asyncio.Future[None] | None = None
        self._error: Exception | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._line is not None:
            self._line.abort()

    async def part(self) -> bytes:
        """All of the body that has come in and was not read; b"" only at its end. Raises
        BrokenOff."""
        while not self._parts:
            if self._error is not None:
                raise BrokenOff(str(self._error)) from self._error
            if self._line is None:
                self.at_end = True
                return b""
            self._reader = self._line.loop.create_future()
            await self._reader
        part = self._parts.popleft() if len(self._parts) == 1 else b"".join(self._parts)
        self._parts.clear()
        self._size = 0
        if self._line is None:
            self.at_end = self._error is None
        else:
            self._line.go_on()
        return part

    async def read(self) -> bytes:
        """The whole body. Raises BrokenOff."""
        parts = []
        while not self.at_end:
            parts.append(await self.part())
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def feed(self, part: bytes) -> None:
        """Of the line: more of the body came in."""
        self._parts.append(part)
        self._size += len(part)
        if self._size > _HELD and self._line is not None:
            self._line.hold()
        self._wake()

    def end(self, error: Exception | None = None) -> None:
        """Of the line: nothing more will come; without an error the body is whole."""
        self._line, self._error = None, error
        self._wake()

    def _wake(self) -> None:
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)
