"""What is kept of the page that a document was made of: it goes when the document is forgotten."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from dupdex.matches.upkeep import Upkeep
from indexer.stores.collection_store import CollectionStore, Condition, EitherEquals, Item, scan
from mappings.page_records import CRAWL_URLS, PAGES

_LINKS: Final = ("next_page", "previous_page")


class PageTraces:
    """Pages whose text a document has, by its id, and the addresses that a crawl knows of them."""

    def __init__(self, upkeep: Upkeep) -> None:
        self._upkeep = upkeep

    def remove(self, name: str) -> int:
        """Remove them; how many pages there were. Links of other pages to them go, too."""
        if self._upkeep.stored(PAGES) is None:
            return 0
        pages = self._upkeep.to_write(PAGES)
        pages.refresh()
        gone = {item.id for item in _of_document(pages, name)}
        pages.delete_all(sorted(gone))
        for each in sorted(gone | {name}):
            self._unlink(pages, each)
        if self._upkeep.stored(CRAWL_URLS) is not None:
            addresses = self._upkeep.to_write(CRAWL_URLS)
            addresses.refresh()
            addresses.delete_all(
                [item.id for each in sorted(gone | {name}) for item in _found_at(addresses, each)]
            )
        pages.refresh()
        return len(gone)

    def left(self, name: str) -> list[str]:
        """Where the id is still found, in words."""
        found: list[str] = []
        for collection, of in ((PAGES, _naming), (CRAWL_URLS, _found_at)):
            store = self._upkeep.stored(collection)
            if store is not None:
                store.refresh()
                found += [f"{collection.name}: item {item.id!r}" for item in of(store, name)]
        return found

    def _unlink(self, pages: CollectionStore, name: str) -> None:
        for item in [*_scanned(pages, EitherEquals(_LINKS, (name,)))]:
            values = dict(item.values)
            for link in _LINKS:
                if values.get(link) == name:
                    values.pop(link)
            pages.update(item.id, values, item.version)  # one that changed meanwhile is reported


def _of_document(pages: CollectionStore, name: str) -> list[Item]:
    own = pages.get(name)
    return [*([own] if own else []), *_scanned(pages, EitherEquals(("document",), (name,)))]


def _naming(pages: CollectionStore, name: str) -> list[Item]:
    found = {item.id: item for item in _of_document(pages, name)}
    found |= {item.id: item for item in _scanned(pages, EitherEquals(_LINKS, (name,)))}
    return list(found.values())


def _found_at(addresses: CollectionStore, name: str) -> list[Item]:
    return [*_scanned(addresses, EitherEquals(("page",), (name,)))]


def _scanned(store: CollectionStore, condition: Condition) -> Iterator[Item]:
    return scan(store, [condition])
