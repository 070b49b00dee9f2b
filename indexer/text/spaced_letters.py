"""s p a c e d letters: runs of single letters with something between them, joined to words."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import numpy.typing as npt

from indexer.text.letter_runs import Letters
from indexer.text.ragged import Positions
from indexer.text.table import Codes

_SPACE, _LINE = 0x20, 0x0A


def joined_letters(
    letters: Letters, runs: list[tuple[int, int]], codes: Codes, sources: Positions
) -> tuple[Positions, Positions]:
    """Which letters stand in such runs, and the places in `codes` of what stands between those
    that belong together; these are one word from now on. Where all gaps hold white space, wider
    ones part words; else white space parts them. `sources`: the places in the original.
    """
    joined: list[int] = []
    between: list[int] = []
    for start, stop in runs:
        if 2 * np.count_nonzero(letters.letter[start:stop]) >= stop - start:
            places = letters.inside[start:stop]
            apart = _are_apart(codes, sources, places)
            letters.words[start + 1 : stop] = apart
            joined += range(start, stop)
            for (left, right), parted in zip(pairwise(places.tolist()), apart, strict=True):
                if not parted:
                    between += range(left + 1, right)
    return np.array(joined, np.int64), np.array(between, np.int64)


def _are_apart(codes: Codes, sources: Positions, places: Positions) -> npt.NDArray[np.bool_]:
    """For each two neighbours of a run whether a word ends between them."""
    part = codes[places[0] : places[-1]]
    white = np.concatenate(([0], np.cumsum((part == _SPACE) | (part == _LINE))))
    first = places - places[0]
    spaces: npt.NDArray[np.bool_] = white[first[1:]] > white[first[:-1]]
    widths = sources[places[1:]] - sources[places[:-1]]
    apart: npt.NDArray[np.bool_] = widths > widths.min()
    return spaces if spaces.mean() < 0.5 else apart
