"""The banks of a store: what they are called and for, and their entries.

The texts of all banks are documents of one index (`Location.banks`), found like any others; what is
said about an entry is an item of a collection beside it. A removed or expired entry acts no more
from the moment on that its item says so.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256
from itertools import islice
from threading import RLock
from typing import ClassVar, Final

from dupdex.banks.bank_home import BANK_FIELD, TEXT_FIELD, BankHome
from dupdex.banks.bank_model import (
    Bank,
    BankEntry,
    BankKind,
    EntryOutcome,
    EntryPage,
    entry_name,
)
from dupdex.session import Session
from indexer.model import Document, Status
from indexer.stores.collection_store import (
    Between,
    Cursor,
    Equals,
    Query,
    Values,
    scan,
)
from mappings.bank_records import BANK_ENTRIES, BANKS
from mappings.collections import moment
from mappings.errors import InputRefused, NotFound

_BATCH: Final = 500
_NO_BANK: Final = "no bank {!r}; 'dupdex banks list' names those there are"


class Banks:
    """The banks of the server or folder of a session. Threads may share it; nothing is made before
    the first bank is.
    """

    EVERY: ClassVar[float] = 1.0
    """Seconds between looks for banks that were made, changed or removed elsewhere."""

    def __init__(self, session: Session) -> None:
        self.home = BankHome(session)
        self._known: dict[str, Bank] = {}
        self._next_look = 0.0
        self._turn = RLock()

    def create(
        self,
        name: str,
        kind: BankKind,
        indices: Sequence[str] = ("*",),
        about: str = "",
        by: str = "",
    ) -> Bank:
        """Make a bank, or change what it is for and what is said about it; its kind stays.

        Raises InputRefused for a name that cannot be one, and for another kind.
        """
        bank = Bank(name, kind, tuple(indices), about, by, moment(datetime.now(UTC)))
        store = self.home.collection(BANKS)
        while True:
            item = store.get(name)
            if item is None:
                self._remove_all(name)  # of one whose removal was interrupted
                if store.create(name, bank.values()) is not None:
                    break
                continue
            before = Bank.from_item(item)
            if before.kind is not kind:
                raise InputRefused(
                    f"bank {name!r} is a bank to {before.kind}; take another name, or drop it first"
                )
            bank = replace(bank, made=before.made)
            if store.update(name, bank.values(), item.version) is not None:
                break
        store.refresh()
        self._look_again()
        return bank

    def drop(self, name: str) -> int:
        """Remove a bank and its entries; how many these were. Raises NotFound."""
        self.get(name)
        store = self.home.collection(BANKS)
        store.delete(name)  # first: from now on none of its entries acts
        store.refresh()
        self._look_again()
        return self._remove_all(name)

    def all(self) -> list[Bank]:
        """All banks, by name, as of now."""
        self._look_again()
        return [bank for _, bank in sorted(self._current().items())]

    def get(self, name: str) -> Bank:
        """One bank, as of now. Raises NotFound."""
        store = self.home.stored(BANKS)
        item = store.get(name) if store is not None and name else None
        if item is None:
            raise NotFound(_NO_BANK.format(name))
        return Bank.from_item(item)

    def which_are_for(self, index: str | None, names: Sequence[str] = ()) -> list[Bank]:
        """The banks for an index, None for all of them, as of a second ago; with `names` only these
        ones. Raises NotFound for a name that no bank has."""
        known = self._current()
        for name in names:
            if name not in known:
                known = {**known, name: self.get(name)}
        wanted = [known[name] for name in dict.fromkeys(names)] if names else known.values()
        return [bank for bank in wanted if index is None or bank.is_for(index)]

    def add(self, bank: str, entries: Iterable[BankEntry]) -> list[EntryOutcome]:
        """Add entries, replacing those of the same ids; all of them act when this returns."""
        return list(self.add_iter(bank, entries))

    def add_iter(self, bank: str, entries: Iterable[BankEntry]) -> Iterator[EntryOutcome]:
        """`add` for any number: outcomes come once an entry is durable, those of a batch together.
        An entry acts once all outcomes have been taken. Raises NotFound for an absent bank."""
        self.get(bank)
        remaining = iter(entries)
        try:
            while batch := list(islice(remaining, _BATCH)):
                yield from self._add(bank, [_named(entry) for entry in batch])
        finally:
            self._refresh()

    def remove(self, bank: str, ids: Iterable[str]) -> list[str]:
        """Remove entries; returns the ids that were there. Raises NotFound for an absent bank."""
        self.get(bank)
        wanted = list(dict.fromkeys(ids))
        names = [entry_name(bank, each) for each in wanted]
        there = self.home.collection(BANK_ENTRIES).get_all(names)
        self._remove(list(there))
        return [each for each, name in zip(wanted, names, strict=True) if name in there]

    def remove_expired(self, bank: str) -> int:
        """Remove the entries that act no more; how many these were. Raises NotFound."""
        self.get(bank)
        entries = self.home.collection(BANK_ENTRIES)
        entries.refresh()
        gone = Between("expires", below=moment(datetime.now(UTC)))
        expired = [item.id for item in scan(entries, [Equals("bank", (bank,)), gone])]
        return sum(self._remove(expired[at : at + _BATCH]) for at in range(0, len(expired), _BATCH))

    def entry(self, bank: str, name: str) -> BankEntry:
        """One entry with its text. Raises NotFound."""
        self.get(bank)
        item = self.home.collection(BANK_ENTRIES).get(entry_name(bank, name)) if name else None
        if item is None:
            raise NotFound(f"bank {bank!r} has no entry {name!r}; 'dupdex banks show' lists them")
        text = self._texts([item.id]).get(item.id, "")
        return BankEntry.from_values(item.id, item.values, text)

    def entries(self, bank: str, limit: int = 100, after: Cursor | None = None) -> EntryPage:
        """A page of the entries with their texts, the one added last first. Raises NotFound."""
        self.get(bank)
        entries = self.home.collection(BANK_ENTRIES)
        page = entries.query(Query((Equals("bank", (bank,)),), "added", True, limit, after))
        texts = self._texts([item.id for item in page.items])
        found = (BankEntry.from_values(i.id, i.values, texts.get(i.id, "")) for i in page.items)
        return EntryPage(tuple(found), page.next)

    def everything(self, bank: str) -> Iterator[BankEntry]:
        """All entries with their texts, by id. Raises NotFound."""
        self.get(bank)
        entries = self.home.collection(BANK_ENTRIES)
        entries.refresh()
        items = scan(entries, [Equals("bank", (bank,))])
        while batch := list(islice(items, _BATCH)):
            texts = self._texts([item.id for item in batch])
            for item in batch:
                yield BankEntry.from_values(item.id, item.values, texts.get(item.id, ""))

    def count(self) -> dict[str, int]:
        """The number of entries of each bank that has any."""
        entries = self.home.stored(BANK_ENTRIES)
        if entries is None:
            return {}
        entries.refresh()
        return {str(row[0]): number for row, number in entries.tally(["bank"])}

    def said_about(self, names: Iterable[str]) -> dict[str, BankEntry]:
        """What is said about entries, as of now, by the ids of their documents."""
        entries = self.home.stored(BANK_ENTRIES)
        found = {} if entries is None else entries.get_all(names)
        return {name: BankEntry.from_values(name, item.values) for name, item in found.items()}

    def _current(self) -> dict[str, Bank]:
        with self._turn:
            now = time.monotonic()
            if now >= self._next_look:
                store = self.home.stored(BANKS)
                found = () if store is None else scan(store)
                self._known = {item.id: Bank.from_item(item) for item in found}
                self._next_look = time.monotonic() + self.EVERY
            return self._known

    def _look_again(self) -> None:
        self._next_look = 0.0

    def _add(self, bank: str, entries: Sequence[BankEntry]) -> list[EntryOutcome]:
        store = self.home.collection(BANK_ENTRIES)
        before = store.get_all([entry_name(bank, entry.id) for entry in entries])
        with self.home.writing() as texts:
            outcomes = texts.add(_document(bank, entry) for entry in entries)
        reasons = {each.document.id: each.reason for each in outcomes}
        now = moment(datetime.now(UTC))
        items: list[tuple[str, Values]] = []
        for entry in entries:
            name = entry_name(bank, entry.id)
            if not reasons[name]:
                added = before[name].values["added"] if name in before else now
                items.append((name, replace(entry, added=added).values(bank)))
        reasons |= {each.id: each.reason for each in store.put_all(items) if each.reason}
        done: list[EntryOutcome] = []
        for entry in entries:
            name = entry_name(bank, entry.id)
            status = Status.UPDATED if name in before else Status.CREATED
            status = Status.REJECTED if reasons[name] else status
            done.append(EntryOutcome(entry.id, status.value, reasons[name]))
        return done

    def _remove_all(self, bank: str) -> int:
        entries = self.home.collection(BANK_ENTRIES)
        entries.refresh()
        names = (item.id for item in scan(entries, [Equals("bank", (bank,))]))
        removed = 0
        while batch := list(islice(names, _BATCH)):
            removed += self._remove(batch)
        return removed

    def _remove(self, names: Sequence[str]) -> int:
        """Remove entries by the ids of their items: these first, as none acts without."""
        if not names:
            return 0
        removed = self.home.collection(BANK_ENTRIES).delete_all(names)
        with self.home.writing() as texts:
            texts.delete(names)
        self._refresh()
        return removed

    def _refresh(self) -> None:
        self.home.collection(BANK_ENTRIES).refresh()
        with self.home.writing() as texts:
            texts.refresh()

    def _texts(self, names: Sequence[str]) -> dict[str, str]:
        stored = self.home.texts().get(names) if names else {}
        return {name: each.text for name, each in stored.items()}


def _document(bank: str, entry: BankEntry) -> Document:
    body = {TEXT_FIELD: entry.text, BANK_FIELD: bank}
    return Document(entry_name(bank, entry.id), body=body)


def _named(entry: BankEntry) -> BankEntry:
    """The entry with an id; one that has none gets one by its text, so that it is there once."""
    made = sha256(entry.text.encode("utf-8", "replace")).hexdigest()[:16]
    return replace(entry, id=entry.id or made)
