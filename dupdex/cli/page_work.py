"""pages learn, pages re-extract: texts of pages that are kept, made anew without fetching."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

import click

from dupdex.cli.parameters import (
    AT_LEAST_ONE,
    FOUND,
    NONE_FOUND,
    Share,
    Words,
    location,
    print_json,
    store_options,
)
from dupdex.cli.screen import note, progress, say, say_all
from dupdex.index import Index
from dupdex.pages.intake import PageIntake
from dupdex.pages.line_store import LineStore
from dupdex.pages.page_quality import LIMIT
from dupdex.pages.page_store import PageQuery, PageStore
from dupdex.pages.re_extraction import ReExtracted
from dupdex.pages.re_extraction import re_extract as extract_anew
from dupdex.pages.site_lines import NO_LINES, SiteLines
from dupdex.session import Session
from indexer.model import Document
from mappings.errors import NotFound

_SHOWN: Final = 10
_AT_ONCE: Final = 100

quality_option = click.option(
    "--quality",
    type=Share(0, 1),
    default=LIMIT,
    show_default=True,
    help="Texts below this quality are not indexed.",
)


@click.command()
@click.option("--site", required=True, metavar="HOST", type=Words(), help="The site to learn of.")
@click.option("--forget", is_flag=True, help="Forget what was learned; all lines are indexed.")
@quality_option
@store_options
@click.pass_obj
def learn(
    place: tuple[str | None, str | None],
    site: str,
    forget: bool,
    quality: float,
    store: str | None,
    index: str | None,
    as_json: bool,
) -> None:
    """Learn which lines of a site are no part of its articles, and index the rest.

    A line that is left over from navigation, a copyright notice or the name of an editor recurs:
    it is cut once it stands in at least 5 different articles and in a tenth of the pages. Copies of
    one article count as one. Documents whose text becomes another one are written anew.

    Exit status: 0 lines were learned (or forgotten), 1 there are none, 2 and more an error.
    """
    with _open(store or place[0], index or place[1]) as (session, opened, kept):
        kept.refresh()
        if not kept.count(PageQuery(site=site)):
            raise NotFound(f"no page of {site!r} is kept; 'dupdex pages sites' lists the sites")
        lines = LineStore(session)
        if forget:
            learned = NO_LINES
            lines.keep(site, learned)
        else:
            learned = lines.learn(site, kept)
        changed = _settled(session, opened, kept, site, quality)
    if as_json:
        labels, texts = sorted(learned.labels), sorted(learned.lines)
        said = {"site": site, "pages": learned.pages, "lines": texts, "labels": labels}
        print_json({**said, "documents": changed})
    else:
        say_all(_lines(site, learned, changed))
    sys.exit(FOUND if forget or learned.lines or learned.labels else NONE_FOUND)


def _settled(session: Session, opened: Index, kept: PageStore, site: str, quality: float) -> int:
    """Bring the documents of a site to the lines learned; how many were written."""
    written = 0

    def arrived(documents: Sequence[Document], _deleted: Sequence[str]) -> None:
        nonlocal written
        written += len(documents)

    intake = PageIntake(session, opened, kept, quality, arrived=arrived)
    names = [page.id for page in kept.find(PageQuery(site=site))]
    with progress(len(names), "indexing") as step:
        for at in range(0, len(names), _AT_ONCE):
            intake.settle(names[at : at + _AT_ONCE])
            step(len(names[at : at + _AT_ONCE]))
    opened.refresh()
    return written


def _lines(site: str, learned: SiteLines, changed: int) -> Iterator[str]:
    yield (
        f"{site}: {len(learned.lines):,} lines and {len(learned.labels):,} labels, from "
        f"{learned.pages:,} pages; {changed:,} documents were written anew"
    )
    texts = [*sorted(learned.lines), *(f"{label}:…" for label in sorted(learned.labels))]
    yield from (f"  {text}" for text in texts[:_SHOWN])
    if len(texts) > _SHOWN:
        yield f"  and {len(texts) - _SHOWN:,} more: --json shows all"


@click.command("re-extract")
@click.option("--site", default="", metavar="HOST", type=Words(), help="Only pages of this site.")
@click.option("--all", "every", is_flag=True, help="Also pages of the present extraction.")
@click.option(
    "--workers", type=AT_LEAST_ONE, default=1, show_default=True, help="Processes that extract."
)
@quality_option
@store_options
@click.pass_obj
def re_extract(
    place: tuple[str | None, str | None],
    site: str,
    every: bool,
    workers: int,
    quality: float,
    store: str | None,
    index: str | None,
    as_json: bool,
) -> None:
    """Take the texts out of kept pages anew; nothing is fetched.

    That is of use after dupdex was updated: pages that an older extraction has read are read again,
    and their documents follow. It may be stopped, and goes on when it is started again.

    Exit status: 0 done, 1 some pages could not be read, 2 and more an error.
    """
    with _open(store or place[0], index or place[1]) as (session, opened, kept):
        kept.refresh()
        intake = PageIntake(session, opened, kept, quality)
        with progress(kept.count(PageQuery(site=site)), "extracting") as step:
            done = extract_anew(kept, intake, site, every=every, workers=workers, progress=step)
        opened.refresh()
    _tell(done, as_json)
    sys.exit(NONE_FOUND if done.failed else FOUND)


def _tell(done: ReExtracted, as_json: bool) -> None:
    if as_json:
        counts = {"pages": done.pages, "changed": done.changed, "failed": done.failed}
        print_json({**counts, "without_body": done.without_body})
        return
    said = f"{done.pages:,} pages, {done.changed:,} with another text, {done.failed:,} failed"
    say(said)
    if done.without_body:
        note(f"{done.without_body:,} pages have no body any more; a crawl fetches them again")


@contextmanager
def _open(store: str | None, index: str | None) -> Iterator[tuple[Session, Index, PageStore]]:
    """An index and its pages, for writing. Raises NotFound where there are none."""
    with Session(location(store, index)) as session:
        PageStore.stored(session)  # what writes would make one
        with Index.create(session) as opened:
            yield session, opened, PageStore.open(session)
