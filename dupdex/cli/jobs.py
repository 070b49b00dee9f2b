"""jobs: what ran on an index, and how it went."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping

import click

from dupdex.cli.parameters import (
    FOUND,
    NONE_FOUND,
    Words,
    location,
    print_json,
    store_options,
)
from dupdex.cli.screen import note, say, say_all
from dupdex.jobs.run_store import Run, RunStore
from dupdex.session import Session
from dupdex.wire.job_forms import RunForm
from mappings.errors import NotFound

_MOST = 1_000


@click.group(invoke_without_command=True)
@click.option("--job", type=Words(), default="", help="Only runs of this job: sweep, schedule.")
@click.option(
    "--limit", type=click.IntRange(1, _MOST), default=20, show_default=True, help="Runs at most."
)
@store_options
@click.pass_context
def jobs(
    context: click.Context,
    job: str,
    limit: int,
    store: str | None,
    index: str | None,
    as_json: bool,
) -> None:
    """List the runs of jobs on an index, the last one first.

    A run is running, done, failed, or interrupted: its program ended before it was done, and the
    next run of the same command goes on where it stopped.

    Exit status: 0 there are runs, 1 there are none, 2 and more an error.
    """
    if context.invoked_subcommand is not None:
        return
    with Session(location(store, index)) as session:
        session.reader()
        runs = RunStore.stored(session)
        found = runs.latest(job, limit=limit) if runs is not None else []
    for run in found:
        show_run(run, as_json)
    if not found and job:
        note(f"there is no run of a job {job!r}; leave --job out to see all runs")
    elif not found:
        note("nothing ran yet; 'dupdex sweep' finds all pairs of an index")
    sys.exit(FOUND if found else NONE_FOUND)


def show_run(run: Run, as_json: bool) -> None:
    """One run on one line."""
    if as_json:
        print_json(RunForm.of(run).to_json())
    else:
        say(run.id, run.state, _took(run), _summary(run))


@jobs.command()
@click.argument("run", type=Words())
@store_options
def show(run: str, store: str | None, index: str | None, as_json: bool) -> None:
    """Show all that is known of one run.

    Exit status: 0 shown, 3 there is no such run, 2 and more another error.
    """
    with Session(location(store, index)) as session:
        session.reader()
        runs = RunStore.stored(session)
        if runs is None:
            raise NotFound(f"no run {run!r}; nothing ran on this index yet")
        found = runs.get(run)
    if as_json:
        print_json(RunForm.of(found).to_json())
    else:
        say_all(_lines(found))


def _lines(run: Run) -> Iterator[str]:
    yield f"{run.id}  {run.state}"
    yield f"started  {run.started}"
    if run.ended:
        yield f"ended    {run.ended}"
    for name, count in run.counts.items():
        yield f"{name}  {_value(count)}"
    if run.error:
        yield f"error  {run.error}"


def _took(run: Run) -> str:
    seconds = RunForm.of(run).seconds
    return "" if seconds is None else f"{seconds:,.0f} s"


def _summary(run: Run) -> str:
    # `of` is how many lookups there are in all, for those who watch the run.
    said = (_said(name, value) for name, value in run.counts.items() if name != "of")
    return run.error or ", ".join(filter(None, said))


def _said(name: str, value: object) -> str:
    """A count of a run in words; nothing for what is empty."""
    if isinstance(value, int):
        return f"{value:,} {name}"
    return f"{name} {inner}" if (inner := _value(value)) else ""


def _value(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_value(inner)}" for name, inner in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(_value, value))
    return f"{value:,}" if isinstance(value, int) else "" if value is None else str(value)
