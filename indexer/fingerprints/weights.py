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
from mappings.plan import Plan

LEVELS: Final = (0.003, 0.01, 0.03, 0.1)
"""Where the five levels meet, in shares of all documents: a word in more than a tenth of them
weighs 1, one in fewer than three of a thousand weighs 5. Steps of equal ratio, as idf has."""

IDF_UNIT: Final = 16
"""TF-IDF is counted in sixteenths: whole numbers, whose sums are exact."""


def word_weights(streams: Streams, plan: Plan) -> tuple[HashRows, Counts]:
    """The hashes of the distinct words of each text, and a weight for each (see `SimhashPlan`).

    Stop words are left out of a text, unless it has no others.
    """
    words = streams.hashed_words
    weights = _by_count(words, plan.simhash.weights)
    worth = _worth(plan)
    if worth is None:
        return words.hashes, weights
    spelled = words.spelled(words.hashes.values)
    own = np.fromiter(map(worth.__getitem__, spelled), np.int64, len(spelled))
    for start, stop in pairwise(words.hashes.bounds.tolist()):
        if not own[start:stop].any():  # the text has stop words only, and they count
            own[start:stop] = 1
    return words.hashes.kept(own > 0), (weights * own)[own > 0]


def _by_count(words: Words, weights: str) -> Counts:
    """The part of a weight that the text decides."""
    if weights == "levels":
        return np.ones_like(words.counts)
    return words.magnitudes if weights == "log" else words.counts


def level(share: float) -> int:
    """1 to 5, from the share of documents that have a word; rarer words weigh more."""
    return 5 - bisect_left(LEVELS, share)


class Remembered(dict[str, int]):
    """Values of words seen so far. Emptied when it grows too large."""

    LIMIT = 1 << 18

    def __missing__(self, word: str) -> int:
        if len(self) >= self.LIMIT:
            self.clear()
        self[word] = value = self.of(word)
        return value

    def of(self, word: str) -> int:
        raise NotImplementedError


class _Worth(Remembered):
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


@lru_cache(maxsize=4)
def _worth(plan: Plan) -> _Worth | None:
    """None where every word is worth the same."""
    part = plan.simhash
    needs_statistics = part.weights in ("levels", "tfidf")
    if part.stop_words == "none" and not needs_statistics:
        return None
    known = load_statistics(plan) if needs_statistics else None
    return _Worth(part.weights, load_stop_words(part.stop_words), known)
