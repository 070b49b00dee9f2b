"""check, compare: is this a duplicate, and of what."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import click

from dupdex.banks.bank_store import Banks
from dupdex.cli.attach_commands import note_coverage
from dupdex.cli.bank_asking import BankAsking, banks_in_json, is_denied
from dupdex.cli.nothing_found import note_filters
from dupdex.cli.parameters import (
    AT_LEAST_ONE,
    FOUND,
    MOST,
    NONE_FOUND,
    Share,
    Words,
    filter_option,
    location,
    plan_option,
    print_json,
    store_options,
)
from dupdex.cli.scheme_commands import compare_by
from dupdex.cli.screen import note, say_all
from dupdex.cli.sources import read_options, source_options
from dupdex.cli.stream_checks import Asking, check_stream
from dupdex.index import Index
from dupdex.session import Session
from dupdex.stored_addresses import document_at, page_document
from dupdex.wire import output
from dupdex.wire.bank_lines import bank_answer_lines
from dupdex.wire.forms import to_json
from indexer.fingerprints.compute import check_text
from indexer.sources import BadLine, ReadOptions, read
from indexer.sources.files import format_of
from mappings.errors import InputRefused, NotFound
from mappings.plan import STANDARD, Plan
from query.answers import Filter
from query.pair import PairJudge
from query.questions import Options
from query.telling_pair import compared

_LONGEST_NAME: Final = 64


@click.command()
@click.argument("text", metavar="TEXT", required=False, type=Words())
@click.option(
    "--file",
    "file",
    metavar="FILE|DIR|-",
    help="Check every document of a file, a folder or - (JSON lines).",
)
@click.option(
    "--id", "document_id", metavar="ID", type=Words(), help="Check a stored document, by id."
)
@click.option(
    "--url",
    "address",
    metavar="URL",
    type=Words(),
    help="Check a stored document, by the address of its page: its id, or its field 'url'. "
    "Nothing is fetched.",
)
@click.option(
    "--size",
    type=AT_LEAST_ONE,
    default=10,
    show_default=True,
    help="Matches shown at most.",
)
@click.option(
    "--threshold",
    type=Share(0, 1),
    default=0.0,
    show_default=True,
    help="Least similarity or share of a match, 0 to 1.",
)
@click.option("--all", "everything", is_flag=True, help="All candidates and all matches.")
@click.option(
    "--self",
    "itself",
    is_flag=True,
    help="With --file: the file holds documents of the index; leave out of each answer the stored "
    "document of the same id.",
)
@click.option(
    "--boilerplate",
    is_flag=True,
    help="Count what many unrelated documents share, too (see 'dupdex learn').",
)
@click.option(
    "--as-written",
    is_flag=True,
    help="Read texts that show signs of a disguise, asked and stored ones, only as they are "
    "written, not also as they may be meant.",
)
@click.option(
    "--backwards",
    is_flag=True,
    help="Ask for the text read backwards as well.",
)
@click.option(
    "--no-templates",
    "no_templates",
    is_flag=True,
    help="Leave out other fillings of a form that many documents have: notices, columns, "
    "forecasts.",
)
@click.option(
    "--decided",
    is_flag=True,
    help="List also what was decided to be no duplicate (see 'dupdex decide').",
)
@click.option(
    "--banks",
    "with_banks",
    is_flag=True,
    help="Name the entries of banks that match, too (see 'dupdex banks').",
)
@click.option(
    "--workers",
    type=click.IntRange(1, 1_000),
    default=1,
    show_default=True,
    help="With --file (but for -): processes that look up, this one among them.",
)
@filter_option("--filter")
@source_options
@store_options
def check(
    text: str | None,
    file: str | None,
    document_id: str | None,
    address: str | None,
    size: int,
    threshold: float,
    everything: bool,
    itself: bool,
    boilerplate: bool,
    as_written: bool,
    backwards: bool,
    no_templates: bool,
    decided: bool,
    with_banks: bool,
    workers: int,
    filters: tuple[Filter, ...],
    store: str | None,
    index: str | None,
    as_json: bool,
    **source: Any,
) -> None:
    """Look a TEXT up: which stored documents is it a copy of?

    With --file one result a line, in the order of the input; a line that cannot be read is
    reported and passed over. With --id and --url the document itself is left out.

    Exit status: 0 a duplicate was found (or a bank denies it), 1 none, 2 and more an error.
    """
    _check_sources(text, file, document_id, address, itself)
    options = Options(size, min(max(50, 5 * size), MOST), max(20, size), threshold, filters)
    if everything:
        options = Options(None, None, None, threshold, filters)
    options = replace(options, as_meant=not as_written, backwards=backwards)
    options = replace(options, boilerplate=boilerplate, templates=not no_templates, decided=decided)
    if file is not None and not as_json:  # a line has room for none of it
        options = replace(options, facts=False, located=False, bodies=False)
    where = location(store, index)
    with Session(where) as session, Index.open(session) as opened:
        note_coverage(opened)
        asked = BankAsking(Banks(session), where.index) if with_banks else None
        if file is not None:
            text_fields = tuple(source["text_field"]) or opened.meta.text_fields
            read_as = read_options(source, replace(opened.meta, text_fields=text_fields))
            asking = Asking(opened, where, options, itself, as_json, asked, workers)
            sys.exit(check_stream(asking, file, read_as))
        if address is not None:
            document_id = _id_at(session, opened, address)
        answer = (
            opened.lookup(text, options)
            if text is not None
            else opened.lookup_id(str(document_id), options)
        )
        if text is None:
            text = opened.get([str(document_id)])[str(document_id)].text
        from_banks = asked.ask([text])[0] if asked else None
        if as_json:
            print_json(to_json(answer) | banks_in_json(from_banks))
        else:
            say_all(output.answer_lines(answer, opened.meta))
            say_all(bank_answer_lines(from_banks, text) if from_banks else ())
        if not answer.matches:
            note_filters(opened, filters)
    sys.exit(FOUND if answer.matches or is_denied(from_banks) else NONE_FOUND)


def _check_sources(
    text: str | None, file: str | None, document_id: str | None, address: str | None, itself: bool
) -> None:
    """Raise InputRefused unless one thing is asked about."""
    if sum(value is not None for value in (text, file, document_id, address)) != 1:
        raise InputRefused(
            "give one of: a TEXT, --file FILE, --id ID, --url URL; see 'dupdex check --help'"
        )
    if itself and file is None:
        raise InputRefused("--self is for documents of a file; give them with --file FILE")


def _id_at(session: Session, index: Index, address: str) -> str:
    """The id of the stored document of a page."""
    page = page_document(session, None, address)
    found = document_at(
        address, index.get_all, lambda clause: next(index.find([clause]), None), page
    )
    return found.ref.id


@click.command()
@click.argument("first", metavar="TEXT|FILE", type=Words())
@click.argument("second", metavar="TEXT|FILE", type=Words())
@plan_option("Plan to compare under. [default: standard]")
@click.option(
    "--scheme",
    "schemes",
    metavar="NAME|all",
    multiple=True,
    type=Words(),
    help="What one scheme alone says; 'dupdex schemes' lists them. May be repeated.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def compare(
    first: str, second: str, plan: Plan | None, schemes: tuple[str, ...], as_json: bool
) -> None:
    """Compare two texts or files.

    Exit status: 0 they are duplicates (with --scheme: to one of the schemes), 1 they are not, 2
    and more an error.
    """
    chosen = plan or STANDARD
    texts = [text_or_file(first), text_or_file(second)]
    if schemes:
        status = compare_by(schemes, texts[0], texts[1], chosen, as_json)
        _note_names((first, second), texts)
        sys.exit(status)
    for text in texts:
        check_text(text, chosen)
    comparison = compared(PairJudge(chosen), *texts)
    values = to_json(comparison)
    if as_json:
        print_json(values)
    else:
        values["disguise"] = ", ".join(comparison.disguise)
        del values["format"]
        values["facts_differ"] = "; ".join(map(output.fact_words, comparison.facts_differ or ()))
        say_all(f"{name:<18}{_shown(value)}" for name, value in values.items())
    _note_names((first, second), texts)
    sys.exit(FOUND if comparison.verdict else NONE_FOUND)


def _note_names(values: Sequence[str], texts: Sequence[str]) -> None:
    """Say which values were read as texts that look like the name of a folder, a file or an id."""
    for value, text in zip(values, texts, strict=True):
        if value != text:
            continue
        try:
            is_folder = Path(value).is_dir()
        except (OSError, ValueError):  # too long, or a NUL: no name
            is_folder = False
        if is_folder:
            note(f"{value!r} is a folder, so its name is read as a text; name a file")
        elif value.isascii() and len(value) <= _LONGEST_NAME and _is_word(value):
            note(f"{value!r} is no file, so it is read as a text")


def _is_word(value: str) -> bool:
    return len(value.split()) == 1


def text_or_file(value: str) -> str:
    """The content of a file of that name, decoded as `dupdex index` would, else the value."""
    path = Path(value)
    try:
        is_file = path.is_file()
    except (OSError, ValueError):  # too long, or a NUL: no file name
        is_file = False
    if not is_file:
        if format_of(value) and _is_word(value):
            raise NotFound(f"no file {value!r}; check the path")
        return value
    for item in read(value, ReadOptions(format="text")):
        if isinstance(item, BadLine):
            raise InputRefused(f"{item.origin}: {item.message}")
        return item.text
    raise InputRefused(f"{value}: the file holds no text")


def _shown(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {count}" for name, count in value.items() if count) or "none"
    return "none" if value in (None, "") else str(value)
