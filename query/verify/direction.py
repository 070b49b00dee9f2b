"""Which way a copy goes: inside of the other text, around it, or beside it."""

from __future__ import annotations

from typing import Final

from query.answers import Direction
from query.grams import Features, Kind
from query.shared_grams import in_stretches
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
    rules = _REACH * asked.batch.width(Kind.UNITS, spaced), _DRIFT, _OFTEN, _IN_A_ROW
    if len(left) < len(right) or (len(left) == len(right) and left.tobytes() < right.tobytes()):
        one, other = in_stretches(left, right, *rules)
    else:  # the same from either side
        other, one = in_stretches(right, left, *rules)
    return one / max(1, len(left)), other / max(1, len(right))
