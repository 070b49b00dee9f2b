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
_TWO_BYTES, _THREE_BYTES, _FOUR_BYTES = 0x80, 0x800, 0x10000
_PLACE_BITS, _ROW_BITS = 26, 50
_MOST: Final = (1 << _ROW_BITS - _PLACE_BITS) - 1
"""So many sentences, and so long ones, are told apart in a batch."""

_WIDE: Final = 4
"""Bytes of a code point where texts have any past the first 65,536."""

_Codes = Ragged[np.uint16] | Ragged[np.uint32]

_LOW: Final = np.uint64((1 << KEY_BITS) - 1)


def quick_rows(texts: Sequence[str], plan: Plan) -> KeyRows:
    """What texts are joined by when that is sentences, and no text will be compared: equal strings
    make exact copies, and lengths count all characters.
    """
    codes = _encoded(texts)
    return KeyRows(
        _hashes(texts, codes),
        codes.lengths,
        np.zeros(len(texts), np.uint64),
        {Field.SENTENCES: _keys(codes, plan)},
        Sketched.empty(len(texts), False),
        _bytes_of(codes),
    )


def sentence_numbers(texts: Sequence[str], plan: Plan) -> tuple[Hashes, Positions]:
    """A number for each of the longest sentences, and the row of each."""
    return _keys(_encoded(texts), plan)


def _encoded(texts: Sequence[str]) -> _Codes:
    """The code points of all texts, in two bytes each where that is enough."""
    joined = "".join(texts)
    bounds = bounds_of(list(map(len, texts)))
    data = joined.encode("utf-16-le", "surrogatepass")
    if len(data) == 2 * len(joined):
        return Ragged(np.frombuffer(data, np.uint16), bounds)
    wide = joined.encode("utf-32-le", "surrogatepass")
    return Ragged(np.frombuffer(wide, np.uint32), bounds)


def _hashes(texts: Sequence[str], codes: _Codes) -> list[str | bytes]:
    """A hash of each text as it is, whatever texts it is encoded with."""
    if codes.values.itemsize == _WIDE:
        encoded = (text.encode("utf-16-le", "surrogatepass") for text in texts)
        return [mmh3.hash_bytes(each, 0, True) for each in encoded]
    data, bounds = codes.values.tobytes(), (2 * codes.bounds).tolist()
    return [mmh3.hash_bytes(data[start:stop], 0, True) for start, stop in pairwise(bounds)]


def _bytes_of(codes: _Codes) -> list[int]:
    """The bytes of UTF-8 that each text takes."""
    values, full = codes.values, codes.lengths.nonzero()[0]
    out = codes.lengths.copy()
    if len(full):
        more = (values >= _TWO_BYTES).view(np.uint8) + (values >= _THREE_BYTES).view(np.uint8)
        if values.itemsize == _WIDE:
            more += (values >= _FOUR_BYTES).view(np.uint8)
        out[full] += np.add.reduceat(more, codes.bounds[full], dtype=np.uint32)
    sizes: list[int] = out.tolist()
    return sizes


def _keys(codes: _Codes, plan: Plan) -> tuple[Hashes, Positions]:
    edges, lengths = _sentences(codes)
    chosen, rows = _longest(edges, lengths, codes, plan)
    if not len(chosen):
        return np.zeros(0, np.uint64), chosen
    starts, sizes = edges.take(chosen), lengths.take(chosen)
    bounds = bounds_of(sizes)
    places = np.arange(bounds[-1])
    places += np.repeat(starts - bounds[:-1], sizes)
    letters = _letters(plan.table, plan.steps).take(codes.values.take(places), mode="clip")
    kept = letters != 0
    inside = np.zeros(len(bounds), np.int64)
    np.cumsum(np.add.reduceat(kept, bounds[:-1], dtype=np.int64), out=inside[1:])
    enough = (inside[1:] - inside[:-1] >= plan.sentences.minimum).nonzero()[0]
    data, make = letters[kept].tobytes(), mmh3.hash64
    inside *= letters.itemsize
    spans = zip(inside.take(enough).tolist(), inside.take(enough + 1).tolist(), strict=True)
    numbers = [make(data[start:stop])[0] for start, stop in spans]
    return np.array(numbers, np.int64).view(np.uint64) & _LOW, rows.take(enough)


def _sentences(codes: _Codes) -> tuple[Positions, Positions]:
    """Where sentences begin and end, ascending, and the length of each, without a mark at its end:
    a copy may lack the last one. A full stop before a space ends one in a text that has none of
    Chinese.
    """
    values, bounds = codes.values, codes.bounds
    end = values == _FULL
    before = end.nonzero()[0].searchsorted(bounds)
    for mark in _ENDS:
        end |= values == mark
    for row in (before[1:] == before[:-1]).nonzero()[0].tolist():
        text = values[bounds[row] : bounds[row + 1]]
        stops = ((text[:-1] == _STOP) & (text[1:] == _SPACE)).nonzero()[0]
        end[bounds[row] + stops] = True
    edge = np.ones(len(values) + 1, np.bool_)
    edge[1:] = end
    edge[bounds] = True
    edges = edge.nonzero()[0]
    last = edges[1:] - 1
    is_mark = end.take(last) | (values.take(last) == _STOP)
    return edges, edges[1:] - edges[:-1] - is_mark


def _longest(
    edges: Positions, lengths: Positions, codes: _Codes, plan: Plan
) -> tuple[Positions, Positions]:
    """The longest sentences of each text, by number, and their rows; those that are too short for a
    key are none.
    """
    bounds = codes.bounds
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
