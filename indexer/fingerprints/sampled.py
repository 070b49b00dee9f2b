"""What schemes have in common whose values are the smallest of many hashes (Broder 1997)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

import numpy as np

from indexer.fingerprints.scheme import Terms
from indexer.text.hashing import Hashes, distinct, spell


class Sampled:
    """Samples of hashes, each of which makes a key of its low bits."""

    def terms(self, values: Sequence[Hashes]) -> list[Terms]:
        texts = iter(spell(np.concatenate(values)))
        # two hashes may agree in the bits that make a key
        return [tuple(dict.fromkeys(islice(texts, len(value)))) for value in values]

    def similarity(self, left: Hashes, right: Hashes) -> float:
        """The share of the smaller sample that the other one contains."""
        common = len(np.intersect1d(left, right))
        return common / max(1, min(len(set(left.tolist())), len(set(right.tolist()))))


def smallest(hashes: Hashes, keep: int) -> Hashes:
    """The `keep` smallest distinct values, ascending."""
    if len(hashes) > 8 * keep:
        # hashes are uniform: about 3 * keep are below this bound, which nearly always suffices
        bound = np.uint64((3 * keep << 64) // len(hashes))
        low = distinct(hashes[(hashes < bound).nonzero()[0]])
        if len(low) >= keep:
            return low[:keep]
    return distinct(hashes.copy())[:keep]
