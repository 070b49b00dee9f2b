"""The longest sentences of texts that are joined with each other only: chosen, then prepared.

Keys that are stored are made of prepared texts, in a dozen passes over all letters, most of which
are in sentences that nobody keeps. Here the sentences are chosen by their length as written, and
only those are folded, by the same table; so the keys are others than stored ones, at a tenth of
the work.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final

import mmh3
import numpy as np

from indexer.fingerprints.key_rows import KEY_BITS, KeyRows, Sketched
from indexer.text.hashing import Hashes
from indexer.text.ragged import Positions, Ragged, bounds_of
from indexer.text.table import LIMIT, OTHER, Codes, load
from mappings.contract import Field
from mappings.plan import Plan

_FULL, _STOP, _SPACE = (ord(mark) for mark in "。. ")
_ENDS: Final = tuple(map(ord, "！？!?\n"))
_MARKS: Final = np.array([_FULL, _STOP, *_ENDS], np.uint32)
_TWO_BYTES, _THREE_BYTES, _FOUR_BYTES = 0x80, 0x800, 0x10000
_PLACE_BITS, _ROW_BITS = 26, 50
_MOST: Final = (1 << _ROW_BITS - _PLACE_BITS) - 1
"""So many sentences, and so long ones, are told apart in a batch."""

_LOW: Final = np.uint64((1 << KEY_BITS) - 1)


def quick_rows(texts: Sequence[str], plan: Plan) -> KeyRows:
    """What texts are joined by when that is sentences, and no text will be compared: equal strings
    make exact copies, and lengths count all characters.
    """
    data, codes = _encoded(texts)
    bounds = (4 * codes.bounds).tolist()
    hashes = [mmh3.hash_bytes(data[start:stop], 0, True) for start, stop in pairwise(bounds)]
    return KeyRows(
        hashes,
        codes.lengths,
        np.zeros(len(texts), np.uint64),
        {Field.SENTENCES: _keys(codes, plan)},
        Sketched.empty(len(texts), False),
        _bytes_of(codes),
    )


def sentence_numbers(texts: Sequence[str], plan: Plan) -> tuple[Hashes, Positions]:
    """A number for each of the longest sentences, and the row of each."""
    return _keys(_encoded(texts)[1], plan)


def _encoded(texts: Sequence[str]) -> tuple[bytes, Ragged[np.uint32]]:
    data = "".join(texts).encode("utf-32-le", "surrogatepass")
    return data, Ragged(np.frombuffer(data, np.uint32), bounds_of(list(map(len, texts))))


def _bytes_of(codes: Ragged[np.uint32]) -> list[int]:
    """The bytes of UTF-8 that each text takes."""
    values, full = codes.values, codes.lengths.nonzero()[0]
    out = codes.lengths.copy()
    if len(full):
        more = (values >= _TWO_BYTES).view(np.uint8) + (values >= _THREE_BYTES).view(np.uint8)
        if values.max() >= _FOUR_BYTES:
            more += (values >= _FOUR_BYTES).view(np.uint8)
        out[full] += np.add.reduceat(more, codes.bounds[full], dtype=np.uint32)
    sizes: list[int] = out.tolist()
    return sizes


def _keys(codes: Ragged[np.uint32], plan: Plan) -> tuple[Hashes, Positions]:
    edges = _edges(codes)
    chosen, rows = _longest(edges, codes, plan)
    starts, sizes = edges.take(chosen), edges.take(chosen + 1) - edges.take(chosen)
    bounds = bounds_of(sizes)
    places = np.arange(bounds[-1])
    places += np.repeat(starts - bounds[:-1], sizes)
    letters = _letters(plan.table, plan.steps).take(codes.values.take(places), mode="clip")
    kept = letters.nonzero()[0]
    inside = kept.searchsorted(bounds)
    enough = (inside[1:] - inside[:-1] >= plan.sentences.minimum).nonzero()[0]
    data, make = letters.take(kept).tobytes(), mmh3.hash64
    spans = zip(inside.take(enough).tolist(), inside.take(enough + 1).tolist(), strict=True)
    numbers = [make(data[4 * start : 4 * stop])[0] for start, stop in spans]
    return np.array(numbers, np.int64).view(np.uint64) & _LOW, rows.take(enough)


def _edges(codes: Ragged[np.uint32]) -> Positions:
    """Where sentences begin and end, ascending. A full stop before a space ends one in a text that
    has none of Chinese."""
    values, bounds = codes.values, codes.bounds
    end = values == _FULL
    before = end.nonzero()[0].searchsorted(bounds)
    for mark in _ENDS:
        end |= values == mark
    for row in (before[1:] == before[:-1]).nonzero()[0].tolist():
        text = values[bounds[row] : bounds[row + 1]]
        stops = ((text[:-1] == _STOP) & (text[1:] == _SPACE)).nonzero()[0]
        end[bounds[row] + stops] = True
    edges = np.concatenate((bounds, end.nonzero()[0] + 1))
    edges.sort()
    return edges


def _longest(edges: Positions, codes: Ragged[np.uint32], plan: Plan) -> tuple[Positions, Positions]:
    """The longest sentences of each text, by number, and their rows; those that are too short for a
    key are none. The mark at the end does not count: a copy may lack the last one."""
    bounds, lengths = codes.bounds, edges[1:] - edges[:-1]
    if len(codes.values):
        lengths -= np.isin(codes.values.take(edges[1:] - 1, mode="clip"), _MARKS)
    long = (lengths >= plan.sentences.minimum).nonzero()[0]
    rows = bounds.searchsorted(edges.take(long), "right") - 1
    # one number each that sorts by row, by length, by place: several times as fast as lexsort
    order = (rows << _ROW_BITS) - (np.minimum(lengths.take(long), _MOST) << _PLACE_BITS)
    order += np.arange(len(long))
    order.sort()
    place = long.take(order & ((1 << _PLACE_BITS) - 1))
    rank = np.arange(len(rows)) - rows.searchsorted(np.arange(len(bounds) - 1)).take(rows)
    kept = (rank < plan.sentences.keep).nonzero()[0]
    return place.take(kept), rows.take(kept)


@lru_cache(maxsize=4)
def _letters(version: str, steps: tuple[str, ...]) -> Codes:
    """The folded letter or digit of each code point; 0 for all others. What expands or joins
    another character counts for nothing, in every text alike.
    """
    table = load(version, steps)
    kept = (table.first < LIMIT) & (table.kind.take(table.first, mode="clip") != OTHER)
    return np.where(kept, table.first, np.uint32(0))
