"""Brings a sidecar up to date: what was written to the index since, what was changed, what is gone.

A row of the sidecar says which version of its document it was made of, so that only others are
read. Rows are changed over the version that was seen, as groups are written to them meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import orjson

from dupdex.attach.passes import Change
from indexer.meta import IndexMeta
from indexer.model import Document, Record, Standing
from indexer.pipeline import to_records
from indexer.stores.elastic.client import ElasticSettings
from indexer.stores.elastic.one_version import Version
from indexer.stores.stored_object import (
    now_in_milliseconds,
    object_of,
    plan_id_in,
    standing_in,
    values_in,
)
from mappings.contract import OBJECT_FIELD, Field
from mappings.sidecar_body import SEQ_NO, TERM, VERSION
from query.stores.elastic.loads import Loads, held_in
from query.stores.elastic.sidecar_objects import Hit, Named, SidecarObjects, routed
from query.stores.elastic.versioned import Versioned, current

if TYPE_CHECKING:
    from indexer.stores.elastic.client import Client

ONLY_VERSIONS: Final = (OBJECT_FIELD,)
"""What is read of documents whose version alone is wanted: nothing, as they have no object."""

ROWS: Final = (VERSION,)
"""What is read of a row."""

_AT_ONCE: Final = 100
_HELD: Final = [Field.PLAN.path, Field.TEXT_HASH.path, Field.GROUP.path, Field.INDEXED.path]


@dataclass(frozen=True, slots=True)
class SidecarFilling:
    """What passes over the index of `settings`, and over its sidecar, do with a page. Threads share
    it."""

    client: Client
    settings: ElasticSettings
    sidecar: ElasticSettings
    meta: IndexMeta
    loads: Loads = field(default_factory=Loads)

    def follow(self, page: Sequence[Versioned]) -> list[Change]:
        """Of a page of the index: rows for documents that have none of their present version."""
        versions = {_named(each.version): each.version for each in page}
        held = self._held(list(versions))
        due = [
            name
            for name, version in versions.items()
            if not (row := held.get(name)) or not self._is_current(row, version)
        ]
        return list(self._made(due, held))

    def again(self, page: Sequence[Versioned]) -> list[Change]:
        """Of a page of the sidecar: what had no text may have one by now, or another reason."""
        names = [_named(each.version) for each in page]
        return list(self._made(names, self._held(names)))

    def gone(self, page: Sequence[Versioned]) -> list[Change]:
        """Of a page of the sidecar: no rows for documents that are not there any more."""
        there = self._read([_named(each.version) for each in page], ONLY_VERSIONS)
        return [
            Change(each.version.id, _delete(each.version), counts=False)
            for each, document in zip(page, there, strict=True)
            if document is None
        ]

    def _held(self, names: Sequence[Named]) -> dict[Named, Hit]:
        return SidecarObjects(self.client, self.sidecar).held(names, _HELD)

    def _is_current(self, row: Hit, version: Version) -> bool:
        plan_id = plan_id_in(row["_source"].get(OBJECT_FIELD))
        return plan_id == self.meta.writing.id and _is_of(row, version)

    def _read(self, names: Sequence[Named], fields: Sequence[str]) -> list[Versioned | None]:
        index = self.settings.index
        wanted = [(index, name, routing) for name, routing in names]
        return current(self.client, self.settings, wanted, fields)

    def _made(self, names: Sequence[Named], held: Mapping[Named, Hit]) -> Iterator[Change]:
        """Rows for documents, as they are now; the texts that are held at once are bounded."""
        done = 0
        while done < len(names):
            part = names[done : done + self.loads.page(_AT_ONCE)]
            done += len(part)
            found = [one for one in self._read(part, self.meta.text_fields) if one is not None]
            self.loads.note(found, lambda one: held_in(one.body))
            documents = [Document(one.version.id, body=one.body) for one in found]
            records = to_records(documents, self.meta.writing, meta=self.meta)
            for one, record in zip(found, records, strict=True):
                change = self._change(one.version, record, held.get(_named(one.version)))
                if change is not None:
                    yield change

    def _change(self, version: Version, made: Record | object, row: Hit | None) -> Change | None:
        if not isinstance(made, Record):
            operation = b"" if row and _is_of(row, version) else _row(version, row, None)
            reason = str(getattr(made, "reason", ""))
            return Change(version.id, operation, reason, counts=False)
        ours = row["_source"].get(OBJECT_FIELD) if row else None
        before = standing_in(ours, version.id)
        same = values_in({**(ours or {}), Field.SIMHASH.value: 0})[0] == made.fingerprint.text_hash
        same = same and plan_id_in(ours) == made.plan_id
        if same and row is not None and _is_of(row, version):
            return None
        written = before.indexed if same and before.indexed else now_in_milliseconds()
        value = object_of(made, Standing(before.group, written))
        return Change(version.id, _row(version, row, value), counts=not same)


def _named(version: Version) -> Named:
    return version.id, version.routing


def _is_of(row: Hit, version: Version) -> bool:
    held = row["_source"].get(VERSION, {})
    return (held.get(SEQ_NO), held.get(TERM)) == (version.seq_no, version.primary_term)


def _row(version: Version, row: Hit | None, value: Mapping[str, Any] | None) -> bytes:
    """The NDJSON lines that store what was made of a version of a document, where the sidecar has
    still the row that was seen, or none."""
    action: dict[str, Any] = {"_id": version.id, **routed(version.routing)}
    if row is not None:
        action |= {"if_seq_no": row["_seq_no"], "if_primary_term": row["_primary_term"]}
    source: dict[str, Any] = {VERSION: {SEQ_NO: version.seq_no, TERM: version.primary_term}}
    if value is not None:
        source[OBJECT_FIELD] = value
    kind = "create" if row is None else "index"
    return b"%b\n%b\n" % (orjson.dumps({kind: action}), orjson.dumps(source))


def _delete(version: Version) -> bytes:
    action = {
        "_id": version.id,
        "if_seq_no": version.seq_no,
        "if_primary_term": version.primary_term,
        **routed(version.routing),
    }
    return orjson.dumps({"delete": action}) + b"\n"
