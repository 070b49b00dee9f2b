"""Keys of mixed texts in the other reading: an excerpt of a Chinese page may be mostly English or
code, and is read by words then, while the page is read by syllables.
"""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from indexer.fingerprints.registry import enabled
from indexer.model import Keys
from indexer.text import Streams
from mappings.contract import Field
from mappings.plan import Plan
from query.grams import Features

_HAN: Final = re.compile("[\u4e00-\u9fff]")
_WORD: Final = re.compile("[A-Za-z]{2,}")
_FEWEST: Final = 8
"""Han characters, or words, that make a text a mixed one."""

_WORDS: Final = 0.3
"""The least part of words among Han characters where the whole page may be read by words."""


def with_other_reading(keys: Keys, text: str, asked: Features, plan: Plan) -> Keys:
    """The keys to ask for: of a mixed text also its passages in the other reading."""
    if text.isascii() or not _is_mixed(text, asked.spaced):
        return keys
    scheme = enabled(plan).get(Field.PASSAGE_KEYS)
    if scheme is None:
        return keys
    prepared = asked.batch.prepared.select(np.array([asked.row]))
    more = scheme.terms(scheme.values(Streams(prepared, plan, not asked.spaced)))[0]
    own = keys.get(Field.PASSAGE_KEYS, ())
    return {**keys, Field.PASSAGE_KEYS: tuple(dict.fromkeys((*own, *more)))}


def _is_mixed(text: str, spaced: bool) -> bool:
    han = len(_HAN.findall(text))
    if spaced:
        return han >= _FEWEST
    words = len(_WORD.findall(text))
    return words >= _FEWEST and words >= _WORDS * han
