"""Which candidate pairs can be near duplicates, as far as small sketches of the texts tell.

Texts of one corpus share sentences with hundreds of others, and reading all of these pairs would
take longer than everything else. A sketch of 128 bytes estimates the Jaccard similarity of two
texts (Broder 1997; b-bit MinHash: Li and König 2010); pairs far below what `near` asks for are
passed over, unless they can be alike in a way that grams do not show. Partial copies are passed
over as well.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from indexer.fingerprints.key_rows import LETTERS, SKETCH, Sketched, Sketches
from indexer.text.hashing import Hashes
from mappings.plan import Plan
from query.key_join import Candidates, Mask, Numbers

FEW: Final = 64
"""Units of a text below which nothing is estimated: one edit in ten leaves too little."""

SIGMA: Final = 4.5
"""Standard deviations that an estimate may be off."""

SPREAD: Final = 0.25
"""The Jaccard similarity of 4-grams that `short_near` of a short text leaves at the least, with an
edit on every seventh letter."""

SPREAD_SIGMA: Final = 2.9
"""Such texts are rare, and two of them share sentences no more often than others."""

SEVERAL: Final = 2
"""Loose windows in common from which one text may be the other with its letters in disorder."""

SAME: Final = 0.65
"""Jaccard similarity of the letters of such texts, at the least: unrelated articles of 1,400 have
about .35."""

SAME_SIGMA: Final = 3.0

_AT_ONCE: Final = 1 << 15
_BYTE: Final = 256


@dataclass(frozen=True, slots=True)
class NearScreen:
    """The sketches, simhashes and lengths of all documents of a join, by number."""

    plan: Plan
    sketched: Sketched
    simhashes: Hashes
    lengths: Numbers

    def simhashes_are_near(self, first: Numbers, second: Numbers) -> Mask:
        """For pairs that share keys of simhashes alone: whether these differ in few bits."""
        differ = np.bitwise_count(self.simhashes[first] ^ self.simhashes[second])
        near: Mask = differ <= self.plan.thresholds.simhash_only
        return near

    def could_be_near(self, pairs: Candidates) -> Mask:
        """Which pairs are worth reading."""
        first, second, sketched = pairs.first, pairs.second, self.sketched
        worth: Mask = np.minimum(sketched.units[first], sketched.units[second]) < FEW
        worth |= sketched.spaced[first] != sketched.spaced[second]
        in_disorder = (pairs.loose >= SEVERAL) | (pairs.loose == pairs.shared)
        worth |= self._same_letters(first, second, in_disorder & ~worth)
        open_ones = np.flatnonzero(~worth)
        short = self.plan.thresholds.short
        first, second = first[open_ones], second[open_ones]
        are_short = np.maximum(self.lengths[first], self.lengths[second]) <= short
        low = least_equal(SPREAD, SPREAD_SIGMA, SKETCH)
        high = least_equal(self.plan.thresholds.near, SIGMA, SKETCH)
        equal = _equal(sketched.grams, first, second)
        worth[open_ones] = equal >= np.where(are_short, min(low, high), high)
        return worth

    def _same_letters(self, first: Numbers, second: Numbers, asked: Mask) -> Mask:
        """Which of some pairs have most of their letters in common; all in scripts with spaces, as
        alphabets are small."""
        out = asked & self.sketched.spaced[first]
        places = np.flatnonzero(asked & ~out)
        equal = _equal(self.sketched.letters, first[places], second[places])
        out[places] = equal >= least_equal(SAME, SAME_SIGMA, LETTERS)
        return out


def _equal(sketches: Sketches, first: Numbers, second: Numbers) -> Numbers:
    """In how many bytes the sketches of each pair are equal."""
    out = np.zeros(len(first), np.int64)
    for at in range(0, len(first), _AT_ONCE):
        part = slice(at, at + _AT_ONCE)
        out[part] = np.count_nonzero(sketches[first[part]] == sketches[second[part]], axis=1)
    return out


def least_equal(jaccard: float, sigma: float, size: int) -> float:
    """How many of so many bytes of two sketches are equal at the least, but for some standard
    deviations.
    """
    share = jaccard + (1 - jaccard) / _BYTE
    deviation = (share * (1 - share) * size) ** 0.5
    return float(share * size - sigma * deviation)
