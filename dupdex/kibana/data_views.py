"""Data views: the documents of an index and the collections beside it, with the fields that the
mappings give them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Final

from dupdex.kibana.index_facts import IndexFacts
from dupdex.kibana.saved_objects import Reference, SavedObject, stringified
from mappings.collections import ID, Collection, collection_index, collection_properties
from mappings.contract import OBJECT_FIELD, Field
from mappings.errors import InputRefused
from mappings.index_body import object_mapping
from mappings.records import COPIES, GROUPS, MATCHES, RUNS

DOCUMENT_ID: Final = "_id"

_TYPES: Final = {"keyword": "string", "text": "string", "date": "date", "boolean": "boolean"}
_PLAIN_ID: Final = re.compile(r"[a-z0-9._-]{1,200}")


@dataclass(frozen=True, slots=True)
class DataView:
    """`index`: the pattern; `shown`: every field by its type in Elasticsearch; `counted`: those of
    them that aggregations can use; `links`: templates of URLs by field."""

    id: str
    name: str
    index: str
    time_field: str
    shown: Mapping[str, str]
    counted: frozenset[str]
    links: Mapping[str, str]

    def field(self, name: str, *, counted: bool = True) -> str:
        """The name, if there is such a field. Raises InputRefused: no panel may name another."""
        if name not in (self.counted if counted else self.shown):
            raise InputRefused(f"data view {self.name!r} has no field {name!r} of that use")
        return name

    def type_of(self, name: str) -> str:
        """The type of a field as Kibana says it: string, number, date, boolean, ip."""
        kind = self.shown[self.field(name)]
        return _TYPES.get(kind, kind if kind == "ip" else "number")

    @property
    def reference(self) -> Reference:
        return Reference("index-pattern", self.id)

    def as_object(self) -> SavedObject:
        """The saved object. Fields are left out: Kibana reads them from the index."""
        formats = {
            name: {"id": "url", "params": {"urlTemplate": url, "labelTemplate": "{{value}}"}}
            for name, url in self.links.items()
        }
        attributes: dict[str, Any] = {
            "title": self.index,
            "name": self.name,
            "timeFieldName": self.time_field,
            "allowHidden": True,  # the collections are hidden indices
            "fields": "[]",
            "sourceFilters": "[]",
            "fieldAttrs": "{}",
            "runtimeFieldMap": "{}",
            "typeMeta": "{}",
            "fieldFormatMap": stringified(formats),
        }
        return SavedObject("index-pattern", self.id, attributes)


@dataclass(frozen=True, slots=True)
class DataViews:
    """All of one index."""

    documents: DataView
    matches: DataView
    groups: DataView
    jobs: DataView
    copies: DataView

    @property
    def all(self) -> tuple[DataView, ...]:
        return (self.documents, self.matches, self.groups, self.jobs, self.copies)


def data_views(facts: IndexFacts) -> DataViews:
    """The data views of an index."""
    links = facts.links
    pair = {ID: links.pair, "first": links.document, "second": links.document}
    group = {ID: links.group, "merged_into": links.group, "canonical": links.document}
    copy = {ID: links.pair, "document": links.document, "original": links.document}
    copy["group"] = links.group
    return DataViews(
        _documents(facts),
        _collection(facts, MATCHES, "matches", "found", pair),
        _collection(facts, GROUPS, "groups", "changed", group),
        _collection(facts, RUNS, "jobs", "started", {}),
        _collection(facts, COPIES, "copies", "time", copy),
    )


def object_id(index: str, name: str) -> str:
    """The id of an object of an index: always the same, so that an import replaces the last one."""
    plain = index if _PLAIN_ID.fullmatch(index) else blake2b(index.encode(), digest_size=16)
    known = plain if isinstance(plain, str) else plain.hexdigest()
    return f"{OBJECT_FIELD}-{known}-{name}"


def _documents(facts: IndexFacts) -> DataView:
    properties = object_mapping()["properties"]
    ours = {f"{OBJECT_FIELD}.{name}": mapping for name, mapping in properties.items()}
    shown = {**facts.kinds, **{name: str(each["type"]) for name, each in ours.items()}}
    counted = {name for name, each in ours.items() if _is_counted(each)}
    counted |= {name for name, kind in facts.kinds.items() if kind != "text"}
    return DataView(
        object_id(facts.index, "documents"),
        f"{facts.index}: documents",
        facts.index,
        facts.time_field,
        {DOCUMENT_ID: "keyword", **shown},
        frozenset(counted),
        {DOCUMENT_ID: facts.links.document, Field.GROUP.path: facts.links.group},
    )


def _collection(
    facts: IndexFacts, collection: Collection, name: str, time: str, links: Mapping[str, str]
) -> DataView:
    properties = collection_properties(collection)
    counted = {name for name, each in properties.items() if _is_counted(each)}
    return DataView(
        object_id(facts.index, name),
        f"{facts.index}: {name}",
        collection_index(facts.index, collection),
        time,
        {name: str(each["type"]) for name, each in properties.items()},
        frozenset(counted),
        links,
    )


def _is_counted(mapping: Mapping[str, Any]) -> bool:
    """Whether a mapping has what aggregations read."""
    whole = mapping["type"] not in ("text", "object")
    return whole and mapping.get("doc_values", True) is True
