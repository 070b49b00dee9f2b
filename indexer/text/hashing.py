"""Hashes of shingles and short text keys: 64-bit arithmetic, the same on every machine."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

import numpy as np
import numpy.typing as npt

from indexer.text.kernels import compiled
from indexer.text.ragged import Positions, Ragged, bounds_of

Hashes = npt.NDArray[np.uint64]
HashRows = Ragged[np.uint64]

_BASE: Final = 0x9E3779B97F4A7C15
_MASK: Final = (1 << 64) - 1
_MULTIPLIER: Final = np.uint64(0xFF51AFD7ED558CCD)
_SHIFT, _LAST_SHIFT = np.uint64(32), np.uint64(29)
_POWERS: Final = np.array([pow(_BASE, i, 1 << 64) for i in range(64)], np.uint64)

KEY_CHARACTERS: Final = 6
"""A hashed key holds 36 bits: among 10^8 documents with 16 keys each, an unrelated document shares
a given key with probability 0.02, and verification drops it; two more characters would cost
about 100 bytes per document."""

_ALPHABET: Final = np.frombuffer(
    b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_", np.uint8
)
_SIX_BITS: Final = np.uint64(63)
_DIGITS: Final = np.zeros(256, np.uint64)
_DIGITS[_ALPHABET] = np.arange(len(_ALPHABET), dtype=np.uint64)


def mix(values: Hashes) -> Hashes:
    """Xor-shift, multiply, xor-shift: spreads a polynomial hash over all 64 bits.

    One round of a finaliser like MurmurHash3's; the tests hold MinHash to its error bound with it.
    """
    out = values >> _SHIFT
    out ^= values
    out *= _MULTIPLIER
    out ^= out >> _LAST_SHIFT
    return out


def shingle_rows(units: HashRows, width: int, seed: int) -> HashRows:
    """Hashes of all runs of `width` units of each row, in order, repeats included.

    A polynomial hash built by doubling (width 10 takes four passes, not nine), then mixed with
    the seed. A row shorter than one shingle gives one hash of all its units, an empty row none.
    """
    salt = seed * _BASE & _MASK
    if compiled is not None:
        out, bounds = np.empty(len(units.values), np.uint64), np.empty_like(units.bounds)
        size = compiled.shingles(units.values, units.bounds, width, salt, out, bounds)
        return Ragged(out[:size], bounds)
    if len(units) == 1 and len(units.values) >= width:  # a third of the time for a single text
        hashes = mix(_polynomial(units.values, width) ^ np.uint64((salt + width) & _MASK))
        return Ragged(hashes, np.array([0, len(hashes)]))
    lengths = units.lengths
    counts = np.maximum(lengths - width + 1, np.minimum(lengths, 1))
    long = _long_shingles(units, width)
    short = lengths < width
    if not short.any():
        return Ragged(mix(long ^ np.uint64((salt + width) & _MASK)), bounds_of(counts))
    bounds = bounds_of(counts)
    out = np.empty(bounds[-1], np.uint64)
    is_long = np.ones(len(out), np.bool_)
    rows = np.flatnonzero(short & (lengths > 0))
    is_long[bounds[rows]] = False
    out[is_long] = long ^ np.uint64((salt + width) & _MASK)
    out[~is_long] = _whole_rows(units, rows) ^ (lengths[rows].astype(np.uint64) + np.uint64(salt))
    return Ragged(mix(out), bounds)


def shingle_hashes(units: Hashes, width: int, seed: int) -> Hashes:
    """The same for one row."""
    return shingle_rows(Ragged(units, np.array([0, len(units)])), width, seed).values


def _long_shingles(units: HashRows, width: int) -> Hashes:
    """The polynomial hash of every run of `width` units that stays inside its row."""
    values = units.values
    if len(values) < width:
        return np.zeros(0, np.uint64)
    rolling = _polynomial(values, width)
    if len(units) == 1 or width == 1:
        return rolling
    owners = units.owners
    inside = owners[: len(rolling)] == owners[width - 1 :]
    return rolling if inside.all() else rolling[inside]


def _polynomial(values: Hashes, width: int) -> Hashes:
    """h(i) = sum of values[i + j] * BASE^(width - 1 - j), over the whole array."""
    total: Hashes | None = None
    total_width = 0
    power, power_width = values, 1
    while True:
        if width & power_width:
            if total is None:
                total, total_width = power, power_width
            else:
                count = len(values) - total_width - power_width + 1
                total = total[:count] * _POWERS[power_width]
                total += power[total_width : total_width + count]
                total_width += power_width
        if power_width * 2 > width:
            break
        count = len(values) - 2 * power_width + 1
        longer = power[:count] * _POWERS[power_width]
        longer += power[power_width : power_width + count]
        power, power_width = longer, 2 * power_width
    return values if total is None else total


def _whole_rows(units: HashRows, rows: npt.NDArray[np.int64]) -> Hashes:
    """The polynomial hash of whole short rows."""
    parts = units.select(rows)
    place = np.arange(len(parts.values)) - np.repeat(parts.bounds[:-1], parts.lengths)
    exponent = np.repeat(parts.lengths, parts.lengths) - 1 - place
    sums: Hashes = np.add.reduceat(parts.values * _POWERS[exponent], parts.bounds[:-1])
    return sums


def distinct(hashes: Hashes) -> Hashes:
    """The distinct values, sorted in place (np.unique without its overhead)."""
    hashes.sort()
    if len(hashes) < 2:
        return hashes
    first = np.empty(len(hashes), np.bool_)
    first[0] = True
    np.not_equal(hashes[1:], hashes[:-1], out=first[1:])
    return hashes[first]


def spell(values: Hashes, characters: int = KEY_CHARACTERS) -> list[str]:
    """The low 6 x `characters` bits of each value, in the base64url alphabet."""
    if not len(values):
        return []
    if compiled is not None:
        return compiled.spelled(np.ascontiguousarray(values), characters)
    digits = values[:, None] >> _shifts(characters)
    digits &= _SIX_BITS
    text = _ALPHABET.take(digits.view(np.int64)).tobytes().decode("ascii")
    return [text[i : i + characters] for i in range(0, len(text), characters)]


@cache
def _shifts(characters: int) -> Hashes:
    return np.arange(6 * (characters - 1), -1, -6, dtype=np.uint64)


def unspell(keys: Sequence[str]) -> Hashes:
    """The bits that keys of KEY_CHARACTERS spell; a character that no key has counts as 0."""
    digits = _DIGITS[np.frombuffer("".join(keys).encode("latin-1", "replace"), np.uint8)]
    shifts = _shifts(KEY_CHARACTERS)
    values: Hashes = (digits.reshape(-1, KEY_CHARACTERS) << shifts).sum(axis=1, dtype=np.uint64)
    return values


def shared(left: Hashes, right: Hashes) -> int:
    """How many values two sorted sets have in common."""
    merged = np.concatenate((left, right))
    merged.sort(kind="stable")  # two sorted runs: a merge, ten times faster than a sort
    return int(np.count_nonzero(merged[1:] == merged[:-1]))


def common_once(left: Hashes, right: Hashes) -> tuple[Positions, Positions]:
    """The positions of the values that occur exactly once on each side, ordered by value."""
    both = np.concatenate((left, right))
    order = both.argsort()
    values = both[order]
    edges = np.ones(len(both) + 1, np.bool_)
    np.not_equal(values[1:], values[:-1], out=edges[1:-1])
    bounds = edges.nonzero()[0]
    twice = bounds[:-1][np.diff(bounds) == 2]
    here, there = order[twice], order[twice + 1]
    low, high = np.minimum(here, there), np.maximum(here, there)
    once = (low < len(left)) & (high >= len(left))
    return low[once], high[once] - len(left)
