"""delete: documents by id, or all that a query finds."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from datetime import datetime
from typing import Final

import click

from dupdex.cli.parameters import (
    NONE_FOUND,
    Words,
    filter_option,
    location,
    print_json,
    store_options,
)
from dupdex.cli.screen import confirmed, note, progress, say
from dupdex.cli.times import Time
from dupdex.index import Index
from dupdex.location import Location
from dupdex.retention import Selection
from dupdex.session import Session
from dupdex.wire import output
from dupdex.wire.counted import counted
from mappings.errors import InputRefused
from query.answers import Filter

_SHOWN: Final = 10
_AT_ONCE: Final = 1_000


@click.command()
@click.argument("ids", metavar="ID...", nargs=-1, type=Words())
@filter_option("--query")
@click.option(
    "--text", default="", metavar="WORDS", type=Words(), help="Documents that hold all these words."
)
@click.option(
    "--before",
    type=Time(),
    metavar="DATE|AGE",
    help="Documents whose --field is earlier: than 2026-01-31, or than 90d ago.",
)
@click.option("--field", default="", metavar="FIELD", type=Words(), help="The field with the date.")
@click.option("--dry-run", is_flag=True, help="Only show what would be deleted.")
@click.option("--yes", is_flag=True, help="Do not ask. Only a terminal is asked at all.")
@store_options
def delete(
    ids: tuple[str, ...],
    filters: tuple[Filter, ...],
    text: str,
    before: datetime | None,
    field: str,
    dry_run: bool,
    yes: bool,
    store: str | None,
    index: str | None,
    as_json: bool,
) -> None:
    """Delete documents by id, or all that a query selects.

    --query, --text and --before select what meets them all. What is kept of their pairs goes with
    them; decisions stay, for when they come back ('dupdex forget' removes these, too). A document
    whose date is missing or cannot be read stays.

    Exit status: 0 all were deleted (or would be), 1 some or none were, 2 and more an error.
    """
    selects = bool(filters or text or before or field)
    if selects == bool(ids):
        raise InputRefused("give IDs, or say which by --query, --text or --before; not both")
    where = location(store, index)
    session = click.get_current_context().with_resource(Session(where))
    sidecar = session.reader().meta.sidecar_of
    if sidecar is not None:  # a list of documents would look as if they were gone
        raise sidecar.refusal()
    if selects:
        chosen = Selection(filters, text, field, before)
        sys.exit(_delete_selected(session, where, chosen, dry_run, yes, as_json))
    sys.exit(_delete_named(session, where, tuple(dict.fromkeys(ids)), dry_run, yes, as_json))


def _delete_named(
    session: Session, where: Location, ids: Sequence[str], dry_run: bool, yes: bool, as_json: bool
) -> int:
    with Index.open(session) as opened:
        documents, meta = opened.get(ids), opened.meta
    for name in ids:
        stored = documents.get(name)
        title = output.title_of(stored.body, meta) if stored else "not in the index"
        say(f"{name}  {title}", err=as_json)
    gone: list[str] = []
    if documents and _agreed(len(documents), where, dry_run, yes):
        with Index.create(session) as opened:
            gone = opened.delete(list(documents))
            opened.refresh()
    missing = [name for name in ids if name not in documents]
    if as_json:
        print_json({"deleted": gone, "missing": missing})
    else:
        say(f"{len(gone)} deleted, {len(missing)} not found")
    done = len(documents) if dry_run else len(gone)
    return NONE_FOUND if done < len(ids) else 0


def _delete_selected(
    session: Session, where: Location, chosen: Selection, dry_run: bool, yes: bool, as_json: bool
) -> int:
    ids: list[str] = []
    with Index.open(session) as opened, progress(None, "selecting") as step:
        for document in chosen.of(opened):
            if len(ids) < _SHOWN:
                title = output.title_of(document.body, opened.meta)
                say(f"{document.id}  {title}", err=as_json)
            ids.append(document.id)
            step(1)
    if len(ids) > _SHOWN:
        say(f"and {len(ids) - _SHOWN:,} more", err=as_json)
    if chosen.unread:
        stay = f"{counted(chosen.unread, 'document')} {'stays' if chosen.unread == 1 else 'stay'}"
        note(f"{stay}, as no readable date is in {chosen.field}")
    gone = 0
    if ids and _agreed(len(ids), where, dry_run, yes):
        with Index.create(session) as opened, progress(len(ids), "deleting") as step:
            for start in range(0, len(ids), _AT_ONCE):
                part = ids[start : start + _AT_ONCE]
                gone += len(opened.delete(part))
                step(len(part))
            opened.refresh()
    if as_json:
        print_json({"selected": len(ids), "deleted": gone, "unread": chosen.unread})
    else:
        say(f"{len(ids):,} selected, {gone:,} deleted")
    return 0 if ids and (dry_run or gone == len(ids)) else NONE_FOUND


def _agreed(count: int, where: Location, dry_run: bool, yes: bool) -> bool:
    """Whether documents may be deleted: not in a dry run, and not where somebody says no."""
    if dry_run:
        return False
    if yes or not sys.stdin.isatty():
        return True
    agreed = confirmed(f"Delete {counted(count, 'document')} from {where}?")
    if not agreed:
        note("nothing was deleted")
    return agreed
