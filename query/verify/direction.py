"""Which way a copy goes: inside of the other text, around it, or beside it."""

from __future__ import annotations

from typing import Final

import numpy as np

from indexer.text.ragged import Positions
from query.answers import Direction
from query.grams import Features, Kind
from query.verify.long_runs import Shared

CONTAINED: Final = 0.8
"""From this share on, a text counts as standing inside the other."""

_BROKEN: Final = 0.5
"""From this share of short grams on, edits may have broken the others: in English one letter in 50
breaks a quarter of the pairs of words."""

_BRIDGED: Final = 0.85
"""The share with what edits took out, which holds some that is there by chance."""

_IN_A_ROW: Final = 3
"""Short grams in a row that are hardly chance."""

_EDIT: Final = 2
"""Units that an edit takes out."""


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
    """The part of either text that stands in stretches of the other, which edits may break."""
    places = asked.places_in_both(stored, Kind.UNITS, spaced)
    short, long = (asked.batch.width(kind, spaced) for kind in (Kind.UNITS, Kind.LONG))
    left, right = (
        # boilerplate is neither in one text nor in the other
        _covered(starts, short, long) / max(1, text.amount(Kind.UNITS, spaced) + short - 1)
        for text, starts in zip((asked, stored), places, strict=True)
    )
    return left, right


def _covered(starts: Positions, short: int, long: int) -> int:
    """Units in stretches of short grams in a row, with no more between them than edits take out,
    and one row as long as a long gram. `starts`: of the short grams, ascending.
    """
    rows = np.split(starts, np.flatnonzero(np.diff(starts) > 1) + 1)
    spans = [(int(row[0]), int(row[-1]) + short) for row in rows if len(row) >= _IN_A_ROW]
    units = begin = longest = 0
    for at, (first, last) in enumerate(spans):
        if not at or first > spans[at - 1][1] + _EDIT:
            begin, longest = first, 0
        longest = max(longest, last - first)
        ends = at + 1 == len(spans) or spans[at + 1][0] > last + _EDIT
        units += (last - begin) * (ends and longest >= long)
    return units
