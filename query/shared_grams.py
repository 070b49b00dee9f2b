"""What texts have in common, counted in one pass over many of them: in NumPy, and compiled."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from indexer.text.hashing import Hashes, distinct
from indexer.text.kernels import compiled
from indexer.text.ragged import Positions, Ragged

Counts = npt.NDArray[np.int64]

_TABLE: Final = 1 << 16
"""A table of marks by the low 16 bits takes 64 KiB, which stay near the processor; a text of 1,400
characters marks one in fifty."""

_CELLS: Final = 1 << 22
"""The most marks of rows against grams that are held at once."""


class PlainGramSet:
    """`native.GramSet` in NumPy.

    Most grams of unrelated texts end at one look-up in a table of low bits; only those that pass
    it are searched for.
    """

    def __init__(self, values: Hashes) -> None:
        self._values = distinct(values.copy())

    def __len__(self) -> int:
        return len(self._values)

    def common(self, values: Hashes, bounds: Positions, rows: Positions, out: Positions) -> None:
        chosen = Ragged(values, bounds).select(rows)
        hits, places = self._found(chosen.values)
        owners, count = chosen.bounds.searchsorted(hits, "right") - 1, len(chosen)
        out[:count] = _distinct_pairs(owners, places, count, len(self)) if len(hits) else 0
        out[count:] = np.bincount(owners, minlength=count)

    def places(self, values: Hashes, out: Positions) -> int:
        found = self._found(values)[0]
        out[: len(found)] = found
        return len(found)

    def places_in_both(
        self, own: Hashes, others: Hashes, own_out: Positions, others_out: Positions
    ) -> tuple[int, int]:
        there = self.places(others, others_out)
        return PlainGramSet(others[others_out[:there]]).places(own, own_out), there

    def _found(self, values: Hashes) -> tuple[Positions, Positions]:
        """The positions of those values that are in the set, and the places they have there."""
        own = self._values
        if not len(own) or not len(values):
            return np.zeros(0, np.int64), np.zeros(0, np.int64)
        marks = np.zeros(_TABLE, np.bool_)
        marks[own.astype(np.uint16)] = True
        hits = marks[values.astype(np.uint16)].nonzero()[0]
        wanted = values[hits]
        places = own.searchsorted(wanted)
        places[places == len(own)] = 0
        equal = own[places] == wanted
        return hits[equal], places[equal]


def _distinct_pairs(owners: Counts, places: Counts, count: int, size: int) -> Counts:
    """For each of `count` owners, ascending, how many different places, below `size`, it has."""
    step = max(1, _CELLS // size)
    if count > step:  # many texts
        edges = owners.searchsorted(np.arange(0, count + step, step)).tolist()
        parts = [
            _distinct_pairs(
                owners[low:high] - first, places[low:high], min(step, count - first), size
            )
            for first, low, high in zip(range(0, count, step), edges, edges[1:], strict=False)
        ]
        return np.concatenate(parts)
    seen = np.zeros((count, size), np.bool_)
    seen[owners, places] = True
    counts: Counts = np.count_nonzero(seen, axis=1)
    return counts


def plain_distinct_counts(
    values: Hashes, bounds: Positions, rows: Positions, out: Positions
) -> None:
    """`native.distinct_counts` in NumPy."""
    made = Ragged(values, bounds)
    out[:] = [len(distinct(made[row].copy())) for row in rows.tolist()]


def plain_common_in_bags(
    wanted: Hashes, values: Hashes, bounds: Positions, rows: Positions, bits: int, out: Positions
) -> None:
    """`native.common_in_bags` in NumPy."""
    chosen, size = Ragged(values, bounds).select(rows), 1 << bits
    step = max(1, _CELLS // size)
    own = np.bincount(wanted.view(np.int64) & (size - 1), minlength=size)
    for first in range(0, len(chosen), step):
        part = Ragged(chosen.values, chosen.bounds[first : first + step + 1])
        low, high = part.bounds[[0, -1]].tolist()
        places = chosen.values[low:high].view(np.int64) & (size - 1)
        places += np.repeat(np.arange(len(part)) * size, part.lengths)
        bags = np.bincount(places, minlength=len(part) * size).reshape(-1, size)
        np.minimum(bags, own, out=bags)
        out[first : first + step] = bags.sum(axis=1)


def plain_common_in_halves(
    wanted: Hashes, values: Hashes, bounds: Positions, rows: Positions, bits: int, out: Positions
) -> None:
    """`native.common_in_halves` in NumPy."""
    made, size = Ragged(values, bounds), 1 << bits
    slots = wanted.view(np.int64) & (size - 1)
    first, second = (
        np.bincount(half, minlength=size) for half in np.split(slots, [len(slots) // 2])
    )
    for at, row in enumerate(rows.tolist()):
        there = made[row].view(np.int64) & (size - 1)
        before, behind = _occurrences(there), _occurrences(there[::-1])[::-1]
        kept_before = np.cumsum(np.append(0, before < first[there]))
        kept_behind = np.cumsum(np.append(behind < second[there], 0)[::-1])[::-1]
        out[at] = (kept_before + kept_behind).max()


def _occurrences(values: Positions) -> Positions:
    """How many equal ones stand before each value."""
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    starts = np.searchsorted(ordered, ordered)
    out = np.empty(len(values), np.int64)
    out[order] = np.arange(len(values)) - starts
    return out


def plain_covered(starts: Positions, width: int) -> tuple[int, int, int]:
    """`native.covered` in NumPy."""
    if not len(starts):
        return 0, 0, 0
    steps = np.diff(starts)
    # each adds its width, less what it has in common with the one before
    units = int(np.minimum(steps, width).sum()) + width
    edges = np.concatenate(([0], np.flatnonzero(steps > 1) + 1, [len(starts)]))
    return units, len(edges) - 1, int(np.diff(edges).max()) + width - 1


def plain_covered_from(starts: Positions, width: int, units: Hashes, least: int) -> int:
    """`native.covered_from` in NumPy."""
    edges = np.zeros(len(units) + 1, np.int64)
    edges[starts] = 1
    np.subtract.at(edges, np.minimum(starts + width, len(units)), 1)
    return int(np.count_nonzero(units[np.cumsum(edges[:-1]) > 0] >= np.uint64(least)))


def plain_densest(starts: Positions, gap: int) -> tuple[int, int]:
    """`native.densest` in NumPy."""
    edges = np.concatenate(([0], np.flatnonzero(np.diff(starts) > gap) + 1, [len(starts)]))
    best = int(np.diff(edges).argmax())
    return int(edges[best]), int(edges[best + 1])


def plain_in_stretches(
    left: Hashes, right: Hashes, reach: int, drift: int, most: int, least: int
) -> tuple[int, int]:
    """`native.in_stretches` in NumPy."""
    here, there = _places_of_shared(left, right, most)
    inside = [np.zeros(len(grams) + 1, np.int64) for grams in (left, right)]
    for shift in (0, drift):  # a stretch that leaves its band is whole in one half as far away
        band = (there - here + shift) // (2 * drift)
        order = np.lexsort((here, band))
        placed, bands = here[order], band[order]
        apart = (np.diff(placed) > reach) | (np.diff(bands) != 0)
        begins = np.concatenate(([0], np.flatnonzero(apart) + 1)) if len(order) else order
        sizes = np.diff(begins, append=len(order))
        for each, places in zip(inside, (here, there), strict=True):
            first = np.minimum.reduceat(places[order], begins) if len(begins) else begins
            last = np.maximum.reduceat(places[order], begins) if len(begins) else begins
            np.add.at(each, first[sizes >= least], 1)
            np.add.at(each, last[sizes >= least] + 1, -1)
    one, other = (int(np.count_nonzero(np.cumsum(each))) for each in inside)
    return one, other


def _places_of_shared(left: Hashes, right: Hashes, most: int) -> tuple[Positions, Positions]:
    """Every pair of places where both have one value, but for those that come more often."""
    order = right.argsort(kind="stable")
    low, high = (right[order].searchsorted(left, side) for side in ("left", "right"))
    own = np.sort(left)
    often = own.searchsorted(left, "right") - own.searchsorted(left, "left")
    counts = np.where((high - low <= most) & (often <= most), high - low, 0)
    here = np.repeat(np.arange(len(left)), counts)
    within = np.arange(len(here)) - np.repeat(np.cumsum(counts) - counts, counts)
    return here, order[np.repeat(low, counts) + within]


if TYPE_CHECKING:
    from indexer.text.native import GramSet as GramSet
    from indexer.text.native import common_in_bags as common_in_bags
    from indexer.text.native import common_in_halves as common_in_halves
    from indexer.text.native import covered as covered
    from indexer.text.native import covered_from as covered_from
    from indexer.text.native import densest as densest
    from indexer.text.native import distinct_counts as distinct_counts
    from indexer.text.native import in_stretches as in_stretches
elif compiled is not None:
    GramSet, common_in_bags = compiled.GramSet, compiled.common_in_bags
    common_in_halves = compiled.common_in_halves
    covered, covered_from, densest = compiled.covered, compiled.covered_from, compiled.densest
    distinct_counts, in_stretches = compiled.distinct_counts, compiled.in_stretches
else:
    GramSet, common_in_bags = PlainGramSet, plain_common_in_bags
    common_in_halves = plain_common_in_halves
    covered, covered_from, densest = plain_covered, plain_covered_from, plain_densest
    distinct_counts, in_stretches = plain_distinct_counts, plain_in_stretches
