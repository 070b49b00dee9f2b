"""The candidate pairs of a corpus judged, on several processes: which are near duplicates.

Pairs are judged in tiles: some texts, next to each other in an order that keeps together what
shares keys, against some others, so that a text is read and prepared a few times at most.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from dupdex.corpus.spill import Spilled
from indexer.model import Fingerprint
from indexer.text.ragged import Positions
from indexer.workers import made_in_processes
from mappings.plan import Plan
from query.key_join import Mask
from query.meant_matches import Readings
from query.pair import PairJudge, Text

TILE_BYTES: Final = 90_000
"""Of UTF-8: what is judged together fits into a processor's caches twice."""

Similarities = npt.NDArray[np.float64]
Progress = Callable[..., object]
"""Called with the steps done since the last call and, at first, with their total."""

_NOTHING: Final = Fingerprint("", 0, 0, {})


@dataclass(frozen=True, slots=True)
class Pairs:
    """Pairs of nodes that are duplicates, `first` < `second`."""

    first: Positions
    second: Positions
    similarity: Similarities

    def __len__(self) -> int:
        return len(self.first)

    def kept(self, mask: Mask) -> Pairs:
        """Those pairs where `mask` is true."""
        return Pairs(self.first[mask], self.second[mask], self.similarity[mask])

    @classmethod
    def none(cls) -> Pairs:
        """No pairs."""
        empty = np.zeros(0, np.int64)
        return cls(empty, empty, np.zeros(0))

    @classmethod
    def joined(cls, parts: Sequence[Pairs]) -> Pairs:
        """The pairs of all parts, one part at least."""
        return cls(
            np.concatenate([part.first for part in parts]),
            np.concatenate([part.second for part in parts]),
            np.concatenate([part.similarity for part in parts]),
        )


@dataclass(frozen=True, slots=True)
class Judging:
    """What every process needs: the plan, the texts, and whether partial copies count as well."""

    plan: Plan
    texts: Spilled
    partial: bool = False


def judged(
    first: Positions, second: Positions, judging: Judging, workers: int, progress: Progress
) -> Pairs:
    """Those of the pairs that are near duplicates, or partial copies where these count, in no order
    that tells anything.
    """
    parts = [Pairs.none()]
    parted = tiles(first, second, judging.texts.sizes)
    for places, similarity in made_in_processes(
        parted, lambda places: (first[places], second[places]), _judged, judging, workers
    ):
        progress(len(places))
        part = Pairs(first[places], second[places], similarity)
        parts.append(part.kept(similarity >= 0))
    return Pairs.joined(parts)


def tiles(first: Positions, second: Positions, sizes: Positions) -> Iterator[Positions]:
    """The places of all pairs, some at a time."""
    if not len(first):
        return
    place, tile = _in_tiles(first, second, sizes)
    key = tile[place[first]] * (int(tile[-1]) + 1) + tile[place[second]]
    low = np.minimum(place[first], place[second])
    order = np.lexsort((low, key))
    starts = np.flatnonzero(np.diff(key[order], prepend=-1))
    weights = np.add.reduceat((sizes[first] + sizes[second])[order], starts)
    together = np.cumsum(np.minimum(weights, 2 * TILE_BYTES)) // (2 * TILE_BYTES)
    yield from np.split(order, starts[1:][np.diff(together) > 0])


def _in_tiles(first: Positions, second: Positions, sizes: Positions) -> tuple[Positions, Positions]:
    """For each node its place in an order in which connected nodes follow each other, and for each
    place its tile."""
    label = connected(first, second, len(sizes))
    order = np.argsort(label, kind="stable")
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    used = np.zeros(len(sizes), np.bool_)
    used[first] = used[second] = True
    tile = np.cumsum(np.where(used[order], sizes[order], 0)) // TILE_BYTES
    return place, tile


def connected(first: Positions, second: Positions, count: int) -> Positions:
    """For each of `count` nodes the least node that it is connected with by pairs."""
    label = np.arange(count)
    while len(first):
        low = np.minimum(label[first], label[second])
        high = np.maximum(label[first], label[second])
        apart = low < high
        if not apart.any():
            break
        np.minimum.at(label, high[apart], low[apart])
        first, second = first[apart], second[apart]
        while True:
            shorter = label[label]
            if (shorter == label).all():
                break
            label = shorter
    return label


def _judged(part: tuple[Positions, Positions], judging: Judging) -> Similarities:
    """For each pair of a tile its similarity, -1 for texts that are no duplicates of the kinds that
    count."""
    first, second = part
    nodes = np.unique(np.concatenate(part))
    texts = ready(nodes, judging)
    similarity = np.full(len(first), -1.0)
    readings = Readings(PairJudge(judging.plan))
    edges = np.flatnonzero(np.diff(first, prepend=-1)).tolist()
    for low, high in zip(edges, [*edges[1:], len(first)], strict=True):
        stored = [texts[node] for node in second[low:high].tolist()]
        judgements = readings.judgements(texts[int(first[low])], stored, judging.partial)
        for at, found in enumerate(judgements, low):
            if found is not None:
                similarity[at] = found.similarity
    return similarity


def ready(nodes: Positions, judging: Judging) -> dict[int, Text]:
    """The texts of some nodes, ready to be judged; without keys, which no judgement needs."""
    read = judging.texts.read(nodes.tolist())
    raw = [text.decode("utf-8", "surrogatepass") for text in read]
    texts = PairJudge(judging.plan).read(raw, [_NOTHING] * len(raw))
    return dict(zip(nodes.tolist(), texts, strict=True))
