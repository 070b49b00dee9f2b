"""sweep: all pairs of an index, recorded, and its groups brought up to date."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import click

from dupdex.cli.parameters import location, print_json, store_options
from dupdex.cli.screen import note, progress, say
from dupdex.cli.times import Time
from dupdex.cli.writing import workers_option
from dupdex.jobs.run_store import Run
from dupdex.jobs.sweep_job import Sweep, since_last
from dupdex.jobs.sweep_job import sweep as sweep_index
from dupdex.session import Session
from dupdex.wire.job_forms import RunForm

LAST = "last"


class _Since(Time):
    """A time, or since the last sweep that was done."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return LAST if value == LAST else super().convert(value, param, ctx)


@click.command()
@click.option(
    "--since",
    type=_Since(),
    metavar="DATE|AGE|last",
    help="Only pairs of documents that were written since 2026-01-31, since 7d ago, or since the "
    "last sweep began that was done.",
)
@click.option(
    "--regroup",
    is_flag=True,
    help="With --since: group all documents anew by the recorded pairs, as a whole sweep does.",
)
@click.option("--no-groups", "no_groups", is_flag=True, help="Record pairs only.")
@workers_option
@store_options
def sweep(
    since: datetime | str | None,
    regroup: bool,
    no_groups: bool,
    workers: int,
    store: str | None,
    index: str | None,
    as_json: bool,
) -> None:
    """Find and keep all pairs of an index, and group its documents.

    Pairs are kept as 'dupdex matches' shows them, groups as 'dupdex groups' does. Nothing is
    written that is as it should be already, so a second sweep changes nothing. One sweep of an
    index runs at a time; one that was interrupted goes on where it stopped when it is started
    again. Documents that are written meanwhile are looked up at its end. 'dupdex jobs' shows how
    it went. Texts wait in a temporary file (in TMPDIR) while they are compared.

    Exit status: 0 done, 2 and more an error.
    """
    if regroup and no_groups:
        raise click.UsageError("--regroup and --no-groups exclude each other")
    with Session(location(store, index)) as session, progress(None, "sweeping") as step:
        wanted = Sweep(_since(session, since), not no_groups, regroup, workers)
        run = sweep_index(session, wanted, step=step)
    if as_json:
        print_json(RunForm.of(run).to_json())
    else:
        say(_told(run))
    if refused := run.counts.get("refused"):
        note(f"{refused:,} documents have no text that can be compared")


def _since(session: Session, given: datetime | str | None) -> int | None:
    if isinstance(given, datetime):
        return round(given.timestamp() * 1_000)
    if given != LAST:
        return None
    found = since_last(session)
    if found is None:
        note("no sweep of this index was done yet: it is swept whole")
    return found


def _told(run: Run) -> str:
    counts, seconds = run.counts, RunForm.of(run).seconds
    documents, pairs = counts.get("documents", 0), counts.get("kept", 0)
    groups = f", {counts['groups']:,} groups of two or more" if "groups" in counts else ""
    return f"{documents:,} documents, {pairs:,} pairs kept{groups}; took {seconds:,.0f} s"
