"""Words as weighted features; weights are whole numbers, so sums are the same on every machine."""

from __future__ import annotations

from bisect import bisect_left
from functools import lru_cache
from itertools import pairwise
from typing import Final

import numpy as np

from indexer.text import Streams
from indexer.text.corpus_statistics import Statistics, load_statistics
from indexer.text.hashing import HashRows
from indexer.text.stop_words import load_stop_words
from indexer.text.words import Counts, Words
from mappings.plan import Plan, SimhashPlan

LEVELS: Final = (0.003, 0.01, 0.03, 0.1)
"""Boundaries of the five levels, as shares of all documents: a word in more than a tenth of them
has weight 1, one in fewer than three in a thousand weight 5. The ratio of steps is constant, as
for idf."""

IDF_UNIT: Final = 16
"""TF-IDF is in sixteenths: whole numbers, whose sums are exact."""


def word_weights(streams: Streams, plan: Plan) -> tuple[HashRows, Counts]:
    """The hashes of the distinct words of each text, and a weight for each (see `SimhashPlan`).

    Stop words are left out, unless a text has no other words. Words that are looked up are those
    of the text before its skeleton.
    """
    part = plan.simhash
    if part.stop_words == "none" and not _needs_statistics(part):
        words = streams.skeleton_words
        return words.hashes, _by_count(words, part.weights)
    worth, words = _worth(plan), streams.hashed_words
    weights = _by_count(words, part.weights)
    spelled = words.spelled(words.hashes.values)
    word_worth = np.fromiter(map(worth.__getitem__, spelled), np.int64, len(spelled))
    for start, stop in pairwise(words.hashes.bounds.tolist()):
        if not word_worth[start:stop].any():  # the text has only stop words, so they count
            word_worth[start:stop] = 1
    return words.hashes.kept(word_worth > 0), (weights * word_worth)[word_worth > 0]


def _by_count(words: Words, weights: str) -> Counts:
    """The factor of a weight that depends on the text."""
    if weights == "levels":
        return np.ones_like(words.counts)
    return words.magnitudes if weights == "log" else words.counts


def level(share: float) -> int:
    """The weight of a word, 1 to 5, by its share of documents; rarer words weigh more."""
    return 5 - bisect_left(LEVELS, share)


class Remembered(dict[str, int]):
    """A cache of values by word, emptied when it grows too large."""

    LIMIT = 1 << 18

    def __missing__(self, word: str) -> int:
        if len(self) >= self.LIMIT:
            self.clear()
        self[word] = value = self.of(word)
        return value

    def of(self, word: str) -> int:
        raise NotImplementedError


class _Worth(Remembered):
    """The factor of a weight that depends on the word; 0 for a stop word."""

    def __init__(
        self, weights: str, stop_words: frozenset[str], statistics: Statistics | None
    ) -> None:
        super().__init__()
        self.weights, self.stop_words, self.statistics = weights, stop_words, statistics

    def of(self, word: str) -> int:
        if word in self.stop_words:
            return 0
        if self.statistics is None:
            return 1
        if self.weights == "levels":
            return level(self.statistics.share(word))
        return max(1, round(IDF_UNIT * self.statistics.idf(word)))


def _needs_statistics(part: SimhashPlan) -> bool:
    return part.weights in ("levels", "tfidf")


@lru_cache(maxsize=4)
def _worth(plan: Plan) -> _Worth:
    """The weights of words under a plan in which some weigh more than others."""
    part = plan.simhash
    statistics = load_statistics(plan) if _needs_statistics(part) else None
    return _Worth(part.weights, load_stop_words(part.stop_words), statistics)
