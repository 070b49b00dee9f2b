"""Which grams touch nothing that is masked: boilerplate has no say."""

from __future__ import annotations

import numpy as np

from indexer.boilerplate import Mask
from indexer.text.hashing import HashRows
from indexer.text.ragged import Positions


def are_clear(mask: Mask, units: HashRows, width: int) -> Mask:
    """For each gram of `width` units of each row, in order, whether none of its units is masked. A
    row shorter than that is one gram, as in `shingle_rows`; `mask` has an entry for each unit.
    """
    touched = mask.copy()
    covered = 1
    while covered < width:
        step = min(covered, width - covered)
        touched[:-step] |= touched[step:].copy()
        covered += step
    begins = np.ones(len(mask), np.bool_)
    lows, highs = units.bounds[:-1].tolist(), units.bounds[1:].tolist()
    for low, high in zip(lows, highs, strict=True):
        if high - low >= width:
            begins[high - width + 1 : high] = False
        elif high > low:  # the window would reach into the next row
            begins[low + 1 : high] = False
            touched[low] = mask[low:high].any()
    places: Positions = begins.nonzero()[0]
    clear: Mask = ~touched.take(places)
    return clear
