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
import numpy.typing as npt

from indexer.fingerprints.key_rows import KEY_BITS, KeyRows, Sketched
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
_NO_LETTER: Final = _UNITS - 1
_HALVES: Final = slice(0xD800, 0xE000)
_COUNT_OF_HALVES: Final = 0x800
"""Numbers of halves of a letter, which hardly ever stand in a text alone: rare letters get them. So
one rare letter in so many is taken for another, and a half that stands alone for one of these.
"""

_LARGE: Final = 1 << 28
"""An array of strings holds twice as many characters at the most."""

_LOW: Final = np.uint64((1 << KEY_BITS) - 1)

Units = npt.NDArray[np.uint16]


def quick_rows(texts: Sequence[str], plan: Plan) -> KeyRows:
    """What texts are joined by when that is sentences, and no text will be compared: equal strings
    make exact copies, and lengths count all characters.
    """
    units, rare = _units(texts, plan)
    data, spans = units.values.tobytes(), pairwise((2 * units.bounds).tolist())
    hashes: list[str | bytes] = [mmh3.hash_bytes(data[low:high], 0, True) for low, high in spans]
    sizes = _bytes_of(units)
    for row in rare:  # their units do not say all
        encoded = texts[row].encode("utf-8", "surrogatepass")
        hashes[row], sizes[row] = mmh3.hash_bytes(encoded, 1, True), len(encoded)
    return KeyRows(
        hashes,
        units.lengths,
        np.zeros(len(texts), np.uint64),
        {Field.SENTENCES: _keys(data, units, plan)},
        Sketched.empty(len(texts), False),
        sizes,
    )


def _units(texts: Sequence[str], plan: Plan) -> tuple[Ragged[np.uint16], list[int]]:
    """Texts end to end, two bytes a character, half the memory to go through; and the rows of those
    with rare characters, which need more: see `_rare`.
    """
    joined, bounds = "".join(texts), bounds_of(list(map(len, texts)))
    if len(joined) < _LARGE:  # a third of the time that encoding takes
        codes = np.array([joined]).view(np.uint32)[: len(joined)]
    else:
        codes = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), np.uint32)
    values = codes.astype(np.uint16)
    full = (bounds[1:] > bounds[:-1]).nonzero()[0]
    largest = np.maximum.reduceat(codes, bounds[full]) if len(full) else codes
    rows = full[largest >= _UNITS]
    units = _rare(plan.table, plan.steps)
    for low, high in zip(bounds[rows].tolist(), bounds[rows + 1].tolist(), strict=True):
        own = codes[low:high]
        places = (own >= _UNITS).nonzero()[0]
        values[low:high][places] = units.take(own.take(places) - _UNITS)
    return Ragged(values, bounds), rows.tolist()


def _bytes_of(units: Ragged[np.uint16]) -> list[int]:
    """The bytes of UTF-8 that each text without rare characters takes."""
    values, full = units.values, units.lengths.nonzero()[0]
    out = units.lengths.copy()
    if len(full):
        more = (values >= _TWO_BYTES).view(np.uint8) + (values >= _THREE_BYTES).view(np.uint8)
        out[full] += np.add.reduceat(more, units.bounds[full], dtype=np.uint32)
    sizes: list[int] = out.tolist()
    return sizes


def _keys(data: bytes, units: Ragged[np.uint16], plan: Plan) -> tuple[Hashes, Positions]:
    """A number for each of the longest sentences, and the row of each. `data`: the units."""
    edges, lengths = _sentences(units)
    chosen, rows = _longest(edges, lengths, units.bounds, plan)
    if not len(chosen):
        return np.zeros(0, np.uint64), chosen
    starts, sizes = edges.take(chosen), lengths.take(chosen)
    # to join slices is faster than to take letters by their places
    spans = zip((2 * starts).tolist(), (2 * (starts + sizes)).tolist(), strict=True)
    joined = b"".join([data[start:stop] for start, stop in spans])
    letters = _letters(plan.table, plan.steps).take(np.frombuffer(joined, np.uint16))
    kept = (letters != 0).nonzero()[0]
    inside = kept.searchsorted(bounds_of(sizes))
    enough = (inside[1:] - inside[:-1] >= plan.sentences.minimum).nonzero()[0]
    folded, make = letters.take(kept).tobytes(), mmh3.hash_bytes
    inside *= letters.itemsize
    spans = zip(inside.take(enough).tolist(), inside.take(enough + 1).tolist(), strict=True)
    digests = b"".join([make(folded[start:stop], 0, True) for start, stop in spans])
    return np.frombuffer(digests, np.uint64)[::2] & _LOW, rows.take(enough)


def _sentences(units: Ragged[np.uint16]) -> tuple[Positions, Positions]:
    """Where sentences begin and end, ascending, and the length of each, without a mark at its end:
    a copy may lack the last one. A full stop before a space ends one in a text that has none of
    Chinese.
    """
    values, bounds = units.values, units.bounds
    end = values == _FULL
    for mark in _ENDS:
        end |= values == mark
    ends = _few(end)
    before = ends.take((values.take(ends) == _FULL).nonzero()[0]).searchsorted(bounds)
    parts = [ends + 1, bounds]
    for row in (before[1:] == before[:-1]).nonzero()[0].tolist():
        text = values[bounds[row] : bounds[row + 1]]
        stops = ((text[:-1] == _STOP) & (text[1:] == _SPACE)).nonzero()[0]
        end[bounds[row] + stops] = True
        parts.append(bounds[row] + stops + 1)
    edges = np.concatenate(parts)
    edges.sort(kind="stable")  # which merges what is sorted already
    edges = edges[np.append(True, edges[1:] != edges[:-1])]
    last = edges[1:] - 1
    is_mark = end.take(last) | (values.take(last) == _STOP)
    return edges, edges[1:] - edges[:-1] - is_mark


def _few(mask: npt.NDArray[np.bool_]) -> Positions:
    """The places of the true ones, where few are: by eight at once, half the time of `nonzero`."""
    whole = len(mask) & ~7
    words = mask[:whole].view(np.uint64)
    some = (words != 0).nonzero()[0]
    inside = words.take(some).view(np.bool_).nonzero()[0]
    places = some.take(inside >> 3) << 3
    places += inside & 7
    return np.append(places, whole + mask[whole:].nonzero()[0])


def _longest(
    edges: Positions, lengths: Positions, bounds: Positions, plan: Plan
) -> tuple[Positions, Positions]:
    """The longest sentences of each text, by number, and their rows; those that are too short for a
    key are none.
    """
    count = len(bounds) - 1
    long = (lengths >= plan.sentences.minimum).nonzero()[0]
    rows = np.repeat(np.arange(count), np.diff(edges.searchsorted(bounds))).take(long)
    # one number each that sorts by row, by length, by place: several times as fast as lexsort
    order = (rows << _ROW_BITS) - (np.minimum(lengths.take(long), _MOST) << _PLACE_BITS)
    order += np.arange(len(long))
    order.sort()
    place = long.take(order & ((1 << _PLACE_BITS) - 1))
    rank = np.arange(len(rows)) - rows.searchsorted(np.arange(count)).take(rows)
    kept = (rank < plan.sentences.keep).nonzero()[0]
    return place.take(kept), rows.take(kept)


@lru_cache(maxsize=4)
def _letters(version: str, steps: tuple[str, ...]) -> Units:
    """The folded letter or digit of each unit, rare ones as they are; 0 for all others. What
    expands or joins another character counts for nothing, in every text alike.
    """
    out = _folded(version, steps)[:_UNITS]
    out[_HALVES] = np.arange(_UNITS)[_HALVES]
    return out


@lru_cache(maxsize=4)
def _rare(version: str, steps: tuple[str, ...]) -> Units:
    """A unit for each code point past those of two bytes: the folded letter or digit, one of the
    halves for a letter that is rare itself."""
    units = _folded(version, steps)[_UNITS:]
    return np.where(units, units, np.uint16(_NO_LETTER))


def _folded(version: str, steps: tuple[str, ...]) -> Units:
    table = load(version, steps)
    first = table.first
    kept = (first < LIMIT) & (table.kind.take(first, mode="clip") != OTHER)
    units = np.where(first < _UNITS, first, _HALVES.start + first % _COUNT_OF_HALVES)
    return np.where(kept, units, 0).astype(np.uint16)
