"""Keys of windows of letters in any order: what a text keeps when its letters change places.

A window counts as the multiset of its letters, so that two neighbours which change places touch
the two windows whose edge is between them and no other. Of all windows of a text the smallest
hashes are kept (Broder 1997, bottom-k); texts that are short have few windows and keep nearly
all, narrower ones too, so that one letter changed in three words leaves some in common.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from math import isqrt

import numpy as np

from indexer.fingerprints.passages import smallest
from indexer.fingerprints.scheme import Terms
from indexer.text import Streams
from indexer.text.hashing import Hashes, HashRows, mix, spell
from indexer.text.ragged import Positions, bounds_of, ragged
from mappings.plan import LoosePlan

_LETTER = np.uint64(0x9E3779B97F4A7C15)
_ANY = int(np.iinfo(np.int64).max)
_HIGH = np.uint64(32)
_THIN = np.uint64(0x0E00)
"""Code points below are letters of alphabets, and digits: four of them tell hardly anything."""


class LooseWindows:
    """Samples of windows of characters, of one width or two by the length of a text."""

    def __init__(self, plan: LoosePlan) -> None:
        self._plan = plan

    def values(self, streams: Streams) -> list[Hashes]:
        rows = key_values(streams.characters, streams.spaced, self._plan)
        return [rows[row] for row in range(len(rows))]

    def terms(self, values: Sequence[Hashes]) -> list[Terms]:
        texts = iter(spell(np.concatenate(values)))
        # two hashes may agree in the bits that make a key
        return [tuple(dict.fromkeys(islice(texts, len(value)))) for value in values]

    def similarity(self, left: Hashes, right: Hashes) -> float:
        """The share of the smaller sample that the other one contains."""
        common = len(np.intersect1d(left, right))
        return common / max(1, min(len(set(left.tolist())), len(set(right.tolist()))))


def key_values(characters: HashRows, spaced: bool, plan: LoosePlan) -> HashRows:
    """The smallest distinct hashes of the windows of every width that suits a text, one row per
    text; `characters`: code points. A key is the low 36 bits of a hash.
    """
    sums = _running(mix(characters.values * _LETTER))
    thin = None if spaced else _running((characters.values < _THIN).astype(np.uint64))
    parts: list[list[Hashes]] = [[] for _ in range(len(characters))]
    for width, least, most in widths(spaced, plan):
        lengths = characters.lengths
        rows = np.flatnonzero((lengths >= least) & (lengths <= most))
        for row, hashes in zip(
            rows.tolist(), _windows(sums, thin, characters, rows, (width, plan.seed)), strict=True
        ):
            parts[row].append(smallest(hashes, kept(int(lengths[row]), spaced, plan)))
    return ragged([np.concatenate(part) if part else sums[:0] for part in parts])


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


def kept(length: int, spaced: bool, plan: LoosePlan) -> int:
    """How many windows of one width a text keeps: fewer the longer it is, as other schemes have
    more keys of it that may come through a disguise.
    """
    full = plan.spaced_full if spaced else plan.full
    return min(plan.most, max(plan.least, isqrt(plan.most**2 * full // length)))


def _running(values: Hashes) -> Hashes:
    """The sums of all values before each place; they may overflow, as differences do not care."""
    sums = np.zeros(len(values) + 1, np.uint64)
    np.cumsum(values, out=sums[1:])
    return sums


def _windows(
    sums: Hashes, thin: Hashes | None, rows: HashRows, wanted: Positions, how: tuple[int, int]
) -> Iterator[Hashes]:
    """For each wanted row the hashes of the multisets of letters in its windows; a row shorter than
    a window gives one of all its letters. `how`: the width, and the seed. `thin` counts letters of
    alphabets: windows with more of them than not are left out where there are others.
    """
    width, seed = how
    starts, lengths = rows.bounds[:-1][wanted], rows.lengths[wanted]
    counts = np.maximum(lengths - width + 1, 1)
    bounds = bounds_of(counts)
    first = np.arange(bounds[-1]) + np.repeat(starts - bounds[:-1], counts)
    last = first + np.repeat(np.minimum(lengths, width), counts)
    salt = np.uint64(seed) << _HIGH | np.uint64(width)
    hashes = mix(mix(sums[last] - sums[first]) ^ salt)
    told = None if thin is None else 2 * (thin[last] - thin[first]).astype(np.int64) <= last - first
    for low, high in pairwise(bounds.tolist()):
        row = hashes[low:high]
        telling = row if told is None else row[told[low:high]]
        yield telling if len(telling) else row
