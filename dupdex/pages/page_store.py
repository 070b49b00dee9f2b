"""The pages kept beside an index: read, listed, counted, and let go of after a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice
from typing import Final, Self

from dupdex.pages.addresses import identity, normalised
from dupdex.pages.page_model import PageState, address_key, page_id
from dupdex.pages.page_record import PageRecord
from dupdex.session import Session
from indexer.stores.collection_store import (
    Between,
    CollectionStore,
    Condition,
    Cursor,
    EitherEquals,
    Equals,
    Item,
    PutOutcome,
    Query,
)
from mappings.collections import moment
from mappings.errors import NotFound
from mappings.page_records import PAGES

_BATCH: Final = 100


@dataclass(frozen=True, slots=True)
class PageQuery:
    """Which pages; what is left empty lets all pass. `since`, `before`: when they were fetched
    last; `extraction_below`: extracted by an older version than this."""

    site: str = ""
    states: tuple[PageState, ...] = ()
    since: datetime | None = None
    before: datetime | None = None
    language: str = ""
    extraction_below: int | None = None

    def conditions(self) -> list[Condition]:
        """The same for a collection."""
        out: list[Condition] = []
        if self.site:
            out.append(Equals("site", (self.site,)))
        if self.states:
            out.append(Equals("state", tuple(state.value for state in self.states)))
        if self.language:
            out.append(Equals("language", (self.language,)))
        if self.since is not None or self.before is not None:
            bounds = [None if each is None else moment(each) for each in (self.since, self.before)]
            out.append(Between("fetched", *bounds))
        if self.extraction_below is not None:
            out.append(Between("extraction", below=self.extraction_below))
        return out


class PageStore:
    """The pages beside an index. Threads may share it.

    `PageStore.open` makes what is missing; what is written shows in queries after `refresh`.
    """

    def __init__(self, collection: CollectionStore) -> None:
        self._kept = collection

    @classmethod
    def open(cls, session: Session, index: str | None = None) -> Self:
        """Open for writing. Raises NotFound when there is no such index."""
        return cls(session.collection(PAGES, index))

    @classmethod
    def stored(cls, session: Session, index: str | None = None) -> Self:
        """Open what is there. Raises NotFound when no page was ever kept beside the index."""
        session.reader(index)
        kept = session.stored_collection(PAGES, index)
        if kept is None:
            raise NotFound(
                f"no pages are kept beside index {index or session.location.index!r}; 'dupdex "
                "crawl' fetches some"
            )
        return cls(kept)

    def get(self, name: str) -> PageRecord | None:
        """One page by its id."""
        item = self._kept.get(name)
        return None if item is None else PageRecord.from_item(item)

    def get_all(self, names: Iterable[str]) -> dict[str, PageRecord]:
        """Pages by id; absent ones are left out."""
        found = self._kept.get_all(names)
        return {name: PageRecord.from_item(item) for name, item in found.items()}

    def at(self, address: str) -> PageRecord | None:
        """The page of an address, or of an id: by its canonical address, or where it was fetched
        last (as of the last refresh)."""
        for name in dict.fromkeys((page_id(identity(address)), address[:500])):
            if name and (page := self.get(name)) is not None:
                return page
        url = normalised(address)
        found = (
            self._kept.query(Query((Equals("url", (address_key(url),)),), limit=1)).items
            if url
            else ()
        )
        return PageRecord.from_item(found[0]) if found else None

    def put(self, page: PageRecord) -> None:
        """Keep a page, instead of any of the same id. Raises InputRefused for what does not fit."""
        self._kept.put(page.id, page.values())

    def put_all(self, pages: Iterable[PageRecord]) -> Iterator[PutOutcome]:
        """Keep many; one outcome each, once it is durable."""
        remaining = iter(pages)
        while batch := list(islice(remaining, _BATCH)):
            yield from self._kept.put_all((page.id, page.values()) for page in batch)

    def find(self, wanted: PageQuery | None = None) -> Iterator[PageRecord]:
        """Every page that is wanted, by id, with bounded memory."""
        for item in _scanned(self._kept, (wanted or PageQuery()).conditions()):
            yield PageRecord.from_item(item)

    def page(
        self, wanted: PageQuery | None = None, limit: int = 100, after: Cursor | None = None
    ) -> tuple[list[PageRecord], Cursor | None]:
        """Those fetched last first, and where the next page of the list begins."""
        conditions = tuple((wanted or PageQuery()).conditions())
        page = self._kept.query(Query(conditions, "fetched", True, limit, after))
        return [PageRecord.from_item(item) for item in page.items], page.next

    def touching(self, names: Sequence[str]) -> Iterator[PageRecord]:
        """Pages that go on in one of these, come from one, or have its document."""
        if names:
            attributes = ("next_page", "previous_page", "document")
            for item in _scanned(self._kept, [EitherEquals(attributes, tuple(names))]):
                yield PageRecord.from_item(item)

    def count(self, wanted: PageQuery | None = None) -> int:
        """How many there are, as of the last refresh."""
        return self._kept.count((wanted or PageQuery()).conditions())

    def by_site(self) -> dict[str, dict[PageState, int]]:
        """How many pages of each state each site has, as of the last refresh."""
        out: dict[str, dict[PageState, int]] = {}
        for (site, state), number in self._kept.tally(["site", "state"]):
            out.setdefault(str(site), {})[PageState(state)] = number
        return dict(sorted(out.items()))

    def drop(self, before: datetime, site: str = "") -> int:
        """Let go of pages that were fetched last before this; how many. Documents stay."""
        names = (page.id for page in self.find(PageQuery(site=site, before=before)))
        dropped = 0
        while batch := list(islice(names, _BATCH)):
            dropped += self._kept.delete_all(batch)
        return dropped

    def drop_bodies(self, before: datetime, site: str = "") -> int:
        """Let go of their bodies alone: they cannot be extracted anew; how many had one."""
        pages = self.find(PageQuery(site=site, before=before))
        dropped = 0
        while batch := list(islice(pages, _BATCH)):
            there = [replace(page, body=None) for page in batch if page.body is not None]
            dropped += sum(not outcome.reason for outcome in self.put_all(there))
        return dropped

    def delete(self, names: Iterable[str]) -> int:
        """Let go of pages by id, whatever documents have of them; how many there were."""
        return self._kept.delete_all(names)

    def refresh(self) -> None:
        """Make all writes visible to queries."""
        self._kept.refresh()


def _scanned(kept: CollectionStore, conditions: Sequence[Condition]) -> Iterator[Item]:
    """As `scan` does, in smaller steps: items hold whole pages."""
    after: Cursor | None = None
    while True:
        page = kept.query(Query(tuple(conditions), limit=_BATCH, after=after))
        yield from page.items
        after = page.next
        if after is None:
            return
