"""Longest common subsequence: two texts compared letter by letter.

Computed by rapidfuzz, bit-parallel (Hyyrö 2004). Time grows with the product of the lengths, so
texts longer than LONG are first cut at stretches that occur exactly once in both.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import numpy as np
from rapidfuzz.distance import LCSseq

from indexer.fingerprints.scheme import Terms
from indexer.text import Streams
from indexer.text.hashing import Hashes, common_once, shingle_hashes
from mappings.plan import Plan

LONG: Final = 12_000
"""Letters up to which the subsequence is exact."""

_ALIKE: Final = 0.95
"""For texts this similar the subsequence takes far less time, because pairs of letters far from the
diagonal are skipped. Other texts take a little more, as the attempt fails."""

_PART: Final = 4_000
_ANCHOR: Final = 8
_MOST_ANCHORS: Final = 20_000

Place = tuple[int, int]
"""An index into the left text and one into the right one."""


class Lcs:
    """Over letters and digits in their order. A value is the folded text. Only compared."""

    def __init__(self, plan: Plan) -> None:
        pass  # there are no parameters

    def values(self, streams: Streams) -> list[str]:
        folded = streams.prepared.folded
        return [folded[row].tobytes().decode("utf-32-le") for row in range(len(folded))]

    def terms(self, values: Sequence[str]) -> list[Terms]:
        return [()] * len(values)

    def similarity(self, left: str, right: str) -> float:
        """Twice the length of the subsequence, divided by the letters of both texts."""
        return 2 * subsequence_length(left, right) / max(1, len(left) + len(right))


def subsequence_length(left: str, right: str) -> int:
    """Letters of a longest common subsequence; for texts longer than LONG a lower bound, which is
    close when the shared parts are in the same order.
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
    alike = LCSseq.similarity(left, right, score_cutoff=least)  # 0 if it is below
    return int(alike or LCSseq.similarity(left, right))


def _codes(text: str) -> Hashes:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.uint64)


def _cuts(left: str, right: str) -> list[Place]:
    """Where to cut both texts, from start to end: at anchors, so that most parts have at most
    _PART letters; a part without anchors is cut evenly.
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
    """Positions of shingles that occur once in each text, in an order common to both texts
    (patience sorting: a longest increasing subsequence).
    """
    hashes = (shingle_hashes(_codes(text), _ANCHOR, 0) for text in (left, right))
    pairs = np.stack(common_once(*hashes))[:, :_MOST_ANCHORS]
    pairs = pairs[:, pairs[0].argsort()]
    tops: list[int] = []  # by length, the smallest last position of an increasing sequence
    tails: list[int] = []  # the pair at that position
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
