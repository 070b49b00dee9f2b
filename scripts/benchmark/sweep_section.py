"""A sweep of a whole index: all pairs found, kept and grouped."""

from __future__ import annotations

import resource
import time

from dupdex.index import Index
from dupdex.jobs.run_store import Run
from dupdex.jobs.sweep_job import Sweep, sweep
from dupdex.location import Location
from dupdex.session import Session
from indexer.meta import IndexMeta
from indexer.model import Document, Status
from mappings.plan import STANDARD
from mappings.records import RECORDS
from scripts.benchmark.results import Line, Section, Target
from scripts.benchmark.setting import Setting

_WORKERS = 2
_MINUTES_FOR_100_000 = Target(most=300)


def measure(setting: Setting) -> Section:
    section = Section("sweep", "A sweep: all pairs of an index found, kept and grouped")
    amount = setting.stored(100_000, 2_000)
    at = setting.server.new_location("sweep")
    _fill(at, setting, amount)
    seconds, run = _timed(at)
    again, second = _timed(at)
    counts = run.counts
    target = _MINUTES_FOR_100_000 if amount == 100_000 else None
    section.lines += [
        Line(f"{amount:,} articles, the first sweep", seconds, "s", target),
        Line("the same again, when nothing has changed", again, "s"),
        Line("documents a second", amount / seconds, "docs/s"),
        Line("candidates a document", counts["candidates"] / amount, "pairs"),
        Line("of these read", counts["read"] / amount, "pairs"),
        Line("pairs kept", counts["kept"], "pairs"),
        Line("pairs that the second sweep added", second.counts["kept"] - counts["kept"], "pairs"),
        Line("memory of the largest process at its peak", _peak(), "MiB"),
    ]
    section.notes.append(f"texts: {setting.corpus.name}; {_WORKERS} processes")
    _drop_collections(at)
    setting.server.drop(at)
    return section


def _fill(at: Location, setting: Setting, amount: int) -> None:
    texts = (setting.corpus.text(number) for number in range(amount))
    documents = (
        Document(f"a{number:07}", text, {"text": text}) for number, text in enumerate(texts)
    )
    with Index.create(at, IndexMeta(STANDARD)) as index:
        for outcome in index.add_iter(documents, workers=_WORKERS):
            if outcome.status is Status.REJECTED:
                raise RuntimeError(outcome.reason)
        index.refresh()
        index.learn_if_grown()


def _drop_collections(at: Location) -> None:
    with Session(at) as session:
        for collection in RECORDS:
            session.collection(collection).drop()


def _timed(at: Location) -> tuple[float, Run]:
    with Session(at) as session:
        began = time.perf_counter()
        run = sweep(session, Sweep(workers=_WORKERS))
        return time.perf_counter() - began, run


def _peak() -> float:
    kinds = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return max(resource.getrusage(kind).ru_maxrss for kind in kinds) / 1024
