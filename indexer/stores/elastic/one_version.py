"""Changes of a stored document that succeed only over the version that was read.

An edit that comes in between is never overwritten: the server answers with a conflict, and whoever
made the change reads the document again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import orjson

from indexer.model import Body
from mappings.contract import OBJECT_FIELD


class Version(NamedTuple):
    """Which document, and as of when. `routing`: what it was stored with, None for its id."""

    id: str
    seq_no: int
    primary_term: int
    routing: str | None = None


def set_object(version: Version, value: Mapping[str, Any], before: Mapping[str, Any]) -> bytes:
    """The NDJSON lines that put `value` in place of the object `before`. The server merges a
    partial update, so names that are no longer there are set to null. No ingest pipeline runs.
    """
    gone = {name: None for name in before if name not in value}
    change = {"doc": {OBJECT_FIELD: {**gone, **value}}}
    return b"%b\n%b\n" % (orjson.dumps({"update": _named(version)}), orjson.dumps(change))


def empty_object(version: Version) -> bytes:
    """The NDJSON lines that take every value out of the object of a document without a text."""
    change = {"doc": {OBJECT_FIELD: None}}
    return b"%b\n%b\n" % (orjson.dumps({"update": _named(version)}), orjson.dumps(change))


def without_object(version: Version, source: bytes) -> bytes:
    """The NDJSON lines that store a document, without the object, over this version: `source` is
    the rest of it. A partial update could only leave an empty object behind.
    """
    action = {"index": {**_named(version), "pipeline": "_none"}}
    return b"%b\n%b\n" % (orjson.dumps(action), source)


def version_of(hit: Mapping[str, Any]) -> Version:
    """The version of a search hit that was asked for with `seq_no_primary_term`."""
    return Version(hit["_id"], int(hit["_seq_no"]), int(hit["_primary_term"]), hit.get("_routing"))


def split(source: Mapping[str, Any]) -> tuple[Body, Mapping[str, Any]]:
    """A stored document as the user's fields and the object, which is empty when there is none."""
    body = dict(source)
    ours = body.pop(OBJECT_FIELD, None)
    return body, ours if isinstance(ours, Mapping) else {}


def _named(version: Version) -> dict[str, Any]:
    out: dict[str, Any] = {
        "_id": version.id,
        "if_seq_no": version.seq_no,
        "if_primary_term": version.primary_term,
    }
    if version.routing is not None:
        out["routing"] = version.routing
    return out
