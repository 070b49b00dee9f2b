"""After a write: fingerprints of what is stored, groups and pairs of what was written.

A write is answered once this is done; what is not known to be done is an error of its item.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from dupdex.gateway.enrich.planned import Asked, Planned, Refusal
from dupdex.gateway.enrich.targets import Targets
from dupdex.index import Index
from dupdex.matches.upkeep import Upkeep
from dupdex.session import Session
from indexer.meta import IndexMeta
from indexer.model import Document, Record, Ref, Standing
from indexer.pipeline import to_records
from indexer.stores.elastic.bulk import BulkSender
from indexer.stores.elastic.one_version import empty_object, set_object
from indexer.stores.storable import CHANGED
from indexer.stores.stored_object import now_in_milliseconds, object_of, standing_in
from mappings.errors import AccessRefused, DupdexError, StoreUnavailable
from mappings.records import MATCHES
from query.stores.elastic.versioned import Versioned, current

TIMES: Final = 40
"""How often a document is looked at again that others write to meanwhile."""

_AT_ONCE: Final = 500

Named = tuple[str, str, str | None]
"""A document by concrete index, id and routing."""


@dataclass(slots=True)
class Done:
    """What was done to the documents of one name."""

    written: list[Ref] = field(default_factory=list)
    updated: list[Ref] = field(default_factory=list)
    deleted: list[Ref] = field(default_factory=list)
    refill: list[Named] = field(default_factory=list)

    def add(self, planned: Planned, item: dict[str, Any], asked: Asked) -> bool:
        """Take an item without error; False where there is nothing to do for it."""
        result = item.get("result")
        ref = Ref(str(item.get("_index", "")), str(item.get("_id", "")))
        if planned.operation.action == "delete":
            self.deleted.append(ref)
            return True
        if result == "noop" or not (planned.text or planned.refill):
            return False
        if planned.refill and not (planned.operation.action == "update" and result == "created"):
            self.refill.append(
                (*_parts(ref), planned.operation.text_of("routing") or asked.routing)
            )
        (self.updated if result == "updated" else self.written).append(ref)
        return True


class Settling:
    """Threads may share one; it waits for the cluster."""

    def __init__(self, targets: Targets, session: Session) -> None:
        self._targets, self._session = targets, session

    def is_due(self, planned: Planned) -> bool:
        """Whether anything is to be done once an operation has succeeded."""
        if not planned.name or planned.refusal is not None:
            return False
        if planned.refill:
            return True
        if planned.operation.action == "delete":
            return self.keeps(planned.name)
        return planned.text and (self._lives(planned.name) or self._pairs(planned.name))

    def keeps(self, name: str) -> bool:
        """Whether groups or pairs of an index have to follow its documents."""
        return self._groups(name) or self._pairs(name)

    def is_live(self, name: str) -> bool:
        """Whether documents of an index are grouped as they are written."""
        return self._lives(name)

    def settle(
        self, planned: Sequence[Planned], items: Sequence[dict[str, Any]], asked: Asked
    ) -> None:
        """Do what is due for items of an answer; those for which it fails become errors."""
        done: dict[str, Done] = {}
        touched: dict[str, list[dict[str, Any]]] = {}
        for each, item in zip(planned, items, strict=True):
            (inner,) = item.values()
            if inner.get("error"):
                continue
            try:
                due = self.is_due(each)
            except DupdexError as error:
                _fail(inner, error)
                continue
            if due and done.setdefault(each.name, Done()).add(each, inner, asked):
                touched.setdefault(each.name, []).append(inner)
        for name, what in done.items():
            try:
                self.finish(name, what)
                if asked.refresh and (what.refill or self._lives(name)):
                    self._index(name).refresh()
            except DupdexError as error:
                for inner in touched.get(name, ()):
                    _fail(inner, error)

    def finish(self, name: str, done: Done) -> None:
        """Do what is due for documents. Raises DupdexErrors: the documents are stored then."""
        if done.refill:
            self.refill(name, done.refill)
        if not (done.written or done.updated or done.deleted):
            return
        if done.deleted and self._groups(name):
            self._index(name).groups.grouper().forget(done.deleted)
        elif done.deleted and self._pairs(name):
            self._upkeep(name).deleted([ref.id for ref in done.deleted])
        if self._lives(name):
            self._index(name).groups.grouper().assign([*done.written, *done.updated])
        elif done.updated and self._pairs(name):
            refresh = self._index(name).refresh
            self._upkeep(name).verify_again([ref.id for ref in done.updated], refresh)

    def gone(self, name: str, refs: Sequence[Ref]) -> list[Ref]:
        """Those of some documents that are stored no more."""
        self._index(name).refresh()
        reader, out = self._session.reader(self._targets.home(name)), []
        for start in range(0, len(refs), _AT_ONCE):
            part = refs[start : start + _AT_ONCE]
            there = reader.standings(part)
            out += [ref for ref in part if ref not in there]
        return out

    def refill(self, name: str, wanted: Sequence[Named]) -> None:
        """Make the fingerprints of documents of what is stored now; raises StoreUnavailable where
        others keep changing them."""
        client, settings = self._targets.connection(name)
        left = list(dict.fromkeys(wanted))
        for _ in range(TIMES):
            index = self._targets.ours(name)
            if index is None or not left:
                return
            fields = index.meta.text_fields
            page = list(zip(left, current(client, settings, left, fields), strict=True))
            changes = [
                (at, lines)
                for (at, stored), lines in zip(page, _changes(index.meta, page), strict=True)
                if stored is not None and lines
            ]
            left = []
            for concrete in dict.fromkeys(at[0] for at, _ in changes):
                some = [(at, lines) for at, lines in changes if at[0] == concrete]
                own = replace(settings, index=concrete)
                sender = BulkSender(client, own, settings.retry_seconds)
                settled = sender.send([lines for _, lines in some])
                if settled.failure is not None:
                    raise settled.failure
                for (at, _), item in zip(some, settled.items, strict=True):
                    if item is not None and item.reason == CHANGED:
                        left.append(at)
        if left:
            raise StoreUnavailable(
                f"{len(left)} documents are changed by other programs all the while, and their "
                f"fingerprints may be of an earlier text; run 'dupdex attach {name}'"
            )

    def _index(self, name: str) -> Index:
        return self._targets.for_writing(name)

    def _upkeep(self, name: str) -> Upkeep:
        home = self._targets.home(name)
        return Upkeep(self._session, home, self._session.reader(home))

    def _groups(self, name: str) -> bool:
        index = self._targets.ours(name)
        return index is not None and index.meta.grouping is not None

    def _lives(self, name: str) -> bool:
        index = self._targets.ours(name)
        grouping = index.meta.grouping if index is not None else None
        return grouping is not None and grouping.live

    def _pairs(self, name: str) -> bool:
        def there() -> bool:
            try:
                return (
                    self._session.stored_collection(MATCHES, self._targets.home(name)) is not None
                )
            except AccessRefused:  # who may not look for pairs keeps none
                return False

        return self._targets.kept("pairs", name, there)


def _changes(meta: IndexMeta, page: Sequence[tuple[Named, Versioned | None]]) -> list[bytes]:
    """The lines that bring each document's object up to date; empty for one that has no text."""
    documents = [Document(at[1], body=stored.body) for at, stored in page if stored is not None]
    made = iter(to_records(documents, meta.writing, meta=meta))
    out = []
    for at, stored in page:
        record = next(made) if stored is not None else None
        if stored is None:
            out.append(b"")
        elif isinstance(record, Record):
            group = standing_in(stored.ours, at[1]).group
            standing = Standing(group, now_in_milliseconds()) if meta.standing else None
            out.append(set_object(stored.version, object_of(record, standing), stored.ours))
        else:
            out.append(empty_object(stored.version) if stored.ours else b"")
    return out


def _fail(inner: dict[str, Any], error: DupdexError) -> None:
    refusal = Refusal.of(error)
    reason = f"the write is stored, but not everything that belongs to it: {refusal.reason}"
    inner.pop("result", None)
    inner["status"] = refusal.status
    inner["error"] = {**refusal.error(), "reason": f"{reason}; send it again"}


def _parts(ref: Ref) -> tuple[str, str]:
    return ref.index, ref.id
