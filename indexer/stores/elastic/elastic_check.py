"""Checks whether the mapping of an index is the one that its plan needs."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from typing import Any, Final

from indexer.meta import IndexMeta
from indexer.soundness import Part, Report
from indexer.stores.elastic.client import ElasticSettings, connect, translated
from indexer.stores.elastic.sidecar_index import sidecar_of
from mappings.contract import OBJECT_FIELD, Field
from mappings.index_body import object_mapping
from mappings.schemes import SCHEME_FIELDS

_DEFAULTS: Final = {"type": "object", "index": True, "doc_values": True}
"""Settings that lookups depend on, with the defaults that a server omits from its answer."""


def mapped_in(settings: ElasticSettings, meta: IndexMeta) -> ElasticSettings:
    """The index whose mapping holds the object."""
    return settings if meta.sidecar_of is None else sidecar_of(settings, meta.sidecar_of.index)


def check_mapping(settings: ElasticSettings, meta: IndexMeta, report: Report) -> None:
    """Report fields of the object that are missing or mapped in a way lookups cannot use."""
    with closing(connect(settings)) as client, translated("read the index mapping", settings):
        answer = client.indices.get_mapping(index=settings.index)
    for name, value in sorted(answer.body.items()):
        stored = value["mappings"].get("properties", {}).get(OBJECT_FIELD, {})
        for fault in _faults(stored, meta):
            report.add(Part.MAPPING, f"index {name}: {fault}")


def mend_mapping(settings: ElasticSettings, meta: IndexMeta) -> None:
    """Add missing fields. A wrongly mapped field stays, as the mapping of a field cannot be
    changed."""
    with closing(connect(settings)) as client, translated("mend the index mapping", settings):
        answer = client.indices.get_mapping(index=settings.index)
        for name, value in answer.body.items():
            stored = value["mappings"].get("properties", {}).get(OBJECT_FIELD, {})
            present = stored.get("properties", {})
            wanted = {
                field: mapping for field, mapping in _wanted(meta).items() if field not in present
            }
            properties = {OBJECT_FIELD: {"dynamic": "strict", "properties": wanted}}
            client.indices.put_mapping(index=name, properties=properties)


def _wanted(meta: IndexMeta) -> dict[str, Any]:
    """The mapping of the fields that the plan of the index uses."""
    base = (Field.PLAN, Field.TEXT_HASH, Field.SIMHASH, Field.LENGTH)
    names = {*base, *(SCHEME_FIELDS[scheme] for scheme in meta.plan.schemes)}
    every = object_mapping()["properties"]
    return {name.value: every[name.value] for name in names}


def _faults(stored: Mapping[str, Any], meta: IndexMeta) -> list[str]:
    faults = []
    if stored.get("dynamic") != "strict":
        faults.append(f"{OBJECT_FIELD} takes any field, it should be strict")
    properties = stored.get("properties", {})
    for name, wanted in sorted(_wanted(meta).items()):
        if name not in properties:
            faults.append(f"{OBJECT_FIELD}.{name} is not mapped")
            continue
        for setting, default in _DEFAULTS.items():
            actual, expected = properties[name].get(setting, default), wanted.get(setting, default)
            if actual != expected:
                faults.append(f"{OBJECT_FIELD}.{name} has {setting} {actual}, it needs {expected}")
    return faults
