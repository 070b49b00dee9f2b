"""Words as weighted features; weights are whole numbers, so sums are the same on every machine."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

import mmh3
import numpy as np
import numpy.typing as npt

from indexer.hashing import HashRows
from indexer.prepare import Streams
from indexer.prepare.statistics import Statistics, load_statistics
from indexer.prepare.stop_words import load_stop_words
from indexer.prepare.table import Kind, Table
from indexer.ragged import ragged
from mappings.plan import Plan

Weights = npt.NDArray[np.int64]

LEVELS: Final = (0.003, 0.01, 0.03, 0.1)
"""Where the five levels meet, in shares of all documents: a word in more than a tenth of them
weighs 1, one in fewer than three of a thousand weighs 5. Steps of equal ratio, as idf has."""

IDF_UNIT: Final = 16
"""TF-IDF is counted in sixteenths: whole numbers, whose sums are exact."""


def word_weights(streams: Streams, plan: Plan) -> tuple[HashRows, Weights]:
    """The hashes of the distinct words of each text, and a weight for each (see `SimhashPlan`).

    Stop words are left out of a text, unless it has no others.
    """
    vocabulary = _vocabulary(plan.simhash.seed, streams.prepared.table)
    worth = _worth(plan)
    rows, weights = [], []
    for counts in streams.word_counts:
        hashes = np.fromiter(map(vocabulary.__getitem__, counts), np.uint64, len(counts))
        each = _by_count(counts.values(), len(counts), plan.simhash.weights)
        chosen = hashes != 0
        if worth is not None:
            own = np.fromiter(map(worth.__getitem__, counts), np.int64, len(counts))
            if (own[chosen] > 0).any():  # else the text has stop words only, and they count
                each *= own
                chosen &= own > 0
        rows.append(hashes[chosen])
        weights.append(each[chosen])
    return ragged(rows), np.concatenate(weights)


def _by_count(counts: Iterable[int], size: int, weights: str) -> Weights:
    """The part of a weight that the text decides."""
    if weights == "levels":
        return np.ones(size, np.int64)
    if weights == "log":
        return np.fromiter(map(int.bit_length, counts), np.int64, size)
    return np.fromiter(counts, np.int64, size)


def level(share: float) -> int:
    """1 to 5, from the share of documents that have a word; rarer words weigh more."""
    return 5 - bisect_left(LEVELS, share)


class _Remembered(dict[str, int]):
    """Values of words seen so far. Emptied when it grows too large."""

    LIMIT = 1 << 18

    def __missing__(self, word: str) -> int:
        if len(self) >= self.LIMIT:
            self.clear()
        self[word] = value = self.of(word)
        return value

    def of(self, word: str) -> int:
        raise NotImplementedError


class _Vocabulary(_Remembered):
    """The hash of a word; 0 for what is no word."""

    def __init__(self, seed: int, table: Table) -> None:
        super().__init__()
        self.seed, self.table = seed, table

    def of(self, word: str) -> int:
        if self.table.kind[ord(word[0])] == Kind.OTHER:
            return 0
        return mmh3.hash64(word.encode("utf-8"), self.seed, True, signed=False)[0]


class _Worth(_Remembered):
    """The part of a weight that the word decides; 0 for a stop word."""

    def __init__(self, weights: str, stop_words: frozenset[str], known: Statistics | None) -> None:
        super().__init__()
        self.weights, self.stop_words, self.known = weights, stop_words, known

    def of(self, word: str) -> int:
        if word in self.stop_words:
            return 0
        if self.known is None:
            return 1
        if self.weights == "levels":
            return level(self.known.share(word))
        return max(1, round(IDF_UNIT * self.known.idf(word)))


_VOCABULARIES: dict[tuple[int, int], _Vocabulary] = {}


def _vocabulary(seed: int, table: Table) -> _Vocabulary:
    key = (seed, id(table))
    if key not in _VOCABULARIES:
        _VOCABULARIES[key] = _Vocabulary(seed, table)
    return _VOCABULARIES[key]


@lru_cache(maxsize=8)
def _worth(plan: Plan) -> _Worth | None:
    """None where every word is worth the same."""
    part = plan.simhash
    needs_statistics = part.weights in ("levels", "tfidf")
    if part.stop_words == "none" and not needs_statistics:
        return None
    known = load_statistics(plan) if needs_statistics else None
    return _Worth(part.weights, load_stop_words(part.stop_words), known)
