"""Numbers that stand in the same place of two wordings, between the same words."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from typing import Final

from query.facts.align import Block
from query.facts.scan import Wording
from query.facts.values import agree

_EDGE: Final = 1
"""Units that have to be equal on either side of a number, in a block that is long enough."""

Pair = tuple[int, int]
"""Two numbers, by their places in the lists of facts."""


def in_place(left: Wording, right: Wording, aligned: list[Block]) -> tuple[list[Pair], int]:
    """The numbers that have another value in the same place, and how many have the same."""
    seen, other_seen = set[int](), set[int]()
    apart = set[Pair]()
    for block in aligned:
        unlike = []
        for i, j in _paired(left, right, block):
            if agree(left.facts[i].value, right.facts[j].value):
                seen.add(i)
                other_seen.add(j)
            else:
                unlike.append((i, j))
        if unlike:
            apart.update(_told_apart(left, right, block, unlike))
    agreed, out = len(seen), []
    for i, j in sorted(apart, key=lambda pair: (sum(pair), abs(pair[0] - pair[1]))):
        if i not in seen and j not in other_seen:
            seen.add(i)
            other_seen.add(j)
            out.append((i, j))
    return out, agreed


def _paired(left: Wording, right: Wording, block: Block) -> Iterator[Pair]:
    """The numbers that a block puts in the same place."""
    first = bisect_left(left.at, block.start)
    last = bisect_left(left.at, block.stop, first)
    other = bisect_left(right.at, block.other) if first < last else 0
    return zip(range(first, last), range(other, other + last - first), strict=True)


def _told_apart(left: Wording, right: Wording, block: Block, pairs: list[Pair]) -> Iterator[Pair]:
    """Those numbers that have equal words enough of their block on either side to tell them apart
    by.
    """
    begin, end = left.words.searchsorted((block.start, block.stop)).tolist()
    if end - begin < 2 * _EDGE:
        return
    low, high = left.words.item(begin + _EDGE - 1), left.words.item(end - _EDGE) + 1
    if block.start == block.other == 0:
        low = 0
    size = block.stop - block.start
    if block.stop == len(left.sounds) and block.other + size == len(right.sounds):
        high = block.stop
    yield from ((i, j) for i, j in pairs if low <= left.at[i] < high)
