"""What was found of works in the pages of an index, kept beside it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Final, Self

from dupdex.session import Session
from dupdex.works.work_model import (
    Finding,
    Infringement,
    Page,
    parts_of_chapter,
)
from indexer.stores.collection_store import CollectionStore, Condition, Equals, Item, scan
from mappings.errors import StoreRefused
from mappings.work_records import INFRINGEMENTS

_DIGITS: Final = 40


@dataclass(slots=True)
class Settled:
    """What keeping did: records that are new, that changed in more than when they were last seen,
    that ended, and those that stand."""

    new: int = 0
    changed: int = 0
    gone: int = 0
    standing: int = 0


class InfringementStore:
    """The records of an index. Writing what is there already changes nothing but `last_seen`."""

    def __init__(self, store: CollectionStore) -> None:
        """Everybody calls `open` or `stored`."""
        self._store = store

    @classmethod
    def open(cls, session: Session, index: str | None = None) -> Self:
        """Raises NotFound when there is no such index."""
        return cls(session.collection(INFRINGEMENTS, index))

    @classmethod
    def stored(cls, session: Session, index: str | None = None) -> Self | None:
        """The same, only to read; None where nothing was ever kept. Makes nothing."""
        store = session.stored_collection(INFRINGEMENTS, index)
        return None if store is None else cls(store)

    def all(self, conditions: Sequence[Condition] = ()) -> Iterator[Infringement]:
        """Every record that meets the conditions, by id, as of the last refresh."""
        return map(Infringement.from_item, scan(self._store, conditions))

    def of_pages(self, keys: Iterable[str]) -> Iterator[Infringement]:
        """The records of some pages, as of the last refresh."""
        wanted = tuple(dict.fromkeys(keys))
        return self.all([Equals("document", wanted)]) if wanted else iter(())

    def settle(
        self,
        found: Sequence[tuple[Page, Sequence[Finding]]],
        urls: Mapping[str, str],
        now: str,
        works: Sequence[str] = (),
    ) -> Settled:
        """Keep exactly this for some pages, as seen `now`: what they no longer have is gone since
        then. `urls`: of the chapters that were found. `works`: records of others than these are
        left alone; none given, all are settled."""
        records = {
            each.id: each
            for page, findings in found
            for each in (_record(page, finding, urls, now) for finding in findings)
        }
        there = {name: _read(item) for name, item in self._store.get_all(records).items()}
        done = Settled(standing=len(records))
        items = []
        for name, record in records.items():
            before = there.get(name)
            if before is not None:
                record = replace(record, first_seen=before.first_seen)
            done.new += before is None
            done.changed += before is not None and replace(before, last_seen=now) != record
            items.append(record)
        for old in self.of_pages(page.key for page, _ in found):
            if old.id not in records and old.gone is None and (not works or old.work in works):
                items.append(replace(old, gone=now))
                done.gone += 1
        self.put(items)
        return done

    def put(self, records: Iterable[Infringement]) -> None:
        """Store records, replacing those of the same ids."""
        for outcome in self._store.put_all((each.id, each.values()) for each in records):
            if outcome.reason:
                raise StoreRefused(f"an infringement cannot be kept: {outcome.reason}")

    def remove(self, names: Sequence[str]) -> int:
        """Remove records by their ids; how many there were."""
        return self._store.delete_all(names) if names else 0

    def refresh(self) -> None:
        """Make all writes visible to queries."""
        self._store.refresh()


def record_id(document: str, chapter: str) -> str:
    """The id of the record of a page and a chapter, by their keys."""
    named = f"{document}\n{chapter}".encode("utf-8", "replace")
    return sha256(named).hexdigest()[:_DIGITS]


def _record(page: Page, finding: Finding, urls: Mapping[str, str], now: str) -> Infringement:
    return Infringement(
        record_id(page.key, finding.chapter),
        parts_of_chapter(finding.chapter)[0],
        page.key,
        page.site,
        page.url,
        page.title,
        finding,
        now,
        now,
        None,
        page.published,
        page.fetched,
        urls.get(finding.chapter, ""),
    )


def _read(item: Item) -> Infringement:
    return Infringement.from_item(item)
