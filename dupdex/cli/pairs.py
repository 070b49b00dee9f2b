"""pairs: all duplicates within a file, without a store."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

import click

from dupdex.cli.nothing_read import nothing_in
from dupdex.cli.parameters import FAILED, FOUND, NONE_FOUND, plan_option, print_json
from dupdex.cli.screen import note, progress, say
from dupdex.cli.sources import Report, meta_of, read_options, source_options
from dupdex.index import Index
from dupdex.location import Location
from dupdex.scratch import scratch_folder
from dupdex.wire import output
from dupdex.wire.counted import counted
from dupdex.wire.forms import FilePair, to_json
from indexer.meta import IndexMeta
from indexer.model import Body, Document, Outcome
from indexer.sources import Item, read, total_bytes
from indexer.sources.seen import SeenIds
from mappings.plan import Plan
from query.answers import Match
from query.questions import EVERYTHING
from query.sweep import SweepReport

_TEXT, _NAME, _ORIGIN = "text", "name", "origin"


@click.command()
@click.argument("file", metavar="FILE|DIR|-")
@plan_option("Plan to compare under. [default: standard]")
@click.option(
    "--no-templates",
    "no_templates",
    is_flag=True,
    help="Leave out pairs of fillings of a form that many documents have: notices, columns, "
    "forecasts.",
)
@source_options
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="Print JSON, a line for each pair and a last one with the report.",
)
def pairs(file: str, plan: Plan | None, no_templates: bool, as_json: bool, **source: Any) -> None:
    """Find all duplicates within a file; no store is needed.

    Every line is a document of its own, also where an id comes twice. When some text has more than
    a thousand copies, not all pairs of these are listed, and a note says so.

    Exit status: 0 duplicates were found, 1 none, 2 and more an error.
    """
    meta = meta_of(plan, source)
    stored = IndexMeta(meta.plan, (_TEXT,), title_field="")
    options = replace(EVERYTHING, templates=not no_templates)
    with (
        scratch_folder() as folder,
        Index.create(Location(folder), stored) as index,
    ):
        lines = _Lines()
        with progress(total_bytes(file, source["format"]), "reading") as step:
            counts = lines.counts
            items = read(
                file,
                read_options(source, meta),
                progress=step,
                ignored=counts.ignore,
                noted=counts.note,
            )
            for outcome in index.add_iter(lines.numbered(items)):
                lines.take(outcome)
        report = SweepReport()
        with progress(index.count(), "comparing") as step:
            for pair in index.sweep(options, report, step):
                first = index.get([pair.first.id])[pair.first.id].body
                _show(_names(first), _names(pair.match.document), pair.match, lines, as_json)
    if as_json:
        print_json({"report": to_json(report)})
    if lines.counts.nothing:
        note(nothing_in([file]))
    documents = counted(report.documents, "document")
    note(f"{documents}, {counted(report.pairs, 'pair')}{lines.counts.problems}")
    if report.incomplete:
        note(_incomplete(report))
    sys.exit(FAILED if lines.counts.failed else FOUND if report.pairs else NONE_FOUND)


class _Lines:
    """The documents of a file, each under the number of its own: an id may come twice."""

    def __init__(self) -> None:
        self.counts = Report()
        self.repeated: set[str] = set()
        self._seen = SeenIds()

    def numbered(self, items: Iterable[Item]) -> Iterator[Document]:
        """What is stored of each document: its text, its id and where it stands."""
        for number, document in enumerate(self.counts.readable(items)):
            if self._seen.add([document.id])[0]:
                self.repeated.add(document.id)
            body = {_TEXT: document.text, _NAME: document.id, _ORIGIN: document.origin}
            yield Document(str(number), document.text, body, document.origin)

    def take(self, outcome: Outcome) -> None:
        """Count an outcome; a document that was refused is named as its file names it."""
        named = replace(outcome.document, id=str(outcome.document.body[_NAME]))
        self.counts.take(replace(outcome, document=named))

    def label(self, name: str, origin: str) -> str:
        """The id, with its place where the id alone would not tell."""
        return f"{name} ({origin})" if name in self.repeated else name


def _names(body: Body) -> tuple[str, str]:
    return str(body[_NAME]), str(body[_ORIGIN])


def _show(
    first: tuple[str, str], second: tuple[str, str], match: Match, lines: _Lines, as_json: bool
) -> None:
    if as_json:
        print_json(to_json(FilePair.of(first, second, match)))
    else:
        say(lines.label(*first), lines.label(*second), output.headline(match))


def _incomplete(report: SweepReport) -> str:
    return (
        f"for {report.incomplete:,} documents not all candidates could be compared, as too many "
        "share their keys: pairs among these may be missing"
    )
