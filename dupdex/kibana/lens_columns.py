"""Columns of a Lens layer: buckets, metrics and formulas over fields that a data view has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

from dupdex.kibana.data_views import DataView

_RECORDS: Final = "___records___"
_PERCENT: Final = {"id": "percent", "params": {"decimals": 1}}

Ast = str | float | dict[str, Any]


@dataclass(frozen=True, slots=True)
class Column:
    """`id` is unique in its layer, of letters, digits and underscores. `parts`: the hidden columns
    that a formula is made of."""

    id: str
    body: dict[str, Any]
    parts: tuple[Column, ...] = ()

    @property
    def is_bucket(self) -> bool:
        return bool(self.body["isBucketed"])


def count(name: str, label: str) -> Column:
    """How many documents there are."""
    return _metric(name, label, "count", _RECORDS)


def unique(view: DataView, name: str, field: str, label: str) -> Column:
    """How many different values a field has."""
    return _metric(name, label, "unique_count", view.field(field))


def metric(view: DataView, name: str, operation: str, field: str, label: str) -> Column:
    """`operation`: min, max, sum, average or median of a field."""
    kind = view.type_of(field)
    return _metric(name, label, operation, field, "date" if kind == "date" else "number")


def terms(
    view: DataView,
    name: str,
    field: str,
    label: str,
    by: Column,
    size: int = 20,
    *,
    ascending: bool = False,
    shown: bool = True,
) -> Column:
    """The values of a field that have most of the metric `by`, or least of it. `shown`: the metric
    is a column of the layer, too."""
    order: dict[str, Any] = {"orderBy": {"type": "column", "columnId": by.id}}
    if not shown:
        order = {"orderBy": {"type": "custom"}, "orderAgg": by.body}
    params = {
        "size": size,
        **order,
        "orderDirection": "asc" if ascending else "desc",
        "otherBucket": False,
        "missingBucket": False,
        "parentFormat": {"id": "terms"},
    }
    return _bucket(name, label, "terms", "ordinal", field, view.type_of(field), params)


def dates(view: DataView, name: str, label: str) -> Column:
    """Periods of the time of the data view, as long as fits the range that is looked at."""
    params = {"interval": "auto", "includeEmptyRows": True, "dropPartials": False}
    return _bucket(name, label, "date_histogram", "interval", view.time_field, "date", params)


def ranges(view: DataView, name: str, field: str, label: str, bounds: Sequence[float]) -> Column:
    """Numbers by ranges: from one bound on, below the next."""
    listed = [{"from": low, "to": high, "label": ""} for low, high in pairwise(bounds)]
    params = {"type": "range", "ranges": listed, "maxBars": "auto"}
    return _bucket(name, label, "range", "interval", view.field(field), "number", params)


def copy_share(view: DataView, name: str, group_field: str, label: str) -> Column:
    """A formula: 1 - groups / documents, the share of documents that are not the only, or the
    first, of their group among those in a bucket."""
    formula = f"1 - unique_count({view.field(group_field)}) / count()"
    groups = _part(unique(view, f"{name}X0", group_field, ""), formula)
    documents = _part(count(f"{name}X1", ""), formula)
    ratio = _function("divide", [groups.id, documents.id], formula, 4)
    return _formula(
        name, label, formula, (groups, documents), _function("subtract", [1, ratio], formula)
    )


def copies(view: DataView, name: str, size_field: str, label: str) -> Column:
    """A formula over groups: their members but for one each."""
    formula = f"sum({view.field(size_field)}) - count()"
    members = _part(metric(view, f"{name}X0", "sum", size_field, ""), formula)
    groups = _part(count(f"{name}X1", ""), formula)
    ast = _function("subtract", [members.id, groups.id], formula)
    return _formula(name, label, formula, (members, groups), ast, percent=False)


def _formula(
    name: str,
    label: str,
    formula: str,
    operands: tuple[Column, ...],
    ast: dict[str, Any],
    percent: bool = True,
) -> Column:
    math = {
        "label": f"Part of {formula}",
        "customLabel": True,
        "dataType": "number",
        "operationType": "math",
        "isBucketed": False,
        "scale": "ratio",
        "params": {"tinymathAst": ast},
        "references": [each.id for each in operands],
    }
    last = Column(f"{name}X{len(operands)}", math)
    body = {
        "label": label,
        "customLabel": True,
        "dataType": "number",
        "operationType": "formula",
        "isBucketed": False,
        "scale": "ratio",
        "params": {
            "formula": formula,
            "isFormulaBroken": False,
            **({"format": _PERCENT} if percent else {}),
        },
        "references": [last.id],
    }
    return Column(name, body, (*operands, last))


def _function(name: str, args: list[Ast], formula: str, start: int = 0) -> dict[str, Any]:
    """A node of a formula's syntax tree; its text goes on to the end of the formula."""
    location = {"min": start, "max": len(formula)}
    text = formula[start:]
    return {"type": "function", "name": name, "args": args, "location": location, "text": text}


def _part(column: Column, formula: str) -> Column:
    """A column that only a formula shows."""
    label = f"Part of {formula}"
    return Column(column.id, {**column.body, "label": label, "params": {"emptyAsNull": False}})


def _metric(name: str, label: str, operation: str, field: str, kind: str = "number") -> Column:
    body = {
        "label": label,
        "customLabel": True,
        "dataType": kind,
        "operationType": operation,
        "isBucketed": False,
        "scale": "ratio",
        "sourceField": field,
        "params": {"emptyAsNull": operation in ("count", "unique_count", "sum")},
    }
    return Column(name, body)


def _bucket(
    name: str,
    label: str,
    operation: str,
    scale: str,
    field: str,
    kind: str,
    params: dict[str, Any],
) -> Column:
    body = {
        "label": label,
        "customLabel": True,
        "dataType": kind,
        "operationType": operation,
        "isBucketed": True,
        "scale": scale,
        "sourceField": field,
        "params": params,
    }
    return Column(name, body)
