"""Work that goes through a whole index, beside the requests: recorded, told, and stopped.

The record of a run lies beside its index, so that every gateway tells of it and may stop it. That
of a detachment goes with what it removes, so how it ended only the process knows that does it.
"""

from __future__ import annotations

import threading
import time
import uuid
import weakref
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from weakref import WeakKeyDictionary

from dupdex.gateway.services import Services
from dupdex.jobs.heartbeat import held
from dupdex.jobs.run_store import Run, RunStore, State
from dupdex.session import Session
from mappings.collections import moment
from mappings.errors import DupdexError, InputRefused, NotFound, StoreRefused, StoreUnavailable
from mappings.records import LEASES, REQUESTS

CANCELLED: Final = "cancelled"
BEGINS: Final = 20.0
"""Seconds in which a job is to begin, or to say why it does not."""

_LOOKS: Final = 1.0
_ASKED_TO_STOP: Final = timedelta(days=1)
_REMEMBERED: Final = 100
_LONGEST_ERROR: Final = 2_000

Work = Callable[["Job"], None]


class Cancelled(StoreRefused):
    """Somebody told the job to stop."""


class Job:
    """One run under way, as the thread that does it sees it. `note` records counts, and `check`
    raises Cancelled once somebody told the run to stop."""

    def __init__(self, session: Session, index: str, name: str) -> None:
        now = moment(datetime.now(UTC))
        stem = now[:19].replace(":", "").replace("-", "")
        run = f"{stem}-{name}-{uuid.uuid4().hex[:6]}"
        self.index, self.session = index, session
        self.run = Run(run, name, State.RUNNING, now)
        self.begun = threading.Event()
        self.error: DupdexError | None = None
        self.stopped = threading.Event()
        self._store: RunStore | None = None
        self._is_elsewhere = False
        self._held = ExitStack()
        self._next_look = self._next_note = 0.0
        self._turn = threading.RLock()

    def is_recorded_as(self, run: Run) -> None:
        """The work keeps a record of its own: this one."""
        self.run, self._is_elsewhere = run, True
        self.begun.set()

    @property
    def is_recorded(self) -> bool:
        """Whether the work keeps its record beside the index, not here alone."""
        return self._store is not None or self._is_elsewhere

    def record(self) -> None:
        """Keep the record beside the index from now on, where it has a place for it. Raises
        StoreUnavailable while another run of the job is under way."""
        with self._turn:  # parts of an index are worked on by threads
            if self._store is None and not self.begun.is_set():
                with suppress(NotFound, StoreRefused, InputRefused):
                    leases = self.session.collection(LEASES, self.index)
                    self._held.enter_context(held(leases, self.run.job, wait=0.0))
                    self._store = RunStore.open(self.session, self.index)
                    self._store.put(self.run)
            self.begun.set()

    def leave(self) -> None:
        """Keep no record any more: all that lies beside the index is about to be removed."""
        with self._turn:
            if self._store is not None:
                self._store.remove(self.run)
            self._store = None
            self._held.close()

    def note(self, **counts: Any) -> None:
        """Record what was done so far."""
        with self._turn:
            self.run = replace(self.run, counts={**self.run.counts, **counts})
            if self._store is not None and time.monotonic() >= self._next_note:
                self._next_note = time.monotonic() + _LOOKS
                self._store.put(self.run)

    def add(self, documents: int, total: int | None = None) -> None:
        """Count documents that were gone through, of so many."""
        with self._turn:
            done = int(self.run.counts.get("documents", 0)) + documents
            self.note(documents=done, **({} if total is None else {"to_do": total}))

    def check(self) -> None:
        """Raises Cancelled when the run is to stop; the store is asked once a second."""
        now = time.monotonic()
        if now >= self._next_look:
            self._next_look = now + _LOOKS
            with suppress(NotFound, StoreUnavailable):
                requests = self.session.stored_collection(REQUESTS, self.index)
                if requests is not None and requests.get(_stop_id(self.run.id)) is not None:
                    self.stopped.set()
        if self.stopped.is_set():
            raise Cancelled(CANCELLED)

    def end(self, error: str = "") -> None:
        """Record how it ended."""
        state = State.FAILED if error else State.DONE
        ended = moment(datetime.now(UTC))
        self.run = replace(self.run, state=state, ended=ended, error=error[:_LONGEST_ERROR])
        try:
            if self._store is not None:
                self._store.put(self.run)
        finally:
            self._held.close()


class BackgroundJobs:
    """The jobs that this process began."""

    def __init__(self, services: Services) -> None:
        self._services = weakref.proxy(services)  # what is by services must not keep them
        self._jobs: dict[str, Job] = {}
        self._turn = threading.Lock()

    def start(self, index: str, name: str, work: Work) -> Run:
        """Begin a job on a thread of its own; returns its record once it has begun.

        Raises what the work raises before that.
        """
        job = Job(self._services.session, index, name)
        threading.Thread(target=self._do, args=(job, work), daemon=True, name=job.run.id).start()
        job.begun.wait(BEGINS)
        if job.error is not None:
            raise job.error
        with self._turn:
            self._jobs[job.run.id] = job
            for old in list(self._jobs)[:-_REMEMBERED]:
                if self._jobs[old].run.state is not State.RUNNING:
                    del self._jobs[old]
        return job.run

    def get(self, index: str, name: str) -> Run:
        """How a run stands, whoever began it. Raises NotFound."""
        with self._turn:
            job = self._jobs.get(name)
        if job is not None and job.index == index and not job.is_recorded:
            return job.run
        runs = RunStore.stored(self._services.session, index)
        try:
            if runs is None:
                raise NotFound(f"no job {name[:80]!r}; nothing ran on {index!r} yet")
            return runs.get(name)
        except NotFound:
            if job is None or job.index != index:
                raise
            return job.run

    def latest(self, index: str, name: str, limit: int) -> list[Run]:
        """The runs that were begun last."""
        stored: list[Run] = []
        with suppress(NotFound):  # detached meanwhile
            runs = RunStore.stored(self._services.session, index)
            stored = runs.latest(name, limit=limit) if runs is not None else []
        known = {run.id for run in stored}
        with self._turn:
            own = [job.run for job in self._jobs.values() if job.index == index]
        own = [run for run in own if run.id not in known and name in ("", run.job)]
        return sorted([*stored, *own], key=lambda run: run.started, reverse=True)[:limit]

    def cancel(self, index: str, name: str) -> Run:
        """Tell a run to stop. Raises NotFound, StoreRefused for one that is not under way."""
        run = self.get(index, name)
        if run.state is not State.RUNNING:
            raise StoreRefused(f"the job is not under way, it is {run.state.value}")
        with self._turn:
            job = self._jobs.get(name)
        if job is not None:
            job.stopped.set()
            return run
        until = moment(datetime.now(UTC) + _ASKED_TO_STOP)
        values: Mapping[str, Any] = {"digest": CANCELLED, "until": until}
        self._services.session.collection(REQUESTS, index).put(_stop_id(name), values)
        return run

    def _do(self, job: Job, work: Work) -> None:
        try:
            work(job)
            said = ""
        except DupdexError as error:
            said = str(error)
            job.error = error if not job.begun.is_set() else None
        except Exception as error:
            # The thread ends here, and the record has to say so: what it says is the kind alone,
            # as the message may quote a document.
            said = f"internal error: {type(error).__name__}"
            job.error = DupdexError(said) if not job.begun.is_set() else None
        try:
            job.end(said)
        except DupdexError:
            pass  # others see a run whose lease has lapsed as interrupted
        finally:
            job.begun.set()


_EVERY: Final[WeakKeyDictionary[Services, BackgroundJobs]] = WeakKeyDictionary()


def jobs_of(services: Services) -> BackgroundJobs:
    """The jobs of this process; the same ones for all that ask."""
    return _EVERY.setdefault(services, BackgroundJobs(services))


def _stop_id(run: str) -> str:
    return f"stop-{run}"
