"""The answer to a bulk request that was sent in parts: as one of the server."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import Any, Final

import orjson
from starlette.types import Send

from dupdex.gateway.enrich.answer_filter import AnswerFilter
from dupdex.gateway.headers import Headers

_PIECE: Final = 256 << 10


class BulkAnswer:
    """Items are kept compressed, to a tenth: a client that sends its whole body before it reads
    would otherwise wait for us to read, while we wait for it to read.
    """

    def __init__(self, wanted: AnswerFilter) -> None:
        self._wanted = wanted
        self._packer = zlib.compressobj(1)
        self._packed: list[bytes] = []
        self._size = 0
        self.count = 0
        """Items of any kind, also those that the client does not want to see."""
        self._kept = 0
        self._errors, self._took = False, 0
        self._ingest: int | None = None

    def add(self, items: Sequence[dict[str, Any]]) -> None:
        for item in items:
            self.count += 1
            self._errors = self._errors or any("error" in inner for inner in item.values())
            left = self._wanted.item(item) if self._wanted else item
            if left is None:
                continue
            encoded = (b"," if self._kept else b"") + orjson.dumps(left)
            self._kept += 1
            self._size += len(encoded)
            self._packed.append(self._packer.compress(encoded))

    def took(self, answer: dict[str, Any]) -> None:
        """Add the times of one part, in milliseconds."""
        self._took += int(answer.get("took") or 0)
        if "ingest_took" in answer:
            self._ingest = (self._ingest or 0) + int(answer["ingest_took"])

    async def send(self, reply: Send, headers: Headers) -> None:
        """Send it, decompressed in pieces."""
        values: dict[str, Any] = {"errors": self._errors, "took": self._took}
        if self._ingest is not None:
            values["ingest_took"] = self._ingest
        values = self._wanted.answer(values) if self._wanted else values
        head, tail = orjson.dumps(values)[:-1], b"}"
        if self._kept or not self._wanted:
            head += (b"," if len(head) > 1 else b"") + b'"items":['
            tail = b"]}"
        length = str(len(head) + self._size + len(tail)).encode()
        start = {"status": 200, "headers": [*headers, (b"content-length", length)]}
        await reply({"type": "http.response.start", **start})
        await reply({"type": "http.response.body", "body": head, "more_body": True})
        self._packed.append(self._packer.flush())
        reader = zlib.decompressobj()
        for packed in self._packed:
            while packed:
                piece = reader.decompress(packed, _PIECE)
                packed = reader.unconsumed_tail
                if piece:
                    await reply({"type": "http.response.body", "body": piece, "more_body": True})
        await reply({"type": "http.response.body", "body": reader.flush() + tail})
