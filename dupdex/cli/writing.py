"""The commands that fill an index: index, rebuild (replay is in `replaying.py`)."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import click

from dupdex.cli.grouping_options import grouping_of, grouping_options
from dupdex.cli.nothing_read import refuse_nothing
from dupdex.cli.parameters import (
    Interrupted,
    location,
    plan_option,
    print_json,
    read_json,
    store_options,
)
from dupdex.cli.rejects import check_no_store, check_rejects, rejects_file, rejects_option
from dupdex.cli.resuming import begin_after, checkpoint_of
from dupdex.cli.screen import note, progress, say
from dupdex.cli.sources import Report, meta_of, read_options, source_options
from dupdex.index import Index
from dupdex.location import Location, target_of
from dupdex.rebuild import rebuild as rebuild_index
from dupdex.session import Session
from dupdex.wire.counted import counted
from indexer.grouping import Grouping
from indexer.meta import IndexMeta
from indexer.model import Document, Outcome, Status
from indexer.sources import FileSource, total_bytes
from indexer.sources.checkpoint import Checkpoint
from indexer.sources.dead_letters import DeadLetters, digest_of
from mappings.errors import DupdexError, InputRefused
from mappings.plan import Plan

workers_option = click.option(
    "--workers",
    type=click.IntRange(1, 1_000),
    default=1,
    show_default=True,
    help="Processes that compute fingerprints, this one among them.",
)


@click.command()
@click.argument("source", metavar="FILE|DIR|-")
@plan_option("Plan of a new index: standard, characters, or a file. [default: standard]")
@click.option(
    "--mapping", metavar="FILE", help="JSON file with mappings of your own fields (Elasticsearch)."
)
@click.option("--restart", is_flag=True, help="Begin at the beginning, also after an interruption.")
@workers_option
@rejects_option
@grouping_options
@source_options
@store_options
def index(
    source: str,
    plan: Plan | None,
    mapping: str | None,
    restart: bool,
    workers: int,
    rejects: str | None,
    store: str | None,
    index: str | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Index the documents of a FILE, a folder or standard input.

    Reads JSON lines, CSV, text files, novels by chapter (EPUB, or --format novel),
    WET archives, feeds (RSS, Atom), gzip, UTF-8 and GB18030. The index is made with the
    first document when it is absent. An interrupted run over a file or a folder that has not
    changed since goes on where it stopped; standard input cannot be read again.

    With --group every document is put into a group of near duplicates ('dupdex groups'), now and
    by every later command that writes into the index.

    Exit status: 0 all stored, 1 some documents or lines were not, 2 and more an error.
    """
    where = location(store, index)
    rejected = rejects_file(where, rejects)
    check_rejects(source, rejected)
    user_mappings = _mapping(mapping)
    total = total_bytes(source, options["format"], Path(rejected))  # before anything is made
    session = click.get_current_context().with_resource(Session(where))
    stored = _stored_meta(session, plan)
    meta = stored or meta_of(plan, options)
    _check_fields(meta, options)
    grouping = _grouping(options, stored)
    _note_ignored(stored, plan, mapping, where)
    report = Report()
    with progress(total, "indexing") as step:
        read_as = read_options(options, meta)
        files = FileSource(source, read_as, Path(rejected), step, report.ignore, report.note)
        with (
            checkpoint_of(where, files, restart) as checkpoint,
            DeadLetters(rejected, target_of(where)) as letters,
        ):
            after = begin_after(session, files, checkpoint, bool(stored)) if checkpoint else None
            report.before, letters.resumed = after.tally if after else {}, after is not None
            items = files.items(after.mark if after else None)
            documents = report.documents(items, letters.add_line)
            first = next(documents, None)
            if first is not None:
                with Index.create(session, meta, plan, user_mappings, grouping=grouping) as opened:
                    _check_fields(opened.meta, options)
                    outcomes = opened.add_iter(chain((first,), documents), workers)
                    take(outcomes, report, letters, checkpoint, partial(_stored_digest, opened))
                    opened.refresh()
                    _learn(opened)
            if checkpoint:
                checkpoint.finish()
    if checkpoint and checkpoint.problem:
        note(checkpoint.problem)
    if report.nothing and after is None:  # an interrupted run may have left nothing to go on with
        refuse_nothing(source)
    elif not (first or stored):
        note(f"no document could be read from {source}, so no index was made")
    finish(report, rejected, where if first or stored else None, as_json)


def _stored_meta(session: Session, plan: Plan | None) -> IndexMeta | None:
    """The meta of the index, if it is there. Raises StoreRefused for one whose documents are not
    written to, before a long source is read for nothing."""
    stored = session.stored_meta(plan)
    if stored is not None and stored.sidecar_of is not None:
        raise stored.sidecar_of.refusal()
    return stored


def _mapping(path: str | None) -> dict[str, Any] | None:
    if path is None:
        return None
    value = read_json(path, "give --mapping a JSON file")
    if not isinstance(value, dict):
        raise InputRefused(f'{path}: a mapping is an object: {{"properties": {{...}}}}')
    return value


def _learn(opened: Index) -> None:
    """Learn boilerplate; a failure is only noted, as the documents are stored."""
    try:
        opened.learn_if_grown()
    except DupdexError as error:
        note(f"boilerplate was not learned: {error}; 'dupdex learn' tries again")
    if opened.problem:
        note(opened.problem)


def _grouping(options: dict[str, Any], stored: IndexMeta | None) -> Grouping | None:
    """How the index is to keep groups, if that is to change; what that does not cover is noted."""
    grouping = grouping_of(options, stored)
    if grouping and stored and not (stored.grouping and stored.grouping.live):
        note("documents that were stored before are grouped by 'dupdex sweep'")
    return grouping


def _note_ignored(
    stored: IndexMeta | None, plan: Plan | None, mapping: str | None, where: Location
) -> None:
    """Note options that do not apply to an existing index."""
    if stored is None:
        return
    if mapping and where.is_server:
        note(f"--mapping changes nothing, {where} is there already; make another --index for it")
    if plan and plan.thresholds != stored.plan.thresholds:
        note(
            f"{where} keeps its own thresholds, --plan has others; run 'dupdex rebuild --plan "
            "FILE' to apply them"
        )


def take(
    outcomes: Iterable[Outcome],
    report: Report,
    letters: DeadLetters | None = None,
    checkpoint: Checkpoint | None = None,
    stored: Callable[[Document], str | None] = lambda _: None,
) -> None:
    """Count outcomes and keep what was rejected, with the digest of what is `stored` in its place;
    whatever ends the run says what was stored."""
    try:
        for outcome in outcomes:
            report.take(outcome)
            if outcome.status is Status.REJECTED:
                if letters:
                    letters.add(outcome.document, outcome.reason, stored(outcome.document))
            elif checkpoint:  # a line whose document is there can be told from a lost one
                checkpoint.advance(outcome.document, report.tally)
    except KeyboardInterrupt:
        way = "run the same command again to go on there" if checkpoint else "they are safe"
        done = counted(report.stored, "document")
        raise Interrupted(f"interrupted after {done} stored; {way}") from None
    except DupdexError as error:
        if not report.stored:
            raise
        said = f"{error} ({report.stored:,} documents were stored before)"
        raise type(error)(said, error.hint) from error


def _stored_digest(opened: Index, document: Document) -> str | None:
    """The digest of the stored document of the same id, "" for none; None when it cannot be read:
    the run goes on without it."""
    try:
        stored = opened.get([document.id]).get(document.id)
    except DupdexError:
        return None
    return digest_of(stored.body) if stored else ""


def _check_fields(meta: IndexMeta, options: dict[str, Any]) -> None:
    """Raise InputRefused for other text or title fields than those the index was made with."""
    asked = options["text_field"] or meta.text_fields
    if tuple(asked) != meta.text_fields:
        raise InputRefused(
            f"the index takes its text from {', '.join(meta.text_fields)}, not from "
            f"{', '.join(asked)}; leave --text-field out, or make another --index"
        )
    title = options["title_field"] or meta.title_field
    if title != meta.title_field:
        raise InputRefused(
            f"the index takes its title from {meta.title_field}, not from {title}; leave "
            "--title-field out, or make another --index"
        )


def finish(report: Report, rejects: str, where: Location | None, as_json: bool) -> None:
    """Say what became of the documents, and leave. `where`: None when no index was made."""
    if as_json:
        print_json(report.to_json())
    else:
        new = f"({report.created:,} new, {report.updated:,} overwritten)"
        place = f" in {where} {new}" if where else ""
        problems = _problems(report, rejects)
        say(f"{counted(report.stored, 'document')} stored{place}{problems}")
    _leave(report, rejects)


def _problems(report: Report, rejects: str) -> str:
    return f"{report.problems} (kept in {rejects})" if report.failed else report.problems


def _leave(report: Report, rejects: str) -> None:
    if report.all_rejected:
        note(f"rejected documents are in {rejects}; correct them, then 'dupdex replay {rejects}'")
    elif report.all_bad_lines:
        note(f"unreadable lines are in {rejects}; mend them in their source and index it again")
    sys.exit(1 if report.failed else 0)


@click.command()
@plan_option("Plan to move to. [default: the index's own, by this version of dupdex]")
@click.option("--online", is_flag=True, help="Let lookups go on meanwhile, under both plans.")
@workers_option
@rejects_option
@store_options
def rebuild(
    plan: Plan | None,
    online: bool,
    workers: int,
    rejects: str | None,
    store: str | None,
    index: str | None,
    as_json: bool,
) -> None:
    """Re-fingerprint an index in place, also under another plan.

    Lookups are refused until it is done; with --online they go on, and take twice as long.
    Interrupted, run it again: it goes on where it stopped.
    A plan that differs in thresholds only is applied without rewriting a document.
    Exit status: 0 all done, 1 some documents were rejected, 2 and more an error.
    """
    where = location(store, index)
    report = Report()
    rejected = rejects_file(where, rejects)
    check_no_store(rejected)
    with (
        DeadLetters(rejected, target_of(where)) as letters,
        progress(None, "rebuilding") as step,
    ):
        outcomes = rebuild_index(where, plan, workers, progress=step, remark=note, online=online)
        # what is rejected is what the index holds
        take(outcomes, report, letters, stored=lambda document: digest_of(document.body))
    if as_json:
        print_json(report.to_json())
    else:
        said = _problems(report, rejected)
        say(f"{counted(report.stored, 'document')} of {where} fingerprinted again{said}")
        if plan and not report.stored:  # else it looks as if nothing had been done
            say(f"its thresholds are those of the plan now, {plan.id}")
    _leave(report, rejected)
