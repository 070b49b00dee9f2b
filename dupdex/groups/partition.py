"""From pairs to groups, whatever the order in which documents came.

Connected components would let chains swallow a corpus: a is like b, b like c, and a not at all like
z. So a group is a star: a center, and texts that are each similar to it. Centers are taken
greedily, those with the most neighbours first (star cover: Aslam, Pelekhov and Rus 2004). What
people put together stays together, and takes its turn by its size.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, Generic, NamedTuple, Protocol, TypeVar


class Ordered(Protocol):
    """What can be sorted and hashed: a reference, a number, a name."""

    def __lt__(self, other: Any, /) -> bool: ...

    def __hash__(self) -> int: ...


Node = TypeVar("Node", bound=Ordered)
Neighbours = Mapping[Node, set[Node]]


class _Neighbours(defaultdict[Node, set[Node]]):
    """The nodes next to each one; each counts for as many documents as it stands for."""

    def __init__(
        self,
        edges: Iterable[tuple[Node, Node]],
        pins: Iterable[Node],
        weights: Mapping[Node, int],
    ) -> None:
        super().__init__(set[Node], {node: set() for node in pins})
        self._weights = weights
        for one, other in edges:
            if one != other:
                self[one].add(other)
                self[other].add(one)

    def weight(self, nodes: Collection[Node]) -> int:
        """For how many documents nodes stand."""
        if not self._weights:
            return len(nodes)
        return sum(self._weights.get(node, 1) for node in nodes)

    def reach(self, node: Node, near: Collection[Node]) -> int:
        """The weight of a node and of some next to it."""
        if not self._weights:
            return 1 + len(near)
        return self.weight((node,)) + self.weight(near)


class Star(NamedTuple, Generic[Node]):
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
    between: set[Node] = set()
    for least, seed in _turns(places.values(), neighbours, free):
        if least in home:
            continue  # a free node that is in a star by now
        around = _around(seed, neighbours, free)
        near = {node for node in around if node not in home}  # `-` would go through all of home
        if len(near) < len(around):
            between |= around - near
        home.update(dict.fromkeys(_compatible(seed, near, against), len(seeds)))
        seeds.append(seed)
    home |= _moved(between - against.keys(), seeds, home, neighbours)
    groups: dict[int, set[Node]] = {}
    for node, place in home.items():
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
        if not near:
            continue
        for other in near:
            if len(neighbours[other]) != len(near):
                break
        else:
            members = {node, *near}
            if not all(neighbours[other] <= members for other in near):
                continue
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
    between: Collection[Node],
    seeds: list[Collection[Node]],
    home: Mapping[Node, int],
    neighbours: _Neighbours[Node],
) -> dict[Node, int]:
    """Where nodes that are next to several seeds belong: of these stars, in the one in which each
    has the most neighbours. Greed alone would give a bridge between two groups to the wrong one.
    """
    seed_of = {node: at for at, seed in enumerate(seeds) for node in seed}
    out: dict[Node, int] = {}
    for node in between:
        if node in seed_of:
            continue
        near, first = neighbours[node], home[node]
        possible = {seed_of[other] for other in near if other in seed_of}
        inside = dict.fromkeys(possible, 0)
        inside[first] = neighbours.weight((node,)) - 1
        for other in near:
            at = home[other]
            if at in possible:
                inside[at] += neighbours.weight((other,))
        _, out[node] = min([(-inside[at], at) for at in possible])
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


def _turns(
    places: Collection[set[Node]], neighbours: _Neighbours[Node], free: Collection[Node]
) -> Iterator[tuple[Node, Collection[Node]]]:
    """Seeds, each with its least node, large ones first: by the size of a pinned group, or of the
    star around a free node.
    """
    turns: list[tuple[int, Node, Collection[Node]]] = [
        (-neighbours.weight(place), min(place), place) for place in places
    ]
    if not places:
        turns += [
            (-neighbours.reach(node, near), node, (node,)) for node, near in neighbours.items()
        ]
    for node in free if places else ():
        around = _around((node,), neighbours, free)
        turns.append((-neighbours.reach(node, around), node, (node,)))
    turns.sort()
    return ((least, seed) for _, least, seed in turns)


def _star(members: set[Node], neighbours: _Neighbours[Node]) -> Star[Node]:
    inside = {node: neighbours[node] & members for node in members}
    reach = neighbours.reach
    _, center = min([(-reach(node, near), node) for node, near in inside.items()])
    ordered = tuple(sorted(members))
    common = tuple([node for node in ordered if len(inside[node]) == len(members) - 1])
    return Star(center, ordered, common or (center,))
