"""The distinct words of texts as hashes and counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

import numpy as np
import numpy.typing as npt

from indexer.text.hashing import Hashes, HashRows
from indexer.text.kernels import compiled
from indexer.text.murmur import piece_hashes
from indexer.text.ragged import Positions, Ragged, bounds_of

Counts = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Words:
    """`hashes` has a row for each text, ascending; `counts` is how often each occurs.

    Two words of one hash count as one word.
    """

    hashes: HashRows
    counts: Counts
    _text: str
    _edges: Positions
    _pieces: Hashes  # the hash of each piece of the text between two edges

    @property
    def magnitudes(self) -> Counts:
        """1 + floor(log2(count))."""
        return np.frexp(self.counts)[1].astype(np.int64)

    def spelled(self, hashes: Hashes) -> list[str]:
        """The words with these hashes, all of which must be in `hashes`."""
        order = self._pieces.argsort()
        places = order[self._pieces.searchsorted(hashes, sorter=order)]
        starts, stops = self._edges[places].tolist(), self._edges[places + 1].tolist()
        return [self._text[start:stop] for start, stop in zip(starts, stops, strict=True)]


def words_between(
    text: str, edges: Positions, rows: Positions, seed: int, counted: npt.NDArray[np.bool_]
) -> Words:
    """The words `text[edges[i]:edges[i + 1]]` for which `counted` is true; row i has those from
    rows[i] to rows[i + 1].
    """
    pieces = piece_hashes(text, edges, seed)
    words = Ragged(pieces, rows).kept(counted)
    for start, stop in pairwise(words.bounds.tolist()):
        words.values[start:stop].sort()
    hashes, counts = _tallied(words)
    return Words(hashes, counts, text, edges, pieces)


def _tallied(rows: HashRows) -> tuple[HashRows, Counts]:
    """The distinct values of rows that ascend, and how often each occurs; `rows` is used up."""
    values, bounds = rows.values, rows.bounds
    if compiled is not None:
        counts, out_bounds = np.empty(len(values), np.int64), np.empty_like(bounds)
        size = compiled.tally(bounds, values, counts, out_bounds)
        return Ragged(values[:size], out_bounds), counts[:size]
    first = np.ones(len(values) + 1, np.bool_)
    np.not_equal(values[1:], values[:-1], out=first[1:-1])
    first[bounds] = True
    starts = first.nonzero()[0]
    return Ragged(values[starts[:-1]], starts.searchsorted(bounds)), starts[1:] - starts[:-1]


def words_of(rows: Sequence[Sequence[str]], seed: int) -> Words:
    """The same for words given one by one."""
    words = list(chain.from_iterable(rows))
    bounds = bounds_of([len(row) for row in rows])
    return words_between(*_joined(words), bounds, seed, np.ones(len(words), np.bool_))


def term_hashes(terms: Sequence[str], seed: int) -> Hashes:
    """The hash of each term."""
    return piece_hashes(*_joined(terms), seed)


def _joined(terms: Sequence[str]) -> tuple[str, Positions]:
    return "".join(terms), bounds_of([len(term) for term in terms])
