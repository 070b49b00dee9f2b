"""Bottom-k keys of long shingles (Broder 1997; Heintze 1996), chunk by chunk.

The k smallest hashes of a chunk are a sample that an excerpt of the chunk mostly shares, so one
long common stretch of text is enough to share keys, whatever surrounds it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice, pairwise

import numpy as np

from indexer.fingerprints.scheme import Terms
from indexer.text import Streams
from indexer.text.hashing import Hashes, HashRows, distinct, spell
from indexer.text.ragged import ragged
from mappings.plan import PassagePlan


class Passages:
    """Samples of long shingles of syllables (of words in spaced scripts)."""

    def __init__(self, plan: PassagePlan) -> None:
        self._plan = plan

    def values(self, streams: Streams) -> list[Hashes]:
        rows = key_values(streams.unit_shingles(self._plan), self._plan)
        return [rows[row] for row in range(len(rows))]

    def terms(self, values: Sequence[Hashes]) -> list[Terms]:
        texts = iter(spell(np.concatenate(values)))
        # two hashes may agree in the bits that make a key
        return [tuple(dict.fromkeys(islice(texts, len(value)))) for value in values]

    def similarity(self, left: Hashes, right: Hashes) -> float:
        """The share of the smaller sample that the other one contains."""
        common = len(np.intersect1d(left, right))
        return common / max(1, min(len(set(left.tolist())), len(set(right.tolist()))))


def key_values(shingles: HashRows, plan: PassagePlan) -> HashRows:
    """Every chunk's smallest distinct hashes, in the order of the chunks; one row per text.

    `shingles`: hashes of the long shingles, in text order. A key is the low 36 bits of a hash.
    """
    return ragged([_of_text(shingles[row], plan) for row in range(len(shingles))])


def _of_text(hashes: Hashes, plan: PassagePlan) -> Hashes:
    chunks = max(1, round(len(hashes) / plan.chunk))
    if chunks == 1:
        return smallest(hashes, plan.keep)
    edges = [len(hashes) * i // chunks for i in range(chunks + 1)]
    return np.concatenate([smallest(hashes[low:high], plan.keep) for low, high in pairwise(edges)])


def smallest(hashes: Hashes, keep: int) -> Hashes:
    """The `keep` smallest distinct values, ascending."""
    if len(hashes) > 8 * keep:
        # hashes are uniform: about 3 * keep are below this bound, which nearly always suffices
        bound = np.uint64((3 * keep << 64) // len(hashes))
        low = distinct(hashes[hashes < bound])
        if len(low) >= keep:
            return low[:keep]
    return distinct(hashes.copy())[:keep]
