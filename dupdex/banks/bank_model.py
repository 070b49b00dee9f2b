"""The nouns of moderation banks.

Bank (deny or allow) -> BankEntry, a known text -> BankHit of an asked text -> BankAnswer, a ruling
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fnmatch import fnmatchcase
from typing import Any, Final, Self

from indexer.stores.collection_store import Item
from mappings.errors import InputRefused
from query.answers import Verdict

LONGEST_NAME: Final = 64
LONGEST_ID: Final = 400
"""Bytes."""
MOST_LABELS: Final = 50
LONGEST_WORDS: Final = 10_000
"""Characters of a reason, or of what is said about a bank."""

_NAME: Final = re.compile(r"[a-z0-9][a-z0-9_-]*")
_SEPARATOR: Final = "/"


class BankKind(StrEnum):
    """What the entries of a bank say of a text that they match."""

    DENY = "deny"
    ALLOW = "allow"


class Ruling(StrEnum):
    """What the banks say of a text, all in all."""

    DENIED = "denied"
    ALLOWED = "allowed"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Bank:
    """`indices`: patterns of the names of the indices that it is for. Times: see
    `mappings.collections.moment`."""

    name: str
    kind: BankKind
    indices: tuple[str, ...] = ("*",)
    about: str = ""
    by: str = ""
    made: str = ""

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name) or len(self.name) > LONGEST_NAME:
            raise InputRefused(
                f"{self.name[:80]!r} cannot name a bank; use up to {LONGEST_NAME} lower-case "
                "letters, digits, '-' and '_'"
            )
        if not self.indices or not all(pattern.strip() for pattern in self.indices):
            raise InputRefused(f"bank {self.name!r} is for no index; give patterns such as '*'")
        if len(self.about) > LONGEST_WORDS:
            raise InputRefused(f"what is said about bank {self.name!r} is too long; shorten it")

    def is_for(self, index: str) -> bool:
        """Whether texts of the index are checked against it."""
        return any(fnmatchcase(index, pattern) for pattern in self.indices)

    def values(self) -> dict[str, Any]:
        """As the collection BANKS holds it."""
        return {
            "kind": self.kind.value,
            "indices": list(self.indices),
            "about": self.about or None,
            "by": self.by or None,
            "made": self.made,
        }

    @classmethod
    def from_item(cls, item: Item) -> Self:
        """The bank that an item of BANKS holds."""
        stored = item.values
        return cls(
            item.id,
            BankKind(stored["kind"]),
            tuple(stored["indices"]),
            stored.get("about", ""),
            stored.get("by", ""),
            stored["made"],
        )


@dataclass(frozen=True, slots=True)
class BankEntry:
    """A known text. `id` is made of the text when it is "". `text` is "" where only what is said
    about the entry was read. `expires`: from then on it does not act; None for never."""

    id: str
    text: str
    labels: tuple[str, ...] = ()
    reason: str = ""
    by: str = ""
    added: str = ""
    expires: str | None = None

    def __post_init__(self) -> None:
        if len(self.id.encode("utf-8", "replace")) > LONGEST_ID:
            raise InputRefused(f"the id of an entry has up to {LONGEST_ID} bytes; shorten it")
        if len(self.labels) > MOST_LABELS or not all(label.strip() for label in self.labels):
            raise InputRefused(f"an entry has up to {MOST_LABELS} labels, none of them empty")
        if len(self.reason) > LONGEST_WORDS:
            raise InputRefused("the reason of an entry is too long; shorten it")

    def acts(self, now: str) -> bool:
        """Whether it has not expired by then."""
        return self.expires is None or self.expires > now

    def values(self, bank: str) -> dict[str, Any]:
        """As the collection BANK_ENTRIES holds it."""
        return {
            "bank": bank,
            "labels": list(self.labels) or None,
            "reason": self.reason or None,
            "by": self.by or None,
            "added": self.added,
            "expires": self.expires,
        }

    @classmethod
    def from_values(cls, name: str, values: Mapping[str, Any], text: str = "") -> Self:
        """The entry that an item of BANK_ENTRIES holds."""
        return cls(
            parts_of_entry(name)[1],
            text,
            tuple(values.get("labels", ())),
            values.get("reason", ""),
            values.get("by", ""),
            values["added"],
            values.get("expires"),
        )


@dataclass(frozen=True, slots=True)
class EntryOutcome:
    """What became of one entry: `created`, `updated` or `rejected` for a `reason`."""

    id: str
    status: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class EntryPage:
    """Entries of a bank, the one added last first; `next`: after what the next page begins."""

    entries: tuple[BankEntry, ...]
    next: tuple[Any, ...] | None


@dataclass(frozen=True, slots=True)
class BankPassage:
    """A stretch that asked text and entry have in common: characters [start, stop) of either."""

    asked: tuple[int, int]
    entry: tuple[int, int]


@dataclass(frozen=True, slots=True)
class BankHit:
    """An entry that matches the asked text; measures as in `query.answers.Match`.

    `overruled`: of a deny entry, that an allow entry matches the text at least as well.
    """

    bank: str
    kind: BankKind
    entry: str
    labels: tuple[str, ...]
    reason: str
    expires: str | None
    verdict: Verdict
    similarity: float
    share: float | None
    stored_share: float | None
    passages: tuple[BankPassage, ...] = ()
    overruled: bool = False


@dataclass(frozen=True, slots=True)
class Flood:
    """What a guard says of a text that has just arrived. `count`: how often it, or one similar to
    it, did so within the window of so many `seconds`, itself counted in; at most 1,000. `first`:
    when the first of these did. `is_flood`: `count` is at least `times`.
    """

    id: str
    count: int
    times: int
    seconds: float
    first: str
    is_flood: bool


@dataclass(frozen=True, slots=True)
class BankAnswer:
    """What the `banks` that were asked say of a text. `hits`: the first of `total`, the best of
    those that act before those that are overruled. `complete`: every entry was looked at that may
    match. `flood`: what a flood guard says, None where none was asked."""

    ruling: Ruling
    hits: tuple[BankHit, ...] = ()
    total: int = 0
    banks: tuple[str, ...] = ()
    complete: bool = True
    flood: Flood | None = None

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels of the entries that decided, each once."""
        wanted = BankKind.DENY if self.ruling is Ruling.DENIED else BankKind.ALLOW
        acting = [hit for hit in self.hits if hit.kind is wanted and not hit.overruled]
        return tuple(dict.fromkeys(label for hit in acting for label in hit.labels))


def entry_name(bank: str, entry: str) -> str:
    """The id of the document, and of the item, of an entry."""
    return f"{bank}{_SEPARATOR}{entry}"


def parts_of_entry(name: str) -> tuple[str, str]:
    """The bank and the entry in such an id; no name of a bank has the separator."""
    bank, _, entry = name.partition(_SEPARATOR)
    return bank, entry
