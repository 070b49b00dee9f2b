"""What a skeleton hides of a text: its digits, the letters left out of it, and its signs.

Disguises are judged by the skeleton, but that a number has other digits, or that a short text has
another letter, is what the texts say and no disguise.
"""

from __future__ import annotations

import numpy as np

from indexer.text.ragged import Positions
from indexer.text.table import DIGIT, LIMIT, OTHER
from query.gram_batch import PRIVATE, decoded
from query.grams import Features, Kind


def with_equal_digits(text: Features) -> str:
    """The letters of a text (`Features.letters`), every one that was a digit before a 0."""
    prepared = text.batch.prepared
    low, high = prepared.folded.bounds[text.row : text.row + 2]
    codes = prepared.folded[text.row].copy()
    digits = prepared.literal.kinds[places_before(text, int(low), int(high))] == DIGIT
    codes[digits] = ord("0")
    mask = text.batch.unit_mask(Kind.CHARACTERS, spaced=False)
    return decoded(codes if mask is None else codes[~mask[low:high]])


def nothing_left_out(text: Features) -> tuple[str, str]:
    """The letters and the syllables of a text with the letters that its skeleton leaves out, such
    as the second of a doubled one; those that it replaces one by one are replaced.
    """
    prepared = text.batch.prepared
    low, high = prepared.folded.bounds[text.row : text.row + 2].tolist()
    literal, start = prepared.literal, int(prepared.literal.rows.bounds[text.row])
    kept = places_before(text, low, high) - start
    whole = literal.rows[text.row]
    stay = literal.kinds[start : start + len(whole)] != OTHER
    stay[kept] = True
    units = text.batch.streams(False).units[text.row]
    sounds = np.where(units >= np.uint64(LIMIT), units - np.uint64(LIMIT - PRIVATE), units)
    out = []
    for values in (prepared.folded[text.row], sounds):
        codes = whole.copy()
        codes[kept] = values
        out.append(decoded(codes[stay]))
    return out[0], out[1]


def signs(text: Features) -> int:
    """How many signs that are neither letters nor spaces a text has, as it was given."""
    return sum(not (sign.isalnum() or sign.isspace()) for sign in text.text)


def places_before(text: Features, low: int, high: int) -> Positions:
    """Where folded codes [low, high) come from in the prepared codes before the skeleton."""
    prepared = text.batch.prepared
    places = prepared.places[low:high]
    return places if prepared.before is None else prepared.at[places]
