"""pages: what was fetched, what became of it, and how long it is kept."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

import click

from dupdex.cli.page_loading import load_pages
from dupdex.cli.page_work import learn, re_extract
from dupdex.cli.parameters import FOUND, NONE_FOUND, Words, location, print_json, store_options
from dupdex.cli.screen import confirmed, note, print_bytes, say, say_all
from dupdex.cli.times import Time
from dupdex.pages.line_store import LineStore
from dupdex.pages.page_model import PageState
from dupdex.pages.page_store import PageQuery, PageStore
from dupdex.session import Session
from dupdex.wire.cursors import from_word, to_word
from dupdex.wire.forms import to_json
from dupdex.wire.page_forms import (
    PageDetail,
    PageLine,
    SiteLine,
    page_columns,
    page_lines,
    site_columns,
)
from mappings.errors import NotFound


@click.group(invoke_without_command=True)
@click.option("--site", default="", metavar="HOST", type=Words(), help="Only pages of this site.")
@click.option(
    "--state",
    "states",
    multiple=True,
    type=click.Choice([state.value for state in PageState]),
    help="Only pages in this state. May be repeated.",
)
@click.option(
    "--since", type=Time(), metavar="DATE|AGE", help="Fetched since 2026-01-31, or since 7d ago."
)
@click.option(
    "--size", type=click.IntRange(1, 1_000), default=50, show_default=True, help="Pages shown."
)
@click.option("--after", metavar="WORD", type=Words(), help="Go on where a page ended.")
@store_options
@click.pass_context
def pages(
    context: click.Context,
    site: str,
    states: tuple[str, ...],
    since: datetime | None,
    size: int,
    after: str | None,
    store: str | None,
    index: str | None,
    as_json: bool,
) -> None:
    """List the pages kept beside an index, the one fetched last first.

    A page is indexed (a document has its text), part (its text is in the document of the page it
    goes on from), unfit (its text is not good enough for the index), gone (the site says that it
    is there no more) or failed (no text could be read). A site is a host, without www.

    What follows --store and --index here holds for 'pages show' and the others as well.

    Exit status: 0 there are such pages, 1 none, 2 and more an error.
    """
    if context.invoked_subcommand is not None:
        context.obj = (store, index)
        return
    wanted = PageQuery(site, tuple(map(PageState, states)), since)
    with _kept(store, index) as (_, kept):
        found, rest = kept.page(wanted, size, from_word(after) if after else None)
    for page in found:
        line = PageLine.of(page)
        if as_json:
            print_json(to_json(line))
        else:
            say(*page_columns(line))
    if rest is not None:
        word = to_word(rest)
        if as_json:
            print_json({"next": word})
        else:
            note(f"there are more: --after {word}")
    sys.exit(FOUND if found else NONE_FOUND)


@pages.command()
@store_options
@click.pass_obj
def sites(
    place: tuple[str | None, str | None], store: str | None, index: str | None, as_json: bool
) -> None:
    """List the sites that pages are kept of, with how many are in each state.

    Exit status: 0 there are sites, 1 none, 2 and more an error.
    """
    with _kept(store or place[0], index or place[1]) as (_, kept):
        kept.refresh()
        found = kept.by_site()
    for site, counts in found.items():
        states = {state.value: number for state, number in counts.items()}
        line = SiteLine(site, sum(counts.values()), **states)
        if as_json:
            print_json(to_json(line))
        else:
            say(*site_columns(line))
    sys.exit(FOUND if found else NONE_FOUND)


@pages.command()
@click.argument("url", metavar="URL", type=Words())
@click.option("--body", is_flag=True, help="Print the body as it was fetched, and nothing else.")
@store_options
@click.pass_obj
def show(
    place: tuple[str | None, str | None],
    url: str,
    body: bool,
    store: str | None,
    index: str | None,
    as_json: bool,
) -> None:
    """Show all that is known of a page, and its text.

    URL is any address of the page, or its id. Lines of the site that are cut before the text is
    indexed ('dupdex pages learn') begin with a minus.

    Exit status: 0 shown, 3 there is no such page, 2 and more another error.
    """
    store, index = store or place[0], index or place[1]
    with _kept(store, index) as (session, kept):
        page = kept.at(url)
        lines = LineStore(session)
        if page is None:
            raise NotFound(f"no page {url!r} is kept; 'dupdex pages' lists those there are")
        detail = PageDetail(PageLine.of(page), page.text, lines.known(page.site).cut(page.text))
    if body:
        if page.body is None:
            raise NotFound(f"the body of {url!r} is not kept; a crawl fetches it again")
        print_bytes(page.body)
    elif as_json:
        print_json(to_json(detail))
    else:
        say_all(page_lines(detail))


@pages.command()
@click.option(
    "--before",
    required=True,
    type=Time(),
    metavar="DATE|AGE",
    help="Pages that were fetched last before 2026-01-31, or more than 90d ago.",
)
@click.option("--site", default="", metavar="HOST", type=Words(), help="Only pages of this site.")
@click.option("--bodies", is_flag=True, help="Only their bodies; all else stays.")
@click.option("--yes", is_flag=True, help="Do not ask. Only a terminal is asked at all.")
@store_options
@click.pass_obj
def drop(
    place: tuple[str | None, str | None],
    before: datetime,
    site: str,
    bodies: bool,
    yes: bool,
    store: str | None,
    index: str | None,
    as_json: bool,
) -> None:
    """Let go of pages that were fetched long ago, or of their bodies alone.

    Documents of the index stay; 'dupdex delete' removes these. A page without a body cannot be
    extracted anew until it is fetched again.

    Exit status: 0 done, 1 there were none, or not agreed to, 2 and more an error.
    """
    with _kept(store or place[0], index or place[1]) as (session, _):
        kept = PageStore.open(session)
        kept.refresh()
        count = kept.count(PageQuery(site=site, before=before))
        what = "the bodies of" if bodies else "all that is kept of"
        asked = count and sys.stdin.isatty() and not yes
        if asked and not confirmed(f"Let go of {what} {count:,} pages?"):
            note("nothing was removed")
            sys.exit(NONE_FOUND)
        dropped = kept.drop_bodies(before, site) if bodies else kept.drop(before, site)
        kept.refresh()
    if as_json:
        print_json({"dropped": dropped, "bodies_only": bodies})
    else:
        say(f"{dropped:,} {'bodies' if bodies else 'pages'} are gone")
    sys.exit(FOUND if dropped else NONE_FOUND)


@contextmanager
def _kept(store: str | None, index: str | None) -> Iterator[tuple[Session, PageStore]]:
    with Session(location(store, index)) as session:
        yield session, PageStore.stored(session)


for command in (learn, load_pages, re_extract):
    pages.add_command(command)
