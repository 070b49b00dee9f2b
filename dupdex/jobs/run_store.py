"""Runs of jobs: what was begun, how far it came, and how it ended."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, Final, Self

from dupdex.session import Session
from indexer.stores.collection_store import Between, CollectionStore, Equals, Item, Query
from indexer.stores.lease import LeaseLost
from mappings.collections import moment
from mappings.errors import DupdexError, NotFound
from mappings.records import LEASES, RUNS

KEPT: Final = 1_000
"""Runs that are remembered; the oldest go first."""

_LONGEST_ERROR: Final = 2_000
_STOPPED: Final = "interrupted"


class State(StrEnum):
    """How a run stands. `INTERRUPTED`, which is never stored: its program is gone, or somebody
    stopped it."""

    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    INTERRUPTED = "interrupted"


@dataclass(frozen=True, slots=True)
class Run:
    """One run of a job. Times: see `mappings.collections.moment`; `counts`: what it did so far;
    `mark`: where it goes on after an interruption; `error`: why it failed.
    """

    id: str
    job: str
    state: State
    started: str
    ended: str | None = None
    counts: Mapping[str, Any] = field(default_factory=dict)
    mark: Mapping[str, Any] | None = None
    error: str = ""

    def values(self) -> dict[str, Any]:
        """As the collection RUNS holds it."""
        return {
            "job": self.job,
            "state": self.state.value,
            "started": self.started,
            "ended": self.ended,
            "counts": dict(self.counts),
            "mark": None if self.mark is None else dict(self.mark),
            "error": self.error or None,
        }

    @classmethod
    def from_item(cls, item: Item) -> Self:
        """The run that an item of RUNS holds."""
        values = item.values
        return cls(
            item.id,
            values["job"],
            State(values["state"]),
            values["started"],
            values.get("ended"),
            values.get("counts", {}),
            values.get("mark"),
            values.get("error", ""),
        )


class RunStore:
    """The runs of an index. A job that may run once at a time holds the lease of its name."""

    def __init__(self, runs: CollectionStore, leases: CollectionStore | None) -> None:
        """For collections that are there; everybody calls `open` or `stored`."""
        self._runs, self._leases = runs, leases

    @classmethod
    def open(cls, session: Session, index: str | None = None) -> Self:
        """The runs of an index; raises NotFound when there is no such index."""
        return cls(session.collection(RUNS, index), session.collection(LEASES, index))

    @classmethod
    def stored(cls, session: Session, index: str | None = None) -> Self | None:
        """The same, only to read; None where nothing ever ran. Makes nothing."""
        runs = session.stored_collection(RUNS, index)
        return None if runs is None else cls(runs, session.stored_collection(LEASES, index))

    def begin(self, job: str, mark: Mapping[str, Any] | None = None) -> Run:
        """Record that a job was begun."""
        now = moment(datetime.now(UTC))
        name = f"{now[:19].replace(':', '').replace('-', '')}-{job}-{uuid.uuid4().hex[:6]}"
        run = Run(name, job, State.RUNNING, now, mark=mark)
        self.put(run)
        self._forget_old_ones()
        return run

    def put(self, run: Run) -> None:
        """Record how a run stands."""
        self._runs.put(run.id, run.values())
        self._runs.refresh()

    def remove(self, run: Run) -> None:
        """Forget a run."""
        self._runs.delete_all([run.id])
        self._runs.refresh()

    def latest(self, job: str = "", state: State | None = None, limit: int = 20) -> list[Run]:
        """The runs, of one job or of all, that were begun last; the last one first. One whose
        program is gone is INTERRUPTED."""
        conditions = [Equals("job", (job,))] if job else []
        if state is not None:
            conditions.append(Equals("state", (state.value,)))
        self._runs.refresh()
        page = self._runs.query(Query(tuple(conditions), "started", True, limit))
        return [self._as_it_is(Run.from_item(item)) for item in page.items]

    def get(self, name: str) -> Run:
        """One run. Raises NotFound."""
        item = self._runs.get(name)
        if item is None:
            raise NotFound(f"no run {name!r}; 'dupdex jobs' lists those there are")
        return self._as_it_is(Run.from_item(item))

    @contextmanager
    def recorded(self, run: Run) -> Iterator[Progress]:
        """A run that is recorded as done at the end of the block, or as failed."""
        progress = Progress(self, run)
        try:
            yield progress
        except LeaseLost:
            raise  # whoever took over keeps the record by now
        except BaseException as error:
            told = str(error) if isinstance(error, DupdexError) else _named(error)
            progress.end(State.FAILED, told[:_LONGEST_ERROR])
            raise
        progress.end(State.DONE)

    def _as_it_is(self, run: Run) -> Run:
        """A run is under way only while its program holds the lease of the job."""
        if run.state is State.FAILED and run.error == _STOPPED:
            return replace(run, state=State.INTERRUPTED)
        if run.state is not State.RUNNING:
            return run
        lease = self._leases.get(run.job) if self._leases is not None else None
        now = moment(datetime.now(UTC))
        later = Between("started", at_least=run.started)
        newest = self._runs.query(Query((Equals("job", (run.job,)), later), "started", True, 1))
        is_newest = not newest.items or newest.items[0].id == run.id
        if lease is not None and lease.values["until"] > now and is_newest:
            return run
        item = self._runs.get(run.id)  # it may have ended between the two looks
        if item is not None:
            run = Run.from_item(item)
        return replace(run, state=State.INTERRUPTED) if run.state is State.RUNNING else run

    def _forget_old_ones(self) -> None:
        excess = self._runs.count() - KEPT
        if excess > 0:
            old = self._runs.query(Query((), "started", limit=min(excess, 500)))
            self._runs.delete_all([item.id for item in old.items])


def told_as_stopped(run: Run) -> Run:
    """The record of a run whose program is gone, for whoever holds the lease now."""
    return replace(run, state=State.FAILED, ended=moment(datetime.now(UTC)), error=_STOPPED)


class Progress:
    """A run that is under way, as its program records it."""

    def __init__(self, store: RunStore, run: Run) -> None:
        self._store, self.run = store, run

    def note(self, mark: Mapping[str, Any] | None = None, **counts: Any) -> None:
        """Record counts, and where the run goes on after an interruption."""
        mark = self.run.mark if mark is None else mark
        self.run = replace(self.run, counts={**self.run.counts, **counts}, mark=mark)
        self._store.put(self.run)

    def end(self, state: State, error: str = "") -> None:
        """Record how it ended; what is done has no mark any more."""
        mark = None if state is State.DONE else self.run.mark
        ended = moment(datetime.now(UTC))
        self.run = replace(self.run, state=state, ended=ended, mark=mark, error=error)
        self._store.put(self.run)


def _named(error: BaseException) -> str:
    if isinstance(error, KeyboardInterrupt | SystemExit):
        return _STOPPED
    return f"{type(error).__name__}: {error}"
