"""works sweep: the pages of an index against the bank of works."""

from __future__ import annotations

from datetime import datetime

import click

from dupdex.cli.parameters import Words, location, print_json, store_options
from dupdex.cli.screen import progress, say
from dupdex.cli.times import Time
from dupdex.session import Session
from dupdex.wire.job_forms import RunForm
from dupdex.works.work_store import Works
from dupdex.works.works_sweep import WorksSweep, counts_of, sweep_works


@click.command()
@click.option(
    "--since",
    type=Time(),
    metavar="DATE|AGE",
    help="Pages and chapters that were written since 2026-01-31, or since 7d ago. [default: since "
    "the last run]",
)
@click.option("--whole", is_flag=True, help="All pages, whenever they were written.")
@click.option(
    "--work",
    "works",
    multiple=True,
    metavar="NAME",
    type=Words(),
    help="Nothing but this work. May be repeated.",
)
@store_options
def sweep(
    since: datetime | None,
    whole: bool,
    works: tuple[str, ...],
    store: str | None,
    index: str | None,
    as_json: bool,
) -> None:
    """Compare the pages of an index with all works, and keep what is found.

    Pages that are new or have changed since the last run are compared with every chapter, and new
    chapters with every page. What was found before is seen again, or is gone. Nothing else is
    written, so a second run changes nothing. One runs at a time; one that was interrupted goes on
    where it stopped. Every night: dupdex schedule "0 4 * * *" -- works sweep

    Exit status: 0 done, 2 and more an error.
    """
    if whole and since is not None:
        raise click.UsageError("--whole and --since exclude each other")
    milliseconds = None if since is None else round(since.timestamp() * 1_000)
    with (
        Session(location(store, index)) as session,
        progress(None, "comparing") as step,
    ):
        wanted = WorksSweep(milliseconds, whole, works)
        run = sweep_works(Works(session), wanted, step=step)
    if as_json:
        print_json(RunForm.of(run).to_json())
    else:
        counts = counts_of(run)
        said = ", ".join(f"{counts[name]:,} {name}" for name in ("new", "changed", "gone"))
        say(f"{counts['pages']:,} pages compared; {counts['standing']:,} copies stand: {said}")
