"""Answers to many searches, read from JSON as far as somebody asks: most documents that come along
with a page of candidates are never looked at.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import orjson
from msgspec import DecodeError, Raw, Struct, field
from msgspec.json import Decoder, encode

from indexer.stores.stored_object import to_unsigned
from mappings.contract import OBJECT_FIELD, Field

_BUSY: Final = (429, 502, 503, 504)
_UNREADABLE: Final = (DecodeError, ValueError, RecursionError)
"""What readers of JSON raise; the latter for what is nested a thousand times."""


class Values(Struct, frozen=True, gc=False):
    """The stored values of a document that was asked for these alone."""

    simhash: list[Any] = field(default_factory=list, name=Field.SIMHASH.path)
    text_hash: list[Any] = field(default_factory=list, name=Field.TEXT_HASH.path)

    @property
    def values(self) -> tuple[str, int]:
        """Text hash and simhash; "" and 0 when absent, or of another mapping than ours."""
        text_hash = self.text_hash[0] if self.text_hash else ""
        simhash = self.simhash[0] if self.simhash else 0
        return (
            text_hash if isinstance(text_hash, str) else "",
            to_unsigned(int(simhash)) if isinstance(simhash, int | float) else 0,
        )


class Hit(Struct, frozen=True, gc=False):
    """A document that was found. `source`: all of it, as JSON; empty where it did not come along.
    `fields`: its values, where these were asked for.
    """

    index: str = field(name="_index")
    id: str = field(default="", name="_id")
    score: float | None = field(default=None, name="_score")
    source: Raw = field(default_factory=Raw, name="_source")
    fields: Values | None = None

    def body(self) -> dict[str, Any] | None:
        """The document without the object of dupdex, which takes as long to read as a text. None
        where it did not come along, or cannot be read."""
        try:
            parts = _decode_parts(self.source)
            return {
                name: orjson.loads(memoryview(part))
                for name, part in parts.items()
                if name != OBJECT_FIELD
            }
        except _UNREADABLE:
            return None

    def ours(self) -> object:
        """The object of dupdex as any JSON; None as for `body`."""
        try:
            return orjson.loads(memoryview(_decode_parts(self.source)[OBJECT_FIELD]))
        except (*_UNREADABLE, KeyError):
            return None


class Total(Struct, frozen=True):
    """How many documents there are, as far as they were counted."""

    value: int


class Hits(Struct, frozen=True):
    """The hits of one search."""

    hits: list[Hit] = field(default_factory=list)
    total: Total | None = None


class Shards(Struct, frozen=True):
    """How many parts of an index gave no answer."""

    failed: int | None = None


class Found(Struct, frozen=True):
    """The answer to one search of several, or its error."""

    found: Hits = field(default_factory=Hits, name="hits")
    aggregations: Mapping[str, Any] = field(default_factory=dict)
    shards: Shards = field(default_factory=Shards, name="_shards")
    timed_out: bool | None = None
    error: Any = None
    status: int = 500

    @property
    def hits(self) -> list[Hit]:
        """The documents, best first."""
        return self.found.hits

    @property
    def total(self) -> int:
        """How many there are, where they were counted."""
        return self.found.total.value if self.found.total is not None else 0

    @property
    def is_busy(self) -> bool:
        """Whether the search was refused by a server that may take it later."""
        return self.error is not None and self.status in _BUSY


class _Several(Struct, frozen=True):
    responses: list[Found]


_decode = Decoder(_Several).decode
_decode_parts = Decoder(dict[str, Raw]).decode


def answers_in(body: object) -> list[Found] | None:
    """The answers to `_msearch`, from the bytes of it or from what a client has read; None when it
    is something else.
    """
    try:
        return _decode(body if isinstance(body, bytes) else encode(body)).responses
    except (*_UNREADABLE, TypeError):
        return None
