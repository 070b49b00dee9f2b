"""Documents as lines in, outcomes as lines out, of any length and both at the same time."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import IO, Final

import orjson
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from dupdex.gateway.rest.index_writing import writing
from dupdex.gateway.rest.operations import LINES, NDJSON, Asked
from dupdex.gateway.rest.request_reading import check_media, unpacked
from dupdex.gateway.rest.rest_limits import LINE
from dupdex.wire.forms import Stored, to_json
from indexer.model import Document, Mark, Status
from indexer.sources.documents import document_of
from indexer.sources.encodings import LineDecoder, undecodable
from indexer.sources.jsonl import object_in
from indexer.sources.options import Place, ReadOptions
from mappings.errors import DupdexError, InputRefused

BATCH_BYTES: Final = 1 << 20
BATCH_LINES: Final = 500
_IN_MEMORY: Final = 4 << 20
_MOST_UNREAD: Final = 1 << 30
"""Bytes of outcomes in the temporary file."""

_CHUNKS_AHEAD: Final = 16


@dataclass(frozen=True, slots=True)
class OutcomeLine:
    """The fate of the document of the same line; the id is empty where the line has none."""

    id: str
    status: Status
    reason: str = ""


async def documents(asked: Asked, request: Request) -> Response:
    """Store the documents of a body; the answer begins with the first outcome."""
    check_media(request.headers.get("content-type"), LINES)
    # What is wrong with the index is said before anything is read.
    meta = (await asked.services.blocking(lambda: asked.index)).meta
    storing = _Storing(asked, ReadOptions(meta=meta, has_options=False))
    return _Both(storing.lines(request), media_type=NDJSON)


class _Both(Response):
    """Sends parts as they come. It leaves `receive` alone, from which the parts are made:
    Starlette's own waits there for a client that goes, and so would take the body away."""

    def __init__(self, parts: AsyncIterator[bytes], media_type: str) -> None:
        super().__init__(media_type=media_type, headers={"cache-control": "no-store"})
        del self.headers["content-length"]
        self._parts = parts

    async def __call__(self, _scope: Scope, _receive: Receive, send: Send) -> None:
        start = {"type": "http.response.start", "status": 200, "headers": self.raw_headers}
        await send(start)
        async for part in self._parts:
            await send({"type": "http.response.body", "body": part, "more_body": True})
        await send({"type": "http.response.body", "body": b""})


class _Storing:
    """One stream. What is answered waits in a file while the client does not read: many clients
    send their whole body first, and would wait for us as we for them."""

    def __init__(self, asked: Asked, options: ReadOptions) -> None:
        self._asked, self._options = asked, options
        self._failed = ""

    async def lines(self, request: Request) -> AsyncIterator[bytes]:
        """The outcomes, as they come."""
        waiting = _Waiting()
        storing = asyncio.create_task(self._store_all(request, waiting))
        try:
            async for part in waiting.parts():
                yield part
            await storing
        finally:
            storing.cancel()
            waiting.close()

    async def _store_all(self, request: Request, waiting: _Waiting) -> None:
        try:
            async for batch in _batches(unpacked(request)):
                waiting.put(await self._asked.services.blocking(self._stored, batch))
                await waiting.room()
            if self._asked.query.refresh and not self._failed:
                await self._asked.services.blocking(self._refresh)
        except DupdexError as error:  # the body cannot be read any further
            waiting.put(_line("", Status.REJECTED, str(error)))
        finally:
            waiting.end()

    def _stored(self, batch: Sequence[bytes | None]) -> bytes:
        """Store a batch; one line for each of its lines."""
        told: list[bytes] = [b""] * len(batch)
        found: list[tuple[int, Document]] = []
        for number, line in enumerate(batch):
            try:
                found.append((number, self._document(line, number)))
            except InputRefused as error:
                told[number] = _line("", Status.REJECTED, str(error))
        for number, name, status, reason in self._outcomes(found):
            told[number] = _line(name, status, reason)
        return b"".join(told)

    def _outcomes(
        self, found: Sequence[tuple[int, Document]]
    ) -> list[tuple[int, str, Status, str]]:
        """What became of documents, by their numbers; after the store failed, nothing is tried."""
        out: list[tuple[int, str, Status, str]] = []
        if found and not self._failed:
            try:
                with writing(self._asked.services, self._asked.target) as index:
                    outcomes = index.add_iter([document for _, document in found])
                    for (number, document), outcome in zip(found, outcomes, strict=False):
                        out.append((number, document.id, outcome.status, outcome.reason))
            except DupdexError as error:
                self._failed = f"{error}; it may or may not be stored, so send it again"
        return out + [
            (number, document.id, Status.REJECTED, self._failed)
            for number, document in found[len(out) :]
        ]

    def _document(self, line: bytes | None, number: int) -> Document:
        if line is None:
            raise InputRefused(f"the line is over {LINE:,} bytes; split the document")
        if not line.strip():
            raise InputRefused("the line is empty; write one object a line")
        try:
            body = object_in(line, LineDecoder("utf-8"))
        except UnicodeDecodeError as error:
            raise InputRefused(undecodable(error, with_options=False)) from error
        return document_of(body, Place("line", Mark("", number)), self._options)

    def _refresh(self) -> None:
        with writing(self._asked.services, self._asked.target) as index:
            index.refresh()


class _Waiting:
    """Bytes that wait to be sent: in memory, beyond some megabytes in a temporary file."""

    def __init__(self) -> None:
        self._file: IO[bytes] = tempfile.SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115
        self._read = self._written = 0
        self._over = False
        self._news, self._taken = asyncio.Event(), asyncio.Event()

    def put(self, part: bytes) -> None:
        self._file.seek(self._written)
        self._file.write(part)
        self._written += len(part)
        self._news.set()

    async def room(self) -> None:
        """Wait for the client to read, where it has left very much unread."""
        while self._written - self._read > _MOST_UNREAD:
            self._taken.clear()
            await self._taken.wait()

    def end(self) -> None:
        self._over = True
        self._news.set()

    async def parts(self) -> AsyncIterator[bytes]:
        """Everything that is put, until the end."""
        while True:
            await self._news.wait()
            self._news.clear()
            while self._read < self._written:
                self._file.seek(self._read)
                part = self._file.read(min(1 << 16, self._written - self._read))
                self._read += len(part)
                if self._read == self._written:  # all was sent: begin at the beginning again
                    self._read = self._written = 0
                self._taken.set()
                yield part
            if self._over:
                return

    def close(self) -> None:
        self._file.close()


async def _batches(chunks: AsyncIterator[bytes]) -> AsyncIterator[list[bytes | None]]:
    """The lines of a body: what has come while the batch before was stored, within limits."""
    come: asyncio.Queue[list[bytes | None] | None] = asyncio.Queue(_CHUNKS_AHEAD)

    async def read() -> None:
        try:
            async for lines in _lines_of(chunks):
                await come.put(lines)
        finally:
            await come.put(None)

    reading = asyncio.create_task(read())
    try:
        while (lines := await come.get()) is not None:
            batch = lines
            while not come.empty() and not _is_full(batch):
                more = come.get_nowait()
                if more is None:
                    come.put_nowait(None)
                    break
                batch += more
            yield batch
        await reading
    finally:
        reading.cancel()


def _is_full(batch: Sequence[bytes | None]) -> bool:
    return len(batch) >= BATCH_LINES or sum(len(each or b"") for each in batch) >= BATCH_BYTES


async def _lines_of(chunks: AsyncIterator[bytes]) -> AsyncIterator[list[bytes | None]]:
    """The lines that end in each chunk; None for one that is too long."""
    kept, dropping = bytearray(), False
    async for chunk in chunks:
        *whole, rest = chunk.split(b"\n")
        lines: list[bytes | None] = []
        for part in whole:
            kept += part
            lines.append(None if dropping or len(kept) > LINE else bytes(kept))
            kept, dropping = bytearray(), False
        kept += rest
        if len(kept) > LINE:
            kept, dropping = bytearray(), True
        if lines:
            yield lines
    if kept or dropping:
        yield [None if dropping else bytes(kept)]


def _line(name: str, status: Status, reason: str) -> bytes:
    return orjson.dumps(to_json(Stored(name, status, reason))) + b"\n"
