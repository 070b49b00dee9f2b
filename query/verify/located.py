"""Where the common part of two texts stands: the chapter in the novel."""

from __future__ import annotations

from typing import Final

from indexer.text.ragged import Positions
from query.answers import Located
from query.grams import Features, Kind
from query.shared_grams import GramSet, densest

_GAP: Final = 300
"""Shared grams with more units than this between them are two places."""

Stretch = tuple[int, int]


def locate(asked: Features, stored: Features) -> Located | None:
    """The stretch of the stored text with the most long grams of the asked text, and where those
    grams stand in the asked text; None when the two share none.
    """
    spaced = asked.spaced and stored.spaced
    in_stored = _densest(stored, asked.grams(Kind.LONG, spaced), spaced)
    if in_stored is None:
        return None
    in_asked = _densest(asked, _grams_in(stored, in_stored, spaced), spaced)
    if in_asked is None:
        return None
    return Located(asked.original(*in_asked, spaced), stored.original(*in_stored, spaced))


def _grams_in(text: Features, stretch: Stretch, spaced: bool) -> GramSet:
    grams = text.batch.of_row(Kind.LONG, spaced, text.row)
    low, high = stretch
    if text.batch.mask is not None:
        starts = text.batch.starts(Kind.LONG, spaced, text.row)
        low, high = starts.searchsorted(stretch).tolist()
    return GramSet(grams[low:high])


def _densest(text: Features, wanted: GramSet, spaced: bool) -> Stretch | None:
    """The stretch with most of the wanted grams."""
    starts: Positions = text.places_of(wanted, Kind.LONG, spaced)
    if not len(starts):
        return None
    first, last = densest(starts, _GAP)
    width = text.batch.width(Kind.LONG, spaced)
    return starts.item(first), min(starts.item(last - 1) + width, text.size(spaced))
