"""Keys of mixed texts in the other reading: an excerpt of a Chinese page may be mostly English or
code, and is read by words then, while the page is read by syllables. So is the page around a stored
piece of code, or a table: of it the stretches of words alone.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt
from msgspec import structs

from indexer.fingerprints.passages import key_values
from indexer.fingerprints.registry import enabled
from indexer.model import Fingerprint
from indexer.text import Streams
from indexer.text.hashing import HashRows, spell
from indexer.text.ragged import ragged
from indexer.text.table import DIGIT, LETTER, UNIT
from mappings.contract import Field
from mappings.plan import Plan
from query.grams import Features

_FEWEST: Final = 8
"""Han characters that make a text in words a mixed one."""

_LETTERS: Final = 40
_FOR_EACH: Final = 1.5
"""Letters, at least, and for each Han character, that make a text in syllables one of which the
whole page may be read by words."""

_HAN_INSIDE: Final = 0.5
"""The part of the words of a shingle, at most, that may be single Han characters: tables have some.
"""

_LONG: Final = 24
"""Shingles of a stretch, at least: one of 16 tells what is stored by itself, but many pages have
one."""

Kinds = npt.NDArray[np.uint8]


def in_both_readings(
    fingerprint: Fingerprint, text: str, features: Features, plan: Plan
) -> Fingerprint:
    """The fingerprint to ask with: of a mixed text it has the passages in the other reading, too,
    but those that boilerplate makes."""
    if text.isascii() or Field.PASSAGE_KEYS not in enabled(plan):
        return fingerprint
    rows = _in_the_other_reading(features, plan)
    if rows is None:
        return fingerprint
    values = key_values(rows, plan.passages, not features.spaced).values
    more = tuple(dict.fromkeys(spell(values)))
    if features.boilerplate():
        batch, row = features.batch, features.row
        dropped = frozenset(spell(batch.boilerplate_shingles(not features.spaced)[row]))
        more = tuple(term for term in more if term not in dropped)
    own = fingerprint.keys.get(Field.PASSAGE_KEYS, ())
    both = {**fingerprint.keys, Field.PASSAGE_KEYS: tuple(dict.fromkeys((*own, *more)))}
    return structs.replace(fingerprint, keys=both)


def _in_the_other_reading(features: Features, plan: Plan) -> HashRows | None:
    """The shingles of a mixed text in its other reading; of one that is read by syllables and has
    stretches of words, a row for each of these. None for other texts.
    """
    prepared, width = features.batch.prepared, plan.passages.spaced_shingle
    kinds = prepared.kinds[slice(*prepared.rows.bounds[features.row : features.row + 2])]
    whole = _is_mixed(kinds, features.spaced)
    stretches = [] if whole or features.spaced else _stretches_of_words(kinds, width)
    if not whole and not stretches:
        return None
    alone = prepared.select(np.array([features.row]))
    shingles = Streams(alone, plan, not features.spaced).unit_shingles(plan.passages)
    return shingles if whole else ragged([shingles.values[slice(*each)] for each in stretches])


def _stretches_of_words(kinds: Kinds, width: int) -> list[tuple[int, int]]:
    """Where a text has shingles of so many words that are mostly of letters and digits, many in a
    row.
    """
    inside = (kinds == LETTER) | (kinds == DIGIT)
    begins = inside.copy()
    begins[1:] &= ~inside[:-1]
    if np.count_nonzero(begins) < _LONG:
        return []
    is_han = kinds == UNIT
    han = np.cumsum(is_han[(begins | is_han).nonzero()[0]])
    few = han[width - 1 :] - np.append(0, han[:-width]) <= _HAN_INSIDE * width
    edges = np.flatnonzero(np.diff(np.concatenate(([False], few, [False])).astype(np.int8)))
    return [(low, high) for low, high in edges.reshape(-1, 2).tolist() if high - low >= _LONG]


def _is_mixed(kinds: Kinds, spaced: bool) -> bool:
    han = np.count_nonzero(kinds == UNIT)
    if spaced:
        return bool(han >= _FEWEST)
    letters = np.count_nonzero(kinds == LETTER)
    return bool(letters >= max(_LETTERS, _FOR_EACH * han))
