"""Stretches of two wordings that are the same, wherever they stand.

A run of WIDTH units that both texts have exactly once is an anchor; around it everything that is
equal belongs to one block, as does what is equal from either end of the texts. Moved text is found
where it went, and text that repeats itself is paired only as far as something unique beside it
says which repetition is meant.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import starmap
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from indexer.text.hashing import common_once, shingle_hashes
from indexer.text.kernels import compiled
from indexer.text.ragged import Positions
from indexer.text.table import Codes

WIDTH: Final = 6
SPACED_WIDTH: Final = 16
"""The same in letters of scripts with spaces: about three words."""


class Block(NamedTuple):
    """Units [start, stop) of the left text equal [other, other + stop - start) of the right one."""

    start: int
    stop: int
    other: int


def blocks(left: Codes, right: Codes, spaced: bool) -> list[Block]:
    """The blocks in the order of `left`; two may overlap where equal text repeats itself, and those
    at either end may be empty.
    """
    if len(left) == len(right) and bool((left == right).all()):
        return [Block(0, len(left), 0)]
    width = SPACED_WIDTH if spaced else WIDTH
    if compiled is not None:
        return sorted(starmap(Block, set(compiled.equal_blocks(left, right, width))))
    return _blocks(left, right, width)


def _blocks(left: Codes, right: Codes, width: int) -> list[Block]:
    """The same in NumPy."""
    out = set(_at_the_ends(left, right))
    if min(len(left), len(right)) < width:
        return sorted(out)
    here, there = common_once(
        *(shingle_hashes(side.astype(np.uint64), width, 0) for side in (left, right))
    )
    diagonals = there - here
    order = np.lexsort((here, diagonals))
    here, diagonals = here[order], diagonals[order]
    firsts = np.flatnonzero(np.diff(diagonals, prepend=diagonals[:1] - 1))
    stops = np.append(firsts[1:], len(here))[: len(firsts)]
    for first, stop in zip(firsts.tolist(), stops.tolist(), strict=True):
        out.update(_on_diagonal(left, right, here[first:stop], int(diagonals[first])))
    return sorted(out)


def _at_the_ends(left: Codes, right: Codes) -> tuple[Block, Block]:
    """What is equal from the beginning, and from the end."""
    size = min(len(left), len(right))
    before, after = (
        int(unlike[0]) if len(unlike := (first != second).nonzero()[0]) else size
        for first, second in (
            (left[:size], right[:size]),
            (left[::-1][:size], right[::-1][:size]),
        )
    )
    return (
        Block(0, before, 0),
        Block(len(left) - after, len(left), len(right) - after),
    )


def covered(aligned: list[Block]) -> int:
    """How many units of the text that has fewer of them in blocks stand there: what one text says
    twice may be once in the other."""
    there = sorted((block.other, block.other + block.stop - block.start) for block in aligned)
    return min(_total((block.start, block.stop) for block in aligned), _total(there))


def _total(stretches: Iterable[tuple[int, int]]) -> int:
    """What stretches cover together; they begin one after the other."""
    total = end = 0
    for start, stop in stretches:
        total += max(0, stop - max(end, start))
        end = max(end, stop)
    return total


def _on_diagonal(left: Codes, right: Codes, places: Positions, diagonal: int) -> list[Block]:
    """The runs of equal units that hold an anchor; anchors at `places` + `diagonal`."""
    low = max(0, -diagonal)
    high = min(len(left), len(right) - diagonal)
    equal: npt.NDArray[np.bool_] = left[low:high] == right[low + diagonal : high + diagonal]
    breaks = (~equal).nonzero()[0]
    breaks += low
    out = []
    for run in dict.fromkeys(breaks.searchsorted(places).tolist()):
        start = int(breaks[run - 1]) + 1 if run else low
        stop = int(breaks[run]) if run < len(breaks) else high
        out.append(Block(start, stop, start + diagonal))
    return out
