"""A text as the facts guard reads it: prepared, without its numbers, with a way back to what was
written.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import Final

import numpy as np

from indexer.cached import cached_property
from indexer.text import Prepared
from indexer.text.table import OTHER
from query.facts.capitals import names_inside
from query.facts.scan import Fact, Wording, wording
from query.facts.sides import Side
from query.facts.titles import titles
from query.grams import Features

Span = tuple[int, int]

DATE_UNITS: Final = frozenset("年月日号时点分秒")

_BESIDE: Final = 3
"""Units before and behind others that may belong to a code with them."""

_SHORT: Final = 80
_SHORTER: Final = 2
"""A line of so few characters, and so many times shorter than the longest, may be furniture."""


@dataclass(frozen=True)
class Reading:
    """A text with its wording; `first` is where it begins in the batch it was prepared in.
    `skeleton`: the same batch with its disguises undone.
    """

    prepared: Prepared
    row: int
    first: int
    bare: Wording
    spaced: bool
    skeleton: Prepared

    @classmethod
    def of(cls, features: Features) -> Reading:
        skeleton, row = features.batch.prepared, features.row
        prepared = skeleton.literal
        first, bare = int(prepared.rows.bounds[row]), wording(prepared, row)
        return cls(prepared, row, first, bare, features.spaced, skeleton)

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

    def undone(self, span: Span) -> list[int]:
        """A stretch of the prepared text with its disguise undone: letters and digits."""
        start, stop = self.first + span[0], self.first + span[1]
        if self.skeleton.before is not None:
            start, stop = self.skeleton.at.searchsorted([start, stop]).tolist()
        kinds = self.skeleton.kinds[start:stop]
        return list(self.skeleton.codes[start:stop][kinds != OTHER].tolist())

    def said(self, span: Span) -> str:
        """A stretch of the prepared text without marks, and without units of dates."""
        text = self.bare.text[slice(*span)]
        return "".join(c for c in text if c.isalnum() and c not in DATE_UNITS)

    def side(self, units: Span) -> Side:
        """Some units of the wording as a stretch of the prepared text."""
        (first, stop), places, text = units, self.bare.places, self.bare.text
        start = places.item(first) if first < len(places) else len(text)
        return Side(text, start, places.item(stop - 1) + 1 if first < stop else start)

    def glued(self, side: Side, first: int, beside: Side) -> Side:
        """The stretch of some units from the `first` on; what is empty stands at the end of the
        word before it where the stretch of the other text, `beside`, is in one word with what
        stands before that.
        """
        if side.start < side.stop or not first:
            return side
        if not beside.start or not beside.text[beside.start - 1].isalnum():
            return side
        place = self.bare.places.item(first - 1) + 1
        return Side(side.text, place, place)

    def units(self, span: Span) -> Span:
        """A stretch of the prepared text as units of the wording."""
        start, stop = self.bare.places.searchsorted(span).tolist()
        return start, stop

    def span(self, units: Span) -> Span:
        """Some units of the wording as a stretch of the prepared text, with all of its numbers."""
        places, size = self.bare.places, len(self.bare.text)
        start, stop = (places.item(unit) if unit < len(places) else size for unit in units)
        return start, stop

    def sounds(self, span: Span) -> list[int]:
        """What a stretch of the prepared text sounds like."""
        start, stop = self.first + span[0], self.first + span[1]
        codes = self.prepared.codes[start:stop][self.prepared.kinds[start:stop] != OTHER]
        return list(self.prepared.table.syllable[codes].tolist())

    def fact_before(self, unit: int) -> Fact | None:
        """The number right before a unit of the wording."""
        place = bisect_left(self.bare.at, unit) - 1
        return self.bare.facts[place] if place >= 0 and self.bare.at[place] == unit - 1 else None

    def has_number(self, units: Span) -> bool:
        """Whether a number stands among some units of the wording, or beside them."""
        place = bisect_left(self.bare.at, units[0] - _BESIDE)
        return place < len(self.bare.at) and self.bare.at[place] < units[1] + _BESIDE

    def date_before(self, unit: int) -> int | None:
        """Where the date or number right before a unit of the wording begins."""
        place = bisect_left(self.bare.at, unit) - 1
        if place < 0 or self.bare.at[place] != unit - 1:
            return None
        while place and self.bare.facts[place].follows:
            place -= 1
        return self.bare.facts[place].start

    @cached_property
    def titles(self) -> list[Span]:
        """What stands in quotation or title marks, as stretches of the prepared text."""
        rows, sources = self.prepared.original, self.prepared.sources
        begin, end = rows.bounds[self.row : self.row + 2].tolist()
        found = titles(rows.values[begin:end].tobytes().decode("utf-32-le", "surrogatepass"))
        if not found:
            return []
        places = sources.searchsorted(np.array(found) + begin) - self.first
        return [(start, stop) for start, stop in places.tolist()]

    @cached_property
    def names_inside(self) -> frozenset[str]:
        """Words that are names by how they are written inside of sentences."""
        return names_inside(
            self.prepared.original[self.row].tobytes().decode("utf-32-le", "surrogatepass")
        )

    @cached_property
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

    def title_around(self, side: Side, first: int) -> Side | None:
        """The title that the stretch of some units from the `first` on stands in; where there are
        none, that which ends or begins there.
        """
        if not self.titles:
            return None
        spans = [(side.start, side.stop)]
        if side.start == side.stop and first:
            spans.append((self.bare.places.item(first - 1) + 1,) * 2)
        for start, stop in self.titles:
            for low, high in spans:
                if start <= low and high <= stop and start < stop:
                    return Side(side.text, start, stop)
        return None
