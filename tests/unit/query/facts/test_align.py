"""Blocks of equal text."""

from __future__ import annotations

import itertools
import random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from indexer.text.table import Codes
from query.facts import align
from query.facts.align import SPACED_WIDTH, WIDTH, Block, blocks, covered
from tests.texts import LAW

UNITS = st.lists(st.integers(0, 5), max_size=60)


def codes(values: list[int] | range) -> Codes:
    return np.array(values, np.uint32)


@given(UNITS, UNITS, UNITS)
def test_blocks_are_equal_and_cannot_be_longer(
    left: list[int], right: list[int], shared: list[int]
) -> None:
    one, other = left + shared, shared + right
    for start, stop, there in blocks(codes(one), codes(other), False):
        end = there + stop - start
        assert one[start:stop] == other[there:end]
        assert not (start and there) or one[start - 1] != other[there - 1]
        assert not (stop < len(one) and end < len(other)) or one[stop] != other[end]


WIDER = st.lists(st.integers(0, 30), max_size=60)


@given(st.lists(st.one_of(UNITS, WIDER), max_size=5), st.randoms(), st.booleans())
@LAW
def test_the_compiled_blocks_are_the_same(
    parts: list[list[int]], chance: random.Random, spaced: bool
) -> None:
    left = [*itertools.chain(*parts)]
    chance.shuffle(parts)
    right = [*itertools.chain(*parts[:4])]
    expected = align._blocks(codes(left), codes(right), SPACED_WIDTH if spaced else WIDTH)
    if left != right:
        assert blocks(codes(left), codes(right), spaced) == expected


@given(st.integers(WIDTH, 40), st.integers(WIDTH, 40), st.integers(WIDTH, 40))
def test_moved_parts_are_found(first: int, second: int, third: int) -> None:
    parts = [range(first), range(100, 100 + second), range(200, 200 + third)]
    left = [*parts[0], *parts[1], *parts[2]]
    right = [*parts[2], *parts[0], *parts[1]]
    found = [
        block for block in blocks(codes(left), codes(right), False) if block.stop > block.start
    ]
    assert found == [Block(0, first + second, third), Block(first + second, len(left), 0)]
    assert covered(found) == len(left)


def test_what_repeats_itself_is_paired_beside_what_does_not() -> None:
    again = list(range(WIDTH))
    left = codes([*again, 50, *again, 60, *range(70, 80), *again])
    right = codes([*again, 51, *again, 61, *range(70, 80), *again])
    middle = Block(2 * WIDTH + 2, len(left), 2 * WIDTH + 2)
    assert blocks(left, right, False) == [Block(0, WIDTH, 0), middle]


def test_short_texts_have_their_ends() -> None:
    assert blocks(codes([1, 2, 3]), codes([1, 9, 3]), False) == [Block(0, 1, 0), Block(2, 3, 2)]
    assert blocks(codes([]), codes([1]), False) == [Block(0, 0, 0), Block(0, 0, 1)]


def test_what_one_text_says_twice_counts_once() -> None:
    """From either side."""
    assert covered([Block(0, 4, 0), Block(10, 14, 0)]) == 4
    assert covered([Block(0, 4, 0), Block(0, 4, 10)]) == 4
    assert covered([Block(0, 4, 10), Block(4, 9, 0)]) == 9
