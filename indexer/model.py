"""The nouns of the project, read this first.

bytes -> Document -> Prepared -> Fingerprint (with its keys) -> Record -> store -> Outcome
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, NamedTuple, Protocol

from mappings.contract import Field

Body = Mapping[str, Any]
"""A user's document: JSON values by field name."""

Keys = Mapping[Field, tuple[str, ...]]
"""The exact terms of a document, by the field that holds them."""


def is_text(value: str) -> bool:
    """Whether a string can be written: half a surrogate pair is no character."""
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def kind_of(value: object) -> str:
    """A JSON value's type in words, with its article."""
    names = {
        dict: "an object",
        list: "a list",
        bool: "a boolean",
        float: "a fraction",
        str: "a string",
    }
    return names.get(type(value), "null" if value is None else "a number")


DEEPEST: Final = 100
"""Levels of objects and lists a body may have, itself among them."""


class Mark(NamedTuple):
    """Where an item stands in its source: in which part (a file of a folder, a page of a crawl; ""
    where there is one only), and where in that part (a line, an offset, a number).
    """

    part: str
    position: int


@dataclass(frozen=True, slots=True)
class Document:
    """A text with an id, the fields to be stored with it, and where it came from.

    `text` is what is fingerprinted: the chosen text fields of `body`, joined by a line feed. Either
    may be left out: the text is then taken from the body, or the body is given the text in the
    first text field. `origin` is for messages only: "news.jsonl:17". `mark` is for the source that
    gave it: reading can go on after it.
    """

    id: str
    text: str = ""
    body: Body = field(default_factory=dict)
    origin: str = ""
    mark: Mark | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """What is stored of a text. `simhash`: unsigned 64 bit; `length`: letters and digits."""

    text_hash: str
    simhash: int
    length: int
    keys: Keys

    def __reduce__(self) -> tuple[type[Fingerprint], tuple[str, int, int, Keys]]:
        """Workers send these: a dataclass with slots is slower by itself."""
        return Fingerprint, (self.text_hash, self.simhash, self.length, self.keys)

    def terms(self) -> Iterator[tuple[Field, str]]:
        """Every (field, term) of a lookup, each once."""
        for name, terms in self.keys.items():
            for term in terms:
                yield name, term

    def shared_with(self, other: Fingerprint) -> Keys:
        """The terms that both have, by field."""
        out: dict[Field, tuple[str, ...]] = {}
        for name, terms in self.keys.items():
            theirs = set(other.keys.get(name, ()))
            if common := tuple(term for term in terms if term in theirs):
                out[name] = common
        return out


@dataclass(frozen=True, slots=True)
class Record:
    """A document with its fingerprint, as a store writes it."""

    document: Document
    fingerprint: Fingerprint
    plan_id: str


class Status(StrEnum):
    """What became of one document."""

    CREATED = "created"
    UPDATED = "updated"
    REJECTED = "rejected"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The fate of one document, yielded once the store has acknowledged it."""

    document: Document
    status: Status
    reason: str = ""


class RecordWriter(Protocol):
    """The write side of a store, as the pipeline needs it."""

    def write(self, records: Iterable[Record]) -> Iterator[Outcome]:
        """Store records, in order; yield one outcome for each, when it is durable.

        A record that the store refuses yields REJECTED and costs the others nothing. Memory is
        bounded by a chunk. Raises StoreUnavailable or StoreFull when no more can be written;
        whatever was yielded before that stays stored.
        """
        ...
