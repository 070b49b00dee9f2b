"""Keys of long shingles: bottom-k (Broder 1997; Heintze 1996) chunk by chunk, and winnowing.

The k smallest hashes of a chunk are a sample that an excerpt of the chunk mostly shares, and that
edits elsewhere hardly change. Where a large text holds a small part of another, chance decides
whether one of them stands in it; the smallest hash of every window (Schleimer, Wilkerson, Aiken
2003) leaves nothing to chance: one common stretch as long as a window is enough to share a key,
whatever surrounds it.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final

import numpy as np

from indexer.fingerprints.sampled import Sampled, smallest
from indexer.text import Streams
from indexer.text.hashing import Hashes, HashRows, distinct
from indexer.text.kernels import compiled
from indexer.text.ragged import Ragged, ragged
from mappings.plan import PassagePlan

NARROWEST: Final = 16
"""Shingles of a window, at least."""


class Passages(Sampled):
    """Samples of long shingles of syllables (of words in spaced scripts)."""

    def __init__(self, plan: PassagePlan) -> None:
        self._plan = plan

    def values(self, streams: Streams) -> list[Hashes]:
        rows = key_values(streams.unit_shingles(self._plan), self._plan, streams.spaced)
        return [rows[row] for row in range(len(rows))]


def key_values(shingles: HashRows, plan: PassagePlan, spaced: bool = False) -> HashRows:
    """Every chunk's smallest distinct hashes, in the order of the chunks; with winnowing those and
    the smallest of windows, ascending; one row per text.

    `shingles`: hashes of the long shingles, in text order. A key is the low 36 bits of a hash.
    """
    widest = plan.spaced_winnow if spaced else plan.winnow
    if compiled is not None:
        out = np.empty(2 * len(shingles.values), np.uint64)
        bounds = np.empty_like(shingles.bounds)
        how = (plan.chunk, plan.keep, widest, NARROWEST, plan.winnow_parts)
        size = compiled.passages(shingles.values, shingles.bounds, how, out, bounds)
        return Ragged(out[:size], bounds)
    return ragged([_of_text(shingles[row], plan, widest) for row in range(len(shingles))])


def _of_text(hashes: Hashes, plan: PassagePlan, widest: int) -> Hashes:
    chunks = max(1, round(len(hashes) / plan.chunk))
    edges = [len(hashes) * i // chunks for i in range(chunks + 1)]
    parts = [smallest(hashes[low:high], plan.keep) for low, high in pairwise(edges)]
    if not widest:
        return np.concatenate(parts)
    narrow = max(NARROWEST, len(hashes) // plan.winnow_parts)
    parts.append(lowest_of_windows(hashes, min(widest, narrow)))
    return distinct(np.concatenate(parts))


def lowest_of_windows(hashes: Hashes, width: int) -> Hashes:
    """The distinct smallest values of all runs of `width` values (winnowing), ascending.

    Two texts that have `width` shingles in a row in common have one of these in common, wherever
    the passage stands. What is smallest in a wide window is smallest in every narrower one that it
    stands in, so a short text with narrow windows and a long one agree on what the wide ones see.
    Runs double in length until two of them cover a window.
    """
    low, covered = hashes, 1
    while covered < min(width, len(hashes)):
        step = min(covered, min(width, len(hashes)) - covered)
        low = np.minimum(low[:-step], low[step:])
        covered += step
    if len(low) < 2:
        return low.copy()
    last = np.ones(len(low), np.bool_)
    np.not_equal(low[1:], low[:-1], out=last[:-1])
    return distinct(low[last.nonzero()[0]])
