"""Lens panels: columns of one layer and how they are drawn, held by value in a dashboard."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from dupdex.kibana.data_views import DataView
from dupdex.kibana.lens_columns import Column
from dupdex.kibana.saved_objects import PANEL_VERSION

_ROWS: Final = 10
"""Rows of a page of a table."""


@dataclass(frozen=True, slots=True)
class LensPanel:
    """`id`: unique in its dashboard. `columns`: buckets first, in the order they are nested.
    `query`: what is counted, in KQL. `drawn`: the visualization of the layer, but for its id."""

    id: str
    title: str
    view: DataView
    columns: tuple[Column, ...]
    type: str
    drawn: dict[str, Any]
    query: str = ""

    @property
    def layer(self) -> str:
        return f"{self.id}_layer"

    @property
    def references(self) -> list[dict[str, str]]:
        """As they stand in the panel; a dashboard repeats them under longer names."""
        return [self.view.reference.named(f"indexpattern-datasource-layer-{self.layer}")]

    def as_panel(self, place: dict[str, int]) -> dict[str, Any]:
        """The panel in the JSON of a dashboard, at a place of its grid."""
        attributes = {
            "title": self.title,
            "visualizationType": self.type,
            "type": "lens",
            "references": self.references,
            "state": self._state(),
        }
        return {
            "type": "lens",
            "version": PANEL_VERSION,
            "panelIndex": self.id,
            "gridData": {**place, "i": self.id},
            "title": self.title,
            "embeddableConfig": {
                "attributes": attributes,
                "enhancements": {},
                "hidePanelTitles": False,
            },
        }

    def _state(self) -> dict[str, Any]:
        every = [each for column in self.columns for each in (column, *column.parts)]
        layer = {
            "columns": {each.id: each.body for each in every},
            "columnOrder": [each.id for each in every],
            "incompleteColumns": {},
            "sampling": 1,
        }
        return {
            "visualization": self._visualization(),
            "query": {"query": self.query, "language": "kuery"},
            "filters": [],
            "datasourceStates": {"formBased": {"layers": {self.layer: layer}}},
            "internalReferences": [],
            "adHocDataViews": {},
        }

    def _visualization(self) -> dict[str, Any]:
        here = {"layerId": self.layer, "layerType": "data"}
        if "layer" in self.drawn:
            rest = {name: value for name, value in self.drawn.items() if name != "layer"}
            return {**rest, "layers": [{**here, **self.drawn["layer"]}]}
        return {**here, **self.drawn}


def number(name: str, view: DataView, column: Column, query: str = "") -> LensPanel:
    """One figure, under its label."""
    label = str(column.body["label"])
    return LensPanel(
        name, label, view, (column,), "lnsMetric", {"metricAccessor": column.id}, query
    )


def chart(
    name: str,
    title: str,
    view: DataView,
    x: Column,
    y: Column,
    *,
    by: Column | None = None,
    series: str = "bar_stacked",
    query: str = "",
) -> LensPanel:
    """Bars or lines. `series`: bar_stacked, bar_horizontal, line."""
    layer = {"seriesType": series, "xAccessor": x.id, "accessors": [y.id]}
    if by is not None:
        layer["splitAccessor"] = by.id
    drawn = {
        "legend": {"isVisible": by is not None, "position": "right"},
        "valueLabels": "hide",
        "preferredSeriesType": series,
        "layer": layer,
    }
    columns = (x, y) if by is None else (x, by, y)
    return LensPanel(name, title, view, columns, "lnsXY", drawn, query)


def shares(
    name: str, title: str, view: DataView, by: Column, of: Column, query: str = ""
) -> LensPanel:
    """A ring of the parts of a whole."""
    layer = {
        "primaryGroups": [by.id],
        "metrics": [of.id],
        "numberDisplay": "percent",
        "categoryDisplay": "default",
        "legendDisplay": "default",
    }
    drawn = {"shape": "donut", "layer": layer}
    return LensPanel(name, title, view, (by, of), "lnsPie", drawn, query)


def table(
    name: str, title: str, view: DataView, columns: tuple[Column, ...], query: str = ""
) -> LensPanel:
    """Rows by the buckets, nested in their order, with the metrics beside them."""
    shown = [
        {"columnId": each.id, "isTransposed": False, "isMetric": not each.is_bucket}
        for each in columns
    ]
    drawn = {"columns": shown, "paging": {"enabled": True, "size": _ROWS}}
    return LensPanel(name, title, view, columns, "lnsDatatable", drawn, query)
