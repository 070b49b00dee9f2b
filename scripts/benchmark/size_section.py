"""Index bytes per document: with the object, minus the same index without it."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final
from unittest.mock import patch

from elasticsearch import ApiError

from dupdex.location import Location
from indexer.meta import IndexMeta
from indexer.model import Record
from indexer.pipeline import to_records
from indexer.stores.elastic import elastic_writer
from indexer.stores.elastic.bulk import index_operation
from indexer.stores.elastic.elastic_writer import ElasticWriter
from mappings.contract import OBJECT_FIELD
from mappings.plan import STANDARD
from scripts.benchmark.bulk_section import body_for, plain_operation
from scripts.benchmark.results import Line, Section, Target
from scripts.benchmark.server import Server
from scripts.benchmark.setting import Setting
from scripts.benchmark.texts_of_corpus import documents

_WITHOUT_SOURCE: Final = Target(most=500)
_WITH_SOURCE: Final = Target(most=1_000)

_CODECS: Final = ("default", "best_compression")


@dataclass(frozen=True, slots=True)
class _Measured:
    """Bytes of an index per document, and the server's account of them by field, if it has one."""

    total: float
    fields: dict[str, Any]
    source: float


def measure(setting: Setting) -> Section:
    section = Section("size", "Index bytes per document, one segment")
    stored = documents(setting.corpus, setting.stored(20_000, 1_000))
    records = [r for r in to_records(stored, STANDARD, 2) if isinstance(r, Record)]
    for codec in _CODECS:
        full, plain = (_measured(setting.server, records, codec, own) for own in (True, False))
        _totals(section, full, plain, codec)
        if codec == "default":
            _by_field(section, full.fields, records)
    section.notes.append(
        f"{len(records):,} documents, one shard; `_source` as `_disk_usage` counts it: an index "
        "whose mapping turns it off keeps a copy for recovery, and would be as large"
    )
    return section


def _measured(
    server: Server, records: Sequence[Record], codec: str, with_object: bool
) -> _Measured:
    """Fill an index, make it one segment, measure and remove it."""
    body = body_for(STANDARD, with_object=with_object)
    body["settings"]["index.codec"] = codec
    location = server.create("size", body)
    writer = ElasticWriter(server.client, location.elastic, IndexMeta(STANDARD))
    operation = index_operation if with_object else plain_operation
    with patch.object(elastic_writer, "index_operation", operation):
        for _ in writer.write(records):
            pass
    server.merge(location)
    if server.segments(location) != 1:
        raise RuntimeError("the merge left more than one segment")
    usage = _usage(server, location)
    source = usage.get("_source", {"total_in_bytes": 0})["total_in_bytes"]
    total = server.size(location)
    server.drop(location)
    return _Measured(total / len(records), usage, source / len(records))


def _usage(server: Server, location: Location) -> dict[str, Any]:
    """The server's own account of a field's bytes; empty where it does not give one."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the client's: the API is in technical preview
        try:
            answer = server.client.indices.disk_usage(
                index=location.index, run_expensive_tasks=True, flush=True
            )
        except ApiError:
            return {}
    fields: dict[str, Any] = answer[location.index]["fields"]
    return fields


def _totals(section: Section, full: _Measured, plain: _Measured, codec: str) -> None:
    extra = "" if codec == "default" else f", codec {codec}"
    more = {"with object": full.total, "without object": plain.total}
    more["share"] = full.total / plain.total - 1
    name = f"dupdex's object, with `_source`{extra}"
    size = full.total - plain.total
    section.lines.append(Line(name, size, "bytes/doc", _WITH_SOURCE if not extra else None, more))
    if full.source and not extra:
        size -= full.source - plain.source
        more = {"`_source` of the object": full.source - plain.source}
        name = "dupdex's object, without `_source`"
        section.lines.insert(0, Line(name, size, "bytes/doc", _WITHOUT_SOURCE, more))


def _by_field(section: Section, usage: dict[str, Any], records: Sequence[Record]) -> None:
    """Bytes of each field and of each of its keys."""
    if not usage:
        section.notes.append("this server has no `_disk_usage`; no figures by field")
        return
    keys: Counter[str] = Counter()
    for record in records:
        keys.update({name.path: len(set(terms)) for name, terms in record.fingerprint.keys.items()})
    fields = sorted(usage.items(), key=lambda item: -item[1]["total_in_bytes"])
    for name, field in fields:
        if not _is_ours(name):
            continue
        more = {
            "terms and postings": field["inverted_index"]["total_in_bytes"] / len(records),
            "doc values": field["doc_values_in_bytes"] / len(records),
        }
        if keys[name]:
            more["keys/doc"] = keys[name] / len(records)
            more["bytes/key"] = field["total_in_bytes"] / keys[name]
        size = field["total_in_bytes"] / len(records)
        section.lines.append(Line(f"field {name}", size, "bytes/doc", None, more))


def _is_ours(name: str) -> bool:
    return name.startswith(f"{OBJECT_FIELD}.")
