"""The nouns of the project; read this first.

bytes -> Document -> Prepared -> Fingerprint (with its keys) -> Record -> store -> Outcome

Those that a lookup makes by the thousand are structs: made and compared in a tenth of the time of
frozen dataclasses. They refer to nothing that could refer to them, so no garbage is looked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, NamedTuple, Protocol

from msgspec import Struct

from mappings.contract import Field

Body = Mapping[str, Any]
"""A user's document: JSON values by field name."""

Keys = Mapping[Field, tuple[str, ...]]
"""The exact terms of a document, by the field that holds them."""


def is_text(value: str) -> bool:
    """Whether a string can be encoded: one with half a surrogate pair cannot."""
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def kind_of(value: object) -> str:
    """The type of a JSON value in words, with an article."""
    names = {
        dict: "an object",
        list: "a list",
        bool: "a boolean",
        float: "a fraction",
        str: "a string",
    }
    return names.get(type(value), "null" if value is None else "a number")


DEEPEST: Final = 100
"""Levels of nested objects and lists that a body may have, counting the body itself."""


class Mark(NamedTuple):
    """The position of an item in its source: the part (a file of a folder, a page of a crawl; ""
    if there is only one), and the position in that part (a line, an offset, a number).
    """

    part: str
    position: int


@dataclass(frozen=True, slots=True)
class Document:
    """A text with an id, the fields to be stored with it, and where it came from.

    `text` is what is fingerprinted: the chosen text fields of `body`, joined by a line feed. Either
    may be left out: the text is then read from the body, or the body gets the text as its first
    text field. `origin`, as in "news.jsonl:17", is for messages only. `mark` lets the source
    resume after this document.
    """

    id: str
    text: str = ""
    body: Body = field(default_factory=dict)
    origin: str = ""
    mark: Mark | None = field(default=None, compare=False)


class Ref(Struct, frozen=True, order=True, gc=False):
    """Which document: ids are unique within an index only, and an alias may stand for several.

    An empty `index` stands for every index behind the name that was opened.
    """

    index: str
    id: str


class Fingerprint(Struct, frozen=True, gc=False):
    """What is stored for a text. `simhash`: unsigned 64 bits; `length`: letters and digits."""

    text_hash: str
    simhash: int
    length: int
    keys: Keys

    def terms(self) -> Iterator[tuple[Field, str]]:
        """Every (field, term) of a lookup, each once."""
        for name, terms in self.keys.items():
            for term in terms:
                yield name, term

    def shared_with(self, other: Fingerprint) -> Keys:
        """The terms that both fingerprints have, by field."""
        out: dict[Field, tuple[str, ...]] = {}
        for name, terms in self.keys.items():
            if common := {*terms}.intersection(other.keys.get(name, ())):
                out[name] = tuple([term for term in terms if term in common])
        return out


@dataclass(frozen=True, slots=True)
class Record:
    """A document with its fingerprint, as a store writes it."""

    document: Document
    fingerprint: Fingerprint
    plan_id: str


@dataclass(frozen=True, slots=True)
class Standing:
    """What an index says of a document beside its text: the id of the group it belongs to, and when
    it was written last, in milliseconds since 1970; 0 when that is not known.
    """

    group: str
    indexed: int = 0


class Status(StrEnum):
    """What became of one document."""

    CREATED = "created"
    UPDATED = "updated"
    REJECTED = "rejected"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result for one document, yielded once the store has acknowledged it."""

    document: Document
    status: Status
    reason: str = ""


class RecordWriter(Protocol):
    """The writer of a store, as the pipeline uses it."""

    def write(self, records: Iterable[Record]) -> Iterator[Outcome]:
        """Store records, in order; yield one outcome for each, once it is durable.

        A record that the store refuses yields REJECTED and does not affect the others. Memory is
        bounded by a chunk. Raises StoreUnavailable or StoreFull when no more can be written;
        records whose outcomes were already yielded stay stored.
        """
        ...
