"""Partial updates: which texts they touch, and what a document is like afterwards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Self

import orjson

from dupdex.gateway.enrich.splicing import read_object, with_inner, with_object, without_members
from indexer.model import Body, Record
from indexer.stores.stored_object import fingerprint_in, object_of, plan_id_in
from mappings.index_body import is_ours
from query.stores.elastic.versioned import Versioned

_SCRIPTED = ("script", "scripted_upsert")


@dataclass(frozen=True, slots=True)
class UpdateBody:
    """The body of an update. `doc` and `upsert` are None where it has none."""

    source: bytes
    value: Mapping[str, Any]
    doc: Body | None
    upsert: Body | None

    @classmethod
    def read(cls, source: bytes) -> Self:
        """Raises NoObject for what is no JSON object."""
        value = read_object(source)
        doc, upsert = value.get("doc"), value.get("upsert")
        return cls(
            source,
            value,
            doc if isinstance(doc, dict) else None,
            upsert if isinstance(upsert, dict) else None,
        )

    @property
    def is_scripted(self) -> bool:
        return any(self.value.get(name) for name in _SCRIPTED)

    @property
    def doc_as_upsert(self) -> bool:
        return self.value.get("doc_as_upsert") in (True, "true")

    @property
    def has_ours(self) -> bool:
        """Whether the client sends an object of its own."""
        return any(is_ours(name) for part in (self.doc, self.upsert) for name in part or ())

    def touches(self, fields: Sequence[str]) -> bool:
        """Whether `doc` may change what one of these paths leads to."""
        tops = {name.partition(".")[0] for name in self.doc or ()}
        return any(path.partition(".")[0] in tops for path in fields)

    def of_stored(self) -> UpdateBody:
        """The same for a document that is there, over one version: servers take no upsert then."""
        upserts = ("upsert", "doc_as_upsert")
        source = without_members(self.source, upserts.__contains__)
        return replace(self, source=source, upsert=None)

    def with_objects(self, doc: bytes | None, upsert: bytes | None) -> bytes:
        """The body with these objects in `doc` and `upsert`, as JSON, in place of the client's."""
        source = self.source
        for name, part, value in (("doc", self.doc, doc), ("upsert", self.upsert, upsert)):
            if part is not None and (value is not None or any(map(is_ours, part))):
                source = with_inner(source, name, partial(with_object, body=part, value=value))
        return source


def merged(stored: Body, change: Body) -> dict[str, Any]:
    """A document after a partial update, as the server merges it."""
    out = dict(stored)
    for name, value in change.items():
        before = out.get(name)
        if isinstance(before, Mapping) and isinstance(value, Mapping):
            out[name] = merged(before, value)
        else:
            out[name] = value
    return out


def object_over(stored: Versioned, made: Record | None, **standing: Any) -> bytes | None:
    """What a partial update says of the object: values that are there no more become null. None
    where the text stays what it was, so that the server can see that nothing changes. `made`: None
    for a document without a text, which keeps no object.
    """
    if made is None:
        return b"null" if stored.ours else None
    held = fingerprint_in(stored.ours)
    if (
        held is not None
        and plan_id_in(stored.ours) == made.plan_id
        and held.text_hash == made.fingerprint.text_hash
    ):
        return None
    value = object_of(made, **standing)
    gone = {name: None for name in stored.ours if name not in value}
    return orjson.dumps({**gone, **value})
