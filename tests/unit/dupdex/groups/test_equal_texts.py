"""Equal documents are one node: the groups are those of all pairs, and nothing tears them apart."""

from __future__ import annotations

import random
from itertools import combinations, product

from hypothesis import given
from hypothesis import strategies as st

from dupdex.groups.equal_texts import groups_of
from dupdex.groups.partition import stars
from tests.texts import LAW

TEXTS = st.lists(st.integers(1, 4), min_size=1, max_size=7)
"""How many copies each text has."""
PAIRS = st.sets(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=12)

Node = tuple[int, int]
"""The number of a text, and of its copy."""


def nodes(sizes: list[int]) -> list[list[Node]]:
    return [[(text, copy) for copy in range(size)] for text, size in enumerate(sizes)]


@LAW
@given(TEXTS, PAIRS, st.randoms(use_true_random=False))
def test_a_few_pairs_of_equal_texts_are_enough(
    sizes: list[int], pairs: set[tuple[int, int]], chance: random.Random
) -> None:
    copies = nodes(sizes)
    similar = [(one, other) for one, other in pairs if max(one, other) < len(sizes)]
    every = [edge for heap in copies for edge in combinations(heap, 2)]
    across = [edge for one, other in similar for edge in product(copies[one], copies[other])]
    chain = [(chance.choice(heap[:at]), heap[at]) for heap in copies for at in range(1, len(heap))]
    few = [(chance.choice(copies[one]), chance.choice(copies[other])) for one, other in similar]
    chance.shuffle(chain)
    assert groups_of(few, chain) == groups_of([*across, *every], every)


def test_groups_are_those_of_all_pairs() -> None:
    copies = nodes([3, 2, 1])
    every = [edge for heap in copies for edge in combinations(heap, 2)]
    across = list(product(copies[0], copies[1]))
    whole = stars([*every, *across])
    found = groups_of([(copies[0][2], copies[1][0])], every)
    assert [star.members for star in found] == [star.members for star in whole]
    assert found[0].common == whole[0].common


def test_a_heavy_text_takes_its_turn_first() -> None:
    """A chain from 1 to 6: 2 takes the first turn, but not when 4 and 5 have many copies."""
    chain = [((text, 0), (text + 1, 0)) for text in range(1, 6)]
    assert groups_of(chain, [])[0].center == (2, 0)
    many = [(text, copy) for text in (4, 5) for copy in range(5)]
    equal = [((text, 0), (text, copy)) for text, copy in many]
    heavy = groups_of(chain, equal)
    assert [star.members for star in heavy] == [((1, 0), (2, 0)), ((3, 0), *many)]


def test_copies_alone_are_a_group() -> None:
    (star,) = groups_of([], [("a", "b"), ("c", "b")])
    assert star.members == star.common == ("a", "b", "c")


def test_people_can_part_equal_texts() -> None:
    equal = [("a", "b"), ("b", "c"), ("c", "d")]
    pins = {"a": "x", "b": "x", "c": "y", "d": "y"}
    assert [star.members for star in groups_of([], equal, pins)] == [("a", "b"), ("c", "d")]
