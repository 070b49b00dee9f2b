"""The facts guard: near duplicates whose numbers, dates or names differ.

1. numbers are taken out of both texts (`facts_scan`); 2. what is left is aligned, wherever it
stands (`facts_align`); 3. numbers in the same place are compared by value, and gaps between the
same words are looked at for names (`facts_names`).

Only a fact that stands in for another differs: what one text merely lacks does not, and neither
does a number that the other text has elsewhere, in a place that fits as well. Two names that
change places are not seen.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, NamedTuple

from indexer.text import Prepared
from indexer.text.table import LETTER
from query.answers import FactDifference, FactKind
from query.facts.align import Block, blocks, covered
from query.facts.names import Side, Sides, han_names, quantities, word_names
from query.facts.scan import Fact, Skeleton, skeleton
from query.facts.values import agree
from query.grams import Features

LISTED: Final = 20
"""Differences that are named; the others are counted."""

COVERED: Final = 0.6
"""The part of the shorter text that has to be the same, numbers apart, for facts to be compared."""

_EDGE: Final = 1
"""Units that have to be equal on either side of a number, in a block that is long enough."""

_GAP, _SPACED_GAP = 12, 40
_DATE_UNITS: Final = frozenset("年月日号时点分秒")

_Span = tuple[int, int]


class _Difference(NamedTuple):
    """A difference as stretches of the prepared texts."""

    kind: FactKind
    asked: tuple[int, int]
    stored: tuple[int, int]


@dataclass(frozen=True)
class _Text:
    """A text with its skeleton; `first` is where it begins in the batch it was prepared in."""

    prepared: Prepared
    first: int
    bare: Skeleton

    @classmethod
    def of(cls, features: Features) -> _Text:
        prepared = features.batch.prepared.literal
        first = int(prepared.rows.bounds[features.row])
        return cls(prepared, first, skeleton(prepared, features.row))

    def original(self, span: tuple[int, int]) -> str:
        """A stretch of the prepared text as it was written."""
        start, stop = self.prepared.span(self.first + span[0], self.first + span[1])
        codes = self.prepared.original.values[start:stop]
        return codes.tobytes().decode("utf-32-le", "surrogatepass")

    def side(self, units: tuple[int, int]) -> Side:
        """Some units of the skeleton as a stretch of the prepared text."""
        (first, stop), places = units, self.bare.places
        if first == stop:
            place = int(places[first]) if first < len(places) else len(self.bare.text)
            return Side(self.bare.text, place, place)
        return Side(self.bare.text, int(places[first]), int(places[stop - 1]) + 1)

    def fact_before(self, unit: int) -> Fact | None:
        """The number right before a unit of the skeleton."""
        place = int(self.bare.at.searchsorted(unit)) - 1
        return self.bare.facts[place] if place >= 0 and self.bare.at[place] == unit - 1 else None

    def whole_words(self, side: Side) -> Side | None:
        """The words that a stretch of letters belongs to; None when there is anything else."""
        text, start, stop = side
        kinds = self.prepared.kinds[self.first : self.first + len(text)]
        if not all(
            kind == LETTER or text[start + i] == " " for i, kind in enumerate(kinds[start:stop])
        ):
            return None
        while start and kinds[start - 1] == LETTER:
            start -= 1
        while stop < len(text) and kinds[stop] == LETTER:
            stop += 1
        return Side(text, start, stop)


class _Gap(NamedTuple):
    """Units of the skeletons that stand between the same words."""

    asked: _Span
    stored: _Span


def facts_differ(asked: Features, stored: Features) -> tuple[tuple[FactDifference, ...], int]:
    """The facts in which near duplicates differ, at most LISTED, and how many there are.

    Nothing for texts too unlike for their facts to be told apart from other differences.
    """
    left, right = _Text.of(asked), _Text.of(stored)
    spaced = asked.spaced and stored.spaced
    aligned = blocks(left.bare.sounds, right.bare.sounds, spaced)
    shorter = min(len(left.bare.sounds), len(right.bare.sounds))
    if covered(aligned) < max(1, COVERED * shorter):
        return (), 0
    differ = {*_numbers(left, right, aligned), *_names(left, right, aligned, spaced)}
    first = sorted(differ, key=lambda difference: difference.asked)[:LISTED]
    named = (
        FactDifference(kind, left.original(asked_span), right.original(stored_span))
        for kind, asked_span, stored_span in first
    )
    return tuple(named), len(differ)


def _numbers(left: _Text, right: _Text, aligned: list[Block]) -> Iterator[_Difference]:
    """Numbers in the same place with another value."""
    asked, stored = left.bare, right.bare
    places = [_in_place(asked, stored, block) for block in aligned]
    paired = [pair for pairs, _ in places for pair in pairs]
    equal = [(i, j) for i, j in paired if agree(asked.facts[i].value, stored.facts[j].value)]
    seen, other_seen = {i for i, _ in equal}, {j for _, j in equal}
    for pairs, (first, last) in places:
        for i, j in pairs:
            inside = first <= asked.at[i] < last
            if not inside or i in seen or j in other_seen:
                continue
            seen.add(i)
            other_seen.add(j)
            yield _Difference(*_whole(asked, i, stored, j))


def _in_place(left: Skeleton, right: Skeleton, block: Block) -> tuple[list[_Span], _Span]:
    """Pairs of numbers that a block puts in the same place, as places in the lists of facts; and
    the part of the block with equal words enough on either side to tell numbers apart by.
    """
    shift = block.other - block.start
    first, last = left.at.searchsorted((block.start, block.stop)).tolist()
    other = int(right.at.searchsorted(block.other))
    pairs = list(zip(range(first, last), range(other, other + last - first), strict=True))
    begin, end = left.words.searchsorted((block.start, block.stop)).tolist()
    if end - begin < 2 * _EDGE:
        return pairs, (0, 0)
    low, high = int(left.words[begin + _EDGE - 1]), int(left.words[end - _EDGE]) + 1
    if block.start == block.other == 0:
        low = 0
    if block.stop == len(left.sounds) and block.stop + shift == len(right.sounds):
        high = block.stop
    return pairs, (low, high)


def _whole(left: Skeleton, i: int, right: Skeleton, j: int) -> tuple[FactKind, _Span, _Span]:
    """Two numbers with the dates they are parts of."""
    date = FactKind.DATE in (left.facts[i].kind, right.facts[j].kind)
    kind = FactKind.DATE if date else left.facts[i].kind
    return kind, _stretch(left, i, date), _stretch(right, j, date)


_PARTS: Final = 7
"""A date has no more parts, from the year to the second; a chain of any length is none."""


def _stretch(bare: Skeleton, place: int, date: bool) -> _Span:
    first = last = place
    while bare.facts[first].follows and place - first < _PARTS:
        first -= 1
    while last + 1 < len(bare.facts) and bare.facts[last + 1].follows and last - place < _PARTS:
        last += 1
    stop = bare.facts[last].stop
    if date and bare.text[stop : stop + 1] in _DATE_UNITS:
        stop += 1
    return bare.facts[first].start, stop


def _names(left: _Text, right: _Text, aligned: list[Block], spaced: bool) -> Iterator[_Difference]:
    """Names in the gaps between blocks that stand next to each other in both texts."""
    limit = _SPACED_GAP if spaced else _GAP
    for before, after in pairwise(aligned):
        other = before.other + before.stop - before.start
        gaps = after.start - before.stop, after.other - other
        if min(gaps) < 0 or not 0 < max(gaps) <= limit:
            continue
        gap = _Gap((before.stop, after.start), (other, after.other))
        hit = _quantity(left, right, gap)
        if hit is None and min(gaps) > 0:
            hit = _name(left, right, gap)
        if hit:
            yield hit


def _quantity(left: _Text, right: _Text, gap: _Gap) -> _Difference | None:
    """Another unit of measure after a number."""
    asked, stored = left.fact_before(gap.asked[0]), right.fact_before(gap.stored[0])
    if asked is None or stored is None:
        return None
    values = asked.value, stored.value
    hit = quantities(left.side(gap.asked), right.side(gap.stored), values)
    if hit is None:
        return None
    return _Difference(FactKind.NUMBER, (asked.start, hit[0].stop), (stored.start, hit[1].stop))


def _name(left: _Text, right: _Text, gap: _Gap) -> _Difference | None:
    """Another name."""
    asked, stored = left.side(gap.asked), right.side(gap.stored)
    hit = han_names(asked, stored) or _words(left, right, asked, stored)
    if hit is None or not _exchanged(left, right, hit):
        return None
    asked, stored = hit
    return _Difference(FactKind.NAME, (asked.start, asked.stop), (stored.start, stored.stop))


def _words(left: _Text, right: _Text, asked: Side, stored: Side) -> Sides | None:
    """The whole words a gap stands in, when both are names."""
    name, stored_name = left.whole_words(asked), right.whole_words(stored)
    if name is None or stored_name is None:
        return None
    written = (
        left.original((name.start, name.stop)),
        right.original((stored_name.start, stored_name.stop)),
    )
    return (name, stored_name) if word_names(name, stored_name, written) else None


def _exchanged(left: _Text, right: _Text, names: Sides) -> bool:
    """Whether each text has its own name more often than the other has: nothing just moved."""
    asked, stored = (side.inside for side in names)
    return left.bare.text.count(asked) > right.bare.text.count(asked) and (
        right.bare.text.count(stored) > left.bare.text.count(stored)
    )
