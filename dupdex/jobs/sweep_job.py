"""The sweep of an index: all its pairs found and recorded, and its groups brought up to date.

    snapshot -> join of the keys -> judged, on several processes -> records of pairs -> groups

One sweep runs at a time, under a lease. It notes in its run how far the records are settled, and
the next one goes on there if it is killed. What is written while it runs is looked up at its end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import Any, Final

from dupdex.groups.assign import Grouper
from dupdex.jobs.gram_screen import GramScreen, Screened, screened
from dupdex.jobs.heartbeat import WAIT, Held, held
from dupdex.jobs.joined_pairs import Found, Joined, pairs_between
from dupdex.jobs.run_store import Progress, Run, RunStore, State, told_as_stopped
from dupdex.jobs.snapshot import Snapshot, taken
from dupdex.matches.match_store import MatchQuery, MatchStore
from dupdex.scratch import scratch_folder
from dupdex.session import Session
from indexer.meta import IndexMeta
from indexer.model import Ref
from indexer.stores import StoreWriter
from indexer.stores.lease import SECONDS
from indexer.workers import made_in_processes
from mappings.errors import StoreRefused
from mappings.records import LEASES
from query.answers import Stored
from query.questions import Options
from query.sweep import SweepReport, all_pairs

JOB: Final = "sweep"

PART: Final = 200
"""Documents whose pairs are settled together."""

MARGIN: Final = 60_000
"""Milliseconds between the time that a document carries and its being seen, at the most; clocks of
the programs that write differ by less."""

_SCREENED: Final = 50
_RESUMABLE: Final = timedelta(days=1)
_FEW: Final = 0.05
"""Up to this share of the index, documents that are new are looked up one by one."""

_LOOKUP: Final = Options(size=None, candidates=1_000, verify=None, located=False, bodies=False)

Step = Callable[..., None]


@dataclass(frozen=True, slots=True)
class Sweep:
    """What a sweep does. `since`: only pairs of documents that were written then or later, in
    milliseconds since 1970. `groups`: bring groups up to date; `regroup`: also those of documents
    that were not written since.
    """

    since: int | None = None
    groups: bool = True
    regroup: bool = False
    workers: int = 1


def sweep(
    session: Session,
    wanted: Sweep | None = None,
    index: str | None = None,
    step: Step = lambda *_: None,
    seconds: float = SECONDS,
    wait: float = WAIT,
    begun: Callable[[Run], None] = lambda _: None,
) -> Run:
    """Sweep an index; returns the record of the run. `step` is told of documents, and of how many
    there are; `begun` of the run once it is recorded. `seconds`: how long others wait when this one
    is killed.

    Raises NotFound when there is no such index, StoreUnavailable when another sweep is under way
    for longer than `wait` seconds.
    """
    wanted = wanted or Sweep()
    with ExitStack() as open_ones:
        reader = session.reader(index)
        if wanted.groups and not reader.meta.standing:
            raise StoreRefused(
                "the index has no place for groups, as an earlier version made it; run "
                "'dupdex rebuild', or sweep with --no-groups"
            )
        held_lease = held(session.collection(LEASES, index), JOB, seconds, wait)
        lease = open_ones.enter_context(held_lease)
        with closing(session.writer(index)) as writer:
            writer.refresh()
        runs = RunStore.open(session, index)
        run = _run_of(runs, wanted, reader.meta)
        begun(run)
        progress = open_ones.enter_context(runs.recorded(run))
        _Sweeping(session, index, wanted, lease, progress, step).all()
    return progress.run


def since_last(session: Session, index: str | None = None) -> int | None:
    """When the last sweep began that was done, in milliseconds since 1970; None for none."""
    runs = RunStore.stored(session, index)
    done = runs.latest(JOB, State.DONE, 1) if runs is not None else []
    return _milliseconds(done[0].started) - MARGIN if done else None


def _run_of(runs: RunStore, wanted: Sweep, meta: IndexMeta) -> Run:
    """The run that goes on where an interrupted one stopped, or a new one."""
    mark = _mark(wanted, meta)
    found: Run | None = None
    for number, run in enumerate(runs.latest(JOB)):
        fresh = datetime.fromisoformat(run.started) > datetime.now(UTC) - _RESUMABLE
        same = run.mark is not None and {**run.mark, "after": ""} == {**mark, "after": ""}
        if number == 0 and fresh and same and run.state is not State.DONE:
            times = run.counts.get("resumed", 0) + 1
            found = replace(run, state=State.RUNNING, ended=None, error="")
            found = replace(found, counts={**run.counts, "resumed": times})
            runs.put(found)
        elif run.ended is None:  # the lease is held here
            runs.put(told_as_stopped(run))
    return found or runs.begin(JOB, mark)


def _mark(wanted: Sweep, meta: IndexMeta) -> dict[str, Any]:
    """Where a sweep begins, and what must be the same for another to go on with it."""
    return {
        "after": "",
        "plan": meta.plan.id,
        "boilerplate": len(meta.boilerplate.sentences),
        "since": wanted.since,
        "groups": wanted.groups,
    }


class _Sweeping:
    """One sweep that is under way."""

    def __init__(
        self,
        session: Session,
        index: str | None,
        wanted: Sweep,
        lease: Held,
        progress: Progress,
        step: Step,
    ) -> None:
        self._session, self._index, self._wanted = session, index, wanted
        self._lease, self._progress, self._step = lease, progress, step
        self._reader = reader = session.reader(index)
        self._matches = MatchStore.open(session, index)
        self._meta = reader.meta
        self._began = _milliseconds(progress.run.started)
        counts = progress.run.counts  # of what an interrupted run has settled
        self._pairs, self._candidates, self._read = (
            int(counts.get(name, 0)) for name in ("pairs", "candidates", "read")
        )

    def all(self) -> None:
        """Everything, in order."""
        since = self._wanted.since
        total = self._reader.count()
        if since is not None:
            new = [stored.ref for stored in islice(self._reader.scan(since=since), _few(total) + 1)]
            if len(new) <= _few(total):
                self._progress.note(documents=len(new))
                self._finish(new, whole=self._wanted.regroup)
                return
        with scratch_folder() as folder:
            documents = self._told(self._reader.scan(), total)
            snapshot = taken(documents, self._meta.plan, folder)
            self._progress.note(documents=len(snapshot), refused=snapshot.refused)
            self._settle_all(snapshot, folder)
            with self._writing() as writer:
                writer.refresh()
            changed = list(self._changed_since(snapshot))
        self._finish(changed, whole=True)

    def _settle_all(self, snapshot: Snapshot, folder: Path) -> None:
        """Find the pairs of all documents after the mark, and bring the records up to date."""
        after = str((self._progress.run.mark or {}).get("after", ""))
        first = snapshot.first_after(after)
        boilerplate = self._meta.boilerplate
        screen = self._screen(snapshot, folder / "grams")
        self._step(first)
        parts = _parts(first, len(snapshot), PART)
        for (low, high), found in self._found(parts, Joined(snapshot, boilerplate, screen)):
            self._lease.check()
            self._candidates += found.candidates
            self._read += found.read
            self._pairs += len(found.pairs)
            refs = snapshot.refs[low:high]
            self._matches.settle_first(refs, found.pairs, self._meta.plan.id, self._progress.run.id)
            mark = {**(self._progress.run.mark or {}), "after": snapshot.key(high - 1)}
            self._progress.note(
                mark, pairs=self._pairs, candidates=self._candidates, read=self._read
            )
            self._step(high - low)

    def _screen(self, snapshot: Snapshot, path: Path) -> GramScreen | None:
        """What tells candidates that are worth reading; each text is prepared once for it."""
        if len(snapshot) < 2:
            return None
        parts = _parts(0, len(snapshot), _SCREENED)
        context = (snapshot, self._meta.boilerplate)
        workers = min(self._wanted.workers, len(parts))
        made = made_in_processes(parts, lambda part: part, screened, context, workers)

        def told() -> Iterator[Screened]:
            for (low, high), part in made:
                self._lease.check()
                self._step(high - low)
                yield part

        return GramScreen.of(told(), snapshot, path)

    def _found(
        self, parts: list[tuple[int, int]], joined: Joined
    ) -> Iterator[tuple[tuple[int, int], Found]]:
        workers = min(self._wanted.workers, max(1, len(parts)))
        return made_in_processes(parts, lambda part: part, pairs_between, joined, workers)

    def _changed_since(self, snapshot: Snapshot) -> Iterator[Ref]:
        """Documents that were written since the snapshot was taken, or, after an interruption,
        since the first one of the run was."""
        resumed = bool(self._progress.run.counts.get("resumed"))
        for stored in self._reader.scan(since=self._began - MARGIN):
            if resumed or not snapshot.has(stored):
                yield stored.ref

    def _writing(self) -> closing[StoreWriter]:
        """The write side, for as short as possible: a store may have one writer at a time."""
        return closing(self._session.writer(self._index))

    def _settle(self, batch: list[Ref]) -> None:
        documents = self._reader.documents(batch)
        report = SweepReport()
        pairs = list(
            all_pairs(
                documents.values(),
                self._meta.plan,
                self._reader,
                self._meta.boilerplate,
                _LOOKUP,
                report,
            )
        )
        self._matches.settle(batch, pairs, self._meta.plan.id, self._progress.run.id)

    def _finish(self, changed: list[Ref], whole: bool) -> None:
        """Look up what has changed, remove records of documents that are gone, and group."""
        if not self._wanted.groups:
            for batch in self._batches(changed):
                self._settle(batch)
            gone = self._without_records_of_gone()
            self._progress.note(kept=self._matches.count(MatchQuery()), gone=gone)
            return
        with self._writing() as writer:
            grouper = Grouper(self._session, writer, self._index)
            for batch in self._batches(changed):
                grouper.assign(batch)
            gone = self._without_records_of_gone()
            if whole:
                grouper.regroup(lambda _: self._lease.check())
            writer.refresh()
            grouper.groups.refresh()
            groups = grouper.groups.count()
        kept = self._matches.count(MatchQuery())
        self._progress.note(kept=kept, gone=gone, groups=groups)

    def _batches(self, refs: list[Ref]) -> Iterator[list[Ref]]:
        remaining = iter(refs)
        while batch := list(islice(remaining, PART)):
            self._lease.check()
            yield batch

    def _without_records_of_gone(self) -> int:
        """Remove records of documents that are gone; how many these are."""
        self._matches.refresh()
        gone = self._gone()
        if gone:
            self._matches.remove(gone)
        self._matches.refresh()
        self._lease.check()
        return len(gone)

    def _gone(self) -> list[Ref]:
        """Documents with records that there are no longer: other programs may delete, too."""
        named: set[Ref] = set()
        for record in self._matches.everything():
            named |= {record.first, record.second}
        if not named:
            return []
        for ref, _ in self._reader.all_standings():
            named.discard(ref)
        there = self._reader.standings(sorted(named))
        return sorted(named - there.keys())

    def _told(self, documents: Iterable[Stored], total: int) -> Iterator[Stored]:
        self._step(0, 3 * total)
        for document in documents:
            self._step(1)
            yield document
        self._lease.check()


def _parts(first: int, last: int, size: int) -> list[tuple[int, int]]:
    return [(low, min(low + size, last)) for low in range(first, last, size)]


def _few(total: int) -> int:
    return max(PART, int(_FEW * total))


def _milliseconds(time: str) -> int:
    return round(datetime.fromisoformat(time).timestamp() * 1_000)
