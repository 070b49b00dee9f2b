"""The requests that Lens sends for a panel, made from the saved object, and their answers as rows.

Lens turns the columns of a layer into one search: a filter for the time and the query, buckets
nested in the order of the columns, metrics at the innermost level, and one more metric wherever
buckets are ordered by it. Formulas are computed from their parts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

Json = dict[str, Any]

_METRICS: Final = {"unique_count": "cardinality", "average": "avg"}
_COMPARISON: Final = re.compile(r"(?P<field>[\w.]+) ?(?P<sign>>=|<|:) ?(?P<value>\S+)")
_BOUNDS: Final = {">=": "gte", "<": "lt"}


@dataclass(frozen=True, slots=True)
class Range:
    """The time that a dashboard looks at."""

    start: str = "2020-01-01T00:00:00.000Z"
    end: str = "2035-01-01T00:00:00.000Z"


@dataclass(frozen=True, slots=True)
class Panel:
    """A panel of a dashboard, with the data view that it reads."""

    id: str
    title: str
    view: Json
    state: Json

    @property
    def index(self) -> str:
        return str(self.view["attributes"]["title"])

    @property
    def columns(self) -> dict[str, Json]:
        """In the order of the layer."""
        (layer,) = self.state["datasourceStates"]["formBased"]["layers"].values()
        return {name: layer["columns"][name] for name in layer["columnOrder"]}

    def request(self, time: Range) -> Json:
        """The body of the search."""
        bounds = {"gte": time.start, "lte": time.end, "format": "strict_date_optional_time"}
        filters = [{"range": {self.view["attributes"]["timeFieldName"]: bounds}}]
        filters += kql(self.state["query"]["query"])
        body: Json = {"size": 0, "track_total_hits": True, "query": {"bool": {"filter": filters}}}
        return {**body, "aggs": self._aggregations()}

    def rows(self, answer: Json) -> list[Json]:
        """What the panel shows: values by column, formulas computed."""
        buckets = [name for name, column in self.columns.items() if column["isBucketed"]]
        whole = {"doc_count": answer["hits"]["total"]["value"], **answer.get("aggregations", {})}
        return list(self._rows(whole, buckets, {}))

    def _rows(self, found: Json, buckets: list[str], keys: Json) -> Iterator[Json]:
        if not buckets:
            yield keys | self._values(found)
            return
        inside = found[buckets[0]]["buckets"]
        listed = (
            inside if isinstance(inside, list) else [{"key": k, **v} for k, v in inside.items()]
        )
        for bucket in listed:
            yield from self._rows(bucket, buckets[1:], {**keys, buckets[0]: bucket["key"]})

    def _values(self, found: Json) -> Json:
        values: Json = {}
        for name, column in self.columns.items():
            operation = column["operationType"]
            if column["isBucketed"]:
                continue
            if operation == "count":
                values[name] = found["doc_count"]
            elif operation == "math":
                values[name] = computed(column["params"]["tinymathAst"], values)
            elif operation != "formula":
                shown = found[name]
                values[name] = shown["value"] if "value" in shown else shown["values"]["50.0"]
        for name, column in self.columns.items():
            if column["operationType"] == "formula":
                values[name] = values[column["references"][0]]
        return values

    def _aggregations(self) -> Json:
        inner: Json = {}
        for name, column in self.columns.items():
            if not column["isBucketed"]:
                inner |= metric_of(name, column)
        for name, column in reversed(self.columns.items()):
            if column["isBucketed"]:
                inner = {name: self._bucket(column, inner)}
        return inner

    def _bucket(self, column: Json, inner: Json) -> Json:
        field, params = column["sourceField"], column["params"]
        if column["operationType"] == "date_histogram":
            every = {"calendar_interval": "1M", "time_zone": "UTC", "min_doc_count": 1}
            return {"date_histogram": {"field": field, **every}, "aggs": inner}
        if column["operationType"] == "range":
            listed = [{"from": each["from"], "to": each["to"]} for each in params["ranges"]]
            return {"range": {"field": field, "ranges": listed, "keyed": True}, "aggs": inner}
        assert column["operationType"] == "terms"
        by = params["orderBy"]
        ordering = params["orderAgg"] if by["type"] == "custom" else self.columns[by["columnId"]]
        direction = params["orderDirection"]
        terms: Json = {"field": field, "size": params["size"], "order": {"_count": direction}}
        if ordering["operationType"] != "count":
            terms["order"] = {"order": direction}
            inner = inner | metric_of("order", ordering)
        return {"terms": terms, "aggs": inner}


def panels_of(dashboard: Json, objects: dict[str, Json]) -> Iterator[Panel]:
    """The Lens panels of a dashboard."""
    for panel in json.loads(dashboard["attributes"]["panelsJSON"]):
        if panel["type"] == "lens":
            attributes = panel["embeddableConfig"]["attributes"]
            (reference,) = attributes["references"]
            view = objects[reference["id"]]
            yield Panel(panel["panelIndex"], panel["title"], view, attributes["state"])


def metric_of(name: str, column: Json) -> Json:
    """The aggregation of a metric; none for a count, which every bucket has, and for formulas."""
    operation = column["operationType"]
    if operation in ("count", "formula", "math"):
        return {}
    if operation == "median":
        return {name: {"percentiles": {"field": column["sourceField"], "percents": [50]}}}
    return {name: {_METRICS.get(operation, operation): {"field": column["sourceField"]}}}


def kql(query: str) -> list[Json]:
    """The clauses of a query of the kind that the panels use."""
    return [_clause(part) for part in query.split(" and ") if part]


def _clause(part: str) -> Json:
    negated = part.startswith("not ")
    match = _COMPARISON.fullmatch(part.removeprefix("not "))
    assert match is not None, part
    field, sign, value = match["field"], match["sign"], match["value"]
    clause: Json = {"match": {field: value}}
    if sign in _BOUNDS:
        clause = {"range": {field: {_BOUNDS[sign]: float(value)}}}
    elif value == "*":
        clause = {"exists": {"field": field}}
    return {"bool": {"must_not": [clause]}} if negated else clause


def computed(tree: Any, values: Json) -> Any:
    """The value of a formula's syntax tree; None when a part of it has none."""
    if isinstance(tree, str):
        return values[tree]
    if not isinstance(tree, dict):
        return tree
    left, right = (computed(each, values) for each in tree["args"])
    if left is None or right is None or (tree["name"] == "divide" and not right):
        return None
    return left / right if tree["name"] == "divide" else left - right
