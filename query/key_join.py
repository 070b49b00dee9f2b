"""Candidate pairs of a whole corpus from its keys: one join in memory instead of many lookups.

    columns of (key, document) -> runs of one key -> pairs, a block of documents at a time

A lookup asks for one document what shares a key with it; of all documents together the same is
found by sorting their keys. Memory: eight bytes a key, and a bounded number of pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from indexer.fingerprints.key_rows import KEY_BITS
from indexer.text.hashing import Hashes, distinct
from indexer.text.ragged import Positions
from mappings.contract import Field

DOCUMENT_BITS: Final = 28
MOST_DOCUMENTS: Final = 1 << DOCUMENT_BITS
"""Documents of one join; a column holds the bits of a key and the number of its document."""

FIRST: Final = 8
"""A frequent key has no vote of its own: it brings together its documents with its first ones only,
so that the copies of a text of which there are very many still meet."""

PAIRS: Final = 8_000_000
"""Pairs of documents, once for every key that they share, that are held at once."""

_LOW: Final = np.uint64((1 << KEY_BITS) - 1)
_SHIFT: Final = np.uint64(DOCUMENT_BITS)
_DOCUMENT: Final = np.uint64(MOST_DOCUMENTS - 1)
_ONE: Final = np.uint64(1)

Numbers = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Candidates:
    """Distinct pairs of documents by number, `first` < `second`, ascending. `shared`: the keys that
    they have in common, `loose` of them loose windows.
    """

    first: Numbers
    second: Numbers
    shared: Numbers
    loose: Numbers

    def __len__(self) -> int:
        return len(self.first)

    def kept(self, mask: Mask) -> Candidates:
        """Those pairs where `mask` is true."""
        return Candidates(self.first[mask], self.second[mask], self.shared[mask], self.loose[mask])


Near = Callable[[Numbers, Numbers], Mask]
"""Which pairs of documents have simhashes that are near enough to justify a comparison."""


def packed(keys: Hashes, documents: Positions) -> Hashes:
    """Keys, of which the low KEY_BITS count, each with the number of its document."""
    out = keys << _SHIFT
    out |= documents.astype(np.uint64)
    return out


def renumbered(parts: list[Hashes], number: Positions) -> Hashes:
    """Packed entries joined into one array, each document under its new `number`. Empties `parts`,
    so that the entries are not held twice.
    """
    entries = np.concatenate(parts)
    parts.clear()
    documents = (entries & _DOCUMENT).astype(np.int64)
    entries &= ~_DOCUMENT
    entries |= number[documents].astype(np.uint64)
    return entries


class KeyColumn:
    """The keys of one field, sorted; `hot`: the most documents of a key that has a vote."""

    def __init__(self, entries: Hashes, hot: int) -> None:
        """`entries`, as `packed` makes them, are sorted in place; repeats count once."""
        self.entries = entries = distinct(entries)
        ends = _run_ends(entries >> _SHIFT)
        lengths = np.diff(ends, prepend=0)
        frequent = lengths > hot
        self.frequent = int(np.count_nonzero(frequent))
        """How many keys are in more than `hot` documents."""
        shared = lengths > 1
        starts, lengths = (ends - lengths)[shared], lengths[shared]
        offsets = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        places = np.repeat(starts, lengths) + offsets
        partners = np.repeat(lengths, lengths) - 1 - offsets
        partners[(offsets >= FIRST) & np.repeat(lengths > hot, lengths)] = 0
        places, partners = places[partners > 0], partners[partners > 0]
        documents = (entries[places] & _DOCUMENT).astype(np.int64)
        order = np.argsort(documents, kind="stable")
        self._documents, self._places = documents[order], places[order]
        self._partners = partners[order]

    def pairs_of(self, documents: int) -> Numbers:
        """For each of so many documents the pairs with later ones, repeats included."""
        counts = np.bincount(self._documents, self._partners, documents)
        return counts.astype(np.int64)

    def keys_of(self, documents: int) -> Numbers:
        """For each of so many documents its keys in this field."""
        owners = (self.entries & _DOCUMENT).astype(np.int64)
        return np.bincount(owners, minlength=documents).astype(np.int64)

    def pairs(self, low: int, high: int) -> tuple[Numbers, Numbers]:
        """The pairs of the documents [low, high) with later ones, once for every shared key."""
        start, stop = self._documents.searchsorted([low, high])
        partners = self._partners[start:stop]
        ends = np.cumsum(partners)
        total = int(ends[-1]) if len(ends) else 0
        place = np.arange(total) + np.repeat(
            self._places[start:stop] + 1 - ends + partners, partners
        )
        first = np.repeat(self._documents[start:stop], partners)
        return first, (self.entries[place] & _DOCUMENT).astype(np.int64)

    def frequencies(self, keys: Hashes) -> Numbers:
        """In how many documents each key is."""
        low = (keys & _LOW) << _SHIFT
        return self.entries.searchsorted(low | _DOCUMENT, "right") - self.entries.searchsorted(low)

    def with_key_in(self, least: int, documents: int) -> Mask:
        """Which of so many documents have a key that is in `least` documents or more."""
        ends = _run_ends(self.entries >> _SHIFT)
        lengths = np.diff(ends, prepend=0)
        out = np.zeros(documents, np.bool_)
        often = np.repeat(lengths >= least, lengths)
        out[(self.entries[often] & _DOCUMENT).astype(np.int64)] = True
        return out


def candidate_blocks(
    columns: Mapping[Field, KeyColumn],
    documents: int,
    near: Near | None = None,
    pairs: int = PAIRS,
) -> Iterator[Candidates]:
    """All pairs of so many documents that share a key, each once, by ascending first document.

    `near`: documents that share simhash keys count as sharing something only where their simhashes
    are near. `pairs`: how many are held at once, repeats included, but for those of one document.
    """
    for low, high in blocks(columns, documents, pairs):
        yield block(columns, low, high, near)


def blocks(
    columns: Mapping[Field, KeyColumn], documents: int, pairs: int = PAIRS
) -> Iterator[tuple[int, int]]:
    """The documents as [low, high), so many at a time that they have up to so many pairs."""
    counts = sum((column.pairs_of(documents) for column in columns.values()), _zeros(documents))
    yield from _runs(counts, pairs)


def _zeros(count: int) -> Numbers:
    return np.zeros(count, np.int64)


def _run_ends(keys: Hashes) -> Numbers:
    """Where each run of equal values ends."""
    if not len(keys):
        return _zeros(0)
    return np.append(np.flatnonzero(keys[1:] != keys[:-1]) + 1, len(keys))


def _runs(counts: Numbers, most: int) -> Iterator[tuple[int, int]]:
    """Runs of documents that have up to `most` pairs together, one at least."""
    ends = np.cumsum(counts)
    low, before = 0, 0
    total = int(ends[-1]) if len(ends) else 0
    while before < total:
        high = max(low + 1, int(ends.searchsorted(before + most, "right")))
        if ends[high - 1] > before:
            yield low, high
        low, before = high, int(ends[high - 1])


def block(columns: Mapping[Field, KeyColumn], low: int, high: int, near: Near | None) -> Candidates:
    """The pairs of the documents [low, high) with later ones, each once."""
    parts = [np.zeros(0, np.uint64)]
    for name, column in columns.items():
        first, second = column.pairs(low, high)
        if name is Field.SIMHASH_KEYS and near is not None:
            wanted = near(first, second)
            first, second = first[wanted], second[wanted]
        values = (first - low).astype(np.uint64) << np.uint64(DOCUMENT_BITS + 1)
        values |= second.astype(np.uint64) << _ONE
        if name is Field.LOOSE_KEYS:
            values |= _ONE
        parts.append(values)
    values = np.concatenate(parts)
    values.sort()
    both = values >> _ONE
    ends = _run_ends(both)
    starts = np.append(0, ends[:-1]) if len(ends) else ends
    both = both[starts]
    is_loose = (values & _ONE).astype(np.int64)
    return Candidates(
        (both >> _SHIFT).astype(np.int64) + low,
        (both & _DOCUMENT).astype(np.int64),
        ends - starts,
        np.add.reduceat(is_loose, starts) if len(starts) else starts,
    )
