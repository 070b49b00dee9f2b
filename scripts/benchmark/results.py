"""What a measurement says: figures with targets, in lines, in sections."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Target:
    """A bound that a figure must keep."""

    least: float | None = None
    most: float | None = None

    def is_met(self, value: float) -> bool:
        return (self.least is None or value >= self.least) and (
            self.most is None or value <= self.most
        )

    def __str__(self) -> str:
        bounds = ((">=", self.least), ("<=", self.most))
        return " ".join(f"{sign} {number(value)}" for sign, value in bounds if value is not None)


@dataclass(frozen=True, slots=True)
class Line:
    """One figure. `more` holds figures of the same measurement by name, unit included."""

    name: str
    value: float
    unit: str
    target: Target | None = None
    more: Mapping[str, float] = field(default_factory=dict)

    @property
    def met(self) -> bool | None:
        return None if self.target is None else self.target.is_met(self.value)

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "value": self.value,
            "unit": self.unit,
            "target": None if self.target is None else str(self.target),
            "met": self.met,
            "more": dict(self.more),
        }


@dataclass(slots=True)
class Section:
    """The lines of one subject, and what a reader has to know to read them."""

    name: str
    title: str
    lines: list[Line] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    failed: bool = False

    def to_json(self) -> dict[str, Any]:
        lines = [line.to_json() for line in self.lines]
        return {"title": self.title, "notes": self.notes, "lines": lines}


def number(value: float) -> str:
    """A figure with about three digits that count."""
    if abs(value) >= 100:
        return f"{value:,.0f}"
    if abs(value) >= 10:
        return f"{value:.1f}"
    return f"{value:.2f}"
