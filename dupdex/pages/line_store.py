"""The learned lines of sites, beside an index."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Final

from dupdex.pages.page_store import PageQuery, PageStore
from dupdex.pages.site_lines import NO_LINES, SAMPLE, VERSION, SiteLines, learned_lines
from dupdex.session import Session
from indexer.stores.collection_store import CollectionStore, Item
from mappings.collections import LONGEST_ID, moment
from mappings.page_records import SITE_LINES

_MOST: Final = 5_000


class LineStore:
    """Learned lines by site. `known`: read once each, so that a run goes by one state of them."""

    def __init__(self, session: Session, index: str | None = None) -> None:
        self._session, self._index = session, index
        self._known: dict[str, SiteLines] = {}
        self._kept: CollectionStore | None = None

    def known(self, site: str) -> SiteLines:
        """The lines of a site; none where nothing was learned."""
        if site not in self._known:
            self._known[site] = self._stored(site)
        return self._known[site]

    def learn(self, site: str, pages: PageStore) -> SiteLines:
        """Learn the lines of a site from its pages, and keep them."""
        texts = (page.text for page in pages.find(PageQuery(site=site)) if page.text)
        learned = learned_lines(text for text, _ in zip(texts, range(SAMPLE), strict=False))
        self.keep(site, learned)
        return learned

    def keep(self, site: str, learned: SiteLines) -> None:
        """Keep lines of a site instead of those there are."""
        values: dict[str, Any] = {
            "learned": moment(datetime.now(UTC)),
            "version": VERSION,
            "pages": learned.pages,
            "lines": sorted(learned.lines)[:_MOST],
            "labels": sorted(learned.labels)[:_MOST],
        }
        self._session.collection(SITE_LINES, self._index).put(site, values)
        self._known[site] = learned

    def _stored(self, site: str) -> SiteLines:
        if not 0 < len(site.encode()) <= LONGEST_ID:
            return NO_LINES
        if self._kept is None:
            self._kept = self._session.stored_collection(SITE_LINES, self._index)
        item = None if self._kept is None else self._kept.get(site)
        return NO_LINES if item is None else _lines(item)


def _lines(item: Item) -> SiteLines:
    """Lines that were learned in another way are learned anew."""
    values = item.values
    if values["version"] != VERSION:
        return NO_LINES
    lines, labels = values.get("lines", ()), values.get("labels", ())
    return SiteLines(frozenset(lines), frozenset(labels), values["pages"])
