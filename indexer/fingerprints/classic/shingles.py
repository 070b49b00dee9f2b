"""Exact sets of k-shingles and their Jaccard similarity (Broder 1997). Only compared."""

from __future__ import annotations

from collections.abc import Sequence

import mmh3
import numpy as np

from indexer.fingerprints.scheme import Terms
from indexer.text import Streams
from indexer.text.hashing import Hashes, HashRows, distinct, shared, shingle_rows
from indexer.text.ragged import ragged
from indexer.text.table import OTHER
from mappings.plan import Plan


class Shingles:
    """Over characters, or over words, as the plan says. A value is a sorted set of hashes."""

    def __init__(self, plan: Plan) -> None:
        self._part = plan.shingles

    def values(self, streams: Streams) -> list[Hashes]:
        if self._part.units == "words":
            words = ragged([_word_hashes(streams, row) for row in range(len(streams.prepared))])
            rows = shingle_rows(words, self._part.word_shingle, self._part.seed)
        else:
            rows = streams.character_shingles(self._part)
        return sets(rows)

    def terms(self, values: Sequence[Hashes]) -> list[Terms]:
        return [()] * len(values)

    def similarity(self, left: Hashes, right: Hashes) -> float:
        return jaccard(left, right)


def sets(shingles: HashRows) -> list[Hashes]:
    """The distinct values of each row, sorted."""
    return [distinct(shingles[row].copy()) for row in range(len(shingles))]


def jaccard(left: Hashes, right: Hashes) -> float:
    """The Jaccard similarity of two sorted sets; 0 when both are empty."""
    common = shared(left, right)
    return common / max(1, len(left) + len(right) - common)


def _word_hashes(streams: Streams, row: int) -> Hashes:
    """A hash for each token of the segmenter that begins with a letter or digit, in text order."""
    kind = streams.prepared.table.kind
    words = [word for word in streams.words(row) if kind[ord(word[0])] != OTHER]
    hashes = (mmh3.hash64(word.encode("utf-8"), 0, True, signed=False)[0] for word in words)
    return np.fromiter(hashes, np.uint64, len(words))
