"""The standing jobs of an index: groups while indexing, attaching, reports, deletes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any, Final

from dupdex.index import Index
from dupdex.jobs.sweep_job import Sweep, sweep
from dupdex.location import Location
from dupdex.report.findings import ReportOptions
from dupdex.session import Session
from indexer.grouping import Grouping
from indexer.meta import IndexMeta
from indexer.model import Document, Status
from mappings.records import RECORDS
from scripts.benchmark.measure import timed
from scripts.benchmark.results import Line, Section, Target
from scripts.benchmark.setting import Setting
from scripts.benchmark.texts_of_corpus import Corpus, document, edited

_WORKERS: Final = 2
_COPY: Final = 10
"""One document in so many is a light copy of an earlier one."""

_MAPPINGS: Final = {"properties": {"source": {"type": "keyword"}, "date": {"type": "date"}}}
_DELETED: Final = 10_000
_SECONDS: Final = Target(most=30)


def measure(setting: Setting) -> Section:
    section = Section("jobs", "The standing jobs of an index: groups, attaching, reports, deletes")
    amount = setting.stored(20_000, 1_000)
    documents = [_document(setting.corpus, number) for number in range(amount)]
    section.lines += _indexing(setting, documents)
    section.lines += _attaching(setting, documents)
    section.notes.append(
        f"{amount:,} documents, one in {_COPY} a light copy of another; {_WORKERS} processes or "
        "slices; the server shares the cores. Attaching gives every document of an index that is "
        "there its fingerprint; the report counts by a field and by day"
    )
    return section


def _document(corpus: Corpus, number: int) -> Document:
    made = document(corpus, number)
    if number % _COPY != _COPY - 1:
        return made
    source = Random(number).randrange(number)
    text = edited(corpus.text(source - source % _COPY), number)
    return Document(made.id, text, {**made.body, "text": text})


def _indexing(setting: Setting, documents: list[Document]) -> Iterator[Line]:
    """Indexing without groups and with them, then what is done with an index that has them."""
    amount, rates = len(documents), {}
    for name, grouping in (("without groups", None), ("with groups", Grouping(live=True))):
        at = setting.server.new_location("jobs")
        seconds = _seconds(lambda at=at, of=grouping: _index(at, documents, of))  # type: ignore[misc]
        rates[name] = amount / seconds
        yield Line(f"{amount:,} documents indexed {name}", rates[name], "docs/s")
        if grouping is None:
            setting.server.drop(at)
    ratio = rates["without groups"] / rates["with groups"]
    yield Line("time with groups, against that without", ratio, "times")
    with Session(at) as session:
        yield Line("then a sweep of all of them", _seconds(lambda: _sweep(session)), "s")
        with Index.open(session) as index:
            options = ReportOptions("date", "source")
            yield Line("a report", _seconds(lambda: index.report(options)), "s")
    deleted = min(_DELETED, amount // 2)
    with Index.create(at) as index:
        ids = [each.id for each in documents[:deleted]]
        seconds = _seconds(lambda: index.delete(ids))
        target = _SECONDS if deleted == _DELETED else None
        yield Line(f"{deleted:,} of them deleted, with pairs and groups", seconds, "s", target)
    _drop(setting, at)


def _attaching(setting: Setting, documents: list[Document]) -> Iterator[Line]:
    """An index that dupdex did not make."""
    amount = len(documents)
    at = setting.server.create("attached", {"mappings": _MAPPINGS})
    client = setting.server.client
    for start in range(0, amount, 500):
        body: list[Mapping[str, Any]] = []
        for each in documents[start : start + 500]:
            body += [{"index": {"_id": each.id}}, each.body]
        if client.bulk(index=at.index, operations=body)["errors"]:
            raise RuntimeError("the server refused documents")
    client.indices.refresh(index=at.index)
    attached = _seconds(lambda: Index.attach(at, slices=_WORKERS))
    yield Line(f"an index of {amount:,} documents attached", amount / attached, "docs/s")
    again = _seconds(lambda: Index.attach(at, slices=_WORKERS))
    yield Line("attached again, when nothing has changed", again, "s")
    detached = _seconds(lambda: Index.detach(at, slices=_WORKERS))
    yield Line("detached", amount / detached, "docs/s")
    setting.server.drop(at)


def _index(at: Location, documents: list[Document], grouping: Grouping | None) -> None:
    with Index.create(at, IndexMeta(), mappings=_MAPPINGS, grouping=grouping) as index:
        for outcome in index.add_iter(documents, workers=_WORKERS):
            if outcome.status is Status.REJECTED:
                raise RuntimeError(outcome.reason)
        index.refresh()


def _sweep(session: Session) -> None:
    sweep(session, Sweep(workers=_WORKERS))


def _drop(setting: Setting, at: Location) -> None:
    with Session(at) as session:
        for collection in RECORDS:
            session.collection(collection).drop()
    setting.server.drop(at)


def _seconds(work: Callable[[], object]) -> float:
    return timed(work)()
