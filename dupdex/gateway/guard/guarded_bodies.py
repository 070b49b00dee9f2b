"""The body of a request on its way in: counted, timed, and looked into where a caller may not use
every index."""

from __future__ import annotations

import asyncio
import zlib

from starlette.types import Message, Receive, Scope

from dupdex.gateway.guard.body_budget import FREE, Share
from dupdex.gateway.guard.bulk_names import BulkLines
from dupdex.gateway.guard.es_access import Demand, body_for
from dupdex.gateway.guard.refusals import Refusal, too_large, too_many
from dupdex.gateway.headers import value_of, without
from dupdex.gateway.replies import media_type
from mappings.errors import DupdexError, InputRefused

_FULL = "the gateway holds as many large bodies as it may at once; try again, or send less"
_SMALL = 64 << 10
_GONE: Message = {"type": "http.disconnect"}
_OF_THE_OLD_BODY = (b"content-length", b"content-encoding", b"transfer-encoding")


class Guarded:
    """`receive` of one request with `most` bytes. Where it has to stop, `refusal` says why, and
    the application is told that the client has gone."""

    def __init__(self, receive: Receive, most: int, share: Share) -> None:
        self._receive, self._most, self._share = receive, most, share
        self._left = most
        self._whole = False
        self.lines: BulkLines | None = None
        self._inflate: Inflation | None = None
        self.refusal: Refusal | None = None

    def watch(self, lines: BulkLines, compressed: bool) -> None:
        """Show the body to `lines` as it comes by."""
        self.lines = lines
        self._inflate = Inflation(self._most) if compressed else None

    async def __call__(self) -> Message:
        if self._whole:
            return await self._receive()  # waits for the client to go
        if self.refusal is not None:
            return _GONE
        message = await self._receive()
        if message["type"] != "http.request":
            return message
        piece: bytes = message.get("body", b"")
        self._left -= len(piece)
        if self._left < 0:
            return self._stop(too_large(self._most))
        if (
            self._most - self._left > FREE
            and not self._share.taken
            and not await self._share.take()
        ):
            return self._stop(too_many(_FULL, 1.0))
        self._whole = not message.get("more_body", False)
        if self.lines is not None:
            try:
                if self._inflate is not None:  # a small piece may be a very large one
                    await asyncio.to_thread(self._show, self.lines, piece)
                else:
                    self._show(self.lines, piece)
            except DupdexError as error:
                return self._stop(Refusal.of(error))
        return message

    def _show(self, lines: BulkLines, piece: bytes) -> None:
        plain = self._inflate.feed(piece, self._whole) if self._inflate else piece
        lines.feed(plain)
        if self._whole:
            lines.close()

    def _stop(self, refusal: Refusal) -> Message:
        self.refusal = refusal
        self._whole = False
        return _GONE


class Inflation:
    """Unpacks gzip, up to so many bytes. Raises InputRefused."""

    def __init__(self, most: int) -> None:
        self._left = most
        self._stream = zlib.decompressobj(31)

    def feed(self, piece: bytes, last: bool) -> bytes:
        try:
            plain = self._stream.decompress(piece, self._left + 1)
        except zlib.error as error:
            raise InputRefused("the body is not the gzip that its header says") from error
        self._left -= len(plain)
        if self._left < 0:
            raise InputRefused("the body is larger than the limit when it is unpacked")
        # A second stream behind the first would be read by some programs and not by others.
        if self._stream.unused_data or (last and piece and not self._stream.eof):
            raise InputRefused("the body must be one whole gzip stream")
        return plain


def is_compressed(scope: Scope) -> bool:
    """Whether a body that is to be looked into is compressed. Raises InputRefused for forms that
    are not read."""
    headers = scope["headers"]
    media = value_of(headers, b"content-type")
    if media is not None and b"json" not in media.lower():
        raise InputRefused("a key for certain indices sends its bodies as JSON")
    encoding = (value_of(headers, b"content-encoding") or b"identity").lower().strip()
    if encoding not in (b"identity", b"gzip"):
        raise InputRefused("a key for certain indices sends its bodies plain, or as gzip")
    names = [name for name, _ in headers if name in (b"content-type", b"content-encoding")]
    if len(set(names)) < len(names):
        raise InputRefused("Content-Type and Content-Encoding may be given once")
    return encoding == b"gzip"


async def replaced(
    scope: Scope, receive: Guarded, demand: Demand, most: int
) -> tuple[Receive, tuple[str, ...] | None] | None:
    """The body that its caller may send in the place of the one of a request, whose headers are
    changed accordingly, and the names under which an id in its answer is sealed; None when the
    client has gone, or `receive` says why there is none. Raises NotAllowed, InputRefused."""
    inflate = Inflation(most) if is_compressed(scope) else None
    pieces: list[bytes] = []
    more = True
    while more:
        message = await receive()
        if message["type"] != "http.request":
            return None
        more = message.get("more_body", False)
        piece: bytes = message.get("body", b"")
        pieces.append(inflate.feed(piece, not more) if inflate else piece)
    whole = b"".join(pieces)
    if len(whole) > _SMALL:  # others take their turns meanwhile
        allowed = await asyncio.to_thread(body_for, demand, whole)
    else:
        allowed = body_for(demand, whole)
    body = allowed.body
    headers = without(scope["headers"], *_OF_THE_OLD_BODY)
    if allowed.seals:  # an answer that is looked into comes plain
        headers = without(headers, b"accept-encoding")
    if body:
        headers.append((b"content-length", str(len(body)).encode()))
        if value_of(headers, b"content-type") is None:
            headers.append((b"content-type", media_type(headers)))
    scope["headers"] = headers
    return _once(body, receive), allowed.seals


def _once(body: bytes, receive: Receive) -> Receive:
    sent = False

    async def again() -> Message:
        nonlocal sent
        if sent:
            return await receive()
        sent = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again
