"""Re-fingerprint an index in place, under another plan; taken up again after an interruption.

The target is written into the index first, so readers are refused until all is done; documents
that already carry the target's plan id are passed over, so a second run goes on where the first
stopped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from dupdex.index import open_reader, open_writer
from dupdex.location import Location
from indexer.fingerprints.exact import text_hashes
from indexer.model import Document, Outcome
from indexer.pipeline import index
from indexer.prepare import prepare
from mappings.plan import Plan
from query.model import Stored
from query.stores import StoreReader


def rebuild(
    location: Location,
    target: Plan | None,
    workers: int = 1,
    progress: Callable[..., None] = lambda *_: None,
) -> Iterator[Outcome]:
    """Bring every document to `target` (by default an unfinished rebuild's, else this version of
    the index's own plan); one outcome for each document that was rewritten.

    `progress` is told the documents done, and at first the number there are.

    Raises NotFound for no index, StoreRefused for one that dupdex did not make.
    """
    reader = open_reader(location, rebuilding=True)
    try:
        meta = reader.meta
        goal = target or meta.rebuilding or meta.plan
        writer = open_writer(location, meta, rebuilding=True)
        try:
            writer.set_meta(meta.started(goal))
            writer.refresh()  # what an interrupted run has written is to be seen by the scan
            progress(0, reader.count())
            for outcome in index(_documents(reader, goal), goal, writer, workers):
                progress(1)
                yield outcome
            writer.set_meta(meta.finished(goal))
            writer.refresh()
        finally:
            writer.close()
    finally:
        reader.close()


def _documents(reader: StoreReader, goal: Plan) -> Iterator[Document]:
    """Documents of another plan, and those whose text has changed since they were written."""
    for stored in reader.scan():
        if stored.plan_id != goal.id or _is_stale(stored, goal):
            yield Document(stored.id, stored.text, stored.body, origin=stored.id)


def _is_stale(stored: Stored, plan: Plan) -> bool:
    known = stored.fingerprint.text_hash if stored.fingerprint else None
    return text_hashes(prepare(stored.text, plan), plan.exact.digest) != [known]
