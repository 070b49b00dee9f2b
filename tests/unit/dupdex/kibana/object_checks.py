"""What is wrong with a file of saved objects, by the rules that Kibana holds them to."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

Json = Mapping[str, Any]

NEEDED: Final = {
    "type", "id", "attributes", "references", "coreMigrationVersion", "typeMigrationVersion",
    "managed",
}  # fmt: skip
LOWEST: Final = {"index-pattern": (7, 11), "search": (7, 9), "dashboard": (8, 7)}
"""The form of the objects; a server of 8.8 knows all of them."""

STRINGS: Final = {
    "index-pattern": ("fields", "sourceFilters", "fieldAttrs", "runtimeFieldMap", "typeMeta",
                      "fieldFormatMap"),
    "search": (),
    "dashboard": ("optionsJSON", "panelsJSON"),
}  # fmt: skip
"""Attributes that are JSON inside of JSON."""

GRID: Final = 48
ACCESSORS: Final = {
    "lnsMetric": ("metricAccessor",),
    "lnsXY": ("xAccessor", "splitAccessor", "accessors"),
    "lnsPie": ("primaryGroups", "metrics"),
    "lnsDatatable": ("columns",),
}


def problems(lines: Sequence[bytes]) -> list[str]:
    """Everything that is wrong, one sentence each."""
    objects = []
    for number, line in enumerate(lines, 1):
        if not line.endswith(b"\n") or b"\n" in line[:-1]:
            return [f"line {number} is not one line"]
        objects.append(json.loads(line))
    there = {(each["type"], each["id"]) for each in objects}
    out = [] if len(there) == len(objects) else ["an id stands twice"]
    for each in objects:
        name = f"{each['type']} {each['id']}"
        out += [f"{name}: {problem}" for problem in _of_object(each, there)]
    return out


def missing_references(objects: Iterable[Json]) -> list[tuple[Json, list[Json]]]:
    """Objects with the references that lead to none of them."""
    listed = list(objects)
    there = {(each["type"], each["id"]) for each in listed}
    found = (
        (each, [ref for ref in each["references"] if (ref["type"], ref["id"]) not in there])
        for each in listed
    )
    return [(each, missing) for each, missing in found if missing]


def version_of(text: str) -> tuple[int, int]:
    major, minor, _ = text.split(".")
    return int(major), int(minor)


def _of_object(saved: Json, there: set[tuple[str, str]]) -> Iterator[str]:
    if set(saved) != NEEDED:
        yield f"its keys are {sorted(saved)}"
    if version_of(saved["coreMigrationVersion"]) > (8, 8):
        yield "a server of 8.8 would refuse its core version"
    if version_of(saved["typeMigrationVersion"]) > LOWEST[saved["type"]]:
        yield "its version is not the lowest of its form"
    wrong = [n for n in STRINGS[saved["type"]] if not isinstance(saved["attributes"][n], str)]
    if wrong:
        yield f"{wrong[0]} is no string"
        return
    for name in STRINGS[saved["type"]]:
        json.loads(saved["attributes"][name])
    names = [ref["name"] for ref in saved["references"]]
    if len(set(names)) != len(names):
        yield "a reference stands twice"
    for ref in saved["references"]:
        if (ref["type"], ref["id"]) not in there:
            yield f"{ref['name']} leads to no object"
    yield from _OF_TYPE[saved["type"]](saved)


def _of_view(saved: Json) -> Iterator[str]:
    attributes = saved["attributes"]
    if json.loads(attributes["runtimeFieldMap"]) or json.loads(attributes["fields"]) != []:
        yield "it has runtime or scripted fields"
    for each in json.loads(attributes["fieldFormatMap"]).values():
        if each["id"] != "url" or "{{value}}" not in each["params"]["urlTemplate"]:
            yield "a formatter links to nothing"


def _of_session(saved: Json) -> Iterator[str]:
    source = json.loads(saved["attributes"]["kibanaSavedObjectMeta"]["searchSourceJSON"])
    if [ref["name"] for ref in saved["references"]] != [source["indexRefName"]]:
        yield "its data view is not the one that it refers to"


def _of_dashboard(saved: Json) -> Iterator[str]:
    attributes = saved["attributes"]
    json.loads(attributes["kibanaSavedObjectMeta"]["searchSourceJSON"])
    if attributes["timeRestore"] and not {"timeFrom", "timeTo"} <= set(attributes):
        yield "it restores a time that it does not have"
    panels = json.loads(attributes["panelsJSON"])
    wanted = {(ref["type"], ref["id"], ref["name"]) for ref in saved["references"]}
    used: set[tuple[str, str, str]] = set()
    for panel in panels:
        name = panel["panelIndex"]
        if panel["gridData"]["i"] != name:
            yield f"panel {name} is placed under another id"
        if panel["type"] == "search":
            reference = f"{name}:{panel['panelRefName']}"
            used |= {ref for ref in wanted if ref[2] == reference}
            if panel["panelRefName"] != f"panel_{name}":
                yield f"panel {name} refers by another name"
        else:
            inner = panel["embeddableConfig"]["attributes"]
            used |= {(r["type"], r["id"], f"{name}:{r['name']}") for r in inner["references"]}
            yield from (f"panel {name}: {problem}" for problem in _of_lens(inner))
    if used != wanted or len(used) != len(panels):
        yield "its references are not those of its panels"
    yield from _of_grid([panel["gridData"] for panel in panels])


def _of_grid(places: Sequence[Json]) -> Iterator[str]:
    if len({each["i"] for each in places}) != len(places):
        yield "the id of a panel stands twice"
    taken: set[tuple[int, int]] = set()
    for each in places:
        if each["x"] < 0 or each["x"] + each["w"] > GRID:
            yield f"panel {each['i']} leaves the grid"
        cells = {
            (x, y)
            for x in range(each["x"], each["x"] + each["w"])
            for y in range(each["y"], each["y"] + each["h"])
        }
        if taken & cells:
            yield f"panel {each['i']} lies on another one"
        taken |= cells


def _of_lens(inner: Json) -> Iterator[str]:
    state = inner["state"]
    layers = state["datasourceStates"]["formBased"]["layers"]
    drawn = state["visualization"]
    shown = drawn.get("layers", [drawn])
    expected = [f"indexpattern-datasource-layer-{name}" for name in layers]
    if [each["layerId"] for each in shown] != list(layers):
        yield "it draws another layer"
    if [ref["name"] for ref in inner["references"]] != expected:
        yield "its references are not those of its layers"
    if state["query"]["language"] != "kuery" or state["filters"] or state["adHocDataViews"]:
        yield "it filters in another way than by a query"
    for layer, each in zip(layers.values(), shown, strict=True):
        yield from _of_layer(layer, _accessed(inner["visualizationType"], each))


def _accessed(kind: str, drawn: Json) -> list[str]:
    values = [drawn[name] for name in ACCESSORS[kind] if name in drawn]
    named = [each for value in values for each in (value if isinstance(value, list) else [value])]
    return [each["columnId"] if isinstance(each, dict) else each for each in named]


def _of_layer(layer: Json, accessed: Sequence[str]) -> Iterator[str]:
    columns, order = layer["columns"], layer["columnOrder"]
    if sorted(columns) != sorted(order):
        yield "the order of the columns leaves one out"
        return
    kinds = [columns[name]["isBucketed"] for name in order]
    if kinds != sorted(kinds, reverse=True):
        yield "a metric comes before a bucket"
    hidden = {ref for each in columns.values() for ref in each.get("references", [])}
    if {*accessed} != set(columns) - hidden or hidden & {*accessed}:
        yield "what is drawn are not its columns"
    for name, column in columns.items():
        yield from (f"column {name}: {problem}" for problem in _of_column(column, columns))


def _of_column(column: Json, columns: Mapping[str, Json]) -> Iterator[str]:
    for name in column.get("references", []):
        if name not in columns:
            yield f"it refers to {name}, which is not there"
    if column["operationType"] == "math":
        if sorted(_operands(column["params"]["tinymathAst"])) != sorted(column["references"]):
            yield "its formula names other columns than it refers to"
    elif column["operationType"] != "formula" and not column.get("sourceField"):
        yield "it reads no field"
    by = column.get("params", {}).get("orderBy", {})
    if by.get("type") == "column" and columns.get(by["columnId"], {}).get("isBucketed", True):
        yield "it is ordered by what is no metric"


def _operands(tree: Any) -> list[str]:
    if isinstance(tree, str):
        return [tree]
    if not isinstance(tree, dict):
        return []
    return [each for part in tree["args"] for each in _operands(part)]


_OF_TYPE: Final = {
    "index-pattern": _of_view,
    "search": _of_session,
    "dashboard": _of_dashboard,
}
