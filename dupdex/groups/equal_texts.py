"""Groups of documents, where those of one text count as one: they are never torn apart.

A text with a hundred thousand copies has more pairs than anybody keeps. But equality carries over:
who is equal to one of them is equal to all. So what is equal is one node of the stars, as heavy as
it has documents, and pairs between two texts need be known of one copy each.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from dupdex.groups.partition import Node, Star, stars


def groups_of(
    edges: Iterable[tuple[Node, Node]],
    equal: Iterable[tuple[Node, Node]],
    pins: Mapping[Node, str] | None = None,
) -> list[Star[Node]]:
    """The groups of two members and more, in the order of their first members (see `stars`).

    `edges`: pairs of similar documents; `equal`: pairs of the same text, which may be among the
    edges. Equal documents that people pinned to different places are apart.
    """
    pins, edges = pins or {}, list(edges)
    texts = _joined(equal)
    heaps: dict[tuple[Node, str | None], list[Node]] = defaultdict(list)
    for node in {*texts, *pins, *(node for edge in edges for node in edge)}:
        heaps[texts.get(node, node), pins.get(node)].append(node)
    copies = {min(heap): sorted(heap) for heap in heaps.values()}
    standing_for = {node: first for first, heap in copies.items() for node in heap}
    between = {(standing_for[one], standing_for[other]) for one, other in edges}
    for node, first in texts.items():  # where pins tore equal texts apart
        between.add((standing_for[node], standing_for[first]))
    found = stars(
        between,
        {first: pins[first] for first in copies if first in pins},
        {first: len(heap) for first, heap in copies.items()},
    )
    out = [_spread(star, copies) for star in found]
    covered = {node for star in out for node in star.members}
    for first, heap in copies.items():
        if first not in covered and len(heap) > 1:
            out.append(Star(first, tuple(heap), tuple(heap)))
    return sorted(out, key=lambda star: star.members[0])


def _spread(star: Star[Node], copies: Mapping[Node, list[Node]]) -> Star[Node]:
    """The star of documents that a star of texts stands for."""
    members = sorted(node for first in star.members for node in copies[first])
    common = sorted(node for first in star.common for node in copies[first])
    return Star(star.center, tuple(members), tuple(common))


def _joined(equal: Iterable[tuple[Node, Node]]) -> dict[Node, Node]:
    """For each node the least one that is equal to it, over however many steps."""
    leader: dict[Node, Node] = {}

    def top(node: Node) -> Node:
        path = []
        while leader.setdefault(node, node) != node:
            path.append(node)
            node = leader[node]
        for each in path:
            leader[each] = node
        return node

    for one, other in equal:
        first, second = sorted((top(one), top(other)))
        leader[second] = first
    return {node: top(node) for node in list(leader)}
