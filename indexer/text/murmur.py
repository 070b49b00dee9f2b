"""MurmurHash3 (x64, 128 bits, of which the first 64) of all pieces of a text in one pass.

Calling `mmh3` for every word takes several times as long, and so does a dictionary of the words
seen, which outgrows the processor's cache.
"""

from __future__ import annotations

from typing import Final

import mmh3
import numpy as np

from indexer.text.hashing import Hashes
from indexer.text.kernels import compiled
from indexer.text.ragged import Positions

_SHORT: Final = 15
"""Up to this many bytes a piece has no block of 16, only what the algorithm calls the tail."""

_C1, _C2 = 0x87C37B91114253D5, 0x4CF5AD432745937F
_BEFORE: Final = np.array([[_C1], [_C2]], np.uint64)
_AFTER: Final = np.array([[_C2], [_C1]], np.uint64)
_LEFT: Final = np.array([[31], [33]], np.uint64)
_RIGHT: Final = np.uint64(64) - _LEFT
_HALVES: Final = np.array([[0], [8]])
_MASKS: Final = np.array(
    [[(1 << 8 * min(max(size - at, 0), 8)) - 1 for size in range(_SHORT + 1)] for at in (0, 8)],
    np.uint64,
)
"""Masks, by size of a piece, for the part of its first and its second 8 bytes that it covers."""

_FIRST, _SECOND = np.uint64(0xFF51AFD7ED558CCD), np.uint64(0xC4CEB9FE1A85EC53)
_SHIFT: Final = np.uint64(33)


def piece_hashes(text: str, edges: Positions, seed: int) -> Hashes:
    """The first value of `mmh3.hash64` of each piece in UTF-8, `text[edges[i]:edges[i + 1]]`."""
    data = text.encode("utf-8")
    if compiled is not None:
        hashes = np.empty(len(edges) - 1, np.uint64)
        compiled.piece_hashes(data, edges, seed, hashes)
        return hashes
    padded = np.frombuffer(data + bytes(16), np.uint8)
    places = ((padded[: len(data) + 1] & 0xC0) != 0x80).nonzero()[0].take(edges)
    sizes = places[1:] - places[:-1]
    loads = np.ndarray(
        len(data) + 9, np.uint64, padded, strides=(1,)
    )  # 8 bytes from every position
    out = _tails(loads[places[:-1] + _HALVES], sizes, seed)
    for at in (sizes > _SHORT).nonzero()[0].tolist():
        out[at] = mmh3.hash64(data[places[at] : places[at + 1]], seed, True, signed=False)[0]
    return out


def _tails(halves: Hashes, sizes: Positions, seed: int) -> Hashes:
    """The hashes of short pieces; `halves` is overwritten."""
    halves &= _MASKS.take(sizes, axis=1, mode="clip")
    halves *= _BEFORE
    halves = (halves << _LEFT) | (halves >> _RIGHT)
    halves *= _AFTER
    halves ^= sizes.astype(np.uint64) ^ np.uint64(seed)
    halves[0] += halves[1]
    halves[1] += halves[0]
    for factor in (_FIRST, _SECOND):
        halves ^= halves >> _SHIFT
        halves *= factor
    halves ^= halves >> _SHIFT
    out: Hashes = halves[0] + halves[1]
    return out
