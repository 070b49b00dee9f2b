"""Texts of pages that were fetched before, taken out of their bodies anew; nothing is fetched."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from dupdex.pages.extraction import VERSION, extract
from dupdex.pages.intake import PageIntake
from dupdex.pages.page_model import Extracted, Fetched, PageOutcome, PageState
from dupdex.pages.page_record import PageRecord
from dupdex.pages.page_store import PageQuery, PageStore

_BATCH: Final = 50
_OK: Final = 200


@dataclass(slots=True)
class ReExtracted:
    """What came of it. `without_body`: pages that can only be fetched again."""

    pages: int = 0
    changed: int = 0
    failed: int = 0
    without_body: int = 0


def re_extract(
    store: PageStore,
    intake: PageIntake,
    site: str = "",
    *,
    every: bool = False,
    workers: int = 1,
    progress: Callable[[int], None] = lambda _: None,
) -> ReExtracted:
    """Extract pages anew, and bring their documents to what comes out: those of an older version of
    the extraction, or `every` one. Times of fetching stay. Whoever is stopped goes on with the
    next call.
    """
    done = ReExtracted()
    store.refresh()
    older = PageQuery(site=site, extraction_below=None if every else VERSION)
    with ExitStack() as opened:
        apply: Callable[..., Iterable[Extracted]] = map
        if workers > 1:
            apply = opened.enter_context(ProcessPoolExecutor(workers)).map
        pages = _with_body(store.find(older), done)
        while batch := list(islice(pages, _BATCH)):
            both = [_fetched(page) for page in batch]
            outcomes = intake.take(list(zip(both, apply(extract, both), strict=True)))
            _finish(store, intake, batch, outcomes)
            done.pages += len(batch)
            done.changed += sum(outcome.changed for outcome in outcomes)
            done.failed += sum(outcome.state is PageState.FAILED for outcome in outcomes)
            progress(len(batch))
    return done


def _with_body(pages: Iterable[PageRecord], done: ReExtracted) -> Iterator[PageRecord]:
    for page in pages:
        if page.body is not None:
            yield page
        else:
            done.without_body += bool(page.text)


def _fetched(page: PageRecord) -> Fetched:
    return Fetched(page.url, _OK, page.body or b"", page.fetched, page.content_type)


def _finish(
    store: PageStore, intake: PageIntake, pages: list[PageRecord], outcomes: list[PageOutcome]
) -> None:
    """Let pages that are gone be so, and those go that have another address by now."""
    moved: list[str] = []
    gone: list[PageRecord] = []
    for page, outcome in zip(pages, outcomes, strict=True):
        if outcome.id != page.id and outcome.state is not PageState.FAILED:
            moved.append(page.id)
        elif page.state is PageState.GONE and (now := store.get(page.id)) is not None:
            gone.append(replace(now, state=page.state, status=page.status, why=page.why))
    for refused in store.put_all(gone):
        del refused  # as it is, it is a page that answered; the next visit tells
    intake.remove(moved)
