"""A text as the facts guard reads it: prepared, without its numbers, with a way back to what was
written.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from indexer.text import Prepared
from indexer.text.table import OTHER
from query.facts.scan import Fact, Wording, wording
from query.facts.sides import Side
from query.facts.titles import titles
from query.grams import Features

Span = tuple[int, int]

DATE_UNITS: Final = frozenset("年月日号时点分秒")

_SHORT: Final = 80
_SHORTER: Final = 2
"""A line of so few characters, and so many times shorter than the longest, may be furniture."""


@dataclass(frozen=True)
class Reading:
    """A text with its wording; `first` is where it begins in the batch it was prepared in."""

    prepared: Prepared
    row: int
    first: int
    bare: Wording
    spaced: bool

    @classmethod
    def of(cls, features: Features) -> Reading:
        prepared, row = features.batch.prepared.literal, features.row
        return cls(
            prepared, row, int(prepared.rows.bounds[row]), wording(prepared, row), features.spaced
        )

    def original(self, span: Span) -> str:
        """A stretch of the prepared text as it was written."""
        start, stop = self.prepared.span(self.first + span[0], self.first + span[1])
        codes = self.prepared.original.values[start:stop]
        return codes.tobytes().decode("utf-32-le", "surrogatepass")

    def place(self, span: Span) -> Span:
        """The same as characters [start, stop) of the text as it was given."""
        start, stop = self.prepared.span(self.first + span[0], self.first + span[1])
        offset = int(self.prepared.original.bounds[self.row])
        return int(start) - offset, int(stop) - offset

    def said(self, span: Span) -> str:
        """A stretch of the prepared text without marks, and without units of dates."""
        text = self.bare.text[slice(*span)]
        return "".join(c for c in text if c.isalnum() and c not in DATE_UNITS)

    def side(self, units: Span) -> Side:
        """Some units of the wording as a stretch of the prepared text."""
        (first, stop), places = units, self.bare.places
        if first >= stop:
            place = int(places[first]) if first < len(places) else len(self.bare.text)
            return Side(self.bare.text, place, place)
        return Side(self.bare.text, int(places[first]), int(places[stop - 1]) + 1)

    def glued(self, units: Span, beside: Side) -> Side:
        """The same as `side`; what is empty stands at the end of the word before it where the
        stretch of the other text, `beside`, is in one word with what stands before that.
        """
        side, first = self.side(units), units[0]
        in_a_word = beside.start and beside.text[beside.start - 1].isalnum()
        if side.inside or not first or not in_a_word:
            return side
        place = int(self.bare.places[first - 1]) + 1
        return Side(side.text, place, place)

    def sounds(self, span: Span) -> list[int]:
        """What a stretch of the prepared text sounds like."""
        start, stop = self.first + span[0], self.first + span[1]
        codes = self.prepared.codes[start:stop][self.prepared.kinds[start:stop] != OTHER]
        return list(self.prepared.table.syllable[codes].tolist())

    def fact_before(self, unit: int) -> Fact | None:
        """The number right before a unit of the wording."""
        place = int(self.bare.at.searchsorted(unit)) - 1
        return self.bare.facts[place] if place >= 0 and self.bare.at[place] == unit - 1 else None

    @cached_property
    def titles(self) -> list[Span]:
        """What stands in quotation or title marks, as stretches of the prepared text."""
        rows, sources = self.prepared.original, self.prepared.sources
        begin, end = (int(bound) for bound in rows.bounds[self.row : self.row + 2])
        written = rows.values[begin:end].tobytes().decode("utf-32-le", "surrogatepass")
        found = np.array(titles(written), np.int64).reshape(-1, 2)
        places = np.searchsorted(sources, found + begin) - self.first
        return [(int(start), int(stop)) for start, stop in places]

    @property
    def said_titles(self) -> set[str]:
        """The titles, as prepared."""
        return {self.bare.text[start:stop] for start, stop in self.titles}

    def in_short_line(self, span: Span) -> bool:
        """Whether a stretch stands in a line that is short beside the longest one."""
        text = self.bare.text
        start, stop = text.rfind("\n", 0, span[0]) + 1, text.find("\n", span[1])
        size = (stop if stop >= 0 else len(text)) - start
        return size <= _SHORT and size * _SHORTER <= self.longest_line

    @cached_property
    def longest_line(self) -> int:
        return max(map(len, self.bare.text.split("\n")))

    def title_around(self, units: Span) -> Side | None:
        """The title that some units of the wording stand in; where there are none, that which ends
        or begins there.
        """
        if not self.titles:
            return None
        side, first = self.side(units), units[0]
        spans = [(side.start, side.stop)]
        if side.start == side.stop and first:
            spans.append((int(self.bare.places[first - 1]) + 1,) * 2)
        for start, stop in self.titles:
            if any(start <= low and high <= stop for low, high in spans) and start < stop:
                return Side(side.text, start, stop)
        return None
