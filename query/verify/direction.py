"""Which way a copy goes: inside of the other text, around it, or beside it."""

from __future__ import annotations

from typing import Final

import numpy as np

from indexer.text.hashing import Hashes
from indexer.text.ragged import Positions
from query.answers import Direction
from query.grams import Features, Kind
from query.verify.long_runs import Shared

CONTAINED: Final = 0.8
"""From this share on, a text counts as standing inside the other."""

_BROKEN: Final = 0.4
"""From this share of short grams on, edits may have broken the others: in English one letter in 50
breaks a quarter of the pairs of words, one in 30 a third."""

_BRIDGED: Final = 0.85
"""The share with what edits took out, which holds some that is there by chance."""

_IN_A_ROW: Final = 4
"""Short grams that follow each other in both texts, and are hardly chance."""

_REACH: Final = 3
"""Times as far as a gram is long the next of them may begin: an edit breaks as many grams as one
has units, and two edits may be neighbours."""

_DRIFT: Final = 2
"""Units by which edits may make one text longer than the other on the way, at least."""

_OFTEN: Final = 4
"""A gram that comes more often in a text says little of a place."""


def direction_of(asked: Features, stored: Features, long_grams: Shared) -> Direction:
    """Which text stands in the other: the shorter one, when enough of it is there.

    By short grams as well, and by these and what edits took out between them: few edits leave
    little of the long ones in an excerpt. Of texts of one length that with the larger share is the
    one inside; where the shares are equal, too, neither.
    """
    spaced = asked.spaced and stored.spaced
    grams = Shared.of(asked, stored, Kind.UNITS, spaced)
    share = max(long_grams.share, grams.share)
    stored_share = max(long_grams.stored_share, grams.stored_share)
    least = CONTAINED
    if max(share, stored_share) < least and max(grams.share, grams.stored_share) >= _BROKEN:
        share, stored_share = _over_edits(asked, stored, spaced)
        least = _BRIDGED
    left, right = (asked.length, stored_share), (stored.length, share)
    if left < right and share >= least:
        return Direction.CONTAINED_IN
    if right < left and stored_share >= least:
        return Direction.CONTAINS
    return Direction.OVERLAPS


def one_way(asked: Features, stored: Features, long_grams: Shared) -> Direction | None:
    """Of near duplicates that differ in length: whether one is an excerpt of the other."""
    direction = direction_of(asked, stored, long_grams)
    return None if direction is Direction.OVERLAPS else direction


def _over_edits(asked: Features, stored: Features, spaced: bool) -> tuple[float, float]:
    """The part of either text that stands in stretches of the other, which edits may break.
    Boilerplate is neither in one text nor in the other.
    """
    left, right = (text.batch.of_row(Kind.UNITS, spaced, text.row) for text in (asked, stored))
    reach = _REACH * asked.batch.width(Kind.UNITS, spaced)
    if len(left) < len(right) or (len(left) == len(right) and left.tobytes() < right.tobytes()):
        one, other = _covered(left, right, reach)
    else:  # the same from either side
        other, one = _covered(right, left, reach)
    return one / max(1, len(left)), other / max(1, len(right))


def _covered(left: Hashes, right: Hashes, reach: int) -> tuple[int, int]:
    """How many grams of either text stand in stretches of both: shared grams, each within `reach`
    of the one before, on nearly one diagonal.
    """
    here, there = _places_of_shared(left, right)
    inside = [np.zeros(len(grams) + 1, np.int64) for grams in (left, right)]
    for shift in (0, _DRIFT):  # a stretch that leaves its band is whole in one half as far away
        band = (there - here + shift) // (2 * _DRIFT)
        order = np.lexsort((here, band))
        placed, bands = here[order], band[order]
        apart = (np.diff(placed) > reach) | (np.diff(bands) != 0)
        begins = np.concatenate(([0], np.flatnonzero(apart) + 1)) if len(order) else order
        sizes = np.diff(begins, append=len(order))
        for each, places in zip(inside, (here, there), strict=True):
            first = np.minimum.reduceat(places[order], begins) if len(begins) else begins
            last = np.maximum.reduceat(places[order], begins) if len(begins) else begins
            np.add.at(each, first[sizes >= _IN_A_ROW], 1)
            np.add.at(each, last[sizes >= _IN_A_ROW] + 1, -1)
    one, other = (int(np.count_nonzero(np.cumsum(each))) for each in inside)
    return one, other


def _places_of_shared(left: Hashes, right: Hashes) -> tuple[Positions, Positions]:
    """Every pair of places where the two texts have the same gram, but for frequent ones."""
    order = right.argsort(kind="stable")
    low, high = (right[order].searchsorted(left, side) for side in ("left", "right"))
    own = np.sort(left)
    often = own.searchsorted(left, "right") - own.searchsorted(left, "left")
    counts = np.where((high - low <= _OFTEN) & (often <= _OFTEN), high - low, 0)
    here = np.repeat(np.arange(len(left)), counts)
    within = np.arange(len(here)) - np.repeat(np.cumsum(counts) - counts, counts)
    return here, order[np.repeat(low, counts) + within]
