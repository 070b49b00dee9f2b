"""Stars: disjoint, around a center, and the same in any order of the pairs."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupdex.groups.partition import component, stars
from tests.texts import LAW

EDGES = st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), max_size=40)
PINS = st.dictionaries(st.integers(0, 12), st.sampled_from("abc"), max_size=5)


def members(edges: list[tuple[int, int]], pins: dict[int, str] | None = None) -> list[list[int]]:
    return [list(star.members) for star in stars(edges, pins)]


def clique(*nodes: int) -> list[tuple[int, int]]:
    return [(one, other) for one in nodes for other in nodes if one < other]


def test_copies_are_one_group() -> None:
    (star,) = stars([(1, 2), (2, 3), (1, 3)])
    assert star.members == star.common == (1, 2, 3)


def test_no_pairs_no_groups() -> None:
    assert stars([]) == []
    assert stars([(1, 1)]) == []


def test_a_chain_is_cut() -> None:
    chain = [(node, node + 1) for node in range(30)]
    groups = members(chain)
    assert max(map(len, groups)) <= 3
    assert sum(map(len, groups)) >= 28  # at most the ends are alone


def test_a_bridge_does_not_join_two_groups() -> None:
    edges = [*clique(1, 2, 3, 4), *clique(11, 12, 13, 14), (4, 11)]
    assert members(edges) == [[1, 2, 3, 4], [11, 12, 13, 14]]


def test_a_document_like_all_of_both_joins_them() -> None:
    edges = [*clique(1, 2), *clique(11, 12), *((5, node) for node in (1, 2, 11, 12))]
    (star,) = stars(edges)
    assert star.members == (1, 2, 5, 11, 12)
    assert star.center == 5
    assert star.common == (5,)


def test_what_people_put_together_is_together() -> None:
    edges = [*clique(1, 2), *clique(11, 12)]
    merged = dict.fromkeys((1, 2, 11, 12), "x")
    assert members(edges, merged) == [[1, 2, 11, 12]]
    assert members([*edges, (12, 13)], merged) == [[1, 2, 11, 12, 13]]


def test_what_people_split_stays_apart() -> None:
    edges = clique(1, 2, 3, 4)
    assert members(edges, {4: "x"}) == [[1, 2, 3], [4]]
    assert members([*edges, *((5, node) for node in (1, 2, 3, 4))], {4: "x"}) == [[1, 2, 3, 5], [4]]


def test_what_people_told_apart_is_in_no_one_group() -> None:
    edges = [(1, 2), (1, 3)]  # 2 and 3 are both like 1
    assert [star.members for star in stars(edges)] == [(1, 2, 3)]
    assert [star.members for star in stars(edges, apart=[(3, 2)])] == [(1, 2)]
    pinned = dict.fromkeys((2, 3), "x")
    assert [star.members for star in stars(edges, pinned, apart=[(2, 3)])] == [(1, 2, 3)]


@LAW
@given(EDGES, st.dictionaries(st.integers(0, 12), st.integers(1, 5), max_size=5))
def test_nodes_that_are_all_next_to_each_other_need_no_greed(
    edges: list[tuple[int, int]], weights: dict[int, int]
) -> None:
    greedily = stars(edges, None, weights, apart=[(98, 99)])
    assert stars(edges, None, weights) == greedily


@LAW
@given(EDGES, EDGES, st.randoms())
def test_pairs_apart_are_in_no_one_group(
    edges: list[tuple[int, int]], apart: list[tuple[int, int]], rng: random.Random
) -> None:
    edges = [edge for edge in edges if edge not in apart and edge[::-1] not in apart]
    found = stars(edges, apart=apart)
    for star in found:
        for one, other in apart:
            assert one == other or not {one, other} <= set(star.members)
        assert star.center in star.common
    turned = [(b, a) if rng.random() < 0.5 else (a, b) for a, b in apart]
    rng.shuffle(turned)
    assert stars(edges[::-1], apart=turned) == found


@LAW
@given(EDGES, PINS, st.randoms())
def test_order_does_not_matter(
    edges: list[tuple[int, int]], pins: dict[int, str], rng: random.Random
) -> None:
    turned = [(b, a) if rng.random() < 0.5 else (a, b) for a, b in edges]
    rng.shuffle(turned)
    assert stars(edges, pins) == stars(turned, pins)


@LAW
@given(EDGES, PINS)
def test_groups_are_stars_and_disjoint(edges: list[tuple[int, int]], pins: dict[int, str]) -> None:
    pairs = {frozenset(edge) for edge in edges}
    found = stars(edges, pins)
    everywhere = [node for star in found for node in star.members]
    assert len(everywhere) == len(set(everywhere))
    for star in found:
        assert star.center in star.members
        if not pins.keys() & set(star.members):
            for node in star.members:
                assert node == star.center or frozenset((node, star.center)) in pairs
            assert star.center in star.common
    for node, place in pins.items():
        (home,) = (star for star in found if node in star.members)
        assert {other for other in home.members if other in pins} == {
            other for other in pins if pins[other] == place
        }


@LAW
@given(EDGES)
def test_components_are_independent(edges: list[tuple[int, int]]) -> None:
    """What nothing touched keeps its group: each component can be done alone."""
    neighbours: dict[int, set[int]] = {}
    for one, other in edges:
        neighbours.setdefault(one, set()).add(other)
        neighbours.setdefault(other, set()).add(one)
    apart = []
    left = set(neighbours)
    while left:
        part = component([min(left)], neighbours)
        left -= part
        apart += stars([edge for edge in edges if edge[0] in part])
    assert sorted(apart, key=lambda star: star.members) == stars(edges)


@pytest.mark.parametrize("size", [2, 50])
def test_large_cliques(size: int) -> None:
    (star,) = stars(clique(*range(size)))
    assert len(star.members) == size


@LAW
@given(EDGES, st.dictionaries(st.integers(0, 12), st.integers(1, 4), max_size=6))
def test_a_weight_stands_for_equal_documents(
    edges: list[tuple[int, int]], weights: dict[int, int]
) -> None:
    edges = [edge for edge in edges if edge[0] != edge[1]]
    copies = {node: [100 * node + at for at in range(weights.get(node, 1))] for node in range(13)}
    linked = {node for edge in edges for node in edge}
    every = [
        (one, other)
        for left, right in [*edges, *((node, node) for node in linked)]
        for one in copies[left]
        for other in copies[right]
    ]
    found = [star.members for star in stars(edges, None, weights)]
    in_one = {node for members in found for node in members}
    alone = [(node,) for node in linked - in_one if len(copies[node]) > 1]
    expected = [[one for node in members for one in copies[node]] for members in (*found, *alone)]
    assert [list(star.members) for star in stars(every)] == sorted(expected)
