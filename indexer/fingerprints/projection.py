"""Random hyperplanes (Charikar 2002; Goemans, Williamson 1995) over word vectors.

Bit i says on which side of hyperplane i the vector of a text lies. Two vectors at an angle differ
in a bit with probability angle / pi, so few differing bits mean a large cosine.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, pairwise
from math import cos, pi
from threading import Lock
from typing import Final

import mmh3
import numpy as np
import numpy.typing as npt

from indexer.fingerprints.cosine import Rarity, feature_counts
from indexer.fingerprints.scheme import Terms
from indexer.fingerprints.simhash import block_keys
from indexer.hashing import Hashes, mix
from indexer.prepare import Streams
from indexer.ragged import Positions, bounds_of
from mappings.plan import Plan, SimhashPlan

Counts = npt.NDArray[np.int64]
Entries = npt.NDArray[np.int8]
"""Shape (features, planes): the entry of each hyperplane for each feature."""

_BASE: Final = np.uint64(0x9E3779B97F4A7C15)
_AT_ONCE: Final = 4_096
_HEADS: Final = ("~", "~~", "~~~", "~~~~")
"""Keys of the second 64 planes never meet those of the first."""


class Projection:
    """Over the TF-IDF vectors of `cosine`. A value is one 64-bit number for each 64 hyperplanes;
    none for a text without words.
    """

    def __init__(self, plan: Plan) -> None:
        self._part = plan.projection
        self._vocabulary = Vocabulary(plan)

    def values(self, streams: Streams) -> list[Hashes]:
        rows = feature_counts(streams)
        bounds = bounds_of(list(map(len, rows)))
        features = list(chain.from_iterable(rows))
        counts = chain.from_iterable(row.values() for row in rows)
        weights = np.fromiter(map(int.bit_length, counts), np.int64, len(features))
        rarity, entries = self._vocabulary.look_up(features)
        weights *= rarity
        sides = project(weights, entries, bounds)
        values = np.packbits(sides, axis=1, bitorder="little").view(np.uint64)
        says = [bool(weights[start:stop].any()) for start, stop in pairwise(bounds.tolist())]
        return [
            value if any_word else value[:0] for value, any_word in zip(values, says, strict=True)
        ]

    def terms(self, values: Sequence[Hashes]) -> list[Terms]:
        layout = SimhashPlan(blocks=self._part.blocks, choose=self._part.choose)
        rows = iter(block_keys(np.concatenate(values), layout))
        return [
            tuple(head + key[1:] for head in _HEADS[: len(value)] for key in next(rows))
            for value in values
        ]

    def similarity(self, left: Hashes, right: Hashes) -> float:
        """The cosine that the differing bits estimate, 0 for a right angle and more."""
        if not len(left) or not len(right):
            return 0.0
        differing = int(np.bitwise_count(left ^ right).sum())
        return max(0.0, cos(pi * differing / self._part.planes))


def project(weights: Counts, entries: Entries, bounds: Positions) -> npt.NDArray[np.bool_]:
    """Shape (rows, planes): whether the vector of each row lies above each hyperplane.

    Row i has the features from bounds[i] to bounds[i + 1]. The sums are of whole numbers, so the
    order of features never matters. What lies on a hyperplane is not above it.
    """
    out = np.zeros((len(bounds) - 1, entries.shape[1]), np.bool_)
    for row, (start, stop) in enumerate(pairwise(bounds.tolist())):
        out[row] = np.einsum("i,ij->j", weights[start:stop], entries[start:stop]) > 0
    return out


class Vocabulary:
    """The rarity and the hyperplanes' entries of the features seen so far; emptied when many.

    An entry comes from 64 bits, a hash of the feature, the seed and the number of the hyperplane.
    sign: 1 or -1 by the lowest bit. gaussian: the number of bits set, less 32; a binomial, close
    to normal, without logarithms that machines round differently.
    """

    LIMIT = 1 << 17

    def __init__(self, plan: Plan) -> None:
        self._part = plan.projection
        self._rarity_of = Rarity(plan)
        self._numbers = _Numbers()
        self._rarity: Counts = np.zeros(1 << 10, np.int64)
        self._entries: Entries = np.zeros((1 << 10, self._part.planes), np.int8)
        self._salts = mix(np.arange(1, self._part.planes + 1, dtype=np.uint64) * _BASE)
        self._lock = Lock()

    def look_up(self, features: Sequence[str]) -> tuple[Counts, Entries]:
        """The rarity of each feature, and its row of entries."""
        with self._lock:  # a number may be seen only when its row is there
            if len(self._numbers) > self.LIMIT:
                self._numbers = _Numbers()
            numbers = map(self._numbers.__getitem__, features)
            rows = np.fromiter(numbers, np.int64, len(features))
            try:
                self._learn_all()
            except BaseException:  # no statistics, Ctrl-C: what has a number must have a row
                self._numbers = _Numbers()
                raise
            return self._rarity.take(rows), self._entries.take(rows, axis=0)

    def _learn_all(self) -> None:
        fresh = self._numbers.fresh
        first = len(self._numbers) - len(fresh)
        for start in range(0, len(fresh), _AT_ONCE):
            self._learn(fresh[start : start + _AT_ONCE], first + start)
        fresh.clear()

    def _learn(self, features: Sequence[str], start: int) -> None:
        stop = start + len(features)
        while stop > len(self._entries):
            self._entries = np.concatenate((self._entries, np.zeros_like(self._entries)))
            self._rarity = np.concatenate((self._rarity, np.zeros_like(self._rarity)))
        self._rarity[start:stop] = [self._rarity_of(feature) for feature in features]
        encoded = (feature.encode("utf-8") for feature in features)
        seed = self._part.seed
        hashes = (mmh3.hash64(each, seed, True, signed=False)[0] for each in encoded)
        bits = mix(mix(np.fromiter(hashes, np.uint64, len(features))[:, None] ^ self._salts))
        if self._part.entries == "sign":
            self._entries[start:stop] = (bits & np.uint64(1)).astype(np.int8) * 2 - 1
        else:
            self._entries[start:stop] = np.bitwise_count(bits).astype(np.int8) - 32


class _Numbers(dict[str, int]):
    """Features numbered as they come; `fresh` are those not learnt yet."""

    def __init__(self) -> None:
        super().__init__()
        self.fresh: list[str] = []

    def __missing__(self, feature: str) -> int:
        self[feature] = number = len(self)
        self.fresh.append(feature)
        return number
