"""From pairs to groups, whatever the order in which documents came.

Connected components would let chains swallow a corpus: a is like b, b like c, and a not at all like
z. So a group is a star: a center, and texts that are each similar to it. Centers are taken
greedily, those with the most neighbours first (star cover: Aslam, Pelekhov and Rus 2004). What
people put together stays together, and takes its turn by its size.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar


class Ordered(Protocol):
    """What can be sorted and hashed: a reference, a number, a name."""

    def __lt__(self, other: Any, /) -> bool: ...

    def __hash__(self) -> int: ...


Node = TypeVar("Node", bound=Ordered)
Neighbours = Mapping[Node, set[Node]]


class _Neighbours(dict[Node, set[Node]]):
    """The nodes next to each one; each counts for as many documents as it stands for."""

    def __init__(
        self,
        edges: Iterable[tuple[Node, Node]],
        pins: Iterable[Node],
        weights: Mapping[Node, int],
    ) -> None:
        super().__init__({node: set() for node in pins})
        self._weights = weights
        for one, other in edges:
            if one != other:
                self[one].add(other)
                self[other].add(one)

    def __missing__(self, node: Node) -> set[Node]:
        """So no empty set is made for every edge."""
        near = self[node] = set()
        return near

    def weight(self, nodes: Collection[Node]) -> int:
        """For how many documents nodes stand."""
        if not self._weights:
            return len(nodes)
        return sum(self._weights.get(node, 1) for node in nodes)


@dataclass(frozen=True, slots=True)
class Star(Generic[Node]):
    """A group: its center, all members in order, and `common`, the members that are similar to
    every other one; where there is none, as people put them together, the center alone.
    """

    center: Node
    members: tuple[Node, ...]
    common: tuple[Node, ...]


def stars(
    edges: Iterable[tuple[Node, Node]],
    pins: Mapping[Node, str] | None = None,
    weights: Mapping[Node, int] | None = None,
    apart: Iterable[tuple[Node, Node]] = (),
) -> list[Star[Node]]:
    """The groups of two members and more, in the order of their first members.

    `edges`: pairs of similar documents. `pins`: documents that people put somewhere, with the name
    of the place: those of one name are one group, alone or not, and others may join them.
    `weights`: for how many equal documents a node stands, 1 unless said; the groups are those of
    all of them. `apart`: pairs that are in no one group, unless they are pinned to one place.
    The result depends on all of these, not on their order.
    """
    pins = pins or {}
    neighbours = _Neighbours(edges, pins, weights or {})
    places: dict[str, set[Node]] = {}
    for node, name in pins.items():
        places.setdefault(name, set()).add(node)
    against = _Neighbours(apart, (), {})
    alike = [] if pins or against else _taken_cliques(neighbours)
    free = neighbours.keys() - pins.keys()
    seeds: list[Collection[Node]] = []
    home: dict[Node, int] = {}
    turns: list[Collection[Node]] = [*places.values(), *((node,) for node in free)]
    for seed in sorted(turns, key=lambda seed: _turn(seed, neighbours, free)):
        if not home.keys().isdisjoint(seed):
            continue  # a free node that is in a star by now
        around = _around(seed, neighbours, free)
        near = {node for node in around if node not in home}  # `-` would go through all of home
        for node in _compatible(seed, near, against):
            home[node] = len(seeds)
        seeds.append(seed)
    groups: dict[int, set[Node]] = {}
    for node, place in _moved(seeds, home, neighbours, against).items():
        groups.setdefault(place, set()).add(node)
    found = [*alike, *(_star(members, neighbours) for members in groups.values())]
    kept = (star for star in found if len(star.members) > 1 or star.center in pins)
    return sorted(kept, key=lambda star: star.members[0])


def _taken_cliques(neighbours: _Neighbours[Node]) -> list[Star[Node]]:
    """Nodes that are next to each other and to nothing else, as most copies are: one star, whatever
    their weights. They are taken out of `neighbours`.
    """
    out: list[Star[Node]] = []
    for node in [*neighbours]:
        near = neighbours.get(node)
        if not near or any(len(neighbours[other]) != len(near) for other in near):
            continue
        members = {node, *near}
        if all(neighbours[other] <= members for other in near):
            ordered = tuple(sorted(members))
            out.append(Star(ordered[0], ordered, ordered))
            for each in ordered:
                del neighbours[each]
    return out


def _around(
    seed: Collection[Node], neighbours: _Neighbours[Node], free: Collection[Node]
) -> set[Node]:
    """The free nodes next to those of a seed."""
    if len(seed) == 1 and len(free) == len(neighbours):  # nothing is pinned
        (node,) = seed
        return neighbours[node]
    return set[Node]().union(*(neighbours[node].intersection(free) for node in seed))


def _moved(
    seeds: list[Collection[Node]],
    home: Mapping[Node, int],
    neighbours: _Neighbours[Node],
    against: Neighbours[Node],
) -> dict[Node, int]:
    """Where each node belongs: of the stars whose seed it is next to, the one in which it has the
    most neighbours. Greed alone would give a bridge between two groups to the wrong one. What has
    to be apart from something stays where it is.
    """
    seed_of = {node: at for at, seed in enumerate(seeds) for node in seed}
    out: dict[Node, int] = {}
    for node, first in home.items():
        out[node] = first
        near = neighbours[node]
        if len(near) < 2 or node in seed_of or node in against:
            continue
        possible = {seed_of[other] for other in near & seed_of.keys()}
        if len(possible) < 2:
            continue
        inside: Counter[int] = Counter({first: neighbours.weight((node,)) - 1})
        for other in near:
            inside[home[other]] += neighbours.weight((other,))
        out[node] = min(possible, key=lambda at: (-inside[at], at))
    return out


def _compatible(seed: Collection[Node], near: set[Node], against: Neighbours[Node]) -> set[Node]:
    """A seed with those of its neighbours that may be in one group with it and with each other, the
    least ones first.
    """
    if not against:
        return near.union(seed)
    members = set(seed)
    for node in sorted(near):
        if members.isdisjoint(against.get(node, ())):
            members.add(node)
    return members


def component(start: Iterable[Node], neighbours: Neighbours[Node]) -> set[Node]:
    """All nodes that can be reached from some."""
    reached, ahead = set(start), list(start)
    while ahead:
        more = neighbours.get(ahead.pop(), set()) - reached
        reached |= more
        ahead += more
    return reached


def _turn(
    seed: Collection[Node], neighbours: _Neighbours[Node], free: set[Node]
) -> tuple[int, Node]:
    """Large ones first: the size of a pinned group, or of the star around a free node."""
    around = _around(seed, neighbours, free) if free.issuperset(seed) else ()
    return -neighbours.weight(seed) - neighbours.weight(around), min(seed)


def _star(members: set[Node], neighbours: _Neighbours[Node]) -> Star[Node]:
    inside = {node: neighbours[node] & members for node in members}
    weight = neighbours.weight
    center = min(members, key=lambda node: (-weight((node,)) - weight(inside[node]), node))
    ordered = tuple(sorted(members))
    common = tuple(node for node in ordered if len(inside[node]) == len(members) - 1)
    return Star(center, ordered, common or (center,))
