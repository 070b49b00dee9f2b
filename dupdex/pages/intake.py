"""Takes fetched pages in: keeps each once, and brings the index to what the pages say.

Documents are written first and pages last. Whoever is killed in between has pages that say less
than the index does; any of them that is taken in again comes to the same documents.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from dupdex.index import Index
from dupdex.pages.addresses import identity
from dupdex.pages.line_store import LineStore
from dupdex.pages.page_chains import chains_of
from dupdex.pages.page_documents import document_of
from dupdex.pages.page_model import Extracted, Fetched, PageOutcome, PageState, page_id
from dupdex.pages.page_quality import LIMIT, quality_of
from dupdex.pages.page_record import PageRecord
from dupdex.pages.page_store import PageStore
from dupdex.pages.taking import Batch, Taken
from dupdex.session import Session
from indexer.model import Document, Status

_OVER: Final = (PageState.GONE, PageState.FAILED)
"""States of pages whose text is that of an earlier visit."""

_ROUNDS: Final = 20
"""Steps from page to page, to find the parts of a text; those of one document are one step."""

Arrival = Callable[[Sequence[Document], Sequence[str]], None]
"""Told of documents that are new or changed, and of the ids of those that were deleted, once that
is durable and before their pages are stored."""


_Wanted = tuple[Document, list[str]]
"""A document, and the pages that it is of."""


@dataclass(slots=True)
class _Writes:
    documents: list[_Wanted] = field(default_factory=list)
    deleted: set[str] = field(default_factory=set)


class PageIntake:
    """Takes pages into a page store and an index.

    `name`: that of the index, where the session's location names another one; `limit`: the quality
    below which a text is kept and not indexed; `delete_gone`: documents of
    pages that a site no longer has go, too; `keep_bodies`: so that pages can be extracted anew.
    What the index says of a page shows in lookups after `index.refresh`.
    """

    def __init__(
        self,
        session: Session,
        index: Index,
        store: PageStore,
        limit: float = LIMIT,
        *,
        delete_gone: bool = False,
        keep_bodies: bool = True,
        arrived: Arrival | None = None,
        name: str | None = None,
    ) -> None:
        self._session, self._index, self._store = session, index, store
        self._limit, self._delete_gone = limit, delete_gone
        self._keep_bodies, self._arrived = keep_bodies, arrived
        self._lines = LineStore(session, name)

    def take(self, pages: Sequence[tuple[Fetched, Extracted]]) -> list[PageOutcome]:
        """Take pages in; one outcome each, in order, once all are durable.

        A page that cannot be kept is FAILED and costs the others nothing. The errors are those of
        a store that cannot be written, or is full: then the pages may be taken in again.
        """
        batch = Batch(self._store.get_all(_names(pages)), self._keep_bodies)
        taken = [batch.take(fetched, extracted) for fetched, extracted in pages]
        refused = self._bring_about(batch)
        return [_outcome(each, batch, refused) for each in taken]

    def texts(self, names: Iterable[str]) -> dict[str, str]:
        """Those of kept pages, by id; pages without a text are left out."""
        kept = self._store.get_all(dict.fromkeys(names))
        return {name: page.text for name, page in kept.items() if page.text}

    def settle(self, names: Iterable[str]) -> None:
        """Bring the documents of pages to what is kept of them, after lines of their site were
        learned, say. Documents that stay the same are not written."""
        batch = Batch(self._store.get_all(names), self._keep_bodies)
        batch.touched |= batch.stored.keys()
        self._bring_about(batch, compare=True)

    def remove(self, names: Iterable[str]) -> None:
        """Let go of pages, with what documents have of them."""
        batch = Batch(self._store.get_all(names), self._keep_bodies)
        batch.touched |= batch.stored.keys()
        batch.removed |= batch.stored.keys()
        self._bring_about(batch)

    def _bring_about(self, batch: Batch, *, compare: bool = False) -> dict[str, str]:
        """Write what follows from a batch; returns why pages could not be kept, by id."""
        if batch.touched:
            writes = self._settled(batch, self._family(batch))
            if compare:
                writes.documents = self._other_than_stored(writes.documents)
            self._write_documents(writes, batch)
        self._store.delete(batch.removed)
        outcomes = self._store.put_all(batch.pages.values())
        return {each.id: each.reason for each in outcomes if each.reason}

    def _other_than_stored(self, wanted: list[_Wanted]) -> list[_Wanted]:
        stored = self._index.get([document.id for document, _ in wanted])
        return [
            (document, chain)
            for document, chain in wanted
            if document.id not in stored or stored[document.id].body != document.body
        ]

    def _family(self, batch: Batch) -> dict[str, PageRecord]:
        """The pages that are touched and those around them, parts of the same texts, as they are by
        now. What else is in the batch is none of them: its own surroundings were not read."""
        self._store.refresh()
        new, seen = set(batch.touched), set[str]()
        for _ in range(_ROUNDS):
            seen |= new
            documents = {page.document for name in new for page in _both(batch, name)} - {""}
            for page in self._store.touching(sorted(new | documents)):
                batch.stored.setdefault(page.id, page)
            linked = {each for name in new for page in _both(batch, name) for each in _links(page)}
            for name, page in self._store.get_all(sorted(linked - batch.stored.keys())).items():
                batch.stored[name] = page
            known = batch.pages.keys() | batch.stored.keys()
            new = known & (linked | _naming(batch, seen)) - seen
            if not new:
                break
        return {name: page for name, page in batch.remaining().items() if name in seen}

    def _settled(self, batch: Batch, family: Mapping[str, PageRecord]) -> _Writes:
        """Decide which text each document has, and the state of each page."""
        writes = _Writes()
        live = {name: page for name, page in family.items() if self._is_live(page)}
        names = family.keys() | batch.removed
        before = {batch.stored[name].document for name in names if name in batch.stored} - {""}
        kept: set[str] = set()
        for chain in chains_of(live):
            pages = [live[name] for name in chain]
            if not self._is_fit(pages):
                for page in pages:
                    _settle(batch, page, PageState.UNFIT, "")
                continue
            kept.add(chain[0])
            moved = False
            for at, page in enumerate(pages):
                state = PageState.PART if at else PageState.INDEXED
                moved |= _settle(batch, page, state, chain[0])
            if moved or batch.touched.intersection(chain):
                writes.documents.append((document_of(pages, self._texts(pages)), chain))
        for name, page in family.items():
            if name not in live:
                _settle(batch, page, page.state, "")
        writes.deleted = before - kept
        return writes

    def _is_live(self, page: PageRecord) -> bool:
        """Whether a page's text may be in the index."""
        if page.state is PageState.GONE:
            return bool(page.text) and bool(page.document) and not self._delete_gone
        return bool(page.text)

    def _is_fit(self, pages: Sequence[PageRecord]) -> bool:
        """Whether a text is good enough, without the lines of its site."""
        cut = self._texts(pages)
        if len(pages) > 1:
            return quality_of("\n".join(cut)).value >= self._limit
        quality = pages[0].quality
        if cut[0] != pages[0].text:
            quality = min(quality, quality_of(cut[0]).value)
        return bool(cut[0]) and quality >= self._limit

    def _texts(self, pages: Sequence[PageRecord]) -> list[str]:
        return [self._lines.known(page.site).cut(page.text) for page in pages]

    def _write_documents(self, writes: _Writes, batch: Batch) -> None:
        outcomes = self._index.add(document for document, _ in writes.documents)
        stored: list[Document] = []
        for (document, chain), outcome in zip(writes.documents, outcomes, strict=True):
            if outcome.status is not Status.REJECTED:
                stored.append(document)
                continue
            writes.deleted.add(document.id)  # of an earlier text
            for name in chain:
                page = batch.remaining()[name]
                batch.pages[name] = replace(
                    page, state=PageState.FAILED, document="", why=outcome.reason
                )
        if writes.deleted:
            self._index.delete(sorted(writes.deleted))
        if self._arrived is not None and (stored or writes.deleted):
            self._arrived(stored, sorted(writes.deleted))


def _settle(batch: Batch, page: PageRecord, state: PageState, document: str) -> bool:
    """Give a page its state; whether it belongs to another document than before."""
    state = page.state if page.state in _OVER else state
    if (page.state, page.document) == (state, document):
        return False
    batch.pages[page.id] = replace(page, state=state, document=document)
    return page.document != document


def _names(pages: Iterable[tuple[Fetched, Extracted]]) -> list[str]:
    both = ((identity(fetched.url), extracted.canonical) for fetched, extracted in pages)
    return list(dict.fromkeys(page_id(each) for pair in both for each in pair if each))


def _both(batch: Batch, name: str) -> list[PageRecord]:
    """A page as it was and as it is by now."""
    return [each for each in (batch.stored.get(name), batch.pages.get(name)) if each is not None]


def _links(page: PageRecord) -> list[str]:
    return [each for each in (page.next_page, page.previous_page, page.document) if each]


def _naming(batch: Batch, names: set[str]) -> set[str]:
    """Pages that name one of these."""
    return {page.id for page in batch.remaining().values() if names.intersection(_links(page))}


def _outcome(taken: Taken, batch: Batch, refused: dict[str, str]) -> PageOutcome:
    page = batch.known(taken.id)
    why = refused.get(taken.id, "")
    if page is None or not taken.kept or why:
        return PageOutcome(taken.id, PageState.FAILED, False, why=why or taken.why)
    return PageOutcome(page.id, page.state, taken.changed, page.document, page.why)
