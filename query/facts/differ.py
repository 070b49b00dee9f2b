"""The facts guard: near duplicates whose numbers, dates or names differ.

1. numbers are taken out of both texts (`scan`); 2. what is left is aligned, wherever it stands
(`align`, `gaps`); 3. numbers in the same place are compared by value (`numbers`), and gaps between
the same words are looked at for names (`names`, `things`, `classes`); 4. what damage explains is
left out (`noise`).

Only a fact that stands in for another differs: what one text merely lacks does not, and neither
does a number that the other text has elsewhere, in a place that fits as well. Two names that
change places are not seen.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from rapidfuzz.distance import Levenshtein

from query.answers import FactDifference, FactKind
from query.facts.align import blocks, covered
from query.facts.blanks import blanks
from query.facts.bylines import in_byline
from query.facts.fact_reading import DATE_UNITS, Reading, Span
from query.facts.gap_names import Difference, contents, look_alike, named, names_in, slots_of
from query.facts.gaps import Gap, gaps, refined
from query.facts.noise import Noise, damage_in, is_broken
from query.facts.numbers import in_place
from query.facts.scan import Wording
from query.facts.sides import Side
from query.grams import Features

LISTED: Final = 20
"""Differences that are named; the others are counted."""

_NAMED: Final = 100
"""Differences that are looked at as slots of a form."""

COVERED: Final = 0.5
"""The part of the shorter text that has to be the same, numbers apart, for facts to be compared."""


class Said(NamedTuple):
    """What a text says in one place: prepared letters, without units of dates. `at`: where."""

    at: int
    text: str


class Slot(NamedTuple):
    """A difference, as both texts have it."""

    asked: Said
    stored: Said


class Compared(NamedTuple):
    """The facts of two texts: those that differ, at most LISTED, and how many there are.

    `slots` are those but for numbers and dates in short lines, which page furniture has, and for
    what is in a byline; `agreed` counts numbers and titles that both texts have in the same place;
    `bylines` counts those in bylines; `same` are the units that are equal, Latin letters for half.
    `spans`: those listed as stretches of the prepared texts; `Reading.place` has a way back.
    """

    listed: tuple[FactDifference, ...] = ()
    total: int = 0
    slots: tuple[Slot, ...] = ()
    agreed: int = 0
    bylines: int = 0
    same: int = 0
    spans: tuple[tuple[Span, Span], ...] = ()


def facts_differ(asked: Features, stored: Features) -> tuple[tuple[FactDifference, ...], int]:
    """The facts in which near duplicates differ, at most LISTED, and how many there are.

    Nothing for texts too unlike for their facts to be told apart from other differences.
    """
    return compare(Reading.of(asked), Reading.of(stored))[:2]


def compare(left: Reading, right: Reading) -> Compared:
    """All that facts say of two texts; nothing where they are too unlike."""
    spaced = left.spaced and right.spaced
    found, agreed, same = _differences(left, right, spaced)
    named, slots, bylines = [], [], 0
    ordered = sorted(found, key=lambda each: (each.asked, each.stored, each.kind))[:_NAMED]
    for each in ordered:
        named.append(
            FactDifference(each.kind, left.original(each.asked), right.original(each.stored))
        )
        if in_byline(left.bare.text, *each.asked) or in_byline(right.bare.text, *each.stored):
            bylines += 1
            continue
        short = left.in_short_line(each.asked) or right.in_short_line(each.stored)
        if each.kind is FactKind.NAME or not short:
            slots.append(Slot(_said(left, each.asked), _said(right, each.stored)))
    weighed = same // 2 if spaced else same
    spans = tuple((each.asked, each.stored) for each in ordered[:LISTED])
    listed = tuple(named[:LISTED])
    return Compared(listed, len(found), tuple(slots), agreed, bylines, weighed, spans)


def _said(text: Reading, span: Span) -> Said:
    return Said(span[0], text.said(span))


def _differences(left: Reading, right: Reading, spaced: bool) -> tuple[set[Difference], int, int]:
    """All differences that damage does not explain, how many facts agree, and equal units."""
    coarse = blocks(left.bare.sounds, right.bare.sounds, spaced)
    aligned = refined(left.bare.sounds, right.bare.sounds, coarse, spaced)
    shorter = min(len(left.bare.sounds), len(right.bare.sounds))
    same = covered(aligned)
    if same < max(1, COVERED * shorter):
        return set(), 0, same
    between = list(gaps(aligned))
    by_gap = dict(names_in(left, right, between))
    pairs, agreed = in_place(left.bare, right.bare, aligned)
    numbers = {_number(left.bare, i, right.bare, j) for i, j in pairs}
    codes = [each for each in by_gap.values() if each.kind is not FactKind.NAME]
    if codes:
        numbers = {each for each in numbers if not any(_is_in(each, code) for code in codes)}
    again = {contents(left, right, gap) for gap in by_gap}
    open_gaps = [gap for gap in between if _is_change(gap) and gap not in by_gap]
    if again:
        open_gaps = [gap for gap in open_gaps if contents(left, right, gap) not in again]
    broken = any(is_broken(left, right, gap) for gap in open_gaps)
    said = (contents(left, right, gap) for gap in open_gaps)
    first = next(said, None)
    if first and (not broken or all(each == first for each in said)):
        slots = slots_of(left, right, open_gaps, same)
        by_gap, open_gaps = by_gap | slots, [] if slots else open_gaps
    kept = set[Difference]()
    if by_gap or numbers:
        damage = damage_in(left, right, open_gaps, same, spaced)
        digits = (_digits(left) + _digits(right)) // 2 if numbers else 0
        kept = _undamaged(set(by_gap.values()), numbers, damage, digits)
    kept |= {named(sides) for sides in blanks(left.bare.text, right.bare.text)}
    found = {
        Difference(each.kind, each.asked, each.stored)
        for each in kept
        if each.kind is not FactKind.NAME or not look_alike(left, right, each)
    }
    return found, agreed + len(left.said_titles & right.said_titles), same


def _is_in(part: Difference, whole: Difference) -> bool:
    """Whether a number belongs to a code or a quantity that is named itself."""
    (start, stop), (other, end) = whole.asked, whole.stored
    asked = start <= part.asked[0] and part.asked[1] <= stop
    return asked and other <= part.stored[0] and part.stored[1] <= end


def _undamaged(
    names: set[Difference], numbers: set[Difference], damage: Noise, digits: int
) -> set[Difference]:
    """Those that damage does not explain; `digits`: of all numbers of a text."""
    names = {each for each in names if not damage.explains_name(each.changed, each.units)}
    weak = {each for each in names if each.weak}
    if damage.rewritten and len(weak) < damage.rewritten + damage.broken:
        names -= weak
    numbers = {
        each
        for each in numbers
        if each.is_replaced or not damage.explains_number(each.changed, each.units, digits)
    }
    for replaced in (False, True):
        slight = {each for each in numbers if each.changed == 1 and each.is_replaced == replaced}
        if damage.explains_numbers(len(slight), digits, replaced):
            numbers = numbers - slight
    return names | numbers


def _digits(text: Reading) -> int:
    """Letters of the numbers of a text."""
    return sum(fact.stop - fact.start for fact in text.bare.facts)


def _is_change(gap: Gap) -> bool:
    """Whether something stands in for something else, or a single character is more or less."""
    here, there = gap.sizes
    least = min(here, there)
    return least > 0 or (abs(here - there) == 1)


def _number(left: Wording, i: int, right: Wording, j: int) -> Difference:
    """Two numbers of the lists of facts as a difference."""
    asked, stored = left.facts[i], right.facts[j]
    sides = Side(left.text, *asked[:2]), Side(right.text, *stored[:2])
    size = max(len(side.inside) for side in sides)
    return Difference(*_whole(left, i, right, j), _changed(*sides), size)


def _changed(asked: Side, stored: Side) -> int:
    """How many characters make one number of the other: of 1.2 and x.2 one, though only 2 of it is
    left to read as a number.
    """
    size = max(len(asked.inside), len(stored.inside))
    ways = (
        (
            side.inside,
            side.text[side.start : side.start + size],
            side.text[max(0, side.stop - size) : side.stop],
        )
        for side in (asked, stored)
    )
    return min(Levenshtein.distance(*pair) for pair in zip(*ways, strict=True))


def _whole(left: Wording, i: int, right: Wording, j: int) -> tuple[FactKind, Span, Span]:
    """Two numbers with the dates they are parts of."""
    date = FactKind.DATE in (left.facts[i].kind, right.facts[j].kind)
    kind = FactKind.DATE if date else left.facts[i].kind
    return kind, _stretch(left, i, date), _stretch(right, j, date)


_PARTS: Final = 7
"""A date has no more parts, from the year to the second; a chain of any length is none."""


def _stretch(bare: Wording, place: int, date: bool) -> Span:
    first = last = place
    while bare.facts[first].follows and place - first < _PARTS:
        first -= 1
    while last + 1 < len(bare.facts) and bare.facts[last + 1].follows and last - place < _PARTS:
        last += 1
    stop = bare.facts[last].stop
    if date and bare.text[stop : stop + 1] in DATE_UNITS:
        stop += 1
    return bare.facts[first].start, stop
