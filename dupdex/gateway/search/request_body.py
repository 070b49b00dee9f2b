"""The body of a search as it came in, and as text that can be looked into."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import parse_qsl, urlencode

from starlette.types import Receive, Scope

from dupdex.gateway.headers import Headers, value_of
from dupdex.gateway.passing import incoming
from dupdex.gateway.search.query_places import CLAUSE, MARK
from dupdex.gateway.search.search_refused import BAD_ARGUMENT, SearchRefused
from dupdex.gateway.upstream import Body

LARGEST: Final = 16 << 20
"""Bytes of a body that is looked into; a longer one passes by."""

DEDUP_MARK: Final = b'"dedup"'

_OTHER_FORMATS: Final = (b"yaml", b"cbor", b"smile")
_SOURCE: Final = "source"
_WORTH_PACKING: Final = 1_400
_LEVEL: Final = 3  # that of Elasticsearch


@dataclass(frozen=True, slots=True)
class SearchBody:
    """`raw`: what to pass on. `text`: the same unpacked, or from the parameter `source`; None for
    what is not looked into."""

    raw: Body
    text: bytes | None
    from_source: bool = False

    @property
    def is_marked(self) -> bool:
        """Whether it may hold something of ours."""
        return self.text is not None and is_marked(self.text)


def is_marked(text: bytes) -> bool:
    return MARK in text or DEDUP_MARK in text


async def read_body(scope: Scope, receive: Receive) -> SearchBody:
    """Take in a body, up to LARGEST bytes of it. Raises Disconnected, and SearchRefused for a
    clause in a body that is too long to be looked into."""
    raw = await incoming(scope["headers"], receive)
    if raw is not None and not isinstance(raw, bytes):
        raw = await _gathered(aiter(raw))
    if not raw and b"source=" in scope["query_string"]:
        source = parameters(scope).get(_SOURCE)
        return SearchBody(raw, source.encode() if source else None, True)
    if not isinstance(raw, bytes):
        return SearchBody(raw, None)
    return SearchBody(raw, _unpacked(raw, value_of(scope["headers"], b"content-encoding")))


async def _gathered(chunks: AsyncIterator[bytes]) -> Body:
    """The whole body, or, when it is longer than LARGEST, a stream of it."""
    parts: list[bytes] = []
    size = 0
    async for chunk in chunks:
        parts.append(chunk)
        size += len(chunk)
        if size > LARGEST:
            if MARK in b"".join(parts):
                raise SearchRefused(
                    f"a search with [{CLAUSE}] has {LARGEST >> 20} MB at most; send it in parts",
                    BAD_ARGUMENT,
                    413,
                )
            return _chained(parts, chunks)
    return b"".join(parts)


async def _chained(parts: list[bytes], rest: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    for part in parts:
        yield part
    async for chunk in rest:
        yield chunk


def _unpacked(raw: bytes, encoding: bytes | None) -> bytes | None:
    if encoding is None or encoding.lower() == b"identity":
        return raw
    if encoding.lower() not in (b"gzip", b"x-gzip", b"deflate"):
        return None
    unpacking = zlib.decompressobj(47)  # gzip or zlib, by its header
    try:
        text = unpacking.decompress(raw, LARGEST)
    except zlib.error:
        return None
    return text if unpacking.eof else None


def parameters(scope: Scope) -> dict[str, str]:
    """The query of the URL; of a name that comes twice the last one."""
    return dict(parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True))


def check_formats(headers: Headers, params: Mapping[str, str]) -> None:
    """Raises SearchRefused where something of ours is asked for, or to be answered, in a format
    that the gateway does not read."""
    sent = value_of(headers, b"content-type") or b""
    wanted = params.get("format", "").encode() or value_of(headers, b"accept") or b""
    for name, value in (("sent", sent), ("asked for", wanted)):
        for each in _OTHER_FORMATS:
            if each in value.lower():
                raise SearchRefused(
                    f"[{CLAUSE}] and [dedup] go with JSON only, and {each.decode()} is {name}",
                    BAD_ARGUMENT,
                )


def changed_scope(scope: Scope, drop: tuple[str, ...] = (), **params: str | None) -> Scope:
    """The request with other parameters; of those that are None nothing changes."""
    new = {name: value for name, value in params.items() if value is not None}
    given = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
    if not new and not any(name in drop for name, _ in given):
        return scope
    kept = [(name, value) for name, value in given if name not in drop and name not in new]
    return {**scope, "query_string": urlencode([*kept, *new.items()]).encode()}


def packed(content: bytes, headers: Headers) -> tuple[bytes, Headers]:
    """An answer's body as the client takes it, with the header that says so."""
    accepted = value_of(headers, b"accept-encoding") or b""
    if b"gzip" not in accepted.lower() or len(content) < _WORTH_PACKING:
        return content, []
    return gzip.compress(content, _LEVEL), [(b"content-encoding", b"gzip")]
