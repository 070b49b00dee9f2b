"""Bloom filter (Bloom 1970): tells which features were certainly never added, in a few bits each.

It can neither remove a feature nor list them, so a store does the lookups; docs/algorithms.md says
what a filter in front of one saves. Positions by double hashing (Kirsch,
Mitzenmacher 2006) of MurmurHash3 x64 128, with the cubic term of Dillinger and Manolios 2004,
which keeps few bits from repeating.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final

import mmh3
import numpy as np
import numpy.typing as npt

from mappings.errors import InputRefused

_SEED: Final = 0x9E3779B9
"""Large, because if the seed equals the length of a feature of up to eight bytes, both halves of
the hash are even multiples of the same number."""
_AT_ONCE: Final = 1 << 16
_MOST_HASHES: Final = 64

Positions = npt.NDArray[np.uint64]


class BloomFilter:
    """A bit array of `capacity` x `bits_per_feature` bits, `hashes` of them set for a feature.

    With 16 bits and 8 hashes the false positive rate of a full filter is .057 %. Raises
    InputRefused for parameters out of range.
    """

    def __init__(self, capacity: int, hashes: int = 8, bits_per_feature: float = 16) -> None:
        if capacity < 1 or not 1 <= hashes <= _MOST_HASHES or not 0 < bits_per_feature <= 1_024:
            raise InputRefused(
                f"no Bloom filter for {capacity} features with {hashes} hashes and "
                f"{bits_per_feature} bits for each; take a capacity from 1 and 1 to "
                f"{_MOST_HASHES} hashes"
            )
        self.hashes = hashes
        self.bits = max(8, math.ceil(capacity * bits_per_feature))
        self._array = np.zeros(-(-self.bits // 8), np.uint8)

    @property
    def fill(self) -> float:
        """The share of bits that are set."""
        return int(np.bitwise_count(self._array).sum()) / self.bits

    def add_all(self, features: Iterable[bytes]) -> None:
        """Add features; adding one again changes nothing."""
        for positions in self._positions(features):
            flat = positions.ravel()
            masks = np.uint8(1) << (flat & np.uint64(7)).astype(np.uint8)
            np.bitwise_or.at(self._array, flat >> np.uint64(3), masks)

    def may_contain(self, features: Iterable[bytes]) -> npt.NDArray[np.bool_]:
        """For each feature, False if it was certainly never added."""
        out = [np.zeros(0, np.bool_)]
        for positions in self._positions(features):
            bits = self._array[positions >> np.uint64(3)]
            bits >>= (positions & np.uint64(7)).astype(np.uint8)
            out.append((bits & 1).all(axis=1))
        return np.concatenate(out)

    def _positions(self, features: Iterable[bytes]) -> Iterator[Positions]:
        """The bit positions of features, a row for each, in batches."""
        names = iter(features)
        steps = np.arange(self.hashes, dtype=np.uint64)
        cubes = (steps**3 - steps) // np.uint64(6)
        while digests := [mmh3.hash_bytes(name, _SEED, True) for name in islice(names, _AT_ONCE)]:
            pair = np.frombuffer(b"".join(digests), "<u8").astype(np.uint64).reshape(-1, 2)
            yield (pair[:, :1] + pair[:, 1:] * steps + cubes) % np.uint64(self.bits)
