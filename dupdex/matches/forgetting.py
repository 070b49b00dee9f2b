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
from dupdex.matches.page_traces import PageTraces
from dupdex.matches.upkeep import Upkeep
from dupdex.session import Session
from indexer.model import Ref
from indexer.stores import StoreWriter
from indexer.stores.collection_store import CollectionStore, Equals, scan
from indexer.stores.lease import leased
from mappings.collections import moment
from mappings.errors import InputRefused
from mappings.records import (
    COPIES,
    CORRECTIONS,
    DECISIONS,
    GROUPS,
    LEASES,
    MATCHES,
    PINS,
    REQUESTS,
    REVIEWS,
    RUNS,
)
from mappings.sidecar_body import sidecar_name
from mappings.work_records import INFRINGEMENTS
from query.answers import Stored
from query.stores import StoreReader

GROUPING = "grouping"
"""The lease under which groups are changed."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """What was removed of a document. `documents`: the indices it was in; `keys`: terms by field;
    `group`: the one it was in; `matches`, `decisions`, `pins`: how many; `groups`: records of
    groups that named it, by what was done to each; `pages`: how many had its text; `left`: where
    it is still found, nothing when it is gone.
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
    pages: int = 0

    @property
    def anything(self) -> bool:
        """Whether there was anything to remove."""
        kept = self.matches or self.decisions or self.pins
        return bool(self.documents or kept or self.groups or self.pages)


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
        if self.upkeep.stored(GROUPS) is not None:
            # notes of steps name documents, and a lease that is given back does not wait
            self.upkeep.to_write(GROUPS).sync()
        return replace(receipt, left=tuple(self.left(name)))

    def left(self, name: str) -> list[str]:
        """Where an id is still found, in words: by id, by search, and in every collection beside
        the index, at any depth."""
        _check(name)
        refs = self.upkeep.refs([name])
        found = [f"index {stored.index}: the document" for stored in self._stored(name)]
        found += self._left_beside(name)
        found += [
            f"index {ref.index}: the group of document {ref.id!r}"
            for ref in self.reader.members([name]).get(name, ())
        ]
        for collection in (MATCHES, DECISIONS, REVIEWS):
            store = self.upkeep.stored(collection)
            if store is not None:
                store.refresh()
                items = {item.id for item in touching(store, refs)}
                found += [f"{collection.name}: pair {item}" for item in sorted(items)]
        is_trace = self._trace(name, refs)
        for collection in (GROUPS, PINS, CORRECTIONS, RUNS, LEASES, REQUESTS):
            store = self.upkeep.stored(collection)
            if store is not None:
                store.refresh()
                named = _traces(store, is_trace)
                found += [f"{collection.name}: item {item!r}" for item in named]
        copies = self.upkeep.stored(COPIES)
        if copies is not None:
            found += [f"{COPIES.name}: item {item!r}" for item in _copies(copies, is_trace)]
        pages = self.upkeep.stored(INFRINGEMENTS)
        if pages is not None:
            pages.refresh()
            found += [f"{INFRINGEMENTS.name}: item {item!r}" for item in _of_pages(pages, refs)]
        return found + PageTraces(self.upkeep).left(name)

    def _left_beside(self, name: str) -> list[str]:
        """What a sidecar still has of a document, which the index itself may have no more."""
        of = self.reader.meta.sidecar_of
        if of is None:
            return []
        from indexer.stores.elastic.routed import routings  # heavy; folders do without

        client, own = self.session.connection(sidecar_name(of.index))
        found = routings(client, own, [Ref("", name)])
        return [f"index {own.index}: the fingerprint"] if found else []

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
        self._remove_mentions(name, refs)
        pages = PageTraces(self.upkeep).remove(name)
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
            pages=pages,
        )

    def _remove_mentions(self, name: str, refs: list[Ref]) -> None:
        """What names the documents and is nothing of theirs that anybody counts."""
        if self.upkeep.stored(CORRECTIONS) is not None:  # what names it can be undone no more
            corrections = self.upkeep.to_write(CORRECTIONS)
            corrections.refresh()
            corrections.delete_all(_traces(corrections, self._trace(name, refs)))
        if self.upkeep.stored(REVIEWS) is not None:
            reviews = self.upkeep.to_write(REVIEWS)
            reviews.refresh()
            reviews.delete_all([item.id for item in touching(reviews, refs)])
        if self.upkeep.stored(REQUESTS) is not None:  # remembered answers name documents
            requests = self.upkeep.to_write(REQUESTS)
            requests.refresh()
            requests.delete_all([item.id for item in scan(requests)])
        if self.upkeep.stored(COPIES) is not None:  # the next list has what only named the group
            copies = self.upkeep.to_write(COPIES)
            copies.delete_all(_copies(copies, self._trace(name, refs)))
        if self.upkeep.stored(INFRINGEMENTS) is not None:  # the next sweep finds what is stored
            found = self.upkeep.to_write(INFRINGEMENTS)
            found.refresh()
            found.delete_all(_of_pages(found, refs))

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


def _traces(store: CollectionStore, is_trace: Callable[[str], bool]) -> list[str]:
    """Items that name a document, at any depth."""
    return [
        item.id for item in scan(store) if any(map(is_trace, strings_in([item.id, item.values])))
    ]


def _of_pages(store: CollectionStore, refs: list[Ref]) -> list[str]:
    """The ids of the records of infringements that name documents."""
    named = Equals("document", tuple(map(key, refs)))
    return [item.id for item in scan(store, [named])] if refs else []


def _copies(store: CollectionStore, is_trace: Callable[[str], bool]) -> list[str]:
    """Copies in the list that name a document; a source of the same name is none."""
    store.refresh()
    names = ("document", "original", "group")
    return [item.id for item in scan(store) if any(is_trace(item.values[each]) for each in names)]


def _check(name: str) -> None:
    if not isinstance(name, str) or not name:
        raise InputRefused(f"{name!r} is no id; name the document that is to be forgotten")
