"""How many distinct grams one text shares with each of many, in one pass over all of them."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from indexer.text.hashing import Hashes, HashRows
from indexer.text.ragged import Positions, Ragged

Counts = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

_TABLE: Final = 1 << 16
"""A table of marks by the low 16 bits takes 64 KiB, which stay near the processor; a text of 1,400
characters marks one in fifty."""

_BAG: Final = 1 << 10
"""Counters of a bag, by the low bits of a value."""

_CELLS: Final = 1 << 22
"""The most marks of rows against grams that are held at once."""


def shared_by_rows(wanted: Hashes, rows: HashRows) -> Counts:
    """For each row the number of distinct values that it has in common with `wanted`, which is
    sorted and distinct.

    Most grams of unrelated texts end at one look-up in a table of low bits; only those that pass
    it are searched for.
    """
    hits, places = _found(wanted, rows.values)
    if not len(hits):
        return np.zeros(len(rows), np.int64)
    owners = rows.bounds.searchsorted(hits, "right") - 1
    return _distinct_pairs(owners, places, len(rows), len(wanted))


def which_are_in(wanted: Hashes, values: Hashes) -> Flags:
    """Which values are in a sorted set."""
    out = np.zeros(len(values), np.bool_)
    out[_found(wanted, values)[0]] = True
    return out


def _found(wanted: Hashes, values: Hashes) -> tuple[Positions, Positions]:
    """The positions of those values that are in a sorted set, and the places they have there."""
    if not len(wanted) or not len(values):
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    marks = np.zeros(_TABLE, np.bool_)
    marks[wanted.astype(np.uint16)] = True
    hits = marks[values.astype(np.uint16)].nonzero()[0]
    wanted_there = values[hits]
    places = wanted.searchsorted(wanted_there)
    places[places == len(wanted)] = 0
    equal = wanted[places] == wanted_there
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


def common_in_bags(wanted: Hashes, rows: HashRows) -> Counts:
    """For each row at most how many values it has in common with `wanted`, repeats included and
    in any order: values that agree in their low bits count as one.
    """
    step, out = max(1, _CELLS // _BAG), np.zeros(len(rows), np.int64)
    own = np.bincount(wanted.view(np.int64) & (_BAG - 1), minlength=_BAG)
    for first in range(0, len(rows), step):
        part = Ragged(rows.values, rows.bounds[first : first + step + 1])
        low, high = part.bounds[[0, -1]].tolist()
        places = rows.values[low:high].view(np.int64) & (_BAG - 1)
        places += np.repeat(np.arange(len(part)) * _BAG, part.lengths)
        bags = np.bincount(places, minlength=len(part) * _BAG).reshape(-1, _BAG)
        np.minimum(bags, own, out=bags)
        out[first : first + step] = bags.sum(axis=1)
    return out
