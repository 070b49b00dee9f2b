"""A transport that writes the pieces of an answer together: each piece alone is a system call,
and wakes the client for a head without a body. And one that is not closed under a client who is
still sending, which would lose the answer with it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Final

_MOST: Final = 64 << 10
"""Bytes that are held back at most, and until the next turn of the loop."""

LINGER_SECONDS: Final = 2.0
"""How long a client that is still sending has time to read why nobody listens any more: bytes that
come in at a closed connection are answered with a reset, which drops what the client has not read
yet (RFC 9112, 9.6)."""


class JoinedWrites(asyncio.Transport):
    """Around the transport of a connection; what it does not know is for that one to say.
    `is_sending`: whether more of a request may come in."""

    def __init__(
        self,
        transport: asyncio.Transport,
        loop: asyncio.AbstractEventLoop,
        is_sending: Callable[[], bool],
    ) -> None:
        super().__init__()
        self._inner, self._loop, self._is_sending = transport, loop, is_sending
        self._lingers = False
        self._held: list[bytes | bytearray | memoryview] = []
        self._size = 0

    def write(self, data: bytes | bytearray | memoryview) -> None:
        if self._lingers:
            return
        if not self._held:
            self._loop.call_soon(self.flush)
        self._held.append(data)
        self._size += len(data)
        if self._size > _MOST:
            self.flush()

    def flush(self) -> None:
        """Write what is held back."""
        held, self._held, self._size = self._held, [], 0
        if len(held) == 1:
            self._inner.write(held[0])
        elif held:
            self._inner.write(b"".join(held))

    def close(self) -> None:
        """After what was written; with an end of that, and a while of not listening, before a
        client that is still sending. (TLS knows no end of one direction.)"""
        self.flush()
        if self._lingers or not self._is_sending() or not self._inner.can_write_eof():
            self._inner.close()
        elif not self._inner.is_closing():
            self._lingers = True
            self._inner.write_eof()
            self._inner.resume_reading()
            self._loop.call_later(LINGER_SECONDS, self._inner.close)

    def abort(self) -> None:
        self._held.clear()
        self._inner.abort()

    def is_closing(self) -> bool:
        return self._lingers or self._inner.is_closing()

    def get_write_buffer_size(self) -> int:
        return self._size + self._inner.get_write_buffer_size()

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return self._inner.get_extra_info(name, default)

    def pause_reading(self) -> None:
        self._inner.pause_reading()

    def resume_reading(self) -> None:
        self._inner.resume_reading()
