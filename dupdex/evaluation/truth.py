"""The labels of the pairs of a corpus, and the found pairs that they explain."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

Pair = tuple[str, str]

FACTS: Final = "hardneg_facts"
"""The kind of near-identical texts with other facts: whether they are duplicates is a matter of
opinion, so their pairs are neither right nor wrong."""


class Label(StrEnum):
    """The label of a listed pair."""

    NEGATIVE = "0"
    DUPLICATE = "1"
    PARTIAL = "2"


@dataclass(frozen=True, slots=True)
class Listed:
    """One row of the truth; `pair` keeps the order of the row."""

    pair: Pair
    label: Label
    kind: str
    strength: str


@dataclass(frozen=True, slots=True)
class Truth:
    """All listed pairs, and the documents that were made by swapping facts."""

    listed: tuple[Listed, ...]
    facts: frozenset[str] = frozenset()


def ordered(left: str, right: str) -> Pair:
    """The canonical order of an unordered pair."""
    return (left, right) if left <= right else (right, left)


class Clusters:
    """Documents joined by label-1 pairs, and the label-2 links between such clusters.

    A document without a label-1 pair is a cluster of its own.
    """

    def __init__(self, truth: Truth) -> None:
        self._parents: dict[str, str] = {}
        self._links: dict[str, set[str]] = defaultdict(set)
        for row in truth.listed:
            if row.label is Label.DUPLICATE:
                left, right = map(self.root, row.pair)
                self._parents[left] = right
        for row in truth.listed:
            if row.label is Label.PARTIAL:
                left, right = map(self.root, row.pair)
                self._links[left].add(right)
                self._links[right].add(left)

    def related(self, pair: Pair) -> bool:
        """Whether both are in one cluster, or their clusters at most two links apart."""
        left, right = map(self.root, pair)
        near, far = (self._links.get(root, set()) for root in (left, right))
        return left == right or right in near or not near.isdisjoint(far)

    def root(self, name: str) -> str:
        """One document of a cluster, the same for all in it."""
        parents = self._parents
        while (parent := parents.get(name, name)) != name:
            parents[name] = parents.get(parent, parent)  # halves the way of those who come later
            name = parent
        return name


def members(ids: Iterable[str], truth: Truth) -> list[list[str]]:
    """The ids by cluster: a text and its copies. A partial copy that is nobody's duplicate goes
    with the first text that it is listed with.
    """
    duplicates = [row for row in truth.listed if row.label is Label.DUPLICATE]
    settled = {name for row in duplicates for name in row.pair}
    joined = list(duplicates)
    for row in truth.listed:
        if row.label is Label.PARTIAL:
            alone = [name for name in row.pair if name not in settled]
            if alone:
                joined.append(replace(row, label=Label.DUPLICATE))
                settled.add(alone[-1])
    clusters = Clusters(Truth(tuple(joined)))
    out: dict[str, list[str]] = defaultdict(list)
    for name in ids:
        out[clusters.root(name)].append(name)
    return list(out.values())
