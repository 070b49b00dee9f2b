"""Pages compared with works as they come, so that nobody waits for the night."""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import ClassVar

from dupdex.banks.bank_home import TEXT_FIELD
from dupdex.session import Session
from dupdex.works.infringement_store import InfringementStore, Settled
from dupdex.works.page_check import PageCheck, page_of
from dupdex.works.work_model import Page
from dupdex.works.work_store import Works
from indexer.model import Document
from mappings.collections import moment
from mappings.records import key_of


class Arrivals:
    """Told of documents that were stored and deleted, it keeps what a sweep would find of them; a
    `dupdex.pages.intake.Arrival`. `counts`: what was kept so far."""

    EVERY: ClassVar[float] = 5.0
    """Seconds between looks for works that were added or changed."""

    def __init__(self, session: Session, index: str | None = None) -> None:
        self._works = Works(session)
        self._session, self._index = session, index or session.location.index
        self._written = self._index
        self._check: PageCheck | None = None
        self._next_look = 0.0
        self.counts = Settled()

    def __call__(self, documents: Sequence[Document], deleted: Sequence[str] = ()) -> None:
        """`deleted`: ids of documents that are no longer there, whose records end now."""
        check = self._current()
        pages = [
            page_of(
                self._written, each.id, each.text or str(each.body.get(TEXT_FIELD, "")), each.body
            )
            for each in documents
        ]
        found = [*zip(pages, check.check(pages), strict=True)]
        found += [(Page(key_of(self._written, name), ""), ()) for name in deleted]
        if not any(findings for _, findings in found):
            stored = InfringementStore.stored(self._session, self._index)
            if stored is None:
                return
        store = InfringementStore.open(self._session, self._index)
        store.refresh()
        done = store.settle(found, check.urls, moment(datetime.now(UTC)))
        self.counts.new += done.new
        self.counts.changed += done.changed
        self.counts.gone += done.gone
        self.counts.standing += done.standing

    def _current(self) -> PageCheck:
        now = time.monotonic()
        if self._check is None or now > self._next_look:
            self._check = PageCheck(self._works, self._index)
            self._written = self._written_to()
            self._next_look = now + self.EVERY
        return self._check

    def _written_to(self) -> str:
        """The index behind the name that new documents go to, as a sweep names it."""
        if not self._session.location.is_server:
            return self._index
        from indexer.stores.elastic.behind import behind  # loads the server's client

        return behind(*self._session.connection(self._index)).writes_to or self._index
