"""Longest chains: against all shortest ways of small graphs."""

from __future__ import annotations

import random
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from dupdex.report.chains import Pair, longest_ways

NODES = "abcdefghij"
PAIRS = st.lists(st.tuples(st.sampled_from(NODES), st.sampled_from(NODES)), max_size=16)


def distances(near: list[Pair], equal: list[Pair]) -> dict[str, dict[str, int]]:
    """By Floyd and Warshall; equal nodes are no step apart."""
    far = 1_000
    out = {a: {b: 0 if a == b else far for b in NODES} for a in NODES}
    for pairs, step in ((near, 1), (equal, 0)):
        for a, b in pairs:
            if a != b:
                out[a][b] = out[b][a] = min(step, out[a][b])
    for k in NODES:
        for a in NODES:
            for b in NODES:
                out[a][b] = min(out[a][b], out[a][k] + out[k][b])
    return out


def longest_of_each_part(near: list[Pair], equal: list[Pair]) -> list[int]:
    apart = distances(near, equal)
    parts = {frozenset(b for b in NODES if apart[a][b] < 1_000) for a in NODES}
    found = (max(apart[a][b] for a in part for b in part) for part in parts)
    return sorted((steps for steps in found if steps >= 2), reverse=True)


@given(PAIRS, st.lists(st.tuples(st.sampled_from(NODES), st.sampled_from(NODES)), max_size=4))
def test_the_longest_shortest_way_of_each_part(near: list[Pair], equal: list[Pair]) -> None:
    apart = distances(near, equal)
    ways = longest_ways(near, equal, 10)
    assert [way.steps for way in ways] == longest_of_each_part(near, equal)
    for way in ways:
        assert apart[way.nodes[0]][way.nodes[-1]] == way.steps
        assert all(
            apart[a][b] == at - before
            for (before, a), (at, b) in combinations(enumerate(way.nodes), 2)
        )
    assert [way.steps for way in longest_ways(near, equal, 1)] == longest_of_each_part(near, equal)[
        :1
    ]


@given(PAIRS, st.randoms())
def test_no_order_matters(near: list[Pair], chance: random.Random) -> None:
    turned = [pair[:: chance.choice((1, -1))] for pair in near]
    chance.shuffle(turned)
    for most in (1, 2, 10):
        assert longest_ways(near, [], most) == longest_ways(turned, [], most)  # type: ignore[arg-type]


def test_a_line_and_a_star() -> None:
    line = [(f"l{at}", f"l{at + 1}") for at in range(5)]
    star = [("m", f"s{at}") for at in range(6)]
    ways = longest_ways([*star, *line, ("p", "q")], [("l5", "k9")], 5)
    assert [way.nodes for way in ways] == [
        ("k9", "l4", "l3", "l2", "l1", "l0"),
        ("s0", "m", "s1"),
    ]
    assert [way.connected for way in ways] == [6, 7]
