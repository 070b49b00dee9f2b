"""check, pairs, compare: is this a duplicate, and of what."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import click

from dupdex.cli.parameters import (
    FAILED,
    FOUND,
    NONE_FOUND,
    Words,
    filter_option,
    location,
    plan_option,
    print_json,
    store_options,
)
from dupdex.cli.schemes import compare_by
from dupdex.cli.screen import note, progress, say
from dupdex.cli.sources import Report, meta_of, read_options, source_options
from dupdex.index import Index
from dupdex.location import Location
from dupdex.wire import output
from indexer.fingerprints import fingerprint_of
from indexer.fingerprints.simhash import hamming
from indexer.sources import BadLine, Item, ReadOptions, read, total_bytes
from indexer.sources.files import STDIN, format_of
from mappings.errors import InputRefused, NotFound
from mappings.plan import STANDARD, Plan
from query.answers import Answer, Filter, Match
from query.explain.explanation import facts_between
from query.grams import features_all
from query.lookup import EVERYTHING, Options, Question
from query.verify.verdict import judge

BATCH = 50


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
    "--size",
    type=click.IntRange(min=1),
    default=10,
    show_default=True,
    help="Matches shown at most.",
)
@click.option(
    "--threshold",
    type=click.FloatRange(0, 1),
    default=0.0,
    show_default=True,
    help="Least similarity or share of a match, 0 to 1.",
)
@click.option("--all", "everything", is_flag=True, help="All candidates and all matches.")
@click.option(
    "--boilerplate",
    is_flag=True,
    help="Count what many unrelated documents share, too (see 'dupdex learn').",
)
@filter_option
@source_options
@store_options
def check(
    text: str | None,
    file: str | None,
    document_id: str | None,
    size: int,
    threshold: float,
    everything: bool,
    boilerplate: bool,
    filters: tuple[Filter, ...],
    store: str | None,
    index: str | None,
    as_json: bool,
    **source: Any,
) -> None:
    """Look a TEXT up: which stored documents is it a copy of?

    With --file one result a line, in the order of the input; a line that cannot be read is
    reported and passed over. Exit status: 0 a duplicate was found, 1 none, 2 and more an error.
    """
    if sum(value is not None for value in (text, file, document_id)) != 1:
        raise InputRefused("give one of: a TEXT, --file FILE, --id ID; see 'dupdex check --help'")
    options = Options(size, max(50, 5 * size), max(20, size), threshold, filters)
    if everything:
        options = Options(None, None, None, threshold, filters)
    options = replace(options, boilerplate=boilerplate)
    with Index.open(location(store, index)) as opened:
        if file is not None:
            own = tuple(source["text_field"]) or opened.meta.text_fields
            read_as = read_options(source, replace(opened.meta, text_fields=own))
            sys.exit(_check_stream(opened, file, read_as, options, as_json))
        answer = (
            opened.lookup(text, options)
            if text is not None
            else opened.lookup_id(str(document_id), options)
        )
        if as_json:
            print_json(output.answer_json(answer))
        else:
            click.echo("\n".join(output.answer_lines(answer, opened.meta)))
    sys.exit(FOUND if answer.matches else NONE_FOUND)


def _check_stream(
    index: Index, source: str, read_as: ReadOptions, options: Options, as_json: bool
) -> int:
    # a line that comes from another program is answered before the next one may come
    size = 1 if source == STDIN else BATCH
    with progress(total_bytes(source, read_as.format), "checking") as step:
        items = read(source, read_as, progress=step)
        return _check_items(index, items, size, options, as_json)


def _check_items(
    index: Index, items: Iterator[Item], size: int, options: Options, as_json: bool
) -> int:
    found = bad = False
    while batch := list(islice(items, size)):
        questions = []
        for item in batch:
            if isinstance(item, BadLine):
                bad = True
                note(f"{item.origin}: {item.message}")
            else:
                questions.append(Question(item.text, item.id))
        for answer in _answers(index, questions, options):
            if isinstance(answer, str):
                bad = True
                note(answer)
                continue
            found |= bool(answer.matches)
            if as_json:
                print_json(output.answer_json(answer))
            else:
                say(_one_line(answer))
    return FAILED if bad else FOUND if found else NONE_FOUND


def _answers(index: Index, questions: list[Question], options: Options) -> Iterator[Answer | str]:
    """Answers in order; a text that cannot be looked up gives a message in its place."""
    try:
        yield from index.lookup_all(questions, options)
    except InputRefused:
        for question in questions:
            try:
                yield index.lookup_all([question], options)[0]
            except InputRefused as error:
                yield f"document {question.id!r}: {error}"


def _one_line(answer: Answer) -> str:
    if not answer.matches:
        return f"{answer.id}\tnone"
    best = answer.matches[0]
    more = f"\t+{len(answer.matches) - 1} more" if len(answer.matches) > 1 else ""
    return f"{answer.id}\t{output.headline(best)}\t{best.id}{more}"


@click.command()
@click.argument("file", metavar="FILE|DIR|-")
@plan_option("Plan to compare under. [default: standard]")
@source_options
@click.option("--json", "as_json", is_flag=True, help="Print JSON, a line for each pair.")
def pairs(file: str, plan: Plan | None, as_json: bool, **source: Any) -> None:
    """Find all duplicates within a file; no store is needed.

    Exit status: 0 duplicates were found, 1 none, 2 and more an error.
    """
    with tempfile.TemporaryDirectory(prefix="dupdex-pairs-") as folder:
        meta = meta_of(plan, source)
        with Index.create(Location(store=folder), meta) as index:
            report = Report()
            with progress(total_bytes(file, source["format"]), "reading") as step:
                items = read(file, read_options(source, meta), progress=step, ignored=report.ignore)
                for outcome in index.add(report.documents(items)):
                    report.take(outcome)
            found = 0
            for first, match in _pairs(index):
                found += 1
                if as_json:
                    print_json(output.pair_json(first, match))
                else:
                    say(f"{first}\t{match.id}\t{output.headline(match)}")
            note(f"{index.count():,} documents, {found:,} pairs{report.problems}")
    sys.exit(FAILED if report.failed else FOUND if found else NONE_FOUND)


def _pairs(index: Index) -> Iterator[tuple[str, Match]]:
    """Every pair once, at the lookup of the document that comes first in the store."""
    done: set[str] = set()
    stored = index.scan()
    with progress(index.count(), "comparing") as step:
        while batch := list(islice(stored, BATCH)):
            questions = [Question(item.text, item.id, item.fingerprint) for item in batch]
            for answer in index.lookup_all(questions, EVERYTHING):
                done.add(str(answer.id))
                for match in answer.matches:
                    if match.id not in done:
                        yield str(answer.id), match
            step(len(batch))


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
        sys.exit(compare_by(schemes, texts[0], texts[1], chosen, as_json))
    left, right = (fingerprint_of(text, chosen) for text in texts)
    one, other = features_all(texts, chosen)
    found = judge(one, other, chosen)
    facts = facts_between(found, one, other)
    values = {
        **output.judgement_json(found),
        "shared": found.shared,
        "hamming": hamming(left.simhash, right.simhash),
        "shared_keys": {
            name.value: len(set(terms) & set(right.keys.get(name, ())))
            for name, terms in left.keys.items()
        },
        **output.facts_json(facts),
    }
    if as_json:
        print_json(values)
    else:
        values["facts_differ"] = "; ".join(map(output.fact_words, facts.found[0])) or None
        click.echo("\n".join(f"{name:<18}{_shown(value)}" for name, value in values.items()))
    sys.exit(FOUND if found.verdict else NONE_FOUND)


def text_or_file(value: str) -> str:
    """The content of a file of that name, decoded as `dupdex index` would, else the value."""
    path = Path(value)
    try:
        is_file = path.is_file()
    except (OSError, ValueError):  # too long, or a NUL: no file name
        is_file = False
    if not is_file:
        if format_of(value) and len(value.split()) == 1:
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
    return "none" if value is None else str(value)
