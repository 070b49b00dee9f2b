"""Sparse vector space: the cosine of two texts' word vectors (Salton, Wong, Yang 1975)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import pairwise
from math import sqrt
from typing import Final

import numpy as np
import numpy.typing as npt

from indexer.fingerprints.scheme import Terms
from indexer.fingerprints.weights import Remembered
from indexer.text import Prepared, Streams
from indexer.text.corpus_statistics import Statistics, load_statistics
from indexer.text.table import OTHER, load
from mappings.plan import Plan

UNIT: Final = 256
"""One unit of rarity. Rarities are whole numbers, so that sums are exact in any order."""

_SPACE: Final = np.uint32(0x20)

Vector = dict[str, int]
"""The weight of each feature of a text; all weights are positive."""


class Cosine:
    """Over words; over pairs of characters in a plan without words. Only compared.

    tf: the weight of a word is its count. tfidf: 1 + floor(log2(count)), times its rarity; with
    plain counts the most common words would make unrelated English texts similar.
    """

    def __init__(self, plan: Plan) -> None:
        self._by_count = plan.cosine.weights == "tf"
        self._rarity = rarity_under(plan)

    def values(self, streams: Streams) -> list[Vector]:
        return [self._vector(counts) for counts in feature_counts(streams)]

    def _vector(self, counts: Counter[str]) -> Vector:
        worth = zip(counts.items(), map(self._rarity.__getitem__, counts), strict=True)
        if self._by_count:
            return {word: count for (word, count), rarity in worth if rarity}
        return {word: count.bit_length() * rarity for (word, count), rarity in worth if rarity}

    def terms(self, values: Sequence[Vector]) -> list[Terms]:
        return [()] * len(values)

    def similarity(self, left: Vector, right: Vector) -> float:
        return cosine(left, right)


class Rarity(Remembered):
    """The inverse document frequency of a feature in the plan's statistics, in UNITs; 0 if the
    feature does not begin with a letter or digit.

    A pair of characters that is not a word of the table has the mean rarity of the two.
    """

    def __init__(self, plan: Plan) -> None:
        super().__init__()
        self._plan = plan

    @cached_property
    def _statistics(self) -> Statistics:
        return load_statistics(self._plan)

    @cached_property
    def _kinds(self) -> npt.NDArray[np.uint8]:
        return load(self._plan.table, self._plan.steps).kind

    def of(self, feature: str) -> int:
        if self._kinds[ord(feature[0])] == OTHER:
            return 0
        statistics = self._statistics
        value = statistics.idf(feature)
        if self._plan.words == "none" and len(feature) == 2 and not statistics.share(feature):
            value = (statistics.idf(feature[0]) + statistics.idf(feature[1])) / 2
        return max(1, round(UNIT * value))


@lru_cache(maxsize=4)
def rarity_under(plan: Plan) -> Rarity:
    """The rarities of a plan, shared by all schemes."""
    return Rarity(plan)


def feature_counts(streams: Streams) -> list[Counter[str]]:
    """How often each word of the segmenter occurs in each text. In a plan without words: each run
    of letters and digits in scripts with spaces, else each pair of adjacent characters.
    """
    if streams.plan.words != "none":
        words = streams.hashed_words
        spelled, counts = words.spelled(words.hashes.values), words.counts.tolist()
        rows = pairwise(words.hashes.bounds.tolist())
        return [Counter(dict(zip(spelled[a:b], counts[a:b], strict=True))) for a, b in rows]
    count = _runs if streams.spaced else _pairs
    literal = streams.prepared.literal
    return [count(literal, row) for row in range(len(literal))]


def cosine(left: Mapping[str, int], right: Mapping[str, int]) -> float:
    """The cosine of the angle between two vectors, 0 when one is empty; the same either way."""
    if len(right) < len(left):
        left, right = right, left
    product = sum(weight * right.get(feature, 0) for feature, weight in left.items())
    if not product:
        return 0.0
    return min(1.0, product / sqrt(_square(left) * _square(right)))  # rounding may exceed 1


def _square(vector: Mapping[str, int]) -> int:
    return sum(weight * weight for weight in vector.values())


def _runs(prepared: Prepared, row: int) -> Counter[str]:
    codes = prepared.rows[row]
    spaced = np.where(prepared.table.kind[codes] == OTHER, _SPACE, codes)
    return Counter(spaced.tobytes().decode("utf-32-le").split())


def _pairs(prepared: Prepared, row: int) -> Counter[str]:
    text = prepared.folded[row].tobytes().decode("utf-32-le")
    return Counter(map("".join, pairwise(text))) if len(text) > 1 else Counter(text)
