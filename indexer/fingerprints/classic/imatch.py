"""I-Match (Chowdhury et al. 2002): one hash of the words that are neither common nor rare.

Words are chosen by their share of documents in the plan's statistics, so texts with the same
mid-frequency words have the same signature, whatever else they contain. A single noise word of
middling frequency breaks it; so further signatures use lexicons that leave out a random part of
the words (Kolcz, Chowdhury, Alspector 2004): a lexicon without the noise word is not affected.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import compress

import mmh3
import numpy as np
import numpy.typing as npt

from indexer.fingerprints.scheme import Terms
from indexer.text import Streams
from indexer.text.corpus_statistics import Statistics, load_statistics, term_sets
from indexer.text.hashing import Hashes, spell
from indexer.text.ragged import Positions
from indexer.text.words import Words, term_hashes, words_of
from mappings.plan import Plan
from mappings.plan.parts import ImatchPlan

Signatures = tuple[int, ...]
"""The plain signature, then one for each lexicon; 0 if too few words are left. Empty if
all are 0."""


class IMatch:
    """Signatures of the words of medium document frequency."""

    def __init__(self, plan: Plan, statistics: Statistics | None = None) -> None:
        self._plan = plan
        self._statistics = statistics
        self._lexicons: Lexicons | None = None

    def values(self, streams: Streams) -> list[Signatures]:
        if self._lexicons is None:
            statistics = self._statistics or load_statistics(self._plan)
            self._lexicons = _lexicons(self._plan.imatch, statistics, self._plan.simhash.seed)
        lexicons, hashes = self._lexicons, _words(streams).hashes
        return [signatures(hashes[row], lexicons) for row in range(len(hashes))]

    def terms(self, values: Sequence[Signatures]) -> list[Terms]:
        texts = iter(
            spell(
                np.array([signature for row in values for signature in row if signature], np.uint64)
            )
        )
        return [
            tuple(dict.fromkeys(next(texts) for signature in row if signature)) for row in values
        ]

    def similarity(self, left: Signatures, right: Signatures) -> float:
        """The share of lexicons under which both texts have the same signature."""
        pairs = [(a, b) for a, b in zip(left, right, strict=False) if a or b]
        return sum(a == b for a, b in pairs) / max(1, len(pairs))


def _words(streams: Streams) -> Words:
    """The terms that statistics count."""
    if streams.plan.words != "none":
        return streams.hashed_words
    return words_of([[*terms] for terms in term_sets(streams)], streams.plan.simhash.seed)


class Lexicons:
    """The words of the statistics that are neither too common nor too rare, sorted, and the
    lexicons that contain them; lexicon 0, the plain one, contains all.
    """

    def __init__(self, plan: ImatchPlan, statistics: Statistics, seed: int) -> None:
        self.plan = plan
        total = statistics.documents
        self.words = [
            word for word, df in statistics.in_order if plan.low <= df / total <= plan.high
        ]
        hashes = term_hashes(self.words, seed)
        self._ranks = hashes.argsort()
        self._hashes = hashes[self._ranks]
        self._members = np.zeros((len(self.words), plan.lexicons + 1), np.bool_)
        self._dropped = round(plan.dropout * (1 << 32))
        numbers = range(1, plan.lexicons + 1)
        self._seeds = [(plan.seed + k * 0x9E3779B1) & 0xFFFFFFFF for k in numbers]

    def ranks(self, hashes: Hashes) -> Positions:
        """The indices of the words with these hashes, ascending; unknown hashes are ignored."""
        if not self.words:  # as with statistics of few documents
            return self._ranks
        places = self._hashes.searchsorted(hashes)
        places = places[self._hashes.take(places, mode="clip") == hashes]
        return np.sort(self._ranks[places])

    def members(self, ranks: Positions) -> npt.NDArray[np.bool_]:
        """Shape (lexicons + 1, ranks): whether a lexicon contains the word."""
        for rank in ranks[~self._members[ranks, 0]].tolist():
            word = self.words[rank].encode("utf-8")
            # drawn by a hash, so that a word is in the same lexicons on every machine
            drawn = [mmh3.hash(word, seed, signed=False) >= self._dropped for seed in self._seeds]
            self._members[rank] = (True, *drawn)
        return self._members[ranks].T


@lru_cache(maxsize=2)  # some 5 MB each; plans that differ elsewhere have the same
def _lexicons(plan: ImatchPlan, statistics: Statistics, seed: int) -> Lexicons:
    return Lexicons(plan, statistics, seed)


def signatures(hashes: Hashes, lexicons: Lexicons) -> Signatures:
    """The signatures of a set of words, given by their hashes."""
    # Sorting by the word leaves no ties; sorting by frequency would.
    ranks, plan = lexicons.ranks(hashes), lexicons.plan
    words = [lexicons.words[rank] for rank in ranks.tolist()]
    rows = (list(compress(words, row.tobytes())) for row in lexicons.members(ranks))
    values = tuple(
        _signature(row, number, plan) if len(row) >= plan.minimum else 0
        for number, row in enumerate(rows)
    )
    return values if any(values) else ()


def _signature(words: list[str], lexicon: int, plan: ImatchPlan) -> int:
    """36 bits, never 0; the number of the lexicon is hashed in to keep lexicons apart."""
    text = "\n".join((str(lexicon), *words)).encode("utf-8")
    return (mmh3.hash64(text, plan.seed, True, signed=False)[0] & ((1 << 36) - 1)) or 1
