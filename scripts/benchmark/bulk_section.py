"""Bulk indexing with dupdex's object against plain bulk of the same documents."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final
from unittest.mock import patch

import orjson
from elasticsearch import helpers

from dupdex.location import Location
from indexer.meta import IndexMeta
from indexer.model import Document, Outcome, Record, Standing, Status
from indexer.pipeline import index, to_records
from indexer.stores.elastic import elastic_writer
from indexer.stores.elastic.elastic_writer import ElasticWriter
from indexer.stores.storable import encode
from mappings.contract import OBJECT_FIELD
from mappings.index_body import index_body
from mappings.plan import CHARACTERS, STANDARD, Plan
from scripts.benchmark.measure import Run, Times, interleaved, settled
from scripts.benchmark.results import Line, Section, Target
from scripts.benchmark.server import Server
from scripts.benchmark.setting import Setting
from scripts.benchmark.texts_of_corpus import documents

SETTINGS: Final = {"number_of_shards": 1, "number_of_replicas": 0, "refresh_interval": "-1"}

_CHUNK: Final = 500
_PLAIN, _HELPERS, _READY = "plain", "helpers", "ready"
_NAMES: Final = {
    _PLAIN: "plain bulk, dupdex's sender without the object",
    _HELPERS: "plain bulk, helpers.streaming_bulk",
    _READY: "with fingerprints computed beforehand",
}
_TARGETS: Final = {
    _READY: Target(least=0.8),
    "words 2": Target(least=0.4),
    "no words 2": Target(least=0.6),
}

Write = Callable[[Server, Location, Plan], object]
"""Stores all documents in an index; returns when the last one is acknowledged."""


def measure(setting: Setting) -> Section:
    section = Section("bulk", "Bulk indexing, against plain bulk of the same documents")
    server = setting.server
    amount = setting.stored(20_000, 1_000)
    stored = documents(setting.corpus, amount)
    records = [r for r in to_records(stored, STANDARD, 2) if isinstance(r, Record)]
    if len(records) != amount:
        raise RuntimeError(f"{amount - len(records)} documents were not fingerprinted")
    with settled():  # a million objects of ours are no part of what is measured
        runs = _runs(server, stored, records)
        for name in (_PLAIN, _READY):  # the server compiles its code on these
            runs[name]()
        times = interleaved(runs, setting.size(5, 1))
    size = sum(len(orjson.dumps(document.body)) for document in stored)
    _report(section, times, amount, size)
    section.notes.append(
        f"{amount:,} documents, fresh index each time, one shard, no replica, no refresh until "
        "the end, which is timed too; server and dupdex share the cores"
    )
    return section


def _report(section: Section, times: dict[str, Times], amount: int, size: int) -> None:
    plain = times[_PLAIN]
    for name, each in times.items():
        more = {"best docs/s": amount / each.best, "MB/s": size / each.median / 1e6}
        more["CPU us/doc of this process"] = min(each.cpu) / amount * 1e6
        section.lines.append(Line(_name(name), amount / each.median, "docs/s", None, more))
    for name, each in times.items():
        if name == _PLAIN:
            continue
        more = {
            "best": each.best_ratio_to(plain),
            "against helpers.streaming_bulk": each.ratio_to(times[_HELPERS]),
        }
        label = f"{_name(name)}, against plain"
        target = _TARGETS.get(name)
        section.lines.append(Line(label, each.ratio_to(plain), "times", target, more))


def _name(key: str) -> str:
    if key in _NAMES:
        return _NAMES[key]
    kind, workers = key.rsplit(" ", 1)
    with_words = "with words" if kind == "words" else "without words"
    processes = "1 process" if workers == "1" else f"{workers} processes"
    return f"end to end {with_words}, {processes}"


def _runs(server: Server, stored: Sequence[Document], records: Sequence[Record]) -> dict[str, Run]:
    def ready(_: Server, location: Location, plan: Plan) -> None:
        _drain(_writer(server, location, plan).write(records), len(stored))

    def plain(_: Server, location: Location, plan: Plan) -> None:
        with patch.object(elastic_writer, "index_operation", plain_operation):
            _drain(_writer(server, location, plan).write(records), len(stored))

    def by_helpers(_: Server, location: Location, _plan: Plan) -> None:
        done = helpers.streaming_bulk(server.client, _actions(stored, location), chunk_size=_CHUNK)
        if sum(okay for okay, _ in done) != len(stored):
            raise RuntimeError("the server refused documents")

    def end_to_end(workers: int) -> Write:
        def write(_: Server, location: Location, plan: Plan) -> None:
            _drain(index(stored, plan, _writer(server, location, plan), workers), len(stored))

        return write

    out = {
        _PLAIN: _run(server, plain, None),
        _HELPERS: _run(server, by_helpers, None),
        _READY: _run(server, ready, STANDARD),
    }
    for plan, name in ((STANDARD, "words"), (CHARACTERS, "no words")):
        for workers in (1, 2):
            out[f"{name} {workers}"] = _run(server, end_to_end(workers), plan)
    return out


def _run(server: Server, write: Write, plan: Plan | None) -> Run:
    """A fresh index, filled and refreshed under the clock; without a plan, a plain one."""

    def run() -> float:
        location = server.create("bulk", body_for(plan or STANDARD, with_object=plan is not None))
        began = time.perf_counter()
        write(server, location, plan or STANDARD)
        server.client.indices.refresh(index=location.index)
        seconds = time.perf_counter() - began
        server.drop(location)
        return seconds

    return run


def body_for(plan: Plan, *, with_object: bool = True) -> dict[str, Any]:
    """The body of an index as dupdex makes it, or the same without its object."""
    meta = IndexMeta(plan)
    body = index_body(meta.to_json(), meta.text_fields, meta.title_field, None, SETTINGS)
    if not with_object:
        del body["mappings"]["properties"][OBJECT_FIELD]
    return body


def plain_operation(
    record: Record, _standing: Standing | None = None, action: str = "index"
) -> bytes:
    """What `index_operation` makes, less the object."""
    head = orjson.dumps({action: {"_id": record.document.id}})
    return b"%b\n%b\n" % (head, encode(record.document))


def _writer(server: Server, location: Location, plan: Plan) -> ElasticWriter:
    return ElasticWriter(server.client, location.elastic, IndexMeta(plan), chunk_documents=_CHUNK)


def _actions(stored: Iterable[Document], location: Location) -> Iterator[dict[str, Any]]:
    for each in stored:
        yield {"_index": location.index, "_id": each.id, "_source": each.body}


def _drain(outcomes: Iterable[Outcome], expected: int) -> None:
    created = sum(outcome.status is Status.CREATED for outcome in outcomes)
    if created != expected:
        raise RuntimeError(f"{expected - created} documents were not stored")
