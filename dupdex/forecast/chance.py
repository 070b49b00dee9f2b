"""How many unrelated documents share a key with a text: by arithmetic, or counted in a sample.

From the sample: a pair of unrelated texts that shares a key says how likely any two documents do,
and N documents bring N times that. A key in too many of N documents is hot and has no vote; which
are is told by the other sampled texts that have the key, scaled to N.
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

from query.answers import HOT_ONLY
from query.guarantee import chance_candidates

COMFORTABLE: Final = 65
"""Unrelated candidates a lookup can look at without being felt."""

BEARABLE_HOT: Final = 0.25
"""Above this share of hot keys a scheme has lost too many of its votes."""

FEW_PAIRS: Final = 10
"""Fewer shared pairs than this say little more than that there are few."""

Floats = npt.NDArray[np.float64]
KeyRows = Sequence[Sequence[str]]
"""The keys of each text under one scheme."""


@dataclass(frozen=True, slots=True)
class Chance:
    """What one lookup meets by chance in an index of a size, through one scheme or all.

    `keys`: of a text; `hot_keys`: those in more documents than allowed. `sharing`: unrelated
    documents that share a key, and `candidates` those that share one with a vote, give or take
    `error`. `hot_only`: documents beyond those that hot keys bring at most. `pairs`: of sampled
    texts that share a key, None without a sample. `unseen`: as many candidates could stay out of
    the sample's sight.
    """

    keys: float
    sharing: float
    candidates: float
    hot_keys: float
    hot_only: float
    error: float = 0.0
    pairs: int | None = None
    unseen: float = 0.0

    @property
    def comfortable(self) -> bool:
        """Whether lookups stay fast, as far as the sample can tell, and most keys keep votes."""
        surely = self.candidates - 2 * self.error
        return surely <= COMFORTABLE and self.hot_keys <= BEARABLE_HOT * self.keys

    @property
    def clear(self) -> bool:
        """Whether the sample was large enough to tell."""
        return self.pairs is None or self.pairs >= FEW_PAIRS or self.unseen <= COMFORTABLE


def uniform(keys: int, bits: float, documents: int, hot: int) -> Chance:
    """Keys of so many random bits: a lower bound, as real texts share common keys."""
    sharing = chance_candidates(keys, bits, documents)
    if sharing <= keys * hot:
        return Chance(keys, sharing, sharing, 0, 0)
    return Chance(keys, sharing, 0, keys, min(HOT_ONLY, sharing))


def together(parts: Sequence[Chance]) -> Chance:
    """All schemes of a text, where no two bring the same document."""
    return Chance(
        keys=sum(part.keys for part in parts),
        sharing=sum(part.sharing for part in parts),
        candidates=sum(part.candidates for part in parts),
        hot_keys=sum(part.hot_keys for part in parts),
        hot_only=min(HOT_ONLY, sum(part.hot_only for part in parts)),
    )


def measured(
    schemes: Sequence[KeyRows], bits: Sequence[float], documents: int, hot: int
) -> list[Chance]:
    """The chance of each scheme over the same unrelated texts, and last that of all together.

    `bits`: of a key of each scheme.
    """
    posted = [_Posted.of(*each, documents, hot) for each in zip(schemes, bits, strict=True)]
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
    """One scheme over the sample: `shared` holds, for each text, the keys that others have too,
    as (whether it has a vote, texts), those with a vote last; `hot_keys` how many have none."""

    shared: list[list[tuple[bool, npt.NDArray[np.intp]]]]
    keys: float
    hot_keys: Floats

    @classmethod
    def of(cls, rows: KeyRows, bits: float, documents: int, hot: int) -> _Posted:
        rows = [tuple(dict.fromkeys(row)) for row in rows]
        frequency = Counter(chain.from_iterable(rows))
        most = most_texts(len(rows), documents, hot, bits)
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
    """Of each text: how many others share a key, and how many of them by a key with a vote."""

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
        hot_keys = np.sum([part.hot_keys for part in parts], axis=0)
        sharing, voting = (float(each.mean()) * grown for each in (self.sharing, self.voting))
        return Chance(
            keys=sum(part.keys for part in parts),
            sharing=sharing,
            candidates=voting,
            # a pair counts for both its texts, hence the 2 (Hoeffding 1948)
            error=float(2 * self.voting.std() / texts**0.5) * grown,
            hot_keys=float(hot_keys.mean()),
            hot_only=min(sharing - voting, HOT_ONLY * float(np.minimum(hot_keys, 1).mean())),
            pairs=round(self.sharing.sum() / 2),
            unseen=3 * grown * 2 / texts,  # with 95 % confidence, the "rule of three"
        )


def most_texts(texts: int, documents: int, hot: int, bits: float) -> float:
    """In how many of so many sampled texts a key may be without being hot in `documents`.

    Of the texts but the one it is met in, as that one is there because the key is. Where even one
    other text stands for more than `hot` documents, the sample cannot tell: the key has a vote,
    which makes candidates too many rather than too few. 0 when random bits alone make it hot.
    """
    if documents / 2**bits > hot:
        return 0
    return 1 + max(1, hot * (texts - 1) / documents)
