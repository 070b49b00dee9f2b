"""A document that has to go without a trace: what is kept of it beside the index goes, too, and a
receipt says what was removed where.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from dupdex.matches.decisions import Decisions, touching
from dupdex.matches.group_traces import GroupTraces, strings_in
from dupdex.matches.match_record import key
from dupdex.matches.upkeep import Upkeep
from dupdex.session import Session
from indexer.model import Ref
from indexer.stores import StoreWriter
from indexer.stores.collection_store import scan
from indexer.stores.lease import leased
from mappings.collections import moment
from mappings.errors import InputRefused
from mappings.records import DECISIONS, GROUPS, LEASES, MATCHES, PINS, RUNS
from query.answers import Stored
from query.stores import StoreReader

GROUPING = "grouping"
"""The lease under which groups are changed."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """What was removed of a document. `documents`: the indices it was in; `keys`: terms by field;
    `group`: the one it was in; `matches`, `decisions`, `pins`: how many; `groups`: records of
    groups that named it, by what was done to each; `left`: where it is still found, nothing when
    it is gone.
    """

    id: str
    at: str
    documents: tuple[str, ...] = ()
    keys: dict[str, int] = field(default_factory=dict)
    group: str | None = None
    matches: int = 0
    decisions: int = 0
    pins: int = 0
    groups: dict[str, str] = field(default_factory=dict)
    left: tuple[str, ...] = ()

    @property
    def anything(self) -> bool:
        """Whether there was anything to remove."""
        kept = self.matches or self.decisions or self.pins
        return bool(self.documents or kept or self.groups)


@dataclass(frozen=True, slots=True)
class Forgetting:
    """Forgets documents of one index."""

    session: Session
    upkeep: Upkeep
    reader: StoreReader

    def forget(self, name: str, writer: StoreWriter, regroup: Callable[[], None]) -> Receipt:
        """Remove all that is kept of the documents of an id. What was removed before, by hand or by
        a run that was interrupted, leaves no gap: every place is looked at. `regroup` groups what
        was together with them.

        Raises StoreRefused for an id behind an alias over several indices.
        """
        _check(name)
        refs = self.upkeep.refs([name])
        if self.upkeep.stored(GROUPS) is None:
            receipt = self._removed(name, refs, writer)
        else:
            with leased(self.upkeep.to_write(LEASES), GROUPING):
                receipt = self._removed(name, refs, writer)
        regroup()
        return replace(receipt, left=tuple(self.left(name)))

    def left(self, name: str) -> list[str]:
        """Where an id is still found, in words: by id, by search, and in every collection beside
        the index, at any depth."""
        _check(name)
        refs = self.upkeep.refs([name])
        found = [f"index {stored.index}: the document" for stored in self._stored(name)]
        found += [
            f"index {ref.index}: the group of document {ref.id!r}"
            for ref in self.reader.members([name]).get(name, ())
        ]
        for collection in (MATCHES, DECISIONS):
            store = self.upkeep.stored(collection)
            if store is not None:
                store.refresh()
                items = {item.id for item in touching(store, refs)}
                found += [f"{collection.name}: pair {item}" for item in sorted(items)]
        is_trace = self._trace(name, refs)
        for collection in (GROUPS, PINS, RUNS, LEASES):
            store = self.upkeep.stored(collection)
            if store is not None:
                store.refresh()
                found += [
                    f"{collection.name}: item {item.id!r}"
                    for item in scan(store)
                    if any(map(is_trace, strings_in([item.id, item.values])))
                ]
        return found

    def _removed(self, name: str, refs: list[Ref], writer: StoreWriter) -> Receipt:
        stored = self._stored(name)
        standings = self.reader.standings([each.ref for each in stored])
        writer.delete([name])
        writer.refresh()
        counts = {MATCHES.name: 0, DECISIONS.name: 0, PINS.name: 0}
        if self.upkeep.stored(MATCHES) is not None:
            counts[MATCHES.name] = self.upkeep.records().remove(refs)
        if self.upkeep.stored(DECISIONS) is not None:
            store = self.upkeep.to_write(DECISIONS)
            counts[DECISIONS.name] = Decisions(store).remove(refs)
        if self.upkeep.stored(PINS) is not None:
            counts[PINS.name] = self.upkeep.to_write(PINS).delete_all(map(key, refs))
        groups: dict[str, str] = {}
        if self.upkeep.stored(GROUPS) is not None:
            traces = GroupTraces(self.upkeep.to_write(GROUPS), self.reader, writer)
            groups = traces.removed(refs, self._trace(name, refs))
        return Receipt(
            name,
            moment(datetime.now(UTC)),
            tuple(each.index for each in stored),
            _keys(stored),
            next((standing.group for standing in standings.values()), None),
            counts[MATCHES.name],
            counts[DECISIONS.name],
            counts[PINS.name],
            groups,
        )

    def _trace(self, name: str, refs: list[Ref]) -> Callable[[str], bool]:
        """Whether a text is the id, names the document as collections do, or is the id of a group
        that was made from it (`dupdex.groups.naming`) and that no document has."""
        keys = set(map(key, refs))
        made = re.compile(re.escape(name) + r"~\d+")

        def is_trace(text: str) -> bool:
            if text == name or text in keys:
                return True
            return bool(made.fullmatch(text)) and not self.reader.stored_ids([text])

        return is_trace

    def _stored(self, name: str) -> tuple[Stored, ...]:
        return self.reader.by_ids([name]).get(name, ())


def _keys(stored: tuple[Stored, ...]) -> dict[str, int]:
    out: dict[str, int] = {}
    for each in stored:
        keys = each.fingerprint.keys if each.fingerprint else {}
        for name, terms in keys.items():
            out[name.value] = out.get(name.value, 0) + len(terms)
    return out


def _check(name: str) -> None:
    if not isinstance(name, str) or not name:
        raise InputRefused(f"{name!r} is no id; name the document that is to be forgotten")
