"""Banks as plain data, for whoever shows them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from dupdex.banks.bank_model import Bank, BankEntry, BankKind
from dupdex.banks.bank_store import Banks
from dupdex.banks.retro_hits import RetroHit


@dataclass(frozen=True, slots=True)
class BankLine:
    """A bank and the number of its `entries`, expired ones included."""

    name: str
    kind: BankKind
    indices: tuple[str, ...]
    about: str
    by: str
    made: str
    entries: int

    @classmethod
    def of(cls, bank: Bank, entries: int) -> Self:
        """The line of a bank."""
        made = (bank.about, bank.by, bank.made)
        return cls(bank.name, bank.kind, bank.indices, *made, entries)


@dataclass(frozen=True, slots=True)
class BankLines:
    """All banks, by name."""

    banks: tuple[BankLine, ...]

    @classmethod
    def of(cls, banks: Banks) -> Self:
        """All banks there are now."""
        counts = banks.count()
        return cls(tuple(BankLine.of(bank, counts.get(bank.name, 0)) for bank in banks.all()))


@dataclass(frozen=True, slots=True)
class EntryLines:
    """Some entries of a bank, and where the next page begins."""

    bank: str
    entries: tuple[BankEntry, ...]
    next: str | None = None


@dataclass(frozen=True, slots=True)
class RetroLines:
    """Some of the `total` documents that a `run` found, and where the next page begins."""

    run: str
    total: int
    hits: tuple[RetroHit, ...]
    next: str | None = None
