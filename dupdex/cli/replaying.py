"""replay: rejected documents are sent again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final

import click

from dupdex.cli.nothing_read import refuse_nothing
from dupdex.cli.parameters import location, store_options
from dupdex.cli.screen import note, progress
from dupdex.cli.sources import Report
from dupdex.cli.writing import finish, take, workers_option
from dupdex.index import Index
from dupdex.location import target_of
from dupdex.session import Session
from indexer.model import Document, Outcome, Status
from indexer.sources import BadLine, Item
from indexer.sources.dead_letters import DeadLetter, KeptLine, digest_of
from indexer.sources.replay import Elsewhere, Replay
from mappings.errors import InputRefused

_HINT: Final = "name the file that 'dupdex index' said documents are kept in"


@click.command()
@click.argument("file", metavar="FILE")
@click.option(
    "--force",
    is_flag=True,
    help="Also send documents that were rejected by another index, or whose FILE does not say by "
    "which (as those of older versions), and those of which the index holds a newer version.",
)
@workers_option
@store_options
def replay(
    file: str,
    force: bool,
    workers: int,
    store: str | None,
    index: str | None,
    as_json: bool,
) -> None:
    """Send the documents of a rejects FILE again.

    Correct them in the file first. What is stored is taken out of the file, which is removed when
    nothing is left; of several entries for one id only the last is sent. Documents that another
    index rejected stay, and those that were indexed again since they were rejected: the newer
    version is not overwritten. Lines that could not be read stay, too: those can only be mended in
    their source.

    Exit status: 0 all stored, 1 some documents were not or there were such lines, 2 and more an
    error.
    """
    where = location(store, index)
    report = Report()
    session = click.get_current_context().with_resource(Session(where))
    with Replay(file, target_of(where), force) as left:
        sidecar = session.reader().meta.sidecar_of  # a mistyped --index must not make a new one
        if sidecar is not None:
            raise sidecar.refusal()
        with Index.create(session) as opened, progress(None, "documents") as step:
            documents = report.documents(_to_send(left, opened, report, force))
            take(_settled(opened.add_iter(documents, workers), left, step), report)
            opened.refresh()
    if report.nothing:
        refuse_nothing(file, hint=_HINT)
    _say_what_stays(report, left)
    finish(report, file, where, as_json)


def _settled(
    outcomes: Iterable[Outcome], left: Replay, step: Callable[[int], None]
) -> Iterator[Outcome]:
    for outcome in outcomes:
        left.settle(outcome)
        step(1)
        yield outcome


def _to_send(left: Replay, opened: Index, report: Report, force: bool) -> Iterator[Item]:
    for item in left.items():
        if isinstance(item, BadLine):
            yield item
        elif isinstance(item, KeptLine):
            report.passed_over += 1
        elif isinstance(item, Elsewhere):
            to = item.letter.to
            meant = f"was meant for index {to.index} in {to.store}" if to else "names no index"
            report.stays_elsewhere(f"{item.where}: id {item.letter.id!r} {meant}, it is not sent")
        elif not force and _is_outdated(item, opened):
            report.is_outdated(
                f"id {item.id!r} was indexed again after it was rejected; the newer version stays"
            )
        else:
            try:
                yield item.document(opened.meta)
            except InputRefused as error:  # without a text it would not be sent at all
                document = Document(item.id, "", item.body, item.origin, item.mark)
                outcome = Outcome(document, Status.REJECTED, str(error))
                left.settle(outcome)
                report.take(outcome)


def _is_outdated(letter: DeadLetter, opened: Index) -> bool:
    """Whether the index holds a document of this id that it did not hold when this one was
    rejected. One that was only deleted since then is no reason not to send it."""
    if letter.stored is None:  # not known: an entry of an older version
        return False
    document = opened.get([letter.id]).get(letter.id)
    if document is None or document.body == letter.body:
        return False
    return digest_of(document.body) != letter.stored


def _say_what_stays(report: Report, left: Replay) -> None:
    if left.superseded:
        note(f"{left.superseded:,} older entries of ids that {left.name} holds again were dropped")
    if report.passed_over:
        note(
            f"{report.passed_over:,} lines of {left.name} cannot be replayed: mend them in their "
            "source and index it again"
        )
    if report.outdated:
        note(
            f"{report.outdated:,} documents of {left.name} were not sent, as the index holds newer "
            "versions; delete their entries, or send them with --force"
        )
    if report.elsewhere:
        note(
            f"{report.elsewhere:,} documents of {left.name} were not sent; name their index with "
            "--store and --index, or send them to this one with --force"
        )
