"""Keys of mixed texts in the other reading: an excerpt of a Chinese page may be mostly English or
code, and is read by words then, while the page is read by syllables.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from msgspec import structs

from indexer.fingerprints.registry import enabled
from indexer.model import Fingerprint
from indexer.text import Streams
from indexer.text.hashing import spell
from indexer.text.table import LETTER, UNIT
from mappings.contract import Field
from mappings.plan import Plan
from query.grams import Features

_FEWEST: Final = 8
"""Han characters that make a text in words a mixed one."""

_LETTERS: Final = 40
_FOR_EACH: Final = 1.5
"""Letters, at least, and for each Han character, that make a text in syllables one of which the
whole page may be read by words."""


def in_both_readings(
    fingerprint: Fingerprint, text: str, features: Features, plan: Plan
) -> Fingerprint:
    """The fingerprint to ask with: of a mixed text it has the passages in the other reading, too,
    but those that boilerplate makes."""
    scheme = enabled(plan).get(Field.PASSAGE_KEYS)
    if text.isascii() or scheme is None or not _is_mixed(features):
        return fingerprint
    batch, row, spaced = features.batch, features.row, not features.spaced
    streams = Streams(batch.prepared.select(np.array([row])), plan, spaced)
    more = scheme.terms(scheme.values(streams))[0]
    if features.boilerplate():
        dropped = frozenset(spell(batch.boilerplate_shingles(spaced)[row]))
        more = tuple(term for term in more if term not in dropped)
    own = fingerprint.keys.get(Field.PASSAGE_KEYS, ())
    both = {**fingerprint.keys, Field.PASSAGE_KEYS: tuple(dict.fromkeys((*own, *more)))}
    return structs.replace(fingerprint, keys=both)


def _is_mixed(text: Features) -> bool:
    prepared = text.batch.prepared
    kinds = prepared.kinds[slice(*prepared.rows.bounds[text.row : text.row + 2])]
    han = np.count_nonzero(kinds == UNIT)
    if text.spaced:
        return bool(han >= _FEWEST)
    letters = np.count_nonzero(kinds == LETTER)
    return bool(letters >= max(_LETTERS, _FOR_EACH * han))
