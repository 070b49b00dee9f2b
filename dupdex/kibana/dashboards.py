"""Dashboards: panels on a grid, with the references that keep them alive."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from dupdex.kibana.data_views import object_id
from dupdex.kibana.index_facts import IndexFacts
from dupdex.kibana.lens_panels import LensPanel
from dupdex.kibana.saved_objects import PANEL_VERSION, SavedObject, stringified

WIDTH: Final = 48
"""Columns of Kibana's grid."""

_OPTIONS: Final = {
    "useMargins": True,
    "syncColors": False,
    "syncCursor": True,
    "syncTooltips": False,
    "hidePanelTitles": False,
}


@dataclass(frozen=True, slots=True)
class ListPanel:
    """A Discover session as a panel, by reference."""

    id: str
    session: SavedObject

    @property
    def _name(self) -> str:
        return f"panel_{self.id}"

    @property
    def references(self) -> list[dict[str, str]]:
        return [{"type": self.session.type, "id": self.session.id, "name": self._name}]

    def as_panel(self, place: dict[str, int]) -> dict[str, Any]:
        """The panel in the JSON of a dashboard, at a place of its grid."""
        return {
            "type": "search",
            "version": PANEL_VERSION,
            "panelIndex": self.id,
            "gridData": {**place, "i": self.id},
            "embeddableConfig": {"enhancements": {}},
            "panelRefName": self._name,
        }


Panel = LensPanel | ListPanel


@dataclass(frozen=True, slots=True)
class Row:
    """Panels of one height side by side, all of the same width."""

    height: int
    panels: tuple[Panel, ...]


def dashboard(
    facts: IndexFacts, name: str, title: str, description: str, rows: Sequence[Row]
) -> SavedObject:
    """The saved object of a dashboard that begins with the last year."""
    placed = [(panel, place) for panel, place in _placed(rows)]
    references = [
        {**each, "name": f"{panel.id}:{each['name']}"}
        for panel, _ in placed
        for each in panel.references
    ]
    source = {"query": {"query": "", "language": "kuery"}, "filter": []}
    attributes: dict[str, Any] = {
        "title": f"{title} ({facts.index})",
        "description": description,
        "version": 1,
        "timeRestore": True,
        "timeFrom": "now-1y",
        "timeTo": "now",
        "refreshInterval": {"pause": True, "value": 60_000},
        "optionsJSON": stringified(_OPTIONS),
        "kibanaSavedObjectMeta": {"searchSourceJSON": stringified(source)},
        "panelsJSON": stringified([panel.as_panel(place) for panel, place in placed]),
    }
    return SavedObject("dashboard", object_id(facts.index, name), attributes, references)


def _placed(rows: Sequence[Row]) -> list[tuple[Panel, dict[str, int]]]:
    """Each panel with its place; the last of a row takes what is left of the width."""
    out: list[tuple[Panel, dict[str, int]]] = []
    top = 0
    for row in rows:
        each, left = divmod(WIDTH, len(row.panels))
        for number, panel in enumerate(row.panels):
            last = number == len(row.panels) - 1
            place = {"x": number * each, "y": top, "w": each + left * last, "h": row.height}
            out.append((panel, place))
        top += row.height
    return out
