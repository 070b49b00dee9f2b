"""Words as weighted features."""

from __future__ import annotations

import mmh3
import numpy as np
import numpy.typing as npt

from indexer.hashing import HashRows
from indexer.prepare import Streams
from indexer.prepare.table import Kind, Table
from indexer.ragged import ragged


def word_weights(streams: Streams, seed: int) -> tuple[HashRows, npt.NDArray[np.int64]]:
    """The hashes of the distinct words of each text, and their weights, 1 + floor(log2(count))."""
    vocabulary = _vocabulary(seed, streams.prepared.table)
    rows, weights = [], []
    for counts in streams.word_counts:
        hashes = np.fromiter(map(vocabulary.__getitem__, counts), np.uint64, len(counts))
        levels = np.fromiter(map(int.bit_length, counts.values()), np.int64, len(counts))
        word = hashes != 0
        rows.append(hashes[word])
        weights.append(levels[word])
    return ragged(rows), np.concatenate(weights)


class _Vocabulary(dict[str, int]):
    """Hashes of words seen so far; 0 for what is no word. Emptied when it grows too large."""

    LIMIT = 1 << 18

    def __init__(self, seed: int, table: Table) -> None:
        super().__init__()
        self.seed, self.table = seed, table

    def __missing__(self, word: str) -> int:
        if len(self) >= self.LIMIT:
            self.clear()
        value = 0
        if self.table.kind[ord(word[0])] != Kind.OTHER:
            value = mmh3.hash64(word.encode("utf-8"), self.seed, True, signed=False)[0]
        self[word] = value
        return value


_VOCABULARIES: dict[tuple[int, int], _Vocabulary] = {}


def _vocabulary(seed: int, table: Table) -> _Vocabulary:
    key = (seed, id(table))
    if key not in _VOCABULARIES:
        _VOCABULARIES[key] = _Vocabulary(seed, table)
    return _VOCABULARIES[key]
