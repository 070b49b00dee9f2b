"""Disguises: what was undone in one of two texts and not in the other.

Plain texts have single letters, doubled letters and the like as well; a disguise is named where one
of the texts has a good deal more of them than the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import numpy as np

from indexer.meant.meant import Disguise
from indexer.text.preparation import Prepared
from indexer.text.ragged import Positions
from indexer.text.skeleton import Undone
from query.gram_batch import decoded
from query.grams import Features
from query.verify.as_given import places_before

_FEWEST: Final = 2
_SHARE: Final = 0.02
"""The least number of places more, and the least part of the letters, that make a disguise."""

_DENSER: Final = 2
"""Where both texts have that part, as the marks of Vietnamese, one is disguised that has so many
times as many.
"""

_HONEST: Final = {
    Undone.DIGITS: re.compile(
        r"(?<![A-Za-z0-9])[0-9]+(?=[A-Za-z]{1,3}(?![A-Za-z0-9]))"
        r"|(?<=[A-Za-z]{2})[0-9]{2,}(?![A-Za-z0-9])"
    ),
    Undone.PINYIN: re.compile(r"(?<![A-Za-z])[A-Z]{2}(?![A-Za-z])"),
}
"""Measures and models (12km, 1990s, iPhone15), and acronyms that are syllables as well (AI)."""

_STREWN: Final = 0.6
_PLAIN: Final = 0.4
"""From this share on letters stand apart; a plain text has fewer than the second."""


def disguises(asked: Features, stored: Features) -> tuple[Disguise, ...]:
    """What either text is disguised by, in a fixed order."""
    found = {*_undone(asked, stored), *_laid_out(asked, stored)}
    if not found:
        return ()
    if Disguise.BETWEEN in found:
        found.discard(Disguise.SPACED)
    return tuple(name for name in Disguise if name in found)


def _undone(asked: Features, stored: Features) -> Iterator[Disguise]:
    left, right = asked.batch.undone(asked.row), stored.batch.undone(stored.row)
    for kind in {*left, *right}:
        one, other = left.get(kind, 0), right.get(kind, 0)
        told = _is_disguise((one, asked.given), (other, stored.given))
        if told and kind in _HONEST:
            one -= _honest(asked, kind)
            other -= _honest(stored, kind)
            told = _is_disguise((one, asked.given), (other, stored.given))
        if told:
            yield Disguise(kind)


def _is_disguise(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether one of two texts has so many more places that were undone; with their letters."""
    fewer, more = sorted((one, other))
    if more[0] - fewer[0] < _FEWEST:
        return False
    own = fewer[0] / max(1, fewer[1])  # what a text of this language has anyhow
    if own >= _SHARE and more[0] < _DENSER * own * more[1]:
        return False
    return more[0] - fewer[0] >= _SHARE * more[1]


def _honest(text: Features, kind: Undone) -> int:
    """How many of the places that were undone in one way are such as plain texts have."""
    if not text.batch.undone(text.row).get(kind):
        return 0
    original = text.batch.prepared.original[text.row]
    honest = np.zeros(len(original), np.bool_)
    for found in _HONEST[kind].finditer(decoded(original)):
        honest[slice(*found.span())] = True
    return int(np.count_nonzero(honest[_sources(text, kind)]))


def _sources(text: Features, kind: Undone) -> Positions:
    """Where in a text as it was given the places are that were undone in one way."""
    prepared, row = text.batch.prepared, text.row
    places = prepared.undone[kind]
    low, high = places.searchsorted(prepared.literal.rows.bounds[row : row + 2]).tolist()
    found: Positions = prepared.literal.sources[places[low:high]] - prepared.original.bounds[row]
    return found


def _laid_out(asked: Features, stored: Features) -> Iterator[Disguise]:
    """Whether nearly all letters of one text stand apart, and by what."""
    for text, other in ((asked, stored), (stored, asked)):
        if _is_long(text) and _apart(text)[0] >= _STREWN and _apart(other)[0] <= _PLAIN:
            yield _apart(text)[1]


def _is_long(text: Features) -> bool:
    """Whether there is anything at all between so many letters: a look at two lengths."""
    letters, given = text.whole, int(text.batch.prepared.original.lengths[text.row])
    return letters > 1 and given - letters >= _STREWN * (letters - 1)


def _apart(text: Features) -> tuple[float, Disguise]:
    """The share of neighbouring letters with signs in between, and what these mostly are; marks
    that are struck through letters are such signs, too.
    """
    prepared: Prepared = text.batch.prepared
    low, high = prepared.folded.bounds[text.row : text.row + 2].tolist()
    sources = prepared.literal.sources[places_before(text, low, high)]
    wide = np.flatnonzero(np.diff(sources) > 1)
    between = map(chr, prepared.original.values[sources[wide] + 1].tolist())
    signs = "".join(sign for sign in between if not sign.isalnum())
    if not signs:
        return 0.0, Disguise.BETWEEN
    lines, spaces = signs.count("\n"), sum(map(str.isspace, signs))
    share = len(signs) / (len(sources) - 1)
    if 2 * lines >= len(signs):
        return share, Disguise.VERTICAL
    return share, Disguise.SPACED if 2 * spaces >= len(signs) else Disguise.BETWEEN
