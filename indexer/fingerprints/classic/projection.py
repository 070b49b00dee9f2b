"""Random hyperplanes (Charikar 2002; Goemans, Williamson 1995) over word vectors.

Bit i says on which side of hyperplane i the vector of a text lies. Two vectors at an angle differ
in a bit with probability angle / pi, so few differing bits mean a large cosine.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import cos, pi
from threading import Lock
from typing import Final

import numpy as np
import numpy.typing as npt

from indexer.fingerprints.classic.cosine import feature_counts, rarity_under
from indexer.fingerprints.scheme import Terms
from indexer.fingerprints.simhash import block_keys
from indexer.text import Streams
from indexer.text.hashing import Hashes, mix
from indexer.text.ragged import Positions
from indexer.text.words import Counts, Words, term_hashes, words_of
from mappings.plan import Plan, SimhashPlan

Entries = npt.NDArray[np.int8]
"""Shape (features, planes): the entry of each hyperplane for each feature."""

Packed = npt.NDArray[np.uint8]

_BASE: Final = np.uint64(0x9E3779B97F4A7C15)
_AT_ONCE: Final = 4_096
_HEADS: Final = ("~", "~~", "~~~", "~~~~")
"""Prefixes that keep the keys of each 64 planes apart."""


class Projection:
    """Over the TF-IDF vectors of `cosine`. A value is one 64-bit number for each 64 hyperplanes,
    empty for a text without words.
    """

    def __init__(self, plan: Plan) -> None:
        self._part = plan.projection
        self._vocabulary = Vocabulary(plan)

    def values(self, streams: Streams) -> list[Hashes]:
        words = _words(streams)
        rarity, entries = self._vocabulary.look_up(words)
        weights, bounds = words.magnitudes * rarity, words.hashes.bounds
        sides = project(weights, entries, bounds)
        values = np.packbits(sides, axis=1, bitorder="little").view(np.uint64)
        has_words = [bool(weights[start:stop].any()) for start, stop in pairwise(bounds.tolist())]
        return [
            value if is_filled else value[:0]
            for value, is_filled in zip(values, has_words, strict=True)
        ]

    def terms(self, values: Sequence[Hashes]) -> list[Terms]:
        layout = SimhashPlan(blocks=self._part.blocks, choose=self._part.choose)
        rows = iter(block_keys(np.concatenate(values), layout))
        return [
            tuple(head + key[1:] for head in _HEADS[: len(value)] for key in next(rows))
            for value in values
        ]

    def similarity(self, left: Hashes, right: Hashes) -> float:
        """The cosine estimated from the differing bits; 0 from a right angle on."""
        if not len(left) or not len(right):
            return 0.0
        differing = int(np.bitwise_count(left ^ right).sum())
        return max(0.0, cos(pi * differing / self._part.planes))


def project(weights: Counts, entries: Entries, bounds: Positions) -> npt.NDArray[np.bool_]:
    """Shape (rows, planes): whether the vector of each row lies above each hyperplane.

    Row i has the features from bounds[i] to bounds[i + 1]. Sums are of whole numbers, so the
    order of features never matters. A vector on a hyperplane is not above it.
    """
    out = np.zeros((len(bounds) - 1, entries.shape[1]), np.bool_)
    for row, (start, stop) in enumerate(pairwise(bounds.tolist())):
        out[row] = np.einsum("i,ij->j", weights[start:stop], entries[start:stop]) > 0
    return out


def _words(streams: Streams) -> Words:
    """The features that `cosine` counts."""
    if streams.plan.words != "none":
        return streams.hashed_words
    rows = [[*counts.elements()] for counts in feature_counts(streams)]
    return words_of(rows, streams.plan.simhash.seed)


class Vocabulary:
    """A cache of the rarity and the hyperplane entries of recent words, with one slot for all words
    whose hashes begin with the same bits.

    An entry comes from 64 bits, a hash of the word, the seed and the number of the hyperplane.
    sign: 1 or -1 by the lowest bit. gaussian: the number of bits set, minus 32; a binomial close
    to normal, without logarithms, which machines round differently.
    """

    BYTES = 1 << 25

    def __init__(self, plan: Plan) -> None:
        self._part = plan.projection
        self._rarity_of = rarity_under(plan)
        width = self._part.planes // (8 if self._part.entries == "sign" else 1)
        bits = (self.BYTES // (width + 16)).bit_length() - 1
        self._shift = np.uint64(64 - bits)
        self._hashes: Hashes = np.zeros(1 << bits, np.uint64)  # 0: an empty slot
        self._rarity: Counts = np.zeros(1 << bits, np.int64)
        self._packed = np.zeros((1 << bits, width), np.uint8)  # a sign takes a bit
        self._salts = mix(np.arange(1, self._part.planes + 1, dtype=np.uint64) * _BASE)
        self._lock = Lock()

    def look_up(self, words: Words) -> tuple[Counts, Entries]:
        """The rarity of each word, and its row of entries."""
        hashes = words.hashes.values
        places = (hashes >> self._shift).view(np.int64)
        with self._lock:  # a hash may be visible only once its row is written
            rarity, packed = self._rarity.take(places), self._packed.take(places, axis=0)
            unknown = np.flatnonzero(self._hashes.take(places) != hashes)
            if len(unknown):
                fresh, rows = np.unique(hashes[unknown], return_inverse=True)
                computed = self._compute(words.spelled(fresh))
                rarity[unknown], packed[unknown] = computed[0][rows], computed[1][rows]
                self._keep(fresh, *computed)
        if self._part.entries == "sign":
            packed = np.unpackbits(packed, axis=1) * 2 - 1
        return rarity, packed.view(np.int8)

    def _keep(self, hashes: Hashes, rarity: Counts, packed: Packed) -> None:
        places, first = np.unique((hashes >> self._shift).view(np.int64), return_index=True)
        self._hashes[places] = 0  # cleared first, set last: Ctrl-C leaves no mixed row
        self._rarity[places], self._packed[places] = rarity[first], packed[first]
        self._hashes[places] = hashes[first]

    def _compute(self, words: Sequence[str]) -> tuple[Counts, Packed]:
        rarity = np.fromiter(map(self._rarity_of.__getitem__, words), np.int64, len(words))
        packed = np.empty((len(words), self._packed.shape[1]), np.uint8)
        hashes = term_hashes(words, self._part.seed)
        for start in range(0, len(words), _AT_ONCE):
            part = slice(start, start + _AT_ONCE)
            bits = mix(mix(hashes[part, None] ^ self._salts))
            if self._part.entries == "sign":
                packed[part] = np.packbits((bits & np.uint64(1)).astype(np.uint8), axis=1)
            else:
                packed[part] = np.bitwise_count(bits) - np.uint8(32)  # below 0 it wraps round
        return rarity, packed
