"""Longest common subsequence and substring: two texts compared letter by letter.

The subsequence is rapidfuzz's, bit-parallel (Hyyrö 2004): time grows with the product of the
lengths, so texts longer than LONG are first cut at passages that come once in both.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import numpy as np
import numpy.typing as npt
from rapidfuzz.distance import LCSseq

from indexer.fingerprints.scheme import Terms
from indexer.text import Streams
from indexer.text.hashing import Hashes, mix, shingle_hashes
from mappings.plan import Plan

LONG: Final = 12_000
"""Letters up to which the subsequence is exact."""

_ALIKE: Final = 0.95
"""Of texts this much alike the subsequence takes far less time: pairs of letters far from the
diagonal need no look. Others take a little more, as it is tried in vain."""

_PART: Final = 4_000
_ANCHOR: Final = 8
_MOST_ANCHORS: Final = 20_000
_BASE: Final = 0x9E3779B97F4A7C15
_INVERSE: Final = pow(_BASE, -1, 1 << 64)

Place = tuple[int, int]
"""An index into the left text and one into the right one."""


class Lcs:
    """Over letters and digits in their order. A value is the folded text. Only compared."""

    def __init__(self, plan: Plan) -> None:
        pass  # nothing of it can be chosen

    def values(self, streams: Streams) -> list[str]:
        folded = streams.prepared.folded
        return [folded[row].tobytes().decode("utf-32-le") for row in range(len(folded))]

    def terms(self, values: Sequence[str]) -> list[Terms]:
        return [()] * len(values)

    def similarity(self, left: str, right: str) -> float:
        """Twice the length of the subsequence, by the letters of both texts."""
        return 2 * subsequence_length(left, right) / max(1, len(left) + len(right))


def subsequence_length(left: str, right: str) -> int:
    """Letters of a longest common subsequence; of texts longer than LONG a lower bound, close when
    what they share stands in one order.
    """
    if max(len(left), len(right)) <= LONG:
        return _exact_length(left, right)
    if (len(left), left) > (len(right), right):
        left, right = right, left  # the same cuts either way
    return sum(
        _exact_length(left[a:c], right[b:d]) for (a, b), (c, d) in pairwise(_cuts(left, right))
    )


def _exact_length(left: str, right: str) -> int:
    least = max(1, int(_ALIKE * max(len(left), len(right))))
    alike = LCSseq.similarity(left, right, score_cutoff=least)  # 0 when it is below
    return int(alike or LCSseq.similarity(left, right))


def subsequence(left: str, right: str) -> str:
    """One longest common subsequence. Memory: two bits for each pair of letters."""
    blocks = LCSseq.opcodes(left, right)
    return "".join(left[b.src_start : b.src_end] for b in blocks if b.tag == "equal")


def substring(left: str, right: str) -> tuple[int, int, int]:
    """The longest common substring as (start in left, start in right, length); length 0 for none.

    Of several, the one that comes first in the left text. By binary search over the length, with
    a hash of every substring of a length; what is found is compared letter by letter.
    """
    hashes = [_Windows(_codes(text)) for text in (left, right)]
    low, high = 0, min(len(left), len(right)) + 1  # a common one of length low, none of high
    best = (0, 0, 0)
    while high - low > 1:
        size = (low + high) // 2
        values, places = np.unique(hashes[1].of(size), return_index=True)
        own = hashes[0].of(size)
        found = np.minimum(np.searchsorted(values, own), len(values) - 1)
        first = int((values[found] == own).argmax())
        second = int(places[found[first]])
        if left[first : first + size] == right[second : second + size]:
            low, best = size, (first, second, size)
        else:
            high = size
    return best


class _Windows:
    """Hashes of all windows of any one size: polynomials from prefix sums, modulo 2^64."""

    def __init__(self, codes: Hashes) -> None:
        count = len(codes)
        self._sums = np.zeros(count + 1, np.uint64)
        np.cumsum(mix(codes) * _powers(_BASE, count), out=self._sums[1:])
        self._back = _powers(_INVERSE, count)

    def of(self, size: int) -> Hashes:
        sums = self._sums[size:] - self._sums[:-size]
        return sums * self._back[: len(sums)]


def _powers(base: int, count: int) -> Hashes:
    out = np.full(count, base, np.uint64)
    out[:1] = 1
    return np.cumprod(out, dtype=np.uint64)


def _codes(text: str) -> Hashes:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.uint64)


def _cuts(left: str, right: str) -> list[Place]:
    """Where to cut both texts, from their starts to their ends: at anchors, so that most parts
    have at most _PART letters; a part without anchors is cut evenly.
    """
    end = (len(left), len(right))
    cuts: list[Place] = [(0, 0)]
    previous = cuts[0]
    for place in (*_anchors(left, right), end):
        if _span(cuts[-1], place) > _PART:
            if previous != cuts[-1]:
                cuts.append(previous)
            pieces = -(-_span(previous, place) // _PART)
            (a, b), (c, d) = previous, place
            cuts += [
                (a + (c - a) * i // pieces, b + (d - b) * i // pieces) for i in range(1, pieces)
            ]
        previous = place
    return [*cuts, end]


def _span(start: Place, stop: Place) -> int:
    return max(stop[0] - start[0], stop[1] - start[1])


def _anchors(left: str, right: str) -> list[Place]:
    """Places of passages that come once in either text, in an order that both have (patience
    sorting: a longest rising sequence).
    """
    once = [_once(_codes(text)) for text in (left, right)]
    _, at_left, at_right = np.intersect1d(
        once[0][0], once[1][0], assume_unique=True, return_indices=True
    )
    pairs = np.stack((once[0][1][at_left], once[1][1][at_right]))[:, :_MOST_ANCHORS]
    pairs = pairs[:, pairs[0].argsort()]
    tops: list[int] = []  # the least last right place of a rising sequence of each length
    tails: list[int] = []  # which pair that is
    before: list[int] = []
    for number, place in enumerate(pairs[1].tolist()):
        rank = bisect_left(tops, place)
        tops[rank : rank + 1] = [place]
        tails[rank : rank + 1] = [number]
        before.append(tails[rank - 1] if rank else -1)
    chain = []
    number = tails[-1] if tails else -1
    while number >= 0:
        chain.append((int(pairs[0, number]), int(pairs[1, number])))
        number = before[number]
    return chain[::-1]


def _once(codes: Hashes) -> tuple[Hashes, npt.NDArray[np.int64]]:
    """The hashes of passages that come once, ascending, and where."""
    hashes = shingle_hashes(codes, _ANCHOR, 0)
    values, places, counts = np.unique(hashes, return_index=True, return_counts=True)
    return values[counts == 1], places[counts == 1]
