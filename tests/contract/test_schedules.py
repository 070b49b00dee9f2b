"""Schedules on both stores: runs on time, one at a time, missed ones once, all recorded."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from dupdex.jobs.run_store import Run, RunStore, State
from dupdex.jobs.scheduler import Schedule, Scheduler
from dupdex.session import Session
from indexer.stores.lease import leased
from mappings.errors import StoreUnavailable
from mappings.records import LEASES
from tests.command import wait_until
from tests.contract.stores import Store, real


@pytest.fixture
def session(store: Store) -> Iterator[Session]:
    store.write(real("a", "今天天气很好"), real("b", "明天下雨"))
    store.close_writer()
    with Session(store.opener.location) as opened:
        yield opened


class Every:
    """Due every so many seconds."""

    def __init__(self, seconds: float) -> None:
        self._step = timedelta(seconds=seconds)

    def get_next_fire_time(self, previous: datetime | None, now: datetime) -> datetime:
        return (previous or now) + self._step


def schedule(session: Session, seconds: float, *command: str) -> Schedule:
    where = session.location
    environment = {"DUPDEX_STORE": where.store, "DUPDEX_INDEX": where.index}
    return Schedule("test", command or ("info",), Every(seconds), environment=environment)


def kept(session: Session, wanted: Schedule, runs: int, said: list[str] | None = None) -> list[Run]:
    """The runs of a schedule that ends after so many."""
    ended: list[Run] = []
    told = said if said is not None else []
    Scheduler(session, wanted, told.append, ended.append, runs, seconds=1.0).keep()
    return ended


def note_due(session: Session, wanted: Schedule, ago: timedelta) -> None:
    """As a scheduler leaves it that was ended before a run was due."""
    with leased(session.collection(LEASES), wanted.name) as lease:
        lease.renew({"due": (datetime.now(UTC) - ago).isoformat()})


def test_runs_are_recorded(session: Session) -> None:
    wanted = schedule(session, 0.2)
    ended = kept(session, wanted, 2)
    assert [run.state for run in ended] == [State.DONE] * 2
    assert ended[0].counts == {"command": "info", "status": 0}
    runs = RunStore.open(session).latest(wanted.name)
    assert [run.id for run in runs] == [run.id for run in reversed(ended)]
    assert all(run.ended is not None for run in runs)
    assert ended[0].ended is not None
    assert ended[0].ended <= ended[1].started


def test_a_command_that_fails_is_recorded_and_the_schedule_goes_on(session: Session) -> None:
    said: list[str] = []
    wanted = schedule(session, 0.2, "get", "a", "--index", "no-such-index")
    ended = kept(session, wanted, 2, said)
    assert [run.state for run in ended] == [State.FAILED] * 2
    assert "no-such-index" in ended[0].error
    assert ended[0].counts["status"] == 3
    assert any("failed" in line for line in said)


def test_missed_runs_are_caught_up_once(session: Session) -> None:
    said: list[str] = []
    wanted = schedule(session, 3600)
    note_due(session, wanted, timedelta(days=3))
    (run,) = kept(session, wanted, 1, said)
    assert run.state is State.DONE
    assert any("was missed" in line for line in said)
    item = session.collection(LEASES).get(wanted.name)
    assert item is not None
    due = datetime.fromisoformat(item.values["unsettled"]["due"])
    assert timedelta(minutes=59) < due - datetime.now(UTC) <= timedelta(hours=1)


def test_nothing_is_missed_at_the_first_start(session: Session) -> None:
    told: list[str] = []
    scheduler = Scheduler(session, schedule(session, 3600), told.append, runs=1, seconds=1.0)
    thread = threading.Thread(target=scheduler.keep)
    thread.start()
    time.sleep(0.3)
    scheduler.stop()
    thread.join(10)
    assert not thread.is_alive()
    assert RunStore.open(session).latest() == []


def test_one_scheduler_at_a_time(session: Session) -> None:
    wanted = schedule(session, 3600)
    told: list[str] = []
    with (
        leased(session.collection(LEASES), wanted.name),
        pytest.raises(StoreUnavailable, match="under way elsewhere"),
    ):
        Scheduler(session, wanted, told.append, seconds=1.0, wait=0.1).keep()


PROGRAM = """
import sys
from datetime import timedelta
import dupdex.cli.schedule
from dupdex.cli import main
class Soon:
    def get_next_fire_time(self, previous, now):
        return now + timedelta(seconds=0.1)
sys.modules["dupdex.cli.schedule"].cron_trigger = lambda *_: Soon()
main()
"""


@pytest.mark.parametrize(("number", "status"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
def test_signals_end_it_with_its_command(
    session: Session, number: signal.Signals, status: int
) -> None:
    """The command under way, which waits for a lease, ends as well, and its run is recorded."""
    where = session.location
    command = (sys.executable, "-c", PROGRAM, "schedule", "0 3 * * *")
    options = ("--store", where.store, "--index", where.index, "--", "sweep")
    with (
        leased(session.collection(LEASES), "sweep"),
        subprocess.Popen([*command, *options], stderr=subprocess.PIPE, text=True) as process,
    ):
        runs = RunStore.open(session)
        try:
            wait_until(lambda: bool(runs.latest()), 30)
            time.sleep(2)  # the command starts, and waits, after that; machines may be busy
            process.send_signal(number)
            assert process.wait(30) == status
        finally:
            process.kill()
    (run,) = runs.latest()
    assert run.state is State.INTERRUPTED
    item = session.collection(LEASES).get(run.job)
    assert item is not None  # what was broken off stays due
    assert datetime.fromisoformat(item.values["unsettled"]["due"]) < datetime.now(UTC)
