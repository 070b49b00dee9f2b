"""schedule: a command of dupdex at certain times."""

from __future__ import annotations

import signal
import sys
from functools import partial
from types import FrameType
from typing import NoReturn

import click

from dupdex.cli.jobs import show_run
from dupdex.cli.parameters import AT_LEAST_ONE, INTERRUPTED, Words, location, store_options
from dupdex.cli.screen import note
from dupdex.jobs.cron import cron_trigger
from dupdex.jobs.scheduler import Schedule, Scheduler
from dupdex.location import Location
from dupdex.session import Session

_NAME = "schedule"


@click.command(_NAME)
@click.argument("times", metavar="CRON", type=Words())
@click.argument("command", metavar="-- COMMAND…", nargs=-1, required=True, type=Words())
@click.option(
    "--timezone",
    metavar="NAME",
    type=Words(),
    help="Time zone of CRON, as Asia/Shanghai. [default: that of the machine]",
)
@click.option("--runs", type=AT_LEAST_ONE, default=None, help="End after so many runs.")
@store_options
@click.pass_context
def schedule(
    context: click.Context,
    times: str,
    command: tuple[str, ...],
    timezone: str | None,
    runs: int | None,
    store: str | None,
    index: str | None,
    as_json: bool,
) -> None:
    """Run a command of dupdex at certain times, such as every night.

    For instance: dupdex schedule "0 3 * * *" -- sweep --since last

    CRON has five fields: minute, hour, day of the month, month, weekday; or is @hourly, @daily,
    @weekly or @monthly. One run takes place at a time. A run that was missed, as this program or
    its machine was down, is caught up once when it comes back. 'dupdex jobs' lists all runs. Ends
    on Ctrl-C and SIGTERM, after the command that is under way has ended.

    The command works on the store and the index of --store and --index, unless it names others.

    Exit status: 130 on Ctrl-C, 0 on SIGTERM or after --runs, 2 and more an error.
    """
    _check(context, command)
    where = location(store, index)
    environment = {"DUPDEX_INDEX": where.index}
    if store is not None:
        environment["DUPDEX_STORE"] = store
    wanted = Schedule(times, command, cron_trigger(times, timezone), timezone, environment)
    keep_schedule(where, wanted, runs, as_json)


def keep_schedule(where: Location, wanted: Schedule, runs: int | None, as_json: bool) -> NoReturn:
    """Run a command at its times until Ctrl-C or SIGTERM, and leave with the status for that."""
    heard: list[int] = []
    with Session(where) as session:
        session.reader()  # there must be such an index
        ended = partial(show_run, as_json=as_json)
        scheduler = Scheduler(session, wanted, note, ended, runs)

        def stop(number: int, _frame: FrameType | None) -> None:
            heard.append(number)
            scheduler.stop()

        before = {each: signal.signal(each, stop) for each in (signal.SIGINT, signal.SIGTERM)}
        try:
            next_time = wanted.next_time()
            if next_time is not None:
                note(f"{wanted.name}: next run at {next_time.isoformat(timespec='minutes')}")
            scheduler.keep()
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
    sys.exit(INTERRUPTED if signal.SIGINT in heard else 0)


def _check(context: click.Context, command: tuple[str, ...]) -> None:
    """Refuse a command that could never run, before anybody relies on it."""
    program = context.find_root().command
    found = program.get_command(context, command[0]) if isinstance(program, click.Group) else None
    if found is None or command[0] == _NAME:
        raise click.UsageError(f"dupdex has no command {command[0]!r} to run at certain times")
    found.make_context(command[0], list(command[1:]), parent=context.find_root())
