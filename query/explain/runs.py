"""Maximal common runs of two sequences, from hashes of their short grams."""

# Apart from `query.facts.align`: that one pairs only what an anchor, unique in both texts, places,
# as facts must be compared in their place; a passage counts wherever it stands and however often.

from __future__ import annotations

from bisect import bisect_right, insort
from operator import attrgetter
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from indexer.text.hashing import Hashes
from indexer.text.ragged import Positions

_CROSSED: Final = 16
"""Grams that meet in at most so many ways are paired in all of them."""

_KEPT: Final = 200_000
"""Runs kept, longest first: texts that repeat themselves have no end of them."""

_STRIDE: Final = 64

_WORK: Final = 100_000_000
"""Units by which runs are lengthened in all; only texts that repeat themselves need more."""

Pair = tuple[Hashes, Hashes]


class Run(NamedTuple):
    """Units [left, left + length) of one text are units [right, right + length) of the other."""

    left: int
    right: int
    length: int


def common_runs(units: Pair, grams: Pair, width: int) -> tuple[list[Run], bool]:
    """Runs of at least `width` equal units, and whether these are all of note.

    `grams` are hashes of every `width` units. A frequent gram is paired in text order only, from
    either end, so time and memory grow with the length of the texts and no faster; a run that
    frequent grams interrupt is made whole again.
    """
    left, right = _seeds(grams)
    if not len(left):
        return [], True
    # on one diagonal the places of a run follow each other
    scale = len(grams[0]) + 1
    diagonals = right - left + len(grams[0])
    keys = np.unique(diagonals * scale + left)
    first = np.flatnonzero(np.diff(keys, prepend=-2) != 1)
    lengths = np.diff(np.append(first, len(keys))) + width - 1
    begins = keys[first] % scale
    others = keys[first] // scale - len(grams[0]) + begins
    longest = np.lexsort((others, begins, -lengths))[:_KEPT]
    chosen = (begins[longest], others[longest], lengths[longest])
    return _extended(units, *chosen), len(first) <= _KEPT


def _seeds(grams: Pair) -> tuple[Positions, Positions]:
    """Places of equal grams in either text."""
    orders = [np.argsort(side, kind="stable") for side in grams]
    values, starts, counts = zip(
        *(_groups(side[order]) for side, order in zip(grams, orders, strict=True)), strict=True
    )
    at = np.searchsorted(values[1], values[0])
    at[at == len(values[1])] = 0
    met = np.flatnonzero(values[1][at] == values[0]) if len(values[1]) else at[:0]
    left, right = met, at[met]
    few = counts[0][left] * counts[1][right] <= _CROSSED
    pairs = [
        _crossed(
            starts[0][left[few]],
            counts[0][left[few]],
            starts[1][right[few]],
            counts[1][right[few]],
        ),
        *_in_order(
            starts[0][left[~few]],
            counts[0][left[~few]],
            starts[1][right[~few]],
            counts[1][right[~few]],
        ),
    ]
    left, right = (np.concatenate([pair[side] for pair in pairs]) for side in (0, 1))
    return orders[0][left], orders[1][right]


def _groups(ordered: Hashes) -> tuple[Hashes, Positions, Positions]:
    """The distinct values of a sorted array, with the start and the count of each."""
    first = np.ones(len(ordered), np.bool_)
    first[1:] = ordered[1:] != ordered[:-1]
    starts = np.flatnonzero(first)
    return ordered[starts], starts, np.diff(np.append(starts, len(ordered)))


def _crossed(
    left: Positions, left_counts: Positions, right: Positions, right_counts: Positions
) -> tuple[Positions, Positions]:
    """All pairs of occurrences."""
    group, within = _places(left_counts * right_counts)
    row, column = np.divmod(within, np.maximum(right_counts[group], 1))
    return left[group] + row, right[group] + column


def _in_order(
    left: Positions, left_counts: Positions, right: Positions, right_counts: Positions
) -> tuple[tuple[Positions, Positions], tuple[Positions, Positions]]:
    """The first occurrence with the first and so on, and the last with the last."""
    group, within = _places(np.minimum(left_counts, right_counts))
    back = (left_counts[group] - 1 - within, right_counts[group] - 1 - within)
    return (
        (left[group] + within, right[group] + within),
        (left[group] + back[0], right[group] + back[1]),
    )


def _places(sizes: Positions) -> tuple[Positions, Positions]:
    """For groups of these sizes: the group of every member, and its number in the group."""
    group = np.repeat(np.arange(len(sizes)), sizes)
    return group, np.arange(len(group)) - np.repeat(np.cumsum(sizes) - sizes, sizes)


def _extended(units: Pair, begins: Positions, others: Positions, lengths: Positions) -> list[Run]:
    """The runs, lengthened as far as the units agree."""
    left, right = units
    before = (begins > 0) & (others > 0)
    before &= left[begins - 1] == right[others - 1]
    ends, other_ends = begins + lengths, others + lengths
    after = (ends < len(left)) & (other_ends < len(right))
    after[after] = left[ends[after]] == right[other_ends[after]]
    rows = zip(*(part.tolist() for part in (begins, others, lengths, before, after)), strict=True)
    by_diagonal: dict[int, list[Run]] = {}
    work = 0
    for begin, other, length, grows_down, grows_up in rows:
        there = by_diagonal.setdefault(other - begin, [])
        at = bisect_right(there, begin, key=attrgetter("left"))
        if at and begin < there[at - 1].left + there[at - 1].length:
            continue  # a part of a run that is known in full
        down = up = 0
        if grows_down and work < _WORK:
            down = _agreeing(left[:begin][::-1], right[:other][::-1])
        if grows_up and work < _WORK:
            up = _agreeing(left[begin + length :], right[other + length :])
        work += down + up
        insort(there, Run(begin - down, other - down, down + length + up))
    return [run for runs in by_diagonal.values() for run in runs]


def _agreeing(left: npt.NDArray[np.uint64], right: npt.NDArray[np.uint64]) -> int:
    """The length of the common prefix of two sequences."""
    done, stride, limit = 0, _STRIDE, min(len(left), len(right))
    while done < limit:
        stop = min(limit, done + stride)
        differs = left[done:stop] != right[done:stop]
        if differs.any():
            return done + int(differs.argmax())
        done, stride = stop, 2 * stride
    return limit
