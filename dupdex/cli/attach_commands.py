"""attach and detach: an index that dupdex did not make answers, and is as it was again."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import click

from dupdex.attach.attach_reports import AttachReport
from dupdex.cli.parameters import (
    NONE_FOUND,
    Interrupted,
    Number,
    Words,
    location,
    plan_option,
    print_json,
)
from dupdex.cli.screen import note, progress, say, say_all
from dupdex.index import Index
from dupdex.wire.counted import counted
from indexer.attachment import Attachment
from indexer.rewriting import OnRewrite
from mappings.plan import Plan

_SHOWN: Final = 5

_places = (
    click.argument("index", metavar="INDEX", type=Words()),
    click.option(
        "--store", metavar="URL", help="Elasticsearch URL. [env: DUPDEX_STORE; default: none]"
    ),
    click.option(
        "--throttle",
        metavar="DOCS/S",
        type=Number(0, min_open=True),
        help="Change at most so many documents a second.",
    ),
    click.option(
        "--slices",
        type=click.IntRange(1, 64),
        default=2,
        show_default=True,
        help="Parts of the index that are worked on at the same time.",
    ),
    click.option("--json", "as_json", is_flag=True, help="Print JSON."),
)


def _shared(command: Any) -> Any:
    for each in reversed(_places):
        command = each(command)
    return command


@click.command()
@click.option(
    "--sidecar",
    is_flag=True,
    help="Write nothing to INDEX: keep the fingerprints in an index of dupdex's own beside it.",
)
@click.option(
    "--follow",
    metavar="SECONDS",
    type=Number(1),
    help="Go on until interrupted: look every so many seconds for what other programs wrote.",
)
@click.option(
    "--text-field",
    "text_fields",
    multiple=True,
    type=Words(),
    help="Field that holds text; a dotted path. May be repeated. [default: text]",
)
@click.option("--title-field", type=Words(), help="Field that holds the title. [default: title]")
@plan_option("Plan of the fingerprints: standard, characters, or a file. [default: standard]")
@click.option(
    "--on-rewrite",
    type=click.Choice([each.value for each in OnRewrite]),
    help="What 'dupdex serve' does with a write that changes texts where it cannot look (a script, "
    "an ingest pipeline): refuse it, or let it through and make the fingerprints anew (mark). "
    "Alone, it is for an index that dupdex made as well. [default: refuse]",
)
@_shared
def attach(
    index: str,
    sidecar: bool,
    follow: float | None,
    text_fields: tuple[str, ...],
    title_field: str | None,
    plan: Plan | None,
    on_rewrite: str | None,
    store: str | None,
    throttle: float | None,
    slices: int,
    as_json: bool,
) -> None:
    """Let an index answer that dupdex did not make.

    INDEX may be an alias or a data stream. Every document gets one more object, 'dupdex', by a
    partial update that never overwrites an edit; nothing is copied, and the index stays in use.
    Interrupted, run it again: it goes on where it stopped. Run it again as well for what other
    programs have written since, and with --plan to move to another plan while it answers. 'dupdex
    detach' takes everything away.

    With --sidecar the index is read and never written to; what was changed meanwhile is judged by
    its present text, and what is new is found after the next 'dupdex attach', for which --sidecar
    need not be said again. It is for one index, or an alias for one.

    Exit status: 0 all documents answer, 1 some have no text or were edited all the while, 2 and
    more an error.
    """
    where = replace(location(store, index), index=index)

    def once() -> AttachReport:
        with progress(None, "attaching") as step:
            return Index.attach(
                where,
                text_fields or None,
                title_field,
                plan,
                throttle=throttle,
                slices=slices,
                on_rewrite=OnRewrite(on_rewrite) if on_rewrite else None,
                sidecar=sidecar,
                progress=step,
                remark=note,
            )

    try:
        report = once()
        while follow is not None:
            _say_attached(report, index, as_json)
            time.sleep(follow)
            report = once()
    except KeyboardInterrupt:
        raise Interrupted("interrupted; run the same command again to go on there") from None
    _say_attached(report, index, as_json)
    sys.exit(NONE_FOUND if report.refused or report.edited else 0)


def _say_attached(report: AttachReport, index: str, as_json: bool) -> None:
    if as_json:
        counts = {"written": report.written, "edited": report.edited}
        print_json({"indices": report.indices, **counts, "refused": _listed(report.refused)})
    else:
        say(f"{counted(report.written, 'document')} of {index} got a fingerprint")
    _note_refused(report.refused, "answers nothing")
    if report.edited:
        were = "was" if report.edited == 1 else "were"
        edited = f"{counted(report.edited, 'document')} {were} edited all the while"
        note(f"{edited}; run the same command again")


@click.command()
@_shared
def detach(
    index: str, store: str | None, throttle: float | None, slices: int, as_json: bool
) -> None:
    """Take everything of dupdex out of an index again.

    The object goes out of every document, or the sidecar as a whole; then the collections beside
    the index, the templates and the meta. Lookups are refused from the first moment. Interrupted,
    run it again. What a server does not let go of is said.

    Exit status: 0 done, 1 some documents still have the object, 2 and more an error.
    """
    where = replace(location(store, index), index=index)
    try:
        with progress(None, "detaching") as step:
            report = Index.detach(
                where, throttle=throttle, slices=slices, progress=step, remark=note
            )
    except KeyboardInterrupt:
        raise Interrupted("interrupted; run the same command again to go on there") from None
    if as_json:
        facts = {"indices": report.indices, "cleaned": report.cleaned, "stays": report.stays}
        refused = _listed(report.refused)
        print_json({**facts, "collections": report.collections, "refused": refused})
    else:
        gone = len(report.collections)
        beside = f" and {counted(gone, 'collection')}" if gone else ""
        if report.untouched:
            removed = ", ".join(report.collections)
            say(f"removed: {removed}; a sidecar writes nothing to {index}")
        else:
            are = "is as it was" if report.cleaned == 1 else "are as they were"
            say(f"{counted(report.cleaned, 'document')} of {index} {are}{beside}")
        say_all(report.stays)
    _note_refused(report.refused, "still has the object")
    sys.exit(NONE_FOUND if report.refused else 0)


def note_coverage(opened: Index) -> None:
    """Say how much of a half attached index lookups can find."""
    if opened.meta.attached is Attachment.FILLING:
        facts = opened.describe()
        note(
            f"the index is attached in part: {facts['covered']:,} of {facts['documents']:,} "
            "documents can be found; 'dupdex attach' goes on"
        )


def _listed(refused: Mapping[tuple[str, str], str]) -> list[dict[str, str]]:
    return [{"index": at[0], "id": at[1], "reason": why} for at, why in refused.items()]


def _note_refused(refused: Mapping[tuple[str, str], str], state: str) -> None:
    for (index, name), reason in list(refused.items())[:_SHOWN]:
        note(f"document {name!r} of {index} {state}: {reason}")
    if len(refused) > _SHOWN:
        note(f"and {len(refused) - _SHOWN:,} more: --json lists all")
