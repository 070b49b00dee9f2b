"""MinHash by one-permutation hashing (Li, Owen, Zhang 2012) with optimal densification
(Shrivastava 2017), cut into bands of rows (Broder 1997; Leskovec et al., chapter 3).

One pass fills all bins, so 64 values cost about as much as one; an empty bin borrows from another
in a fixed probe order, which keeps P(equal) = Jaccard. One algorithm serves every length: switching
at some length would separate near duplicates on either side of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

import numpy as np
import numpy.typing as npt

from indexer.fingerprints.scheme import Terms
from indexer.text import Streams
from indexer.text.hashing import Hashes, HashRows, mix, spell
from indexer.text.kernels import compiled
from mappings.plan import MinhashPlan

Signatures = npt.NDArray[np.uint32]

_EMPTY = np.uint32(0xFFFFFFFF)
_HALF = np.uint64(32)


class MinHash:
    """Over the shingles that `shingles` takes from the streams."""

    def __init__(
        self, plan: MinhashPlan, shingles: Callable[[Streams, MinhashPlan], HashRows]
    ) -> None:
        self._plan, self._shingles = plan, shingles

    def values(self, streams: Streams) -> Sequence[Signatures]:
        size = self._plan.bands * self._plan.rows
        return list(signatures(self._shingles(streams, self._plan), size))

    def terms(self, values: Sequence[Signatures]) -> list[Terms]:
        texts = spell(band_values(np.array(values), self._plan).ravel())
        bands = self._plan.bands
        return [tuple(texts[at : at + bands]) for at in range(0, len(texts), bands)]

    def similarity(self, left: Signatures, right: Signatures) -> float:
        """The estimate of the Jaccard similarity of the two sets of shingles."""
        if left[0] == _EMPTY or right[0] == _EMPTY:
            return 0.0
        return float(np.mean(left == right))


def signatures(shingles: HashRows, size: int) -> Signatures:
    """Shape (rows, size); two values at the same position are equal with a probability that is the
    Jaccard similarity of the two sets.

    `shingles`: well-mixed 64-bit hashes, repeats allowed. An empty row gives all-empty values.
    """
    out = np.empty((len(shingles), size), np.uint32)
    if compiled is not None:
        empty_bins = compiled.minima(shingles.values, shingles.bounds, size, out)
    else:
        empty_bins = _minima(shingles, size, out)
    if not empty_bins:
        return out
    filled = out != _EMPTY
    rows, empty = np.nonzero(~filled & filled.any(axis=1)[:, None])
    if len(rows):
        order = _probes(size)[empty]
        first = filled[rows[:, None], order].argmax(axis=1)
        out[rows, empty] = out[rows, order[np.arange(len(order)), first]]
    return out


def _minima(shingles: HashRows, size: int, out: Signatures) -> int:
    """The smallest value of every bin; all ones for none. How many are empty."""
    bins = shingles.values >> _HALF
    bins *= np.uint64(size)
    bins >>= _HALF
    flat = bins.view(np.int64)
    if len(shingles) > 1:
        flat += shingles.owners * size
    out[:] = _EMPTY
    np.minimum.at(out.ravel(), flat, shingles.values.astype(np.uint32))
    return int(np.count_nonzero(out == _EMPTY))


def band_values(values: Signatures, plan: MinhashPlan) -> Hashes:
    """Shape (rows, bands): values of which a key keeps 36 bits; the band is hashed in."""
    if compiled is not None:
        out = np.empty((len(values), plan.bands), np.uint64)
        compiled.bands(
            np.ascontiguousarray(values),
            _multipliers(plan.rows),
            _salts(plan.bands, plan.seed),
            out,
        )
        return out
    rows = values.astype(np.uint64).reshape(len(values), plan.bands, plan.rows)
    sums = rows @ _multipliers(plan.rows)
    return mix(sums + _salts(plan.bands, plan.seed))


@cache
def _multipliers(rows: int) -> Hashes:
    return mix(np.arange(1, rows + 1, dtype=np.uint64)) | np.uint64(1)


@cache
def _salts(bands: int, seed: int) -> Hashes:
    return mix(np.arange(1, bands + 1, dtype=np.uint64) + (np.uint64(seed) << _HALF))


@cache
def _probes(size: int) -> npt.NDArray[np.intp]:
    """Row i: the order in which empty bin i probes the others. Must never change."""
    numbers = np.arange(1, size * size + 1, dtype=np.uint64) << _HALF
    return np.argsort(mix(mix(numbers)).reshape(size, size), axis=1, kind="stable")
