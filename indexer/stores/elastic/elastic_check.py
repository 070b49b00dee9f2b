"""Whether the mapping of an index is what its plan needs."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from typing import Any, Final

from indexer.meta import IndexMeta
from indexer.soundness import Part, Report
from indexer.stores.elastic.client import ElasticSettings, connect, translated
from mappings.contract import OBJECT_FIELD, Field
from mappings.index_body import object_mapping
from mappings.schemes import SCHEME_FIELDS

_DEFAULTS: Final = {"type": "object", "index": True, "doc_values": True}
"""What decides whether lookups work, and what a server leaves out of its answer."""


def check_mapping(settings: ElasticSettings, meta: IndexMeta, report: Report) -> None:
    """Report fields of the object that are absent, or mapped so that lookups cannot use them."""
    with closing(connect(settings)) as client, translated("read the index mapping", settings):
        answer = client.indices.get_mapping(index=settings.index)
    for name, value in sorted(answer.body.items()):
        there = value["mappings"].get("properties", {}).get(OBJECT_FIELD, {})
        for fault in _faults(there, meta):
            report.add(Part.MAPPING, f"index {name}: {fault}")


def mend_mapping(settings: ElasticSettings, meta: IndexMeta) -> None:
    """Add the fields that are absent. A field that is mapped otherwise stays: no server changes
    the mapping of a field."""
    with closing(connect(settings)) as client, translated("mend the index mapping", settings):
        answer = client.indices.get_mapping(index=settings.index)
        for name, value in answer.body.items():
            there = value["mappings"].get("properties", {}).get(OBJECT_FIELD, {})
            known = there.get("properties", {})
            wanted = {
                field: mapping for field, mapping in _wanted(meta).items() if field not in known
            }
            properties = {OBJECT_FIELD: {"dynamic": "strict", "properties": wanted}}
            client.indices.put_mapping(index=name, properties=properties)


def _wanted(meta: IndexMeta) -> dict[str, Any]:
    """The mapping of the fields that the index's plan fills."""
    base = (Field.PLAN, Field.TEXT_HASH, Field.SIMHASH, Field.LENGTH)
    names = {*base, *(SCHEME_FIELDS[scheme] for scheme in meta.plan.schemes)}
    every = object_mapping()["properties"]
    return {name.value: every[name.value] for name in names}


def _faults(there: Mapping[str, Any], meta: IndexMeta) -> list[str]:
    faults = []
    if there.get("dynamic") != "strict":
        faults.append(f"{OBJECT_FIELD} takes any field, it should be strict")
    known = there.get("properties", {})
    for name, wanted in sorted(_wanted(meta).items()):
        if name not in known:
            faults.append(f"{OBJECT_FIELD}.{name} is not mapped")
            continue
        for setting, default in _DEFAULTS.items():
            stands, should = known[name].get(setting, default), wanted.get(setting, default)
            if stands != should:
                faults.append(f"{OBJECT_FIELD}.{name} has {setting} {stands}, it needs {should}")
    return faults
