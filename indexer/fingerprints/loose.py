"""Keys of windows of letters in any order: what a text keeps when its letters change places.

A window counts as the multiset of its letters, so that two neighbours which change places touch
the two windows whose edge is between them and no other. Of all windows of a text the smallest
hashes are kept (Broder 1997, bottom-k); texts that are short have few windows and keep nearly
all, narrower ones too, so that one letter changed in three words leaves some in common.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from indexer.fingerprints.sampled import Sampled, smallest
from indexer.text import Streams
from indexer.text.hashing import Hashes, HashRows, mix
from indexer.text.kernels import compiled
from indexer.text.ragged import Number, Positions, Ragged, bounds_of, ragged
from mappings.plan import LoosePlan

_LETTER = np.uint64(0x9E3779B97F4A7C15)
_ANY = int(np.iinfo(np.int64).max)
_LARGEST = 2.0**64 * (1 - 2.0**-53)
_THIN = np.uint64(0x0E00)
"""Code points below are letters of alphabets, and digits: four of them tell hardly anything."""


class LooseWindows(Sampled):
    """Samples of windows of characters, of one width or two by the length of a text."""

    def __init__(self, plan: LoosePlan) -> None:
        self._plan = plan

    def values(self, streams: Streams) -> list[Hashes]:
        rows = key_values(streams.characters, streams.spaced, self._plan)
        return [rows[row] for row in range(len(rows))]


def key_values(characters: HashRows, spaced: bool, plan: LoosePlan) -> HashRows:
    """The smallest distinct hashes of the windows of every width that suits a text, one row per
    text, narrow windows first; `characters`: code points. A key is the low 36 bits of a hash.
    """
    ranges = widths(spaced, plan)
    if compiled is not None:
        return _compiled_values(characters, ranges, spaced, plan)
    lengths = characters.lengths
    sums = _running(mix(characters.values * _LETTER))
    thin = None if spaced else _running((characters.values < _THIN).astype(np.int64))
    if len(characters) == 1 and len(characters.values):
        return _of_one(sums, thin, ranges, kept(lengths, spaced, plan)[0], plan.seed)
    hashes, owners = [sums[:0]], [lengths[:0]]
    for at, (width, least, most) in enumerate(ranges):
        rows = np.flatnonzero((lengths >= least) & (lengths <= most))
        if len(rows):
            values, counts = _windows(sums, thin, characters, rows, (width, plan.seed))
            hashes.append(values)
            owners.append(np.repeat(rows * len(ranges) + at, counts))
    keep = np.repeat(kept(lengths, spaced, plan), len(ranges))
    values, owner = _smallest(np.concatenate(hashes), np.concatenate(owners), keep)
    bounds = owner.searchsorted(np.arange(len(characters) + 1) * len(ranges))
    return Ragged(values, bounds)


def _compiled_values(
    characters: HashRows,
    ranges: Sequence[tuple[int, int, int]],
    spaced: bool,
    plan: LoosePlan,
) -> HashRows:
    """The same by the compiled loops."""
    how = (plan.most, plan.least, _full(spaced, plan))
    out = np.empty(len(characters) * len(ranges) * plan.most, np.uint64)
    bounds, thin = np.empty_like(characters.bounds), 0 if spaced else int(_THIN)
    size = compiled.loose(
        characters.values, characters.bounds, np.array(ranges), how, plan.seed, thin, out, bounds
    )
    return Ragged(out[:size], bounds)


def _of_one(
    sums: Hashes,
    thin: Positions | None,
    ranges: Sequence[tuple[int, int, int]],
    keep: int,
    seed: int,
) -> HashRows:
    """The same for a single text, whose windows are slices: a third of the time."""
    length, parts = len(sums) - 1, [sums[:0]]
    for width, least, most in ranges:
        if least <= length <= most:
            size = min(width, length)
            hashes = mix(mix(sums[size:] - sums[:-size]) ^ _salt(width, seed))
            if thin is not None and thin[-1]:
                telling = 2 * (thin[size:] - thin[:-size]) <= size
                hashes = hashes[telling] if telling.any() else hashes
            parts.append(smallest(hashes, keep))
    return ragged([np.concatenate(parts)])


def _salt(width: int, seed: int) -> np.uint64:
    return np.uint64(seed << 32 | width)


def widths(spaced: bool, plan: LoosePlan) -> list[tuple[int, int, int]]:
    """Each width with the least and the greatest length of a text that has windows of it.

    The ranges overlap, so that a copy somewhat longer or shorter has windows of one width in
    common; a window wider than half of a text would hold nearly every edit.
    """
    if spaced:
        middle, most, wide = plan.spaced_middle_window, plan.spaced_middle, plan.spaced_window
    else:
        middle, most, wide = plan.middle_window, plan.middle, plan.window
    return [
        (plan.short_window, 1, plan.short),
        (middle, 2 * middle + 2, most),
        (wide, 2 * wide + 2, _ANY),
    ]


def kept(lengths: Positions, spaced: bool, plan: LoosePlan) -> Positions:
    """How many windows of one width a text of each length keeps: fewer the longer it is, as other
    schemes have more keys of it that may come through a disguise.
    """
    full = _full(spaced, plan)
    # a square root is rounded correctly on every machine
    wanted = np.sqrt(plan.most**2 * full // np.maximum(lengths, 1)).astype(np.int64)
    counts: Positions = np.minimum(plan.most, np.maximum(plan.least, wanted))
    return counts


def _full(spaced: bool, plan: LoosePlan) -> int:
    return plan.spaced_full if spaced else plan.full


def _running(values: npt.NDArray[Number]) -> npt.NDArray[Number]:
    """The sums of all values before each place; they may overflow, as differences do not care."""
    sums = np.zeros(len(values) + 1, values.dtype)
    np.cumsum(values, out=sums[1:])
    return sums


def _windows(
    sums: Hashes,
    thin: Positions | None,
    characters: HashRows,
    rows: Positions,
    how: tuple[int, int],
) -> tuple[Hashes, Positions]:
    """Hashes of the multisets of letters in the windows of some rows, and how many each row has; a
    row shorter than a window has one of all its letters. `how`: the width, and the seed. `thin`
    counts letters of alphabets: windows of more of them than not are left out where there are
    others.
    """
    width, seed = how
    starts, lengths = characters.bounds[:-1][rows], characters.lengths[rows]
    counts = np.maximum(lengths - width + 1, 1)
    bounds = bounds_of(counts)
    first = np.arange(bounds[-1]) + np.repeat(starts - bounds[:-1], counts)
    last = first + np.repeat(np.minimum(lengths, width), counts)
    hashes = mix(mix(sums[last] - sums[first]) ^ _salt(width, seed))
    if thin is None or not thin[-1]:
        return hashes, counts
    telling = 2 * (thin[last] - thin[first]) <= last - first
    told = np.add.reduceat(telling, bounds[:-1], dtype=np.int64)
    telling |= np.repeat(told == 0, counts)
    return hashes[telling], np.where(told == 0, counts, told)


def _smallest(hashes: Hashes, owners: Positions, keep: Positions) -> tuple[Hashes, Positions]:
    """The `keep` smallest distinct hashes of each owner, in the order of owners, and whose they
    are. Hashes are uniform: those above a bound are hardly ever wanted, and sorting is the work.
    """
    counts = np.bincount(owners, minlength=len(keep))
    shares = np.minimum(1.0, 3.0 * keep / np.maximum(counts, 1))
    bounds = (shares * _LARGEST).astype(np.uint64)
    bounds[shares == 1.0] = np.iinfo(np.uint64).max
    low = hashes <= bounds[owners]
    values, owner = _sorted(hashes[low], owners[low])
    found = np.bincount(owner, minlength=len(keep))
    short = (found < keep) & (3 * keep < counts)
    if short.any():  # mostly repeats
        again = short[owners]
        values, owner = _sorted(
            np.concatenate((hashes[again], values)), np.concatenate((owners[again], owner))
        )
        found = np.bincount(owner, minlength=len(keep))
    rank = np.arange(len(owner)) - (np.cumsum(found) - found)[owner]
    wanted = rank < keep[owner]
    return values[wanted], owner[wanted]


def _sorted(hashes: Hashes, owners: Positions) -> tuple[Hashes, Positions]:
    """The distinct hashes of each owner, ascending."""
    order = np.lexsort((hashes, owners))
    hashes, owners = hashes[order], owners[order]
    first = np.ones(len(hashes), np.bool_)
    first[1:] = (hashes[1:] != hashes[:-1]) | (owners[1:] != owners[:-1])
    return hashes[first], owners[first]
