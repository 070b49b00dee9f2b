"""The body of a sidecar: the index of our own that holds the objects of somebody else's documents.

A document of it has the id and the routing of the other one, the object, and the version of the
document that the object was made of.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from mappings.contract import OBJECT_FIELD
from mappings.index_body import object_mapping

VERSION: Final = "source"
"""The object that holds `SEQ_NO` and `TERM` of the other document, as of its reading."""

SEQ_NO: Final = "seq_no"
TERM: Final = "primary_term"

_SUFFIX: Final = f"-{OBJECT_FIELD}-sidecar"
_SHAPE: Final = ("number_of_shards", "number_of_routing_shards", "routing_partition_size")


def sidecar_name(index: str) -> str:
    """The name of the sidecar of an index."""
    return f"{index}{_SUFFIX}"


def is_sidecar_name(name: str) -> bool:
    return name.endswith(_SUFFIX)


def sidecar_body(meta_json: Mapping[str, Any], shape: Mapping[str, Any]) -> dict[str, Any]:
    """The body that creates a sidecar. `shape`: the settings of the other index, by their names
    below `index`. Its shards are cut alike, so that two documents that share an id, under two
    routings, are two documents here as well.
    """
    number = {"type": "long", "index": False}
    settings: dict[str, Any] = {name: shape[name] for name in _SHAPE if name in shape}
    return {
        "settings": {"index": {**settings, "hidden": True, "auto_expand_replicas": "0-1"}},
        "mappings": {
            "dynamic": "strict",
            "_meta": {OBJECT_FIELD: dict(meta_json)},
            "properties": {
                OBJECT_FIELD: object_mapping(),
                VERSION: {"dynamic": "strict", "properties": {SEQ_NO: number, TERM: number}},
            },
        },
    }
