"""Which candidate pairs can be near duplicates, as far as small sketches of the texts tell.

Texts of one corpus share sentences with hundreds of others, and reading all of these pairs would
take longer than everything else. A sketch of 128 bytes estimates the Jaccard similarity of two
texts (Broder 1997; b-bit MinHash: Li and König 2010); pairs far below what `near` asks for are
passed over, unless their letters are the same ones: few edits spread over a short text, and
disguises, leave little else. Partial copies are passed over as well.
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

SIGMA: Final = 3.5
"""Standard deviations that an estimate may be off."""

SAME: Final = (0.65, 0.40)
"""Jaccard similarity of the letters, in any order, of a text and of a copy that is a near duplicate
by edits or in disguise, at the least; by syllables, and of four neighbours each in scripts with
spaces. Unrelated articles have about .35 and .2."""

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
        left = np.flatnonzero(~worth)
        first, second = first[left], second[left]
        near = _equal(sketched.grams, first, second)
        letters = _equal(sketched.letters, first, second)
        same = np.array([least_equal(share, SAME_SIGMA, LETTERS) for share in SAME])
        alike = letters >= same[sketched.spaced[first].astype(np.int64)]
        worth[left] = alike | (near >= least_equal(self.plan.thresholds.near, SIGMA, SKETCH))
        return worth


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
