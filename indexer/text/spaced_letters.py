"""s p a c e d letters: runs of single letters with something between them, joined to words."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from indexer.text.ragged import Positions
from indexer.text.table import LETTER, OTHER, UNIT, Codes

LEAST: Final = 4
"""Single letters in a row from which they are a word that somebody spaced."""

_SPACE, _LINE = 0x20, 0x0A


def joined_letters(
    codes: Codes, kinds: npt.NDArray[np.uint8], sources: Positions, bounds: Positions
) -> tuple[Positions, Positions]:
    """The places of letters that stand in such runs, and the places of what stands between those
    that belong together. Where all gaps hold white space, wider ones part words; else white space
    parts them.
    """
    inside = kinds != OTHER
    places = np.flatnonzero(inside)
    single = np.ones(len(places), np.bool_)
    near = places[1:] - places[:-1] == 1
    single[1:] &= ~near
    single[:-1] &= ~near
    single &= kinds[places] != UNIT
    edges = np.zeros(len(places) + 1, np.bool_)
    edges[places.searchsorted(bounds)] = True
    breaks = np.flatnonzero(~single[1:] | ~single[:-1] | edges[1:-1]) + 1
    starts = np.concatenate((np.zeros(1, np.int64), breaks))
    stops = np.append(breaks, len(places))
    none = places[:0]
    long = np.flatnonzero((stops - starts >= LEAST) & single[np.minimum(starts, len(single) - 1)])
    if not len(long):
        return none, none
    letters: list[Positions] = []
    between: list[Positions] = []
    for start, stop in zip(starts[long].tolist(), stops[long].tolist(), strict=True):
        run = places[start:stop]
        if 2 * np.count_nonzero(kinds[run] == LETTER) < len(run):
            continue
        letters.append(run)
        between.append(_between(codes, sources, run))
    return (np.concatenate(letters), np.concatenate(between)) if letters else (none, none)


def _between(codes: Codes, sources: Positions, run: Positions) -> Positions:
    """What stands inside of words in one run of letters."""
    part = codes[run[0] : run[-1]]
    white = np.concatenate(([0], np.cumsum((part == _SPACE) | (part == _LINE))))
    first = run - run[0]
    spaces = white[first[1:]] > white[first[:-1]]
    widths = sources[run[1:]] - sources[run[:-1]]
    apart = spaces if spaces.mean() < 0.5 else widths > widths.min()
    gaps = np.flatnonzero(~apart)
    pieces = [np.arange(run[gap] + 1, run[gap + 1]) for gap in gaps.tolist()]
    return np.concatenate(pieces) if pieces else run[:0]
