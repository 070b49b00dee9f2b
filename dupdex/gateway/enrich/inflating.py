"""Compressed bodies as they were before, a piece at a time: a bomb costs one piece of memory."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import AsyncIterator
from typing import Final

from dupdex.gateway.content_codings import LOOKED_AT, READ, window_of
from dupdex.gateway.headers import Headers, value_of
from dupdex.gateway.upstream import Body
from mappings.errors import InputRefused

PIECE: Final = 1 << 20
"""Bytes that one step gives at most."""


def encoding_of(headers: Headers) -> bytes:
    """How the body is compressed; b"" for not at all."""
    value = (value_of(headers, b"content-encoding") or b"").strip().lower()
    return b"" if value == b"identity" else value


def can_be_read(headers: Headers) -> bool:
    """Whether a body with these headers can be looked into."""
    return not encoding_of(headers) or encoding_of(headers) in READ


async def pieces(body: Body) -> AsyncIterator[bytes]:
    """The pieces of a body."""
    if isinstance(body, bytes):
        yield body
    elif body is not None:
        async for piece in body:
            yield piece


async def inflated(compressed: AsyncIterator[bytes], encoding: bytes) -> AsyncIterator[bytes]:
    """The body in pieces. Raises InputRefused for bytes that are not compressed like that."""
    if not encoding:
        async for piece in compressed:
            yield piece
        return
    reader, start = None, b""
    try:
        async for piece in compressed:
            waiting, start = start + piece, b""
            while waiting:
                if reader is None or reader.eof:  # several members one after the other
                    if len(waiting) < LOOKED_AT:
                        start = waiting
                        break
                    reader = zlib.decompressobj(window_of(encoding, waiting))
                if made := reader.decompress(waiting, PIECE):
                    yield made
                await asyncio.sleep(0)  # what is there already would keep all others waiting
                waiting = reader.unconsumed_tail or reader.unused_data
        if reader is not None and (made := reader.flush()):
            yield made
    except zlib.error as error:
        raise InputRefused(f"the body is not {encoding.decode()}: {error}") from error
    if start or reader is None or not reader.eof:
        raise InputRefused(f"the body ends in the middle of its {encoding.decode()} data")
