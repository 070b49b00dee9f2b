"""Re-fingerprint an index in place, under another plan; taken up again after an interruption.

The target is written into the index first, so that readers are refused until all is done and
writers that were open before stop. Documents that already carry the target's plan id are passed
over, so a second run goes on where the first stopped. What a writer had under way is found by
further passes, which end when one finds nothing that could be rewritten.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import replace
from typing import Final

from dupdex.location import Location
from dupdex.session import Session
from indexer.fingerprints.exact import text_hashes
from indexer.meta import IndexMeta, check_servable, way_back
from indexer.model import Document, Outcome, Status
from indexer.pipeline import index
from indexer.stores import StoreWriter
from indexer.stores.storable import CHANGED
from indexer.text import prepare
from mappings.errors import (
    AccessRefused,
    DupdexError,
    InputRefused,
    PlanMismatch,
    StoreRefused,
)
from mappings.plan import Plan, newest
from query.answers import Stored
from query.stores import StoreReader

PASSES: Final = 10

_OFFLINE: Final = (
    "lookups are refused until the rebuild is done, as its documents cannot be found under two "
    "plans alone"
)

GRACE_SECONDS: Final = 3.0
"""How long a server's other writers may need to see that a rebuild has begun: each looks once a
second, and has a request or two under way."""


def rebuild(
    where: Location | Session,
    target: Plan | None = None,
    workers: int = 1,
    progress: Callable[..., None] = lambda *_: None,
    remark: Callable[[str], None] = lambda _: None,
    online: bool = False,
) -> Iterator[Outcome]:
    """Bring every document to `target` (by default an unfinished rebuild's, else the index's own
    plan in the newest format); one outcome for each document that was rewritten, or cannot be.

    With `online` lookups go on: they ask under both plans, and so take twice as long.

    A document that is REJECTED stays as it is, with the keys it had. `progress` is told the
    documents done, and at first the number there are; `remark` what failed and was no condition.

    Raises NotFound for no index, StoreRefused for one that dupdex did not make, for a name of
    several indices or when another program goes on changing it, PlanMismatch when another rebuild
    took over, or for a plan that cannot be served here. What is refused before a document was
    rewritten leaves the index as it was.
    """
    if isinstance(where, Location):
        with Session(where) as session:
            yield from rebuild(session, target, workers, progress, remark, online)
        return
    reader, writer = where.for_rebuild()
    with closing(reader), closing(writer):
        # The writer's: to get its lock it may have waited for another rebuild to end.
        before = writer.meta
        goal = target or before.rebuilding or newest(before.plan)
        _check_goal(goal, before)
        writer.check_changeable()
        writer.set_meta(before.started(goal, online))
        if writer.meta.goal is not None:
            time.sleep(GRACE_SECONDS)  # from now on every lookup asks under both plans
        elif online:
            remark(_OFFLINE)
        settled = time.monotonic() + (GRACE_SECONDS if where.location.is_server else 0.0)
        moving = _Moving(reader, writer, goal, workers)
        try:
            writer.refresh()  # what an interrupted run has written is to be seen by the scan
            progress(0, reader.count())
            for outcome in _all_passes(moving, settled):
                progress(1)
                yield outcome
        except (AccessRefused, InputRefused, StoreRefused) as error:
            if moving.rewritten or before.rebuilding is not None:
                raise
            raise _taken_back(writer, before, error) from error
        writer.set_meta(writer.meta.finished(goal))
        if writer.problem:
            remark(writer.problem)
        _refresh(writer)


def _taken_back(writer: StoreWriter, before: IndexMeta, error: DupdexError) -> DupdexError:
    """The error for a rebuild that was refused before it rewrote anything."""
    try:
        writer.set_meta(replace(before, revision=writer.meta.revision))
    except DupdexError:
        return error
    said = f"{error}; no document was rewritten and the index was left as it is"
    return type(error)(said, error.hint)


def _refresh(writer: StoreWriter) -> None:
    """An extra: what is done is done, and every index refreshes by itself."""
    with suppress(AccessRefused):
        writer.refresh()


def _check_goal(goal: Plan, meta: IndexMeta) -> None:
    """Before the index says that a rebuild goes on, which refuses it to everybody else."""
    try:
        check_servable(goal)
    except PlanMismatch as error:
        if meta.rebuilding is None:
            raise PlanMismatch(f"{error}; the index was left as it is") from error
        raise PlanMismatch(f"{error}{way_back(meta)}") from error


def _all_passes(moving: _Moving, settled: float) -> Iterator[Outcome]:
    yield from moving.first()
    for _ in range(PASSES):
        time.sleep(max(0.0, settled - time.monotonic()))
        yield from moving.again()
        if not moving.rewritable:
            return
    raise StoreRefused(
        f"other programs keep writing documents of another plan, after {PASSES} passes there are "
        "new ones; stop them and run 'dupdex rebuild' again, it goes on where it stopped"
    )


class _Moving:
    """The passes over an index. `rewritable`: the documents that the last one found and could
    rewrite; `rewritten`: whether any document was.
    """

    def __init__(self, reader: StoreReader, writer: StoreWriter, goal: Plan, workers: int) -> None:
        self._reader, self._writer, self._goal, self._workers = reader, writer, goal, workers
        self._refused: set[str] = set()
        self.rewritable = 0
        self.rewritten = False

    def first(self) -> Iterator[Outcome]:
        """Documents of another plan, and those whose text has changed since they were written."""
        stored = self._reader.scan()
        return self._rewrite(
            document
            for document in stored
            if document.plan_id != self._goal.id or _is_stale(document, self._goal)
        )

    def again(self) -> Iterator[Outcome]:
        """Documents of another plan that an earlier pass did not see, or found changed."""
        self._writer.refresh()
        stored = self._reader.scan(without_plan=self._goal.id)
        return self._rewrite(document for document in stored if document.id not in self._refused)

    def _rewrite(self, wanted: Iterator[Stored]) -> Iterator[Outcome]:
        self.rewritable = 0
        documents = (
            Document(stored.id, stored.text, stored.body, origin=stored.id) for stored in wanted
        )
        for outcome in index(documents, self._goal, self._writer, self._workers):
            if outcome.reason == CHANGED:
                self.rewritable += 1
                continue
            if outcome.status is Status.REJECTED:
                self._refused.add(outcome.document.id)
            else:
                self.rewritable += 1
                self.rewritten = True
            yield outcome


def _is_stale(stored: Stored, plan: Plan) -> bool:
    text_hash = stored.fingerprint.text_hash if stored.fingerprint else None
    return text_hashes(prepare(stored.text, plan), plan.exact.digest) != [text_hash]
