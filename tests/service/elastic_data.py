"""Generated Chinese documents, their records, and stores on fresh indexes for the tests."""

from __future__ import annotations

import random
import uuid
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from indexer.fingerprints import fingerprint_of, fingerprints_of
from indexer.meta import IndexMeta
from indexer.model import Document, Fingerprint, Keys, Outcome, Record, Status
from indexer.stores.elastic.client import ElasticSettings
from indexer.stores.elastic.elastic_writer import ElasticWriter
from mappings.contract import Field
from mappings.plan import CHARACTERS
from query.stores.elastic.elastic_reader import ElasticReader

PLAN = CHARACTERS  # needs no dictionary: these tests are about stores
META = IndexMeta(plan=PLAN)


def settings_for(url: str, **others: Any) -> ElasticSettings:
    """Settings of an index that nobody else uses."""
    return ElasticSettings(url, f"t-{uuid.uuid4().hex}", **others)


def chinese(seed: int | str, length: int = 120) -> str:
    """A text of sentences; the same one for the same seed."""
    draw = random.Random(seed)
    text = "".join(chr(draw.randrange(0x4E00, 0x5E00)) for _ in range(length))
    return "".join(f"{text[at : at + 20]}。" for at in range(0, length, 20))


def record_of(name: str, text: str, **fields: Any) -> Record:
    return _record(name, text, fingerprint_of(text, PLAN), **fields)


def _record(name: str, text: str, fingerprint: Fingerprint, **fields: Any) -> Record:
    body = {"title": f"标题{name}", "text": text, **fields}
    return Record(Document(name, text, body), fingerprint, PLAN.id)


def records(count: int, prefix: str = "d") -> Iterator[Record]:
    """Their fingerprints are made a hundred at a time, which is several times faster."""
    for start in range(0, count, 100):
        names = [f"{prefix}{at}" for at in range(start, min(start + 100, count))]
        texts = [chinese(name) for name in names]
        for name, text, made in zip(names, texts, fingerprints_of(texts, PLAN), strict=True):
            yield _record(name, text, made)


def keyed(name: str, keys: Keys, **fields: Any) -> Record:
    """A record with hand-made keys, where their frequencies are the point."""
    fingerprint = Fingerprint(f"hash-{name}", 1 << 63, 9, {Field.TEXT_HASH: (f"hash-{name}",)})
    fingerprint = Fingerprint(
        fingerprint.text_hash, fingerprint.simhash, 9, {**fingerprint.keys, **keys}
    )
    return Record(Document(name, "文", {"text": "文", **fields}), fingerprint, PLAN.id)


@contextmanager
def writer_on(settings: ElasticSettings, **options: Any) -> Iterator[ElasticWriter]:
    """A writer of an index that is made when absent."""
    writer = ElasticWriter.open(settings, META, PLAN, **options)
    try:
        yield writer
    finally:
        writer.close()


@contextmanager
def reader_on(settings: ElasticSettings) -> Iterator[ElasticReader]:
    reader = ElasticReader.open(settings, PLAN)
    try:
        yield reader
    finally:
        reader.close()


def store(settings: ElasticSettings, wanted: Iterable[Record], **options: Any) -> list[Outcome]:
    """Write and refresh; every outcome."""
    with writer_on(settings, **options) as writer:
        outcomes = list(writer.write(wanted))
        writer.refresh()
    return outcomes


def statuses(outcomes: Iterable[Outcome]) -> list[Status]:
    return [outcome.status for outcome in outcomes]
