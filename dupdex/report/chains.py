"""The longest chains of near duplicates: a is like b, b is like c, and a need not be like c."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from heapq import heappush, heapreplace
from typing import Final

Pair = tuple[str, str]
Near = Mapping[str, Sequence[str]]

SHORTEST: Final = 2
"""Steps: a pair is no chain."""


@dataclass(frozen=True, slots=True)
class Way:
    """The longest of all shortest ways in a connected part: its nodes, and how many nodes the part
    has."""

    nodes: tuple[str, ...]
    connected: int

    @property
    def steps(self) -> int:
        return len(self.nodes) - 1


def longest_ways(near: Iterable[Pair], equal: Iterable[Pair], most: int) -> list[Way]:
    """The longest way of each connected part, the longest of these first, `most` of them.

    `near`: pairs of similar documents, `equal`: pairs of equal ones, of which the least stands for
    all. The result does not depend on any order.
    """
    stands_for = _representatives(equal)
    neighbours: dict[str, set[str]] = {}
    for pair in near:
        one, other = (stands_for.get(node, node) for node in pair)
        if one != other:
            neighbours.setdefault(one, set()).add(other)
            neighbours.setdefault(other, set()).add(one)
    ordered = {node: sorted(others) for node, others in neighbours.items()}
    kept: list[tuple[int, tuple[_Backwards, ...], Way]] = []
    for part in sorted(_parts(ordered), key=len, reverse=True):
        least = kept[0][0] if len(kept) == most else SHORTEST
        way = _longest(part, ordered, least)
        if way is None:
            continue
        place = (way.steps, tuple(map(_Backwards, way.nodes)), way)
        if len(kept) < most:
            heappush(kept, place)
        elif place[:2] > kept[0][:2]:
            heapreplace(kept, place)
    return [way for *_, way in sorted(kept, key=lambda each: each[:2], reverse=True)]


@dataclass(frozen=True, slots=True)
class _Backwards:
    """A text that sorts the other way round: of equally long ways the first one is better."""

    text: str

    def __lt__(self, other: _Backwards) -> bool:
        return self.text > other.text


def _representatives(equal: Iterable[Pair]) -> dict[str, str]:
    above: dict[str, str] = {}

    def root(node: str) -> str:
        while above.setdefault(node, node) != node:
            above[node] = above[above[node]]
            node = above[node]
        return node

    for one, other in equal:
        low, high = sorted((root(one), root(other)))
        above[high] = low
    return {node: root(node) for node in above}


def _parts(near: Near) -> list[list[str]]:
    """The connected parts, each in order."""
    seen: set[str] = set()
    parts: list[list[str]] = []
    for node in sorted(near):
        if node not in seen:
            part = sorted(_levels(node, near))
            seen.update(part)
            parts.append(part)
    return parts


def _levels(start: str, near: Near) -> dict[str, str]:
    """Every node that can be reached, nearest first, and the node before it on a shortest way."""
    before = {start: start}
    ahead = [start]
    while ahead:
        reached: list[str] = []
        for node in ahead:
            for other in near[node]:
                if other not in before:
                    before[other] = node
                    reached.append(other)
        ahead = reached
    return before


def _longest(part: Sequence[str], near: Near, least: int) -> Way | None:
    """The longest shortest way, None if it has fewer than `least` steps.

    From a node in the middle out (iFUB: Crescenzi and others 2013): once two nodes of the levels
    that are left cannot be farther apart than what was found, the search ends.
    """
    if len(part) <= least:
        return None
    middle = min(part, key=lambda node: (-len(near[node]), node))
    depth = {middle: 0}
    before = _levels(middle, near)
    for node, parent in before.items():
        if node != middle:
            depth[node] = depth[parent] + 1
    levels: list[list[str]] = [[] for _ in range(max(depth.values()) + 1)]
    for node, level in depth.items():
        levels[level].append(node)
    best: tuple[str, ...] = (middle,)
    for level in range(len(levels) - 1, 0, -1):
        if 2 * level < least or len(best) - 1 > 2 * level:
            break
        for node in sorted(levels[level]):
            best = min(best, _farthest(node, near), key=lambda way: (-len(way), way))
    return Way(best, len(part)) if len(best) > least else None


def _farthest(start: str, near: Near) -> tuple[str, ...]:
    """The shortest way to the node that is farthest, read from its lesser end."""
    before = _levels(start, near)
    depth = {start: 0}
    for node, parent in before.items():
        if node != start:
            depth[node] = depth[parent] + 1
    node = min(depth, key=lambda each: (-depth[each], each))
    way = [node]
    while node != start:
        node = before[node]
        way.append(node)
    return min(tuple(way), tuple(reversed(way)))
