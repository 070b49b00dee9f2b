"""The body of a bulk request in chunks: read only as fast as it is sent on."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Final

from dupdex.gateway.enrich.bulk_lines import LineSplitter, Malformed, Operation, TooLong
from dupdex.gateway.enrich.inflating import inflated, pieces
from dupdex.gateway.upstream import Body

CHUNK_BYTES: Final = 4 << 20
MOST_BYTES: Final = 64 << 20
"""Of a chunk of several operations; the server takes no body above 100 MB, objects included."""

CHUNK_OPERATIONS: Final = 1_000


@dataclass(slots=True)
class Chunk:
    """Some operations, in order. `is_last`: the body ends with it; then `rest` is what came after
    the last end of a line, `malformed` a line that ended the body before its end, and `too_long`
    says that one was longer than the server takes.
    """

    operations: list[Operation] = field(default_factory=list)
    size: int = 0
    is_last: bool = False
    rest: bytes = b""
    malformed: Malformed | None = None
    too_long: bool = False

    @property
    def is_full(self) -> bool:
        return self.size >= CHUNK_BYTES or len(self.operations) >= CHUNK_OPERATIONS

    @property
    def is_whole(self) -> bool:
        """Whether nothing is wrong with the lines."""
        return not self.rest and self.malformed is None and not self.too_long


async def chunks(body: Body, encoding: bytes, kept: list[bytes]) -> AsyncIterator[Chunk]:
    """The chunks of a body. `kept` gets the bytes as they came in, as long as there is one chunk;
    it is cleared then. Raises InputRefused for a body that is not compressed as it says.
    """
    splitter, chunk = LineSplitter(), Chunk()
    try:
        async for piece in inflated(_recorded(body, kept), encoding):
            for operation in splitter.feed(piece):
                size = len(operation.line) + len(operation.source)
                if chunk.is_full or (chunk.operations and chunk.size + size > MOST_BYTES):
                    kept[:] = [_TOO_MUCH]
                    yield chunk
                    chunk = Chunk()
                chunk.operations.append(operation)
                chunk.size += size
        chunk.rest = splitter.rest
    except Malformed as problem:
        chunk.malformed = problem
    except TooLong:
        chunk.too_long = True
    chunk.is_last = True
    yield chunk


_TOO_MUCH: Final = b""


async def _recorded(body: Body, kept: list[bytes]) -> AsyncIterator[bytes]:
    held, keeps = 0, True
    async for piece in pieces(body):
        keeps = keeps and kept != [_TOO_MUCH]
        if keeps:
            kept.append(piece)
            held += len(piece)
            if held > 2 * CHUNK_BYTES:
                kept[:], keeps = [_TOO_MUCH], False
        yield piece


def as_it_came(kept: list[bytes]) -> bytes | None:
    """The body byte for byte, if all of it was kept."""
    return None if kept == [_TOO_MUCH] else b"".join(kept)
