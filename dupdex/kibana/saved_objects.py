"""Saved objects of Kibana as they are imported: one JSON object a line.

Versions are the lowest that have the form of these objects: Kibana imports what an earlier version
wrote, and refuses what a later one did.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final

import orjson

_CORE: Final = "8.8.0"
_TYPES: Final = {"index-pattern": "7.11.0", "search": "7.9.3", "dashboard": "8.7.0"}

PANEL_VERSION: Final = "8.7.0"
"""Of the form of panels: without one Kibana takes a panel for one of the first version."""


@dataclass(frozen=True, slots=True)
class Reference:
    """What an object needs of another one; `name` is where it needs it."""

    type: str
    id: str
    name: str = ""

    def named(self, name: str) -> dict[str, str]:
        """As it is stored, under that name."""
        return {"type": self.type, "id": self.id, "name": name}


@dataclass(frozen=True, slots=True)
class SavedObject:
    """One object; `references` as they are stored."""

    type: str
    id: str
    attributes: dict[str, Any]
    references: list[dict[str, str]] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        return {
            "type": self.type,
            "id": self.id,
            "coreMigrationVersion": _CORE,
            "typeMigrationVersion": _TYPES[self.type],
            "managed": False,
            "references": self.references,
            "attributes": self.attributes,
        }


def stringified(value: object) -> str:
    """JSON inside of JSON, as some attributes are stored."""
    return orjson.dumps(value).decode()


def as_lines(objects: Iterable[SavedObject]) -> list[bytes]:
    """The lines of a file that Kibana imports."""
    return [orjson.dumps(each.to_json(), option=orjson.OPT_APPEND_NEWLINE) for each in objects]
