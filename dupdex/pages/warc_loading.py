"""Takes the pages of an archive in, in batches, so that a run can be taken up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Final

from dupdex.pages.addresses import identity
from dupdex.pages.extraction import extract
from dupdex.pages.intake import PageIntake
from dupdex.pages.page_model import Extracted, Fetched, PageState, page_id
from dupdex.pages.page_store import PageStore
from dupdex.pages.warc_pages import ArchivedPage
from indexer.model import Document, Mark
from indexer.sources.options import BadLine

_PAGES: Final = 100
_BYTES: Final = 32 << 20
"""A batch has so many pages, or so many bytes, at the most."""

Both = tuple[Fetched, Extracted]


@dataclass(slots=True)
class Loaded:
    """Counts of a run. `older`: pages of which a later fetch is kept; `broken`: records that could
    not be read; `states`: what became of the others."""

    pages: int = 0
    changed: int = 0
    older: int = 0
    broken: int = 0
    states: Counter[PageState] = field(default_factory=Counter)

    def to_json(self) -> dict[str, int]:
        """The counts by name."""
        counts = {"pages": self.pages, "changed": self.changed, "older": self.older}
        states = {state.value: self.states[state] for state in PageState}
        return {**counts, "broken": self.broken, **states}


def load(
    found: Iterable[ArchivedPage | BadLine],
    store: PageStore,
    intake: PageIntake,
    *,
    workers: int = 1,
    done: Loaded | None = None,
    bad: Callable[[BadLine], None] = lambda _: None,
    settled: Callable[[Document], None] = lambda _: None,
) -> Loaded:
    """Take pages in, in order. `bad` hears of records that cannot be read; `settled` of the last
    page of a batch once all up to it are durable, as a document with its mark."""
    done = Loaded() if done is None else done
    with ExitStack() as opened:
        apply: Callable[..., Iterable[Extracted]] = map
        if workers > 1:
            apply = opened.enter_context(ProcessPoolExecutor(workers)).map
        for batch in _batches(_pages(found, done, bad)):
            fetched = [each.fetched for each in batch]
            both = list(zip(fetched, apply(extract, fetched), strict=True))
            newest = _newest(both, store)
            done.older += len(both) - len(newest)
            outcomes = intake.take(newest)
            done.pages += len(outcomes)
            done.changed += sum(outcome.changed for outcome in outcomes)
            done.states.update(outcome.state for outcome in outcomes)
            kept = [each.id for each in outcomes if each.state is not PageState.FAILED]
            if kept:
                settled(_reached(kept[-1], batch[-1].mark))
    return done


def _reached(name: str, mark: Mark) -> Document:
    return Document(name, "", {}, name, mark)


def _pages(
    found: Iterable[ArchivedPage | BadLine], done: Loaded, bad: Callable[[BadLine], None]
) -> Iterator[ArchivedPage]:
    for each in found:
        if isinstance(each, BadLine):
            done.broken += 1
            bad(each)
        else:
            yield each


def _batches(pages: Iterable[ArchivedPage]) -> Iterator[list[ArchivedPage]]:
    batch: list[ArchivedPage] = []
    held = 0
    for page in pages:
        batch.append(page)
        held += len(page.fetched.body)
        if len(batch) >= _PAGES or held >= _BYTES:
            yield batch
            batch, held = [], 0
    if batch:
        yield batch


def _newest(both: Sequence[Both], store: PageStore) -> list[Both]:
    """The pages without those of which a later fetch is kept, or comes in the same batch."""
    named = [(_names(fetched, extracted), fetched, extracted) for fetched, extracted in both]
    every = dict.fromkeys(name for names, _, _ in named for name in names)
    latest = {name: page.fetched for name, page in store.get_all(every).items()}
    for names, fetched, _ in named:
        for name in names:
            latest[name] = max(latest.get(name, fetched.at), fetched.at)
    return [
        (fetched, extracted)
        for names, fetched, extracted in named
        if all(latest[name] <= fetched.at for name in names)
    ]


def _names(fetched: Fetched, extracted: Extracted) -> list[str]:
    addresses = (identity(fetched.url), extracted.canonical)
    return list(dict.fromkeys(page_id(each) for each in addresses if each))
