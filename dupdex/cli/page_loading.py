"""pages load: pages of archives, taken in as a crawl takes in what it fetches."""

from __future__ import annotations

import os
import sys
from contextlib import ExitStack
from typing import Final

import click

from dupdex.cli.nothing_read import refuse_nothing
from dupdex.cli.page_work import quality_option
from dupdex.cli.parameters import (
    AT_LEAST_ONE,
    FOUND,
    NONE_FOUND,
    Interrupted,
    Words,
    location,
    print_json,
    store_options,
)
from dupdex.cli.screen import note, progress, say
from dupdex.index import Index
from dupdex.location import Location, target_of
from dupdex.pages.intake import PageIntake
from dupdex.pages.page_documents import check_own, open_index
from dupdex.pages.page_store import PageStore
from dupdex.pages.warc_loading import Loaded, load
from dupdex.pages.warc_pages import WarcPages
from dupdex.session import Session
from indexer.model import Mark
from indexer.sources.checkpoint import Checkpoint, state_folder
from indexer.sources.files import total_bytes
from indexer.sources.options import BadLine

_SHOWN: Final = 20
_HINT: Final = "name WARC files; 'dupdex index' reads texts"


@click.command("load")
@click.argument("files", metavar="FILE.warc.gz…", nargs=-1, required=True, type=Words())
@click.option("--restart", is_flag=True, help="Begin at the beginning, also after an interruption.")
@click.option(
    "--workers", type=AT_LEAST_ONE, default=1, show_default=True, help="Processes that extract."
)
@quality_option
@store_options
@click.pass_obj
def load_pages(
    place: tuple[str | None, str | None],
    files: tuple[str, ...],
    restart: bool,
    workers: int,
    quality: float,
    store: str | None,
    index: str | None,
    as_json: bool,
) -> None:
    """Take in the pages of WARC files, as a crawl does.

    Records of pages (type response) are extracted and kept; those that are good enough become
    documents of the index, which is made when it is absent. A page of which a later fetch is kept
    stays as it is. Records that are broken, or have more than 5 MB, are told and passed over. An
    interrupted run goes on where it stopped. Texts (WET) are read by 'dupdex index'.

    Exit status: 0 done, 1 some records could not be read, 2 and more an error.
    """
    where = location(store or place[0], index or place[1])
    total = sum(total_bytes(name, "warc") or 0 for name in files)
    done, went_on = Loaded(), False
    with ExitStack() as open_ones:
        session = open_ones.enter_context(Session(where))
        check_own(session)
        if all(map(os.path.isfile, files)) and all(map(_is_without_pages, files)):
            refuse_nothing(*files, hint=_HINT, what="page")  # before an index is made for them
        opened = open_ones.enter_context(open_index(session))
        kept = PageStore.open(session)
        intake = PageIntake(session, opened, kept, quality)
        try:
            with progress(total, "loading") as step:
                for name in files:
                    source = WarcPages(name, step)
                    went_on |= _load(source, where, (kept, intake), restart, workers, done)
        except KeyboardInterrupt:
            said = f"interrupted after {done.pages:,} pages"
            raise Interrupted(f"{said}; run the same command again to go on there") from None
        _refresh(opened, kept)
    if not (done.pages or done.older or done.broken or went_on):
        refuse_nothing(*files, hint=_HINT, what="page")
    _tell(done, where, as_json)
    sys.exit(NONE_FOUND if done.broken else FOUND)


def _is_without_pages(name: str) -> bool:
    """Whether a file has neither pages nor records that cannot be read; ends at the first one."""
    return next(WarcPages(name).pages(), None) is None


def _load(
    source: WarcPages,
    where: Location,
    taking: tuple[PageStore, PageIntake],
    restart: bool,
    workers: int,
    done: Loaded,
) -> bool:
    """Load a file; whether that went on where another run was interrupted."""
    kept, intake = taking
    to = target_of(where)
    with Checkpoint.open(to.store, to.index, source, state_folder(os.environ)) as checkpoint:
        if restart:
            checkpoint.finish()
        after = _after(source, checkpoint, kept)
        found = source.pages(after)

        def bad(line: BadLine) -> None:
            if done.broken <= _SHOWN:
                note(f"{line.origin}: {line.message}")

        load(found, kept, intake, workers=workers, done=done, bad=bad, settled=checkpoint.advance)
        checkpoint.finish()
    if checkpoint.problem:
        note(checkpoint.problem)
    return after is not None


def _after(source: WarcPages, checkpoint: Checkpoint, kept: PageStore) -> Mark | None:
    """What to go on after; nothing when the page store has lost the page of that mark."""
    reached = checkpoint.reached
    if reached is None or kept.get(reached.id) is None:
        return None
    note(f"going on after {source.describe(reached.mark)}; --restart begins anew")
    return reached.mark


def _refresh(opened: Index, kept: PageStore) -> None:
    opened.refresh()
    kept.refresh()


def _tell(done: Loaded, where: Location, as_json: bool) -> None:
    if as_json:
        print_json(done.to_json())
        return
    states = ", ".join(f"{count:,} {state.value}" for state, count in done.states.most_common())
    more = f", {done.older:,} older than what is kept" if done.older else ""
    more += f", {done.broken:,} records that could not be read" if done.broken else ""
    say(f"{done.pages:,} pages taken in at {where} ({states or 'none'}){more}")
