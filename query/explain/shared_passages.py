"""Shared passages of two texts, as stretches of both originals.

A passage is a run of units (syllables, or words in scripts with spaces) that stands in both texts,
so homophones and the other Chinese script do not end it. Runs are taken longest first and never
overlap on either side, wherever they stand: moved passages are found like the others (greedy
string tiling; Wise 1993).
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import Final

import numpy as np
import numpy.typing as npt

from indexer.text import Streams
from indexer.text.hashing import shingle_rows
from indexer.text.ragged import Positions
from indexer.text.streams import word_starts
from indexer.text.table import JOINS, UNIT
from query.explain.runs import Run, common_runs

LEAST_UNITS: Final = 6
"""The shortest passage in Chinese: of six syllables in a row few are shared by chance."""

LEAST_WORDS: Final = 4
_SHORT_PART: Final = 4
"""In texts of a few units a passage may be this part of the shorter one."""

_SEED: Final = 0
_LETTERS_PER_UNIT: Final = 3
"""A foreign word inside Chinese is not six units: three of its letters count as one."""

LISTED: Final = 1_000
"""Passages listed at most."""

_WORK: Final = 200_000_000
"""Units looked at in all while passages are chosen; only texts that repeat themselves need more."""


class Same(StrEnum):
    """What is equal in a passage after preparation."""

    CHARACTERS = "same_characters"
    SOUNDS = "same_sounds"


@dataclass(frozen=True, slots=True)
class Span:
    """Characters [start, stop) of an original text, counted in code points."""

    start: int
    stop: int


@dataclass(frozen=True, slots=True)
class Passage:
    """One shared passage. `units`: its syllables or words; `swapped`: how many of them are other
    characters of the same sound."""

    left: Span
    right: Span
    units: int
    same: Same
    swapped: int


@dataclass(frozen=True, slots=True)
class Passages:
    """Passages, longest first. `found`: how many there are, LISTED of them at most are given.

    `coverage` and `right_coverage`: the share of the letters and digits of either text that is in
    one of all that were found. `complete`: no limit was met on the way.
    """

    passages: tuple[Passage, ...]
    found: int
    coverage: float
    right_coverage: float
    complete: bool


def shared_passages(streams: Streams) -> Passages:
    """The shared passages of the first two texts of a batch."""
    sides = _Side.of(streams, 0), _Side.of(streams, 1)
    left, right = sides[0].units, sides[1].units
    width = least_units(min(len(left), len(right)), streams.spaced)
    if not width:
        return Passages((), 0, 0.0, 0.0, True)
    hashes = shingle_rows(streams.units, width, _SEED)
    runs, complete = common_runs((left, right), (hashes[0], hashes[1]), width)
    tiling = _Tiling(sides, width)
    tiling.choose(runs)
    chosen = sorted(tiling.chosen, key=lambda run: (-run.length, run.left, run.right))
    coverage, right_coverage = tiling.coverage()
    listed = _listed(chosen[:LISTED], streams, sides)
    return Passages(
        passages=listed,
        found=len(chosen),
        coverage=coverage,
        right_coverage=right_coverage,
        complete=complete and tiling.complete,
    )


def least_units(shorter: int, spaced: bool) -> int:
    """The least units of a passage, by the length of the shorter text; 0 when that is empty."""
    full = LEAST_WORDS if spaced else LEAST_UNITS
    return min(full, max(2, shorter // _SHORT_PART), shorter)


@dataclass(frozen=True)
class _Side:
    """The units of one text. `starts[i]` is where unit i begins among the letters and digits of
    the whole batch; one entry more than units. `weights` are running sums, in letters."""

    row: int
    units: npt.NDArray[np.uint64]
    starts: Positions
    weights: Positions

    @classmethod
    def of(cls, streams: Streams, row: int) -> _Side:
        prepared, units = streams.prepared, streams.units[row]
        first, last = prepared.folded.bounds[row : row + 2].tolist()
        if not streams.spaced:
            kinds = prepared.kinds[prepared.places[first:last]]
            weights = np.where(kinds == UNIT, _LETTERS_PER_UNIT, 1)
            return cls(row, units, np.arange(first, last + 1), _sums(weights))
        begin = streams.units.bounds[row]
        places = word_starts(prepared)[begin : begin + len(units)]
        starts = np.append(np.searchsorted(prepared.places, places), last)
        weights = np.full(len(units), _LETTERS_PER_UNIT)
        return cls(row, units, starts, _sums(weights))

    def weight(self, start: int, stop: int) -> int:
        return int(self.weights[stop] - self.weights[start])

    def share(self, taken: npt.NDArray[np.bool_]) -> float:
        """The share of the letters and digits whose units are taken."""
        letters = self.starts[1:] - self.starts[:-1]
        return int(letters[taken].sum()) / max(1, int(letters.sum()))


class _Tiling:
    """Chooses runs, longest first, cutting from each what longer ones have taken."""

    def __init__(self, sides: tuple[_Side, _Side], width: int) -> None:
        self._sides, self._width = sides, width
        whole = min(int(side.weights[-1]) for side in sides)
        self._heavy = min(width * _LETTERS_PER_UNIT, whole)
        # bytes, as a search in them costs less than the smallest NumPy call
        self._marks = bytearray(len(sides[0].units)), bytearray(len(sides[1].units))
        self.chosen: list[Run] = []
        self.complete = True

    def coverage(self) -> tuple[float, float]:
        """The share of either text that is taken."""
        left, right = (
            side.share(np.frombuffer(marks, np.bool_))
            for side, marks in zip(self._sides, self._marks, strict=True)
        )
        return left, right

    def choose(self, runs: list[Run]) -> None:
        heap = [(-run.length, run.left, run.right) for run in runs]
        heapq.heapify(heap)
        work = 0
        while heap:
            length, left, right = heapq.heappop(heap)
            run = Run(left, right, -length)
            work += run.length
            if work > _WORK:
                self.complete = False
                return
            for part in self._free(run):
                if part == run:
                    self._take(run)
                else:
                    heapq.heappush(heap, (-part.length, part.left, part.right))

    def _free(self, run: Run) -> Iterator[Run]:
        """The parts of a run that nothing has taken on either side and that are long enough."""
        ends = run.left + run.length, run.right + run.length
        first, second = self._marks
        if first.find(1, run.left, ends[0]) < 0 and second.find(1, run.right, ends[1]) < 0:
            yield from filter(self._is_heavy, (run,))
            return
        blocked = np.frombuffer(first[run.left : ends[0]], np.bool_)
        blocked = blocked | np.frombuffer(second[run.right : ends[1]], np.bool_)
        edges = np.flatnonzero(blocked[1:] != blocked[:-1]) + 1
        borders = [0, *edges.tolist(), run.length]
        for start, stop in pairwise(borders):
            if stop - start >= self._width and not blocked[start]:
                part = Run(run.left + start, run.right + start, stop - start)
                yield from filter(self._is_heavy, (part,))

    def _is_heavy(self, run: Run) -> bool:
        weight = self._sides[0].weight(run.left, run.left + run.length)
        return weight >= self._heavy

    def _take(self, run: Run) -> None:
        self.chosen.append(run)
        for marks, start in zip(self._marks, (run.left, run.right), strict=True):
            marks[start : start + run.length] = bytes([1]) * run.length


def _listed(runs: list[Run], streams: Streams, sides: tuple[_Side, _Side]) -> tuple[Passage, ...]:
    """Runs as passages of the originals.

    Two runs may end and begin inside one character of an original (㎏ is prepared as kg): it
    belongs to the first, and a run with nothing else of its own is left out.
    """
    spans = [_parted(_spans(streams, side, runs, at)) for at, side in enumerate(sides)]
    characters = streams.characters.values
    out = []
    for run, left, right in zip(runs, *spans, strict=True):
        if left.start >= left.stop or right.start >= right.stop:
            continue
        swapped = 0 if streams.spaced else _swapped(characters, run, sides)
        same = Same.SOUNDS if swapped else Same.CHARACTERS
        out.append(Passage(left, right, run.length, same, swapped))
    return tuple(out)


def _swapped(characters: npt.NDArray[np.uint64], run: Run, sides: tuple[_Side, _Side]) -> int:
    left, right = int(sides[0].starts[run.left]), int(sides[1].starts[run.right])
    differs = characters[left : left + run.length] != characters[right : right + run.length]
    return int(np.count_nonzero(differs))


def _spans(streams: Streams, side: _Side, runs: list[Run], at: int) -> list[Span]:
    """Where the units of each run are in the text's own original."""
    prepared = streams.prepared
    begins = np.array([run[at] for run in runs], np.int64)
    firsts = side.starts[begins]
    lasts = side.starts[begins + np.array([run.length for run in runs], np.int64)]
    starts = prepared.sources[prepared.places[firsts]]
    stops = prepared.sources[prepared.places[lasts - 1]] + 1
    offset, limit = prepared.original.bounds[side.row : side.row + 2].tolist()
    after = prepared.original.values[np.minimum(stops, limit - 1)]
    for row in np.flatnonzero(prepared.table.first[after] == JOINS).tolist():
        # a mark is joined to the last letter, which is rare
        stops[row] = prepared.folded_span(int(firsts[row]), int(lasts[row]))[1]
    pairs = zip((starts - offset).tolist(), (stops - offset).tolist(), strict=True)
    return [Span(start, stop) for start, stop in pairs]


def _parted(spans: list[Span]) -> list[Span]:
    """The spans, each begun no sooner than the one before it in the text ends."""
    out = list(spans)
    end = 0
    for at in sorted(range(len(spans)), key=lambda at: (spans[at].start, spans[at].stop)):
        out[at] = Span(max(end, spans[at].start), spans[at].stop)
        end = max(end, spans[at].stop)
    return out


def _sums(weights: Positions) -> Positions:
    return np.concatenate((np.zeros(1, np.int64), np.cumsum(weights)))


def pieces(text: str, spans: Sequence[Span]) -> Iterator[tuple[str, int | None]]:
    """A text cut at its spans: each piece with the number of its span (from 1), None outside.

    The spans do not overlap; they may come in any order.
    """
    done = 0
    for number, span in sorted(enumerate(spans, 1), key=lambda numbered: numbered[1].start):
        if done < span.start:
            yield text[done : span.start], None
        yield text[span.start : span.stop], number
        done = span.stop
    if done < len(text):
        yield text[done:], None
