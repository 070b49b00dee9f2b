"""Texts as initials: the first letter of each Mandarin syllable and of each Latin word.

Twenty letters are consonants that can begin a syllable; only these are counted. A, e and o, and
letters that begin no syllable (i, u, v, from Latin words), only take up a position.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt

from indexer.text.preparation import Prepared
from indexer.text.ragged import Ragged
from indexer.text.streams import word_starts
from indexer.text.table import LIMIT, Table

INITIALS: Final = "bcdfghjklmnpqrstwxyz"
SILENT: Final = len(INITIALS)
"""The number of letters that take up a position and are not counted."""

_NONE: Final = 255

Letters = npt.NDArray[np.uint8]


def initial_rows(prepared: Prepared) -> Ragged[np.uint8]:
    """For each text its initials in order, as indices into INITIALS, or SILENT.

    Digits, scripts other than Latin, and characters without a Mandarin reading have none.
    """
    starts = word_starts(prepared)
    letters = _letters(prepared.table)[prepared.codes[starts]]
    has_initial = letters != _NONE
    return Ragged(letters[has_initial], np.searchsorted(starts[has_initial], prepared.rows.bounds))


@lru_cache(maxsize=4)  # some 1 MB each
def _letters(table: Table) -> Letters:
    """The initial of every code point."""
    syllables = np.array([_number(name[0]) for name in table.syllable_names], np.uint8)
    out = np.full(LIMIT, _NONE, np.uint8)
    for letter in range(ord("a"), ord("z") + 1):
        out[[letter, letter - 32]] = _number(chr(letter))
    read = np.flatnonzero(table.syllable >= LIMIT)
    out[read] = syllables[table.syllable[read] - LIMIT]
    return out


@cache
def _number(letter: str) -> int:
    place = INITIALS.find(letter)
    return place if place >= 0 else SILENT
