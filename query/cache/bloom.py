"""Bloom filter (Bloom 1970): which features were certainly never added, in a few bits for each.

It cannot forget a feature nor name what was added, so it may only spare a question to a store
that can. Positions by double hashing (Kirsch, Mitzenmacher 2006) of MurmurHash3 x64 128, with the
cubic term of Dillinger and Manolios 2004, which keeps few bits from repeating.
"""

from __future__ import annotations

import hashlib
import math
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final, Self

import mmh3
import numpy as np
import numpy.typing as npt
import orjson

from mappings.errors import InputRefused

_MAGIC: Final = b"dupdex bloom filter 1"
_FACTS: Final = ("capacity", "hashes", "bits", "added")
_SEED: Final = 0x9E3779B9
"""Large, because both halves of this hash are even multiples of one number for features of up to
eight bytes whose length equals the seed."""
_AT_ONCE: Final = 1 << 16
_MOST_HASHES: Final = 64

Positions = npt.NDArray[np.uint64]


class BloomFilter:
    """A bit array of `capacity` x `bits_per_feature` bits, `hashes` of them set for a feature.

    16 bits and 8 hashes: when full, .057 % of the features that were never added seem to be there.
    """

    def __init__(self, capacity: int, hashes: int = 8, bits_per_feature: float = 16) -> None:
        if capacity < 1 or not 1 <= hashes <= _MOST_HASHES or not 0 < bits_per_feature <= 1_024:
            raise InputRefused(
                f"no Bloom filter for {capacity} features with {hashes} hashes and "
                f"{bits_per_feature} bits for each; take a capacity from 1 and 1 to "
                f"{_MOST_HASHES} hashes"
            )
        self.capacity, self.hashes = capacity, hashes
        self.added = 0
        self.bits = max(8, math.ceil(capacity * bits_per_feature))
        self._array = np.zeros(-(-self.bits // 8), np.uint8)

    @classmethod
    def optimal(cls, capacity: int, error: float) -> Self:
        """The smallest filter that errs for a share of at most `error` of absent features.

        It is about half full then: 8 hashes and 11.54 bits a feature for .39 %.
        """
        if not 0 < error < 1:
            raise InputRefused(f"the share of errors must be between 0 and 1, not {error}")
        hashes = min(_MOST_HASHES, max(1, round(-math.log2(error))))
        return cls(capacity, hashes, -hashes / math.log1p(-(error ** (1 / hashes))))

    @property
    def fill(self) -> float:
        """The share of bits that are set."""
        return int(np.bitwise_count(self._array).sum()) / self.bits

    @property
    def expected_false_positive_rate(self) -> float:
        """The share of absent features that seem to be there, as full as the filter is now."""
        return float(self.fill**self.hashes)

    @property
    def is_full(self) -> bool:
        """Whether as many features were added as it was made for, repeats counted."""
        return self.added >= self.capacity

    def add_all(self, features: Iterable[bytes]) -> None:
        """Add features; one that is there already changes no bit."""
        for count, positions in self._positions(features):
            flat = positions.ravel()
            masks = np.uint8(1) << (flat & np.uint64(7)).astype(np.uint8)
            np.bitwise_or.at(self._array, flat >> np.uint64(3), masks)
            self.added += count

    def may_contain(self, features: Iterable[bytes]) -> npt.NDArray[np.bool_]:
        """For each feature False when it was certainly never added."""
        out = [np.zeros(0, np.bool_)]
        for _, positions in self._positions(features):
            found = self._array[positions >> np.uint64(3)]
            found >>= (positions & np.uint64(7)).astype(np.uint8)
            out.append((found & 1).all(axis=1))
        return np.concatenate(out)

    def __contains__(self, feature: bytes) -> bool:
        return bool(self.may_contain([feature])[0])

    def _positions(self, features: Iterable[bytes]) -> Iterable[tuple[int, Positions]]:
        """(count, positions) of some features at a time, a row for each."""
        names = list(features)
        steps = np.arange(self.hashes, dtype=np.uint64)
        cubes = (steps**3 - steps) // np.uint64(6)
        for start in range(0, len(names), _AT_ONCE):
            part = names[start : start + _AT_ONCE]
            digests = b"".join(mmh3.hash_bytes(name, _SEED, True) for name in part)
            pair = np.frombuffer(digests, "<u8").astype(np.uint64).reshape(-1, 2)
            hashes = pair[:, :1] + pair[:, 1:] * steps + cubes
            yield len(part), hashes % np.uint64(self.bits)

    def save(self, path: Path) -> None:
        """Write the filter, whole or not at all."""
        facts = {name: getattr(self, name) for name in _FACTS}
        head, array = orjson.dumps(facts), self._array.tobytes()
        digest = hashlib.sha256(head + b"\n" + array).hexdigest().encode()
        beside = path.with_name(f"{path.name}.{os.getpid()}.new")
        try:
            beside.write_bytes(b"\n".join((_MAGIC, digest, head, array)))
            beside.replace(path)
        except OSError as error:
            beside.unlink(missing_ok=True)
            raise InputRefused(
                f"cannot write the Bloom filter {path}: {error.strerror}; name another file"
            ) from error

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read what `save` wrote. Raises InputRefused for anything else, or when it was changed."""
        try:
            content = path.read_bytes()
        except OSError as error:
            raise InputRefused(
                f"cannot read the Bloom filter {path}: {error.strerror}; check the path"
            ) from error
        magic, _, rest = content.partition(b"\n")
        digest, _, checked = rest.partition(b"\n")
        if magic != _MAGIC or hashlib.sha256(checked).hexdigest().encode() != digest:
            raise InputRefused(f"{path} is damaged or no Bloom filter of dupdex; make it anew")
        head, _, array = checked.partition(b"\n")
        made = cls(1)
        for name, value in orjson.loads(head).items():
            setattr(made, name, value)
        made._array = np.frombuffer(array, np.uint8).copy()
        return made
