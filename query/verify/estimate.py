"""The similarity of two texts of which only the simhashes are known.

The share of equal bits is no Jaccard similarity: it is .95 and more for every pair that lookups
call near, while the texts of such pairs, when compared, are .88 alike. In one list, under one
threshold, both must be on one scale, so this is the mean of what comparing would give.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from query.grams import Features

_BITS: Final = 64  # that the numbers below are for
_ALIKE: Final = 0.88
_FLAT: Final = 4
_FALL: Final = 0.09

_FEW: Final = 50
_OFTEN: Final = 2
"""A text of fewer different words, or syllables, each of which comes so often on average, has the
simhash of any other such text, or nearly so."""


def estimated_similarity(distance: int, bits: int = _BITS) -> float:
    """The mean similarity of texts whose simhashes of `bits` bits differ in `distance`.

    .88 up to 4 of 64 bits, then .09 less for each bit, never below 0. Measured on four labelled
    corpora and one of unrelated articles: pairs within 4 bits are .07 off on average, pairs of 6
    bits .17 (`python -m scripts.stored_similarity DIR...`). Equal texts are told by their hash.
    """
    beyond = max(0.0, distance * _BITS / bits - _FLAT)
    return max(0.0, _ALIKE - _FALL * beyond)


def has_few_units(text: Features) -> bool:
    """Whether an equal simhash says little of a text: rows of digits, words in single letters."""
    units = np.unique(text.batch.streams(text.spaced).units[text.row])
    return len(units) < _FEW and text.size(text.spaced) >= _OFTEN * len(units)


def is_in_signs(text: Features) -> bool:
    """Whether an equal text hash says little: of a text written in signs."""
    return bool(text.batch.prepared.read_in_signs[text.row])
