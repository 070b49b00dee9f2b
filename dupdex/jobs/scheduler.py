"""A command at certain times: one run at a time, each recorded, missed ones caught up once.

When the next run is due is noted in the lease of the schedule, so a scheduler that was down at that
time runs the command when it comes back.
"""

from __future__ import annotations

import hashlib
import os
import shlex
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

from dupdex.jobs.cron import Trigger
from dupdex.jobs.heartbeat import WAIT, Held, held
from dupdex.jobs.run_store import Progress, Run, RunStore
from dupdex.session import Session
from indexer.stores.lease import SECONDS, LeaseLost
from mappings.errors import DupdexError, StoreUnavailable, WorkerLost
from mappings.records import LEASES

DONE: Final = (0, 1)
"""Exit statuses of a run that did what it should; 1 says that there was nothing to find."""

_PROGRAM: Final = (sys.executable, "-c", "import dupdex_command; dupdex_command.main()")
_GRACE: Final = 30.0
_LOOKS: Final = 1.0
_AGAIN: Final = 30.0

Say = Callable[[str], None]


class CommandFailed(WorkerLost):
    """A scheduled command ended with an error."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """A command of dupdex, and when it runs. `line` and `zone` tell one schedule from another;
    `environment` is added to that of the command."""

    line: str
    command: tuple[str, ...]
    trigger: Trigger
    zone: str | None = None
    environment: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The name of its lease, and of its runs."""
        told = "\0".join((self.line, self.zone or "", *self.command))
        return f"schedule-{hashlib.blake2b(told.encode(), digest_size=3).hexdigest()}"

    def next_time(self) -> datetime | None:
        """When it is due next, from now on."""
        now = datetime.now(UTC)
        return self.trigger.get_next_fire_time(None, now)


class Scheduler:
    """Runs a schedule until it is stopped. `said` is given messages, `ended` each run."""

    def __init__(
        self,
        session: Session,
        schedule: Schedule,
        said: Say,
        ended: Callable[[Run], None] = lambda _: None,
        runs: int | None = None,
        seconds: float = SECONDS,
        wait: float = WAIT,
    ) -> None:
        """`runs`: after how many it ends by itself. For the others see `held`."""
        self._session, self._schedule = session, schedule
        self._said, self._ended = said, ended
        self._left, self._seconds, self._wait = runs, seconds, wait
        self._stopped = threading.Event()
        self._child: subprocess.Popen[str] | None = None

    def stop(self) -> None:
        """End a command that is under way, and then the schedule; signal handlers may call it."""
        self._stopped.set()
        child = self._child
        if child is not None and child.poll() is None:
            child.send_signal(signal.SIGINT)

    def keep(self) -> None:
        """Run the command whenever it is due, until it is stopped.

        Raises StoreUnavailable when another program runs the same schedule, and whatever the store
        raises before the first run; later the schedule outlasts a store that is away.
        """
        first = True
        while not self._is_over():
            try:
                leases = self._session.collection(LEASES)
                with held(leases, self._schedule.name, self._seconds, self._wait) as lease:
                    first = False
                    self._while_held(lease)
            except LeaseLost as error:
                self._said(f"{error}; the schedule goes on")
            except StoreUnavailable as error:
                if first:
                    raise
                self._said(f"{error}; trying again")
                self._stopped.wait(_AGAIN)

    def _is_over(self) -> bool:
        return self._stopped.is_set() or self._left == 0

    def _while_held(self, lease: Held) -> None:
        due = _noted(lease.unsettled)
        if due is not None and due <= datetime.now(UTC):
            self._said(f"the run of {due.isoformat(timespec='seconds')} was missed; it runs now")
        while not self._is_over():
            due = due or self._schedule.next_time()
            if due is None:
                self._said("the schedule has no further time")
                self._stopped.set()
                return
            lease.note({"due": due.isoformat()})
            if not self._waited_for(due, lease):
                return
            self._run()
            if self._stopped.is_set():
                return  # what was broken off stays due
            if self._left is not None:
                self._left -= 1
            due = self._schedule.next_time()  # what was missed meanwhile is not made up for
            lease.note({"due": due.isoformat()} if due else None)

    def _waited_for(self, due: datetime, lease: Held) -> bool:
        """Whether the time has come; False when the schedule was stopped before."""
        while (seconds := (due - datetime.now(UTC)).total_seconds()) > 0:
            lease.check()
            if self._stopped.wait(min(seconds, _LOOKS)):  # clocks are set, machines sleep
                return False
        return not self._stopped.is_set()

    def _run(self) -> None:
        """One run of the command, recorded; its failure does not end the schedule."""
        told = shlex.join(self._schedule.command)
        progress: Progress | None = None
        try:
            runs = RunStore.open(self._session)
            with runs.recorded(runs.begin(self._schedule.name)) as progress:
                progress.note(command=told)
                status, last = self._call()
                progress.note(status=status)
                if status not in DONE:
                    raise CommandFailed(last or f"it ended with status {status}")
        except CommandFailed as error:
            self._said(f"{told!r} failed: {error}")
        except DupdexError as error:
            self._said(f"the run of {told!r} could not be recorded: {error}")
        if progress is not None:
            self._ended(progress.run)

    def _call(self) -> tuple[int, str]:
        """The command in a process of its own; its exit status and its last message."""
        last = ""
        with subprocess.Popen(
            [*_PROGRAM, *self._schedule.command],
            env={**os.environ, **self._schedule.environment},
            stdin=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            errors="replace",
            start_new_session=True,  # Ctrl-C comes here only, and is passed on once
        ) as child:
            self._child = child
            if self._stopped.is_set():  # between the two
                child.send_signal(signal.SIGINT)
            watching = threading.Thread(target=self._end_in_time, args=(child,), daemon=True)
            watching.start()
            for line in child.stderr or ():
                last = line.strip().removeprefix("dupdex: ") or last
                self._said(line.strip().removeprefix("dupdex: "))
            status = child.wait()
        self._child = None
        return status, last

    def _end_in_time(self, child: subprocess.Popen[str]) -> None:
        """Kill a command that does not end when it is told to."""
        while child.poll() is None:
            if self._stopped.wait(_LOOKS):
                try:
                    child.wait(_GRACE)
                except subprocess.TimeoutExpired:
                    child.kill()
                return


def _noted(unsettled: Any) -> datetime | None:
    try:
        return datetime.fromisoformat(unsettled["due"])
    except (KeyError, TypeError, ValueError):
        return None
