"""Groups as plain data, for whoever shows them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from query.answers import Verdict


class Sort(StrEnum):
    """Which groups come first."""

    SIZE = "size"
    NEWEST = "newest"
    SPREAD = "spread"


@dataclass(frozen=True, slots=True)
class GroupLine:
    """A group of two and more in short. `canonical`: the id of a document; `made`, `changed`:
    times in UTC; `spread`: how many values of a field its members have, None when nobody asked.
    """

    id: str
    canonical: str
    size: int
    made: str
    changed: str
    spread: int | None = None


@dataclass(frozen=True, slots=True)
class GroupLines:
    """Some groups, how many there are in all, and where the next page begins."""

    total: int
    groups: tuple[GroupLine, ...]
    next: str | None = None


@dataclass(frozen=True, slots=True)
class GroupMember:
    """A document in a group. `indexed`: when it was written last; `pinned`: people put it there."""

    id: str
    index: str
    title: str
    indexed: str
    pinned: bool


@dataclass(frozen=True, slots=True)
class GroupEdge:
    """Two members that are similar, or about which somebody decided."""

    first: str
    second: str
    verdict: Verdict | None
    similarity: float | None
    decision: str | None


@dataclass(frozen=True, slots=True)
class LastCorrection:
    """What can be undone next. `kind`: merge, split, canonical or release; `at`: a time in
    UTC."""

    kind: str
    at: str
    by: str
    why: str


@dataclass(frozen=True, slots=True)
class GroupDetail:
    """A group, found by the id that was `asked` for. `why`: the canonical member is that; `merged`:
    ids of groups that became part of it; `members`: the canonical one first; `undoable`: what was
    corrected last. Of a group of one nobody knows when it was made.
    """

    id: str
    asked: str
    canonical: GroupMember
    why: str
    size: int
    made: str
    changed: str
    merged: tuple[str, ...]
    members: tuple[GroupMember, ...]
    edges: tuple[GroupEdge, ...]
    undoable: LastCorrection | None = None
