"""`_bulk`: a small body is one request and the server's own answer; a large one is sent in chunks,
the next one prepared while one is under way.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from typing import Any, Final

import orjson
from starlette.types import Receive, Scope, Send

from dupdex.gateway.api_paths import call_of
from dupdex.gateway.enrich.answer_filter import AnswerFilter
from dupdex.gateway.enrich.bulk_answer import BulkAnswer
from dupdex.gateway.enrich.bulk_body import Chunk, as_it_came, chunks
from dupdex.gateway.enrich.bulk_lines import Operation
from dupdex.gateway.enrich.bulk_sending import BulkSending, Sent
from dupdex.gateway.enrich.inflating import encoding_of
from dupdex.gateway.enrich.planned import Planned, Refusal
from dupdex.gateway.enrich.write_requests import (
    BARE,
    Writing,
    asked_of,
    headers_for,
    is_json,
    parameters_of,
    with_header,
)
from dupdex.gateway.headers import Headers, to_cluster
from dupdex.gateway.passing import Disconnected, forward, incoming
from dupdex.gateway.replies import PRODUCT, elastic_error, media_type, send, send_error
from mappings.errors import DupdexError

_UNAVAILABLE: Final = 503
_UNREADABLE: Final = (
    "the gateway has to look into the body of a bulk request, and reads JSON only, plain or "
    "compressed with gzip or deflate; send it so"
)
_TOO_LONG: Final = (
    "a line of the body is longer than 100 MB, which no server takes; split the document"
)


_STOP: Final = b"{}\n{}\n"
"""After a line that we cannot read, but the server might (with a comment in it): the server stops
here before it does anything, as an empty object is no action."""

_BEYOND: Final = (b"metadata line [2]", b"metadata line [3]")


class BulkWrites:
    """The handler of `_bulk`."""

    def __init__(self, writing: Writing) -> None:
        self._writing = writing

    async def __call__(self, scope: Scope, receive: Receive, reply: Send) -> None:
        if not is_json(scope["headers"]):
            media = media_type(scope["headers"])
            await send_error(reply, 415, "dupdex_refused", _UNREADABLE, media)
            return
        with suppress(Disconnected):  # nobody is left to answer
            body = await incoming(scope["headers"], receive)
            if body is None:
                await forward(
                    self._writing.upstream, scope, reply, to_cluster(scope["headers"]), None
                )
                return
            kept: list[bytes] = []
            parts = chunks(body, encoding_of(scope["headers"]), kept)
            await _Bulk(self._writing, scope, reply).answer(parts, kept)


class _Bulk:
    """One request."""

    def __init__(self, writing: Writing, scope: Scope, reply: Send) -> None:
        self._writing, self._scope, self._reply = writing, scope, reply
        parameters = parameters_of(scope)
        self._asked = asked_of(scope, call_of(scope).index, parameters)
        self._sending = BulkSending(writing, scope, self._asked)
        self._media = media_type(scope["headers"])
        wanted = AnswerFilter(dict(parameters).get("filter_path", ""))
        self._answer = BulkAnswer(wanted)
        self._headers: Headers = []
        self._refused: Sent | None = None
        self._planned: list[Planned] = []
        self._grouped = False

    async def answer(self, parts: AsyncIterator[Chunk], kept: list[bytes]) -> None:
        first = await anext(parts)
        if first.is_last and not await self._in_parts(first):
            await self._small(first, as_it_came(kept))
            return
        if not first.is_last:
            await self._large(first, parts)
        if self._refused is not None:
            await self._tell(self._refused)
        else:
            headers = self._headers or [(b"content-type", self._media), PRODUCT]
            if self._sending.bare:
                headers = [*headers, (BARE, str(self._sending.bare).encode())]
            await self._answer.send(self._reply, headers)

    async def _in_parts(self, chunk: Chunk) -> bool:
        """Answer a body of one chunk whose operations take more than one request; False, and
        nothing is done, where there is no need for that."""
        if not chunk.is_whole:
            return False
        segments = await self._sending.segments(chunk.operations)
        self._planned = await self._sending.plan(segments[0])
        if len(segments) == 1 and not await self._takes_more(self._planned):
            return False
        await self._settled(self._planned)
        for segment in segments[1:]:
            if self._refused is None:
                await self._settled(await self._sending.plan(segment))
        return True

    async def _takes_more(self, planned: list[Planned]) -> bool:
        due = self._writing.settling.is_due
        if any(each.refusal is not None or each.conditional for each in planned):
            return True
        return await self._writing.services.blocking(lambda: any(map(due, planned)))

    async def _small(self, chunk: Chunk, raw: bytes | None) -> None:
        """One request, whose answer goes back as it comes."""
        if not chunk.is_whole:
            await self._tell(await self._said_of(chunk))
            return
        headers = to_cluster(self._scope["headers"])
        if raw is None or any(not each.untouched for each in self._planned):
            raw = b"".join(piece for each in self._planned for piece in each.lines())
            headers = headers_for(self._scope["headers"], reads=False)
        reply = with_header(self._reply, self._sending.bare)
        await forward(self._writing.upstream, self._scope, reply, headers, raw)

    async def _large(self, first: Chunk, parts: AsyncIterator[Chunk]) -> None:
        chunk, under_way = first, None
        try:
            while True:
                under_way = await self._next(chunk.operations, under_way)
                if chunk.is_last or self._refused is not None:
                    break
                chunk = await anext(parts)
            if under_way is not None:
                await under_way
        except Disconnected:
            if under_way is not None:
                await under_way  # with what belongs to it
            raise
        except DupdexError as problem:
            if under_way is not None:
                await under_way
            if not self._answer.count:
                raise
            told = Refusal.of(problem)
            self._break_off(told.status, told.error())
            return
        if self._refused is None and not chunk.is_whole:
            said = await self._said_of(chunk)
            error = said.answer.get("error")
            self._break_off(said.status, error if isinstance(error, dict) else {})

    def _break_off(self, status: int, error: Mapping[str, Any]) -> None:
        """Say why there are no more items, as one more of them."""
        told = {name: value for name, value in error.items() if name != "root_cause"}
        self._answer.add([{"index": {"_index": None, "status": status, "error": told}}])

    async def _next(
        self, operations: list[Operation], under_way: asyncio.Task[None] | None
    ) -> asyncio.Task[None] | None:
        """Prepare operations while others are under way, then send them behind those."""
        for segment in await self._sending.segments(operations):
            if under_way is not None and self._grouped:
                await under_way  # the groups that documents are in are read before they are sent
            planned = await self._sending.plan(segment)
            self._grouped = self._grouped or await self._sending.lives(planned)
            if under_way is not None:
                await under_way
            if self._refused is not None:
                return None
            under_way = asyncio.create_task(self._settled(planned))
        return under_way

    async def _settled(self, planned: list[Planned]) -> None:
        sent = await self._sending.send(planned)
        if not self._answer.count:
            whole = next((each.refusal for each in planned), None)
            if whole is not None and all(each.refusal == whole for each in planned):
                if whole.status == _UNAVAILABLE:
                    self._refused = _error(whole.status, whole.kind, whole.reason)
                    return
            elif sent.status >= 400 and not any(each.refusal for each in planned):
                self._refused = sent
                return
        self._headers = self._headers or sent.headers
        self._answer.took(sent.answer)
        self._answer.add(sent.items)

    async def _said_of(self, chunk: Chunk) -> Sent:
        """What the server says to the line that it would stop at."""
        if chunk.too_long:
            return _error(413, "dupdex_refused", _TOO_LONG)
        malformed = chunk.malformed
        if malformed is None:
            return await self._sending.probe(chunk.rest)
        sent = await self._sending.probe(malformed.line + _STOP)
        if sent.status < 400 or any(each in sent.content for each in _BEYOND):
            reason = f"line {malformed.number} of the body is no action in strict JSON; correct it"
            return _error(400, "illegal_argument_exception", reason)
        number = f"line [{malformed.number}]".encode()
        sent.content = sent.content.replace(b"line [1]", number)
        with suppress(orjson.JSONDecodeError):
            sent.answer = orjson.loads(sent.content)
        return sent

    async def _tell(self, sent: Sent) -> None:
        """Send an error of the whole request, of which nothing was stored."""
        headers = sent.headers or [(b"content-type", self._media), PRODUCT]
        await send(self._reply, sent.status, headers, sent.content)


def _error(status: int, kind: str, reason: str) -> Sent:
    answer = elastic_error(status, kind, reason)
    return Sent(status=status, content=orjson.dumps(answer), answer=answer)
