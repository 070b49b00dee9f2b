"""explain: why two texts are duplicates, or are not."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TextIO

import click

from dupdex.cli.explain_view import explanation_lines
from dupdex.cli.lookups import text_or_file
from dupdex.cli.parameters import (
    FOUND,
    NONE_FOUND,
    Words,
    location,
    plan_option,
    print_json,
    store_options,
)
from dupdex.cli.saving import check_not_read, save
from dupdex.cli.screen import note, say
from dupdex.index import Index
from dupdex.wire.explanation_form import ExplanationForm
from dupdex.wire.forms import to_json
from dupdex.wire.page import explanation_page
from mappings.errors import InputRefused, NotFound
from mappings.plan import STANDARD, Plan
from query.explain.explanation import Subject
from query.explain.explanation import explain as explain_pair

_LONGEST_ID = 64


@click.command()
@click.argument("first", metavar="ID|@FILE|TEXT", type=Words())
@click.argument("second", metavar="ID|@FILE|TEXT", type=Words())
@click.option(
    "--html", "page", metavar="FILE", help="Write one HTML page that needs no other file."
)
@click.option(
    "--boilerplate",
    is_flag=True,
    help="Count what many unrelated documents share, too (see 'dupdex learn').",
)
@click.option("--full", is_flag=True, help="Show long texts and lists whole.")
@plan_option("Explain two texts or files under this plan; no index is asked.")
@store_options
def explain(
    first: str,
    second: str,
    page: str | None,
    boilerplate: bool,
    full: bool,
    plan: Plan | None,
    store: str | None,
    index: str | None,
    as_json: bool,
) -> None:
    """Show why two texts are duplicates, or are not.

    Each is the id of a stored document when the index has one, @FILE or the name of a file, or
    else the text itself. Exit status: 0 they are duplicates, 1 they are not, 2 and more an error.
    """
    check_not_read(page, "--html", *map(_file, (first, second)))
    with _opened(plan, store, index) as opened:
        if opened is None:
            pair = Subject(_text(first)), Subject(_text(second))
            explanation = explain_pair(*pair, plan or STANDARD)
        else:
            pair = _subject(opened, first), _subject(opened, second)
            explanation = opened.explain(*pair, boilerplate=boilerplate)
    if page is not None:
        save(explanation_page(explanation).encode(), page, "--html")
        note(f"wrote {page}")
    if as_json:
        print_json(to_json(ExplanationForm.of(explanation)))
    elif page is None:
        colours = wants_colours(sys.stdout, os.environ)
        width = shutil.get_terminal_size().columns
        for line in explanation_lines(explanation, width, colours, full):
            say(line, styled=colours)
    sys.exit(FOUND if explanation.verdict else NONE_FOUND)


def wants_colours(stream: TextIO, environment: Mapping[str, str]) -> bool:
    """Only on a terminal that has them, and not against NO_COLOR (no-color.org)."""
    return stream.isatty() and not environment.get("NO_COLOR") and environment.get("TERM") != "dumb"


def _opened(
    plan: Plan | None, store: str | None, index: str | None
) -> AbstractContextManager[Index | None]:
    """The index to ask, None when there is none and none was named."""
    named = store is not None or index is not None
    if plan is not None:
        if named:
            raise InputRefused("an index has its own plan; give --plan, or --store and --index")
        return nullcontext()
    try:
        return Index.open(location(store, index))
    except NotFound:
        if named:
            raise
        return nullcontext()


def _subject(opened: Index, value: str) -> Subject:
    """A stored document of that id, else the file or text that the value is."""
    if not value.startswith("@"):
        stored = opened.get([value]).get(value)
        if stored is not None:
            return Subject(stored.text, value)
    text = _text(value)
    if text == value and len(value) <= _LONGEST_ID and len(value.split()) == 1:
        note(f"{value!r} is no id in the index, so it is read as a text")
    return Subject(text)


def _file(value: str) -> str | None:
    """The name of the file that a value may stand for; a folder is never read."""
    name = value.removeprefix("@")
    try:
        return None if Path(name).is_dir() else name
    except (OSError, ValueError):
        return None


def _text(value: str) -> str:
    if not value.startswith("@") or len(value) == 1:
        return text_or_file(value)
    if not Path(value[1:]).is_file():
        raise NotFound(f"no file {value[1:]!r}; check the path after @")
    return text_or_file(value[1:])
