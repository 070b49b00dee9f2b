"""I-Match (Chowdhury et al. 2002): one hash of the words that are neither common nor rare.

Words are chosen by the share of documents that hold them in the plan's statistics, so texts with
the same middling words have the same signature, whatever else they say. One noise word that falls
into the middle breaks it; so more signatures are made with lexicons that leave a random part of
the words out (Kolcz, Chowdhury, Alspector 2004): a lexicon that lacks the noise does not see it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import mmh3
import numpy as np

from indexer.fingerprints.scheme import Terms
from indexer.hashing import spell
from indexer.prepare import Streams
from indexer.prepare.statistics import Statistics, load_statistics, term_sets
from mappings.plan import Plan
from mappings.scheme_plans import ImatchPlan

Signatures = tuple[int, ...]
"""The plain signature, then one for each lexicon; 0 where too few words are left. Empty when all
are 0."""

MOST_REMEMBERED = 1 << 18


class IMatch:
    """Signatures of the words of middling document frequency."""

    def __init__(self, plan: Plan, statistics: Statistics | None = None) -> None:
        self._plan = plan
        self._statistics = statistics
        self._lexicons: Lexicons | None = None

    def values(self, streams: Streams) -> list[Signatures]:
        if self._lexicons is None:
            known = self._statistics or load_statistics(self._plan)
            self._lexicons = Lexicons(self._plan.imatch, known)
        lexicons = self._lexicons
        return [signatures(words, lexicons) for words in term_sets(streams)]

    def terms(self, values: Sequence[Signatures]) -> list[Terms]:
        texts = iter(spell(np.array([one for row in values for one in row if one], np.uint64)))
        return [tuple(dict.fromkeys(next(texts) for one in row if one)) for row in values]

    def similarity(self, left: Signatures, right: Signatures) -> float:
        """The share of lexicons under which both texts have the same signature."""
        pairs = [(a, b) for a, b in zip(left, right, strict=False) if a or b]
        return sum(a == b for a, b in pairs) / max(1, len(pairs))


class Lexicons(dict[str, tuple[int, ...]]):
    """By word the numbers of the lexicons that hold it: 0 is the plain one, and a word that is
    too common or too rare is in none. Emptied when it grows too large.
    """

    def __init__(self, plan: ImatchPlan, statistics: Statistics) -> None:
        super().__init__()
        self.plan, self.statistics = plan, statistics
        self._dropped = round(plan.dropout * (1 << 32))

    def __missing__(self, word: str) -> tuple[int, ...]:
        if len(self) >= MOST_REMEMBERED:
            self.clear()
        value: tuple[int, ...] = ()
        if self.plan.low <= self.statistics.share(word) <= self.plan.high:
            drawn = (k for k in range(1, self.plan.lexicons + 1) if self._draw(word, k))
            value = (0, *drawn)
        self[word] = value
        return value

    def _draw(self, word: str, lexicon: int) -> bool:
        """By a hash, so that a word is in the same lexicons on every machine."""
        seed = (self.plan.seed + lexicon * 0x9E3779B1) & 0xFFFFFFFF
        return mmh3.hash(word.encode("utf-8"), seed, signed=False) >= self._dropped


def signatures(words: Collection[str], lexicons: Lexicons) -> Signatures:
    """The signatures of a set of words."""
    plan = lexicons.plan
    kept: list[list[str]] = [[] for _ in range(plan.lexicons + 1)]
    # Sorting by the word itself leaves no ties, which sorting by frequency would.
    for word in sorted(filter(lexicons.__getitem__, words)):
        for number in lexicons[word]:
            kept[number].append(word)
    made = tuple(
        _signature(row, number, plan) if len(row) >= plan.minimum else 0
        for number, row in enumerate(kept)
    )
    return made if any(made) else ()


def _signature(words: list[str], lexicon: int, plan: ImatchPlan) -> int:
    """36 bits, never 0; the lexicon is hashed in, as its words are no other's."""
    text = "\n".join((str(lexicon), *words)).encode("utf-8")
    return (mmh3.hash64(text, plan.seed, True, signed=False)[0] & ((1 << 36) - 1)) or 1
