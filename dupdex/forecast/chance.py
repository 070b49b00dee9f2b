"""How many unrelated documents share a key with a text: by arithmetic, or counted in a sample.

The sample gives the probability that two unrelated texts share a key, and N documents bring N
times that. A key in too many of N documents is frequent and has no vote; its df among N is that
among the other sampled texts, scaled up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from math import inf
from operator import itemgetter
from typing import Final

import numpy as np
import numpy.typing as npt

from query.answers import FREQUENT_ONLY
from query.guarantee import chance_candidates

COMFORTABLE: Final = 65
"""Unrelated candidates that do not noticeably slow a lookup."""

BEARABLE_FREQUENT: Final = 0.25
"""Above this share of frequent keys a scheme has lost too many of its votes."""

FEW_PAIRS: Final = 10
"""With fewer pairs than this the estimate is too uncertain to use."""

Floats = npt.NDArray[np.float64]
KeyRows = Sequence[Sequence[str]]
"""The keys of each text under one scheme."""


@dataclass(frozen=True, slots=True)
class Chance:
    """Documents that a lookup meets by chance in an index of a given size, by one scheme or all.

    `keys`: of a text; `frequent_keys`: those of them that are frequent. `sharing`: unrelated
    documents that share a key, and `candidates` those that share one with a vote, give or take
    `error`. `frequent_only`: further documents that frequent keys bring, at most. `pairs`: pairs of
    sampled texts that share a key, None without a sample. `unseen`: so many candidates could
    exist without the sample showing any.
    """

    keys: float
    sharing: float
    candidates: float
    frequent_keys: float
    frequent_only: float
    error: float = 0.0
    pairs: int | None = None
    unseen: float = 0.0

    @property
    def comfortable(self) -> bool:
        """Whether lookups stay fast, as far as the sample can tell, and most keys keep votes."""
        surely = self.candidates - 2 * self.error
        return surely <= COMFORTABLE and self.frequent_keys <= BEARABLE_FREQUENT * self.keys

    @property
    def clear(self) -> bool:
        """Whether the sample was large enough for a statement."""
        return self.pairs is None or self.pairs >= FEW_PAIRS or self.unseen <= COMFORTABLE


def uniform(keys: int, bits: float, documents: int, max_df: int) -> Chance:
    """The chance for keys of this many random bits: a lower bound, as real texts repeat."""
    sharing = chance_candidates(keys, bits, documents)
    if sharing <= keys * max_df:
        return Chance(keys, sharing, sharing, 0, 0)
    return Chance(keys, sharing, 0, keys, min(FREQUENT_ONLY, sharing))


def together(parts: Sequence[Chance]) -> Chance:
    """The sum over all schemes of a text, assuming that no two schemes bring the same document."""
    return Chance(
        keys=sum(part.keys for part in parts),
        sharing=sum(part.sharing for part in parts),
        candidates=sum(part.candidates for part in parts),
        frequent_keys=sum(part.frequent_keys for part in parts),
        frequent_only=min(FREQUENT_ONLY, sum(part.frequent_only for part in parts)),
    )


def measured(
    schemes: Sequence[KeyRows], bits: Sequence[float], documents: int, max_df: int
) -> list[Chance]:
    """The chance of each scheme over the same unrelated texts, then that of all together.

    `bits`: of a key of each scheme.
    """
    posted = [
        _Posted.of(rows, key_bits, documents, max_df)
        for rows, key_bits in zip(schemes, bits, strict=True)
    ]
    texts = len(schemes[0])
    tallies = [_Tally.empty(texts) for _ in range(len(posted) + 1)]
    for text in range(texts):
        every = np.full(texts, -inf)
        for part, tally in zip(posted, tallies, strict=False):
            votes = part.votes(text, texts)
            tally.add(text, votes)
            np.maximum(every, votes, out=every)
        tallies[-1].add(text, every)
    return [
        *(t.chance([p], documents) for p, t in zip(posted, tallies, strict=False)),
        tallies[-1].chance(posted, documents),
    ]


@dataclass(frozen=True, slots=True)
class _Posted:
    """One scheme over the sample. `shared`: for each text, the keys that other texts have too, as
    (whether it has a vote, texts), those with a vote last. `frequent_keys`: how many of each text
    have no vote.
    """

    shared: list[list[tuple[bool, npt.NDArray[np.intp]]]]
    keys: float
    frequent_keys: Floats

    @classmethod
    def of(cls, rows: KeyRows, bits: float, documents: int, max_df: int) -> _Posted:
        rows = [tuple(dict.fromkeys(row)) for row in rows]
        frequency = Counter(chain.from_iterable(rows))
        most = most_texts(len(rows), documents, max_df, bits)
        postings: dict[str, list[int]] = {}
        for text, row in enumerate(rows):
            for key in row:
                if frequency[key] > 1:
                    postings.setdefault(key, []).append(text)
        arrays = {key: np.array(texts, np.intp) for key, texts in postings.items()}
        shared = [
            sorted(
                ((frequency[key] <= most, arrays[key]) for key in row if key in arrays),
                key=itemgetter(0),
            )
            for row in rows
        ]
        lost = [sum(frequency[key] > most for key in row) for row in rows]
        return cls(shared, sum(map(len, rows)) / len(rows), np.array(lost, np.float64))

    def votes(self, text: int, texts: int) -> Floats:
        """For each other text 1 if a shared key has a vote, 0 if none has; -inf: none shared."""
        out = np.full(texts, -inf)
        for has_vote, others in self.shared[text]:
            out[others] = has_vote
        out[text] = -inf
        return out


@dataclass(frozen=True, slots=True)
class _Tally:
    """For each text, how many others share a key, and how many of them share a key with a vote."""

    sharing: Floats
    voting: Floats

    @classmethod
    def empty(cls, texts: int) -> _Tally:
        return cls(np.zeros(texts), np.zeros(texts))

    def add(self, text: int, votes: Floats) -> None:
        met = votes[votes >= 0]
        self.sharing[text] = len(met)
        self.voting[text] = met.sum()

    def chance(self, parts: Sequence[_Posted], documents: int) -> Chance:
        texts = len(self.voting)
        grown = documents / (texts - 1)
        frequent_keys = np.sum([part.frequent_keys for part in parts], axis=0)
        at_most = FREQUENT_ONLY * float(np.minimum(frequent_keys, 1).mean())
        sharing, voting = (float(counts.mean()) * grown for counts in (self.sharing, self.voting))
        return Chance(
            keys=sum(part.keys for part in parts),
            sharing=sharing,
            candidates=voting,
            # a pair counts for both its texts, hence the 2 (Hoeffding 1948)
            error=float(2 * self.voting.std() / texts**0.5) * grown,
            frequent_keys=float(frequent_keys.mean()),
            frequent_only=min(sharing - voting, at_most),
            pairs=round(self.sharing.sum() / 2),
            unseen=3 * grown * 2 / texts,  # with 95 % confidence, the "rule of three"
        )


def most_texts(texts: int, documents: int, max_df: int, bits: float) -> float:
    """In how many of the sampled texts a key may be without being frequent in `documents`.

    The text that the key was met in does not count towards its df. Where one other text alone
    stands for more than `max_df` documents, the sample cannot tell: the key keeps its vote, so that
    candidates are overestimated rather than missed. 0 when random bits alone make it frequent.
    """
    if documents / 2**bits > max_df:
        return 0
    return 1 + max(1, max_df * (texts - 1) / documents)
