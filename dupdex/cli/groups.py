"""groups: which documents belong together, and what people correct."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click

from dupdex.cli.parameters import (
    AT_LEAST_ONE,
    FOUND,
    NONE_FOUND,
    Command,
    Words,
    location,
    print_json,
    store_options,
)
from dupdex.cli.screen import say, say_all
from dupdex.groups.corrections import Corrections
from dupdex.groups.group_forms import Sort
from dupdex.index import Index
from dupdex.session import Session
from dupdex.wire.forms import to_json
from dupdex.wire.group_lines import detail_lines, list_lines


@click.group(invoke_without_command=True)
@click.option(
    "--sort",
    type=click.Choice([sort.value for sort in Sort]),
    default=Sort.SIZE.value,
    show_default=True,
    help="Which groups come first: the largest, the newest, or those with most values of --field.",
)
@click.option(
    "--field",
    metavar="FIELD",
    default="",
    type=Words(),
    help="Count the values that the members have of a field: their sources, for one.",
)
@click.option("--size", type=AT_LEAST_ONE, default=20, show_default=True, help="Groups shown.")
@click.option("--after", metavar="CURSOR", help="Go on after the page that printed this.")
@store_options
@click.pass_context
def groups(
    context: click.Context,
    sort: str,
    field: str,
    size: int,
    after: str | None,
    store: str | None,
    index: str | None,
    as_json: bool,
) -> None:
    """List groups of near duplicates; show and correct one.

    Groups are kept by 'dupdex index --group'. What follows --store and --index here holds for
    'groups show' and the others as well.

    Exit status: 0 there are groups, 1 there are none, 2 and more an error.
    """
    if context.invoked_subcommand is not None:
        context.obj = (store, index)
        return
    with Index.open(location(store, index)) as opened:
        lines = opened.groups.views().lines(Sort(sort), field, min(size, 1_000), after)
    if as_json:
        print_json(to_json(lines))
    else:
        say_all(list_lines(lines))
        if lines.next:
            say(f"(more: --after {lines.next})")
    sys.exit(FOUND if lines.groups else NONE_FOUND)


@groups.command()
@click.argument("name", metavar="ID", type=Words())
@store_options
@click.pass_obj
def show(
    place: tuple[str | None, str | None],
    name: str,
    store: str | None,
    index: str | None,
    as_json: bool,
) -> None:
    """Show a group: members, the pairs that join them, and why one stands for it.

    ID is that of a group, of a group that merged into it, or of one of its documents.
    """
    with Index.open(location(store or place[0], index or place[1])) as opened:
        detail = opened.groups.views().detail(name)
    if as_json:
        print_json(to_json(detail))
    else:
        say_all(detail_lines(detail))


def _correcting(command: Command) -> Command:
    """What all corrections take."""
    for option in (
        store_options,
        click.option("--why", metavar="TEXT", default="", type=Words(), help="Kept with it."),
        click.option("--by", metavar="NAME", default="", type=Words(), help="Who says so."),
    ):
        command = option(command)
    return command


@groups.command()
@click.argument("first", metavar="A", type=Words())
@click.argument("second", metavar="B", type=Words())
@_correcting
@click.pass_obj
def merge(place: tuple[str | None, str | None], /, first: str, second: str, **options: Any) -> None:
    """Put the documents of two groups together, for good.

    The older one keeps its id, and that of the other leads to it.
    """
    _say_group(place, options, lambda corrections: corrections.merge(first, second))


@groups.command()
@click.argument("group", metavar="GROUP", type=Words())
@click.argument("ids", metavar="ID...", nargs=-1, required=True, type=Words())
@_correcting
@click.pass_obj
def split(
    place: tuple[str | None, str | None], /, group: str, ids: tuple[str, ...], **options: Any
) -> None:
    """Take documents out of a group, into one of their own, for good."""
    _say_group(place, options, lambda corrections: corrections.split(group, ids))


@groups.command()
@click.argument("document", metavar="ID", type=Words())
@_correcting
@click.pass_obj
def canonical(place: tuple[str | None, str | None], /, document: str, **options: Any) -> None:
    """Let a document stand for its group, whatever the policy says."""
    _say_group(place, options, lambda corrections: corrections.canonical(document))


@groups.command()
@click.argument("group", metavar="GROUP", type=Words())
@_correcting
@click.pass_obj
def release(place: tuple[str | None, str | None], /, group: str, **options: Any) -> None:
    """Take back merges and splits of a group: documents go where their texts belong.

    'groups undo' brings them back.
    """
    with _corrections(place, options) as corrections:
        count = corrections.release(group)
    if options["as_json"]:
        print_json({"released": count})
    else:
        say(f"{count:,} documents released")


@groups.command()
@click.argument("group", metavar="GROUP", type=Words())
@store_options
@click.pass_obj
def undo(place: tuple[str | None, str | None], /, group: str, **options: Any) -> None:
    """Undo the latest merge, split, release or choice of a canonical document that a group shows.

    Pins, groups and canonical documents are what they were. Again, it undoes the one before.
    """
    _say_group(place, {"by": "", "why": "", **options}, lambda made: made.undo(group))


def _say_group(
    place: tuple[str | None, str | None],
    options: dict[str, Any],
    correct: Callable[[Corrections], str],
) -> None:
    """Correct something, and show the group that it made."""
    with _corrections(place, options) as corrections:
        group = correct(corrections)
        corrections.grouper.refresh()
        detail = corrections.views.detail(group)
    if options["as_json"]:
        print_json(to_json(detail))
    else:
        say_all(detail_lines(detail))


@contextmanager
def _corrections(
    place: tuple[str | None, str | None], options: dict[str, Any]
) -> Iterator[Corrections]:
    where = location(options["store"] or place[0], options["index"] or place[1])
    with Session(where) as session:
        session.reader()  # `create` would make an index that is not there
        with Index.create(session) as opened:
            yield opened.groups.corrections(options["by"], options["why"])
