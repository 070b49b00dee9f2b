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
from typing import Final, NamedTuple

import mmh3
import numpy as np
import numpy.typing as npt

from indexer.fingerprints.key_rows import KEY_BITS, KeyRows, Sketched
from indexer.model import is_text
from indexer.text.hashing import Hashes
from indexer.text.ragged import Positions, Ragged, bounds_of
from indexer.text.table import LIMIT, OTHER, load
from mappings.contract import Field
from mappings.plan import Plan

_FULL, _STOP, _SPACE = (ord(mark) for mark in "。. ")
_ENDS: Final = tuple(map(ord, "！？!?\n"))
_TWO_BYTES, _THREE_BYTES = 0x80, 0x800
_PLACE_BITS, _ROW_BITS = 26, 50
_MOST: Final = (1 << _ROW_BITS - _PLACE_BITS) - 1
"""So many sentences, and so long ones, are told apart in a batch."""

_UNITS: Final = 1 << 16
_HALF_MASK, _FIRST_HALF, _SECOND_HALF = np.uint16(0xFC00), 0xD800, 0xDC00

Units = Ragged[np.uint16]
_LOW: Final = np.uint64((1 << KEY_BITS) - 1)


def quick_rows(texts: Sequence[str], plan: Plan) -> KeyRows:
    """What texts are joined by when that is sentences, and no text will be compared: equal strings
    make exact copies, and lengths count all characters.
    """
    written = _encoded(texts)
    units, data = written.units, written.data
    bounds = pairwise((2 * units.bounds).tolist())
    hashes: list[str | bytes] = [mmh3.hash_bytes(data[low:high], 0, True) for low, high in bounds]
    if not written.is_sound:  # two halves of a letter look like the letter
        for row, text in enumerate(texts):
            if not is_text(text):
                hashes[row] = mmh3.hash_bytes(text.encode("utf-32-le", "surrogatepass"), 1, True)
    lengths = np.array(list(map(len, texts)), np.int64)
    return KeyRows(
        hashes,
        lengths,
        np.zeros(len(texts), np.uint64),
        {Field.SENTENCES: _keys(written, plan)},
        Sketched.empty(len(texts), False),
        _bytes_of(units, lengths),
    )


def sentence_numbers(texts: Sequence[str], plan: Plan) -> tuple[Hashes, Positions]:
    """A number for each of the longest sentences, and the row of each."""
    return _keys(_encoded(texts), plan)


class _Encoded(NamedTuple):
    """Texts end to end in UTF-16, half the memory to go through: the bytes, and the units, two of a
    rare letter; and whether no half of a letter stands in them alone."""

    data: bytes
    units: Units
    is_sound: bool


def _encoded(texts: Sequence[str]) -> _Encoded:
    joined, bounds = "".join(texts), bounds_of(list(map(len, texts)))
    try:
        data, is_sound = joined.encode("utf-16-le"), True
    except UnicodeEncodeError:
        encoded = [text.encode("utf-16-le", "surrogatepass") for text in texts]
        data, is_sound = b"".join(encoded), False
        bounds = bounds_of([len(each) // 2 for each in encoded])
    values = np.frombuffer(data, np.uint16)
    if is_sound and len(values) > len(joined):
        places = ((values & _HALF_MASK) == _FIRST_HALF).nonzero()[0]
        bounds += (places - np.arange(len(places))).searchsorted(bounds)
    return _Encoded(data, Ragged(values, bounds), is_sound)


def _bytes_of(units: Units, lengths: Positions) -> list[int]:
    """The bytes of UTF-8 that each text takes. A letter of two units takes four."""
    values, full = units.values, units.lengths.nonzero()[0]
    out = units.lengths - 2 * (units.lengths - lengths)
    if len(full):
        more = (values >= _TWO_BYTES).view(np.uint8) + (values >= _THREE_BYTES).view(np.uint8)
        out[full] += np.add.reduceat(more, units.bounds[full], dtype=np.uint32)
    sizes: list[int] = out.tolist()
    return sizes


def _keys(texts: _Encoded, plan: Plan) -> tuple[Hashes, Positions]:
    data, edges, lengths = texts.data, *_sentences(texts.units)
    chosen, rows = _longest(edges, lengths, texts.units, plan)
    if not len(chosen):
        return np.zeros(0, np.uint64), chosen
    starts, sizes = edges.take(chosen), lengths.take(chosen)
    # to join slices is faster than to take letters by their places
    spans = zip((2 * starts).tolist(), (2 * (starts + sizes)).tolist(), strict=True)
    joined = b"".join([data[start:stop] for start, stop in spans])
    letters = _folded(np.frombuffer(joined, np.uint16), plan)
    kept = letters != 0
    inside = np.zeros(len(sizes) + 1, np.int64)
    np.cumsum(np.add.reduceat(kept, bounds_of(sizes)[:-1], dtype=np.int64), out=inside[1:])
    enough = (inside[1:] - inside[:-1] >= plan.sentences.minimum).nonzero()[0]
    folded, make = letters.take(kept.nonzero()[0]).tobytes(), mmh3.hash64
    inside *= letters.itemsize
    spans = zip(inside.take(enough).tolist(), inside.take(enough + 1).tolist(), strict=True)
    numbers = [make(folded[start:stop])[0] for start, stop in spans]
    return np.array(numbers, np.int64).view(np.uint64) & _LOW, rows.take(enough)


def _sentences(units: Units) -> tuple[Positions, Positions]:
    """Where sentences begin and end, ascending, and the length of each, without a mark at its end:
    a copy may lack the last one. A full stop before a space ends one in a text that has none of
    Chinese.
    """
    values, bounds = units.values, units.bounds
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
    edges: Positions, lengths: Positions, units: Units, plan: Plan
) -> tuple[Positions, Positions]:
    """The longest sentences of each text, by number, and their rows; those that are too short for a
    key are none.
    """
    bounds = units.bounds
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


def _folded(units: npt.NDArray[np.uint16], plan: Plan) -> npt.NDArray[np.uint16]:
    """The folded letters and digits, 0 for all others; rare letters stay two units, or become one
    and a 0."""
    out = _letters(plan.table, plan.steps).take(units)
    first = ((units & _HALF_MASK) == _FIRST_HALF).nonzero()[0]
    first = first[(units.take(first + 1, mode="clip") & _HALF_MASK) == _SECOND_HALF]
    if len(first):
        high, low = units.take(first).astype(np.int64), units.take(first + 1)
        table = load(plan.table, plan.steps)
        codes = table.first.take(_UNITS + ((high - _FIRST_HALF) << 10) + low - _SECOND_HALF)
        kept = (codes < LIMIT) & (table.kind.take(codes, mode="clip") != OTHER)
        is_rare = codes >= _UNITS
        out[first] = np.where(kept, np.where(is_rare, high, codes), 0)
        out[first + 1] = np.where(kept & is_rare, low, 0)
    return out


@lru_cache(maxsize=4)
def _letters(version: str, steps: tuple[str, ...]) -> npt.NDArray[np.uint16]:
    """The folded letter or digit of each unit; 0 for all others. What expands or joins another
    character counts for nothing, in every text alike.
    """
    table = load(version, steps)
    first = table.first[:_UNITS]
    kept = (first < _UNITS) & (table.kind.take(first, mode="clip") != OTHER)
    return np.where(kept, first, np.uint32(0)).astype(np.uint16)
