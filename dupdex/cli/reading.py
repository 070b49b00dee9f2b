"""get, search, info: what is in an index."""

from __future__ import annotations

import sys
from typing import NoReturn

import click

from dupdex.cli.parameters import (
    AT_LEAST_NONE,
    FOUND,
    NONE_FOUND,
    Words,
    filter_option,
    location,
    print_json,
    store_options,
)
from dupdex.cli.screen import note, say
from dupdex.index import Index
from dupdex.location import Location
from dupdex.wire import output, search_forms
from dupdex.wire.counted import counted
from mappings.errors import InputRefused
from query.answers import Filter


@click.command()
@click.argument("ids", metavar="ID...", nargs=-1, required=True, type=Words())
@store_options
def get(ids: tuple[str, ...], store: str | None, index: str | None, as_json: bool) -> None:
    """Print stored documents by id.

    As JSON; with --json on one line each, with the id.

    Exit status: 0 all are there, 1 some are not, 2 and more an error.
    """
    with Index.open(location(store, index)) as opened:
        stored = opened.get_all(ids)
    documents = {name: several[0] for name, several in stored.items()}
    for name in ids:
        if name in stored and len(stored[name]) > 1:
            indices = ", ".join(document.index for document in stored[name])
            note(f"document {name!r} is in several indices ({indices}), this is the first one's")
        if name not in documents:
            note(f"no document {name!r}")
        elif as_json:
            print_json({"id": name, "document": dict(documents[name].body)})
        else:
            print_json(dict(documents[name].body), pretty=True)
    sys.exit(FOUND if len(documents) == len(set(ids)) else NONE_FOUND)


@click.command()
@click.argument("text", metavar="TEXT", type=Words())
@click.option("--size", type=AT_LEAST_NONE, default=10, show_default=True, help="Hits shown.")
@click.option(
    "--offset", type=AT_LEAST_NONE, default=0, show_default=True, help="Hits passed over."
)
@click.option("--collapse", is_flag=True, help="One hit for each group of near duplicates.")
@click.option(
    "--after", metavar="CURSOR", help="With --collapse: go on after the page that printed this."
)
@filter_option("--filter")
@store_options
def search(
    text: str,
    size: int,
    offset: int,
    collapse: bool,
    after: str | None,
    filters: tuple[Filter, ...],
    store: str | None,
    index: str | None,
    as_json: bool,
) -> None:
    """Search title and text: documents that hold every word of TEXT.

    Exit status: 0 something was found, 1 nothing, 2 and more an error.
    """
    if not text.strip():
        raise InputRefused("TEXT is empty; give the words to look for")
    if (after and not collapse) or (offset and collapse):
        raise InputRefused("--after goes with --collapse, and --offset with a search without it")
    if collapse:
        _search_groups(location(store, index), (text, size, after, filters), as_json)
    with Index.open(location(store, index)) as opened:
        hits = opened.search(text, size, offset, filters)
        meta = opened.meta
    if as_json:
        print_json(search_forms.hits(hits))
    else:
        for hit in hits.hits:
            say(f"{hit.score:<8.3g}  {hit.id}  {output.title_of(hit.body, meta, 60)}")
        say(f"({hits.total:,} in all)")
    sys.exit(FOUND if hits.total else NONE_FOUND)


def _search_groups(
    where: Location,
    asked: tuple[str, int, str | None, tuple[Filter, ...]],
    as_json: bool,
) -> NoReturn:
    with Index.open(where) as opened:
        found, meta = opened.search_groups(*asked), opened.meta
    if as_json:
        print_json(search_forms.group_hits(found))
    else:
        for each in found.hits:
            title = output.title_of(each.hit.body, meta, 60)
            say(f"{each.hit.score:<8.3g}  {each.copies:>5,} x  {each.hit.id}  {title}")
        documents = counted(found.documents, "document")
        say(f"({counted(found.groups, 'group')} of {documents} in all)")
        if found.next:
            say(f"(more: --after {found.next})")
    sys.exit(FOUND if found.groups else NONE_FOUND)


@click.command()
@store_options
def info(store: str | None, index: str | None, as_json: bool) -> None:
    """Show where the index is, its size and its plan."""
    where = location(store, index)
    with Index.open(where) as opened:
        facts = {"location": str(where), **opened.describe()}
    if as_json:
        print_json(facts)
    else:
        width = max(map(len, facts)) + 2
        for name, value in facts.items():
            say(f"{name.replace('_', ' '):<{width}}{_shown(value)}")


def _shown(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return f"{value:,}" if isinstance(value, int) else str(value)
