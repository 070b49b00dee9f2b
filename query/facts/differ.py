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

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from rapidfuzz.distance import Levenshtein

from query.answers import FactDifference, FactKind
from query.facts.align import blocks, covered
from query.facts.blanks import blanks
from query.facts.bylines import in_byline
from query.facts.capitals import capital_names, may_be_cased, whole_words
from query.facts.classes import are_doubled, may_be_of_one_class, of_one_class, of_one_latin_class
from query.facts.everyday import is_garbled
from query.facts.fact_reading import DATE_UNITS, Reading
from query.facts.gaps import Gap, gaps, refined
from query.facts.names import han_names, one_thing, quantities
from query.facts.noise import Noise
from query.facts.numbers import in_place
from query.facts.persons import foreign_names, persons_inside
from query.facts.scan import Wording
from query.facts.sides import Side, Sides, pieces, worded
from query.facts.things import only_slot, other_titles, plain_names
from query.grams import Features

LISTED: Final = 20
"""Differences that are named; the others are counted."""

_NAMED: Final = 100
"""Differences that are looked at as slots of a form."""

COVERED: Final = 0.5
"""The part of the shorter text that has to be the same, numbers apart, for facts to be compared."""

_MANY: Final = 20
_DAMAGED: Final = 0.02
"""So many broken characters, and from this part of a text on, are damage that is all over it."""

_AROUND_SLOT: Final = 40
"""Equal units, at least, around the only thing that differs."""

_HAN: Final = re.compile("[\u4e00-\u9fff]{1,4}")
_FULL_STOPS: Final = frozenset("．.。｡")

_Span = tuple[int, int]


class _Difference(NamedTuple):
    """A difference as stretches of the prepared texts.

    `changed` of `units` are not the same in both. `weak`: a name by its shape alone.
    """

    kind: FactKind
    asked: _Span
    stored: _Span
    changed: int = 0
    units: int = 0
    weak: bool = False

    @property
    def is_replaced(self) -> bool:
        """Whether what differs is as long on either side."""
        return self.asked[1] - self.asked[0] == self.stored[1] - self.stored[0]


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
    spans: tuple[tuple[_Span, _Span], ...] = ()


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


def _said(text: Reading, span: _Span) -> Said:
    return Said(span[0], text.said(span))


def _differences(left: Reading, right: Reading, spaced: bool) -> tuple[set[_Difference], int, int]:
    """All differences that damage does not explain, how many facts agree, and equal units."""
    coarse = blocks(left.bare.sounds, right.bare.sounds, spaced)
    aligned = refined(left.bare.sounds, right.bare.sounds, coarse, spaced)
    shorter = min(len(left.bare.sounds), len(right.bare.sounds))
    same = covered(aligned)
    if same < max(1, COVERED * shorter):
        return set(), 0, same
    between = list(gaps(aligned))
    named = dict(_names(left, right, between))
    pairs, agreed = in_place(left.bare, right.bare, aligned)
    numbers = {_number(left.bare, i, right.bare, j) for i, j in pairs}
    again = {_contents(left, right, gap) for gap in named}
    open_gaps = [gap for gap in between if _is_change(gap) and gap not in named]
    if again:
        open_gaps = [gap for gap in open_gaps if _contents(left, right, gap) not in again]
    broken = sum(_is_broken(left, right, gap) for gap in open_gaps)
    if open_gaps and not broken and (slot := _slot(left, right, open_gaps, same)):
        named[open_gaps[0]], open_gaps = slot, []
    foreign = sum(_is_foreign(left, right, gap) for gap in open_gaps)
    damage = Noise(broken, len(open_gaps) - broken, same, foreign > 0)
    names = {each for each in named.values() if not damage.explains_name(each.changed, each.units)}
    weak = {each for each in names if each.weak}
    if damage.rewritten and len(weak) < damage.rewritten + broken:
        names -= weak
    digits = sum(fact.stop - fact.start for fact in left.bare.facts) if numbers else 0
    for replaced in (False, True):
        slight = {each for each in numbers if each.changed == 1 and each.is_replaced == replaced}
        if damage.explains_numbers(len(slight), digits, replaced):
            numbers -= slight
    names |= {_named(sides) for sides in blanks(left.bare.text, right.bare.text)}
    found = {_Difference(each.kind, each.asked, each.stored) for each in names | numbers}
    return found, agreed + len(left.said_titles & right.said_titles), same


def _slot(left: Reading, right: Reading, open_gaps: list[Gap], same: int) -> _Difference | None:
    """What differs as the only thing that is no fact, once or again and again."""
    sides = left.side(open_gaps[0].asked), right.side(open_gaps[0].stored)
    only = sides[0].inside, sides[1].inside
    if same < _AROUND_SLOT or any(_contents(left, right, gap) != only for gap in open_gaps):
        return None
    hit = only_slot(*sides)
    if hit is None or one_thing(*sides) or not _exchanged(left, right, hit):
        return None
    return _sized(left, right, _named(hit))


def _contents(left: Reading, right: Reading, gap: Gap) -> tuple[str, str]:
    """What stands in a gap; a name that comes again is no other change."""
    return left.side(gap.asked).inside, right.side(gap.stored).inside


def _is_change(gap: Gap) -> bool:
    """Whether something stands in for something else, or a single character is more or less."""
    here, there = gap.sizes
    least = min(here, there)
    return least > 0 or (abs(here - there) == 1)


def _is_broken(left: Reading, right: Reading, gap: Gap) -> bool:
    """A single character, or what a decoder made of lost bytes."""
    if max(gap.sizes) <= 1:
        return True
    return any(
        is_garbled(side.side(span).inside) for side, span in zip((left, right), gap, strict=True)
    )


def _is_foreign(left: Reading, right: Reading, gap: Gap) -> bool:
    """Whether a single character, or what a decoder made of lost bytes, is none of Chinese."""
    if not _is_broken(left, right, gap):
        return False
    said = left.side(gap.asked).inside + right.side(gap.stored).inside
    return any(not "\u4e00" <= each <= "\u9fff" for each in said)


def _number(left: Wording, i: int, right: Wording, j: int) -> _Difference:
    """Two numbers of the lists of facts as a difference."""
    asked, stored = left.facts[i], right.facts[j]
    sides = Side(left.text, *asked[:2]), Side(right.text, *stored[:2])
    return _Difference(*_whole(left, i, right, j), _changed(*sides))


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


def _whole(left: Wording, i: int, right: Wording, j: int) -> tuple[FactKind, _Span, _Span]:
    """Two numbers with the dates they are parts of."""
    date = FactKind.DATE in (left.facts[i].kind, right.facts[j].kind)
    kind = FactKind.DATE if date else left.facts[i].kind
    return kind, _stretch(left, i, date), _stretch(right, j, date)


_PARTS: Final = 7
"""A date has no more parts, from the year to the second; a chain of any length is none."""


def _stretch(bare: Wording, place: int, date: bool) -> _Span:
    first = last = place
    while bare.facts[first].follows and place - first < _PARTS:
        first -= 1
    while last + 1 < len(bare.facts) and bare.facts[last + 1].follows and last - place < _PARTS:
        last += 1
    stop = bare.facts[last].stop
    if date and bare.text[stop : stop + 1] in DATE_UNITS:
        stop += 1
    return bare.facts[first].start, stop


def _names(left: Reading, right: Reading, between: list[Gap]) -> Iterator[tuple[Gap, _Difference]]:
    """Names in the gaps between blocks that stand next to each other in both texts.

    Where single characters are broken all over the texts, they are no names.
    """
    changes = [gap for gap in between if gap.is_change]
    wider = [gap for gap in changes if max(gap.sizes) != 1]
    single = len(changes) - len(wider)
    damaged = single >= _MANY and single >= _DAMAGED * len(left.bare.sounds)
    for gap in wider if damaged else changes:
        opened = gap.opened
        hit = _quantity(left, right, opened) or _name(left, right, opened)
        if hit and (hit := _sized(left, right, hit)).changed:
            yield gap, hit


def _sized(left: Reading, right: Reading, hit: _Difference) -> _Difference:
    """A difference with how much of it is changed."""
    sounds = left.sounds(hit.asked), right.sounds(hit.stored)
    return hit._replace(changed=Levenshtein.distance(*sounds), units=max(map(len, sounds)))


def _quantity(left: Reading, right: Reading, gap: Gap) -> _Difference | None:
    """Another unit of measure after a number."""
    asked, stored = left.fact_before(gap.asked[0]), right.fact_before(gap.stored[0])
    if asked is None or stored is None:
        return None
    values = asked.value, stored.value
    hit = quantities(left.side(gap.asked), right.side(gap.stored), values)
    if hit is None:
        return None
    return _Difference(FactKind.NUMBER, (asked.start, hit[0].stop), (stored.start, hit[1].stop))


def _name(left: Reading, right: Reading, gap: Gap) -> _Difference | None:
    """Another name, or another word of a closed class."""
    (first, _), (other, _) = gap
    asked, stored = left.side(gap.asked), right.side(gap.stored)
    title = left.title_around(asked, first)
    titles = title and other_titles(title, right.title_around(stored, other))
    if titles:
        return _named(titles) if _retitled(left, right, titles) else None
    asked, stored = left.glued(asked, first, stored), right.glued(stored, other, asked)
    cased = may_be_cased(asked, stored)
    if cased and (found := capital_names(asked, stored, left, right)):
        return _named(found) if _exchanged(left, right, found) else None
    if cased and (hit := _latin_words(left, right, asked, stored)):
        return hit
    if not min(gap.sizes):
        return _doubled(asked, stored) if cased else _more_of_one_class(asked, stored)
    pairs = (_of_a_piece(left, right, *sides) for sides in pieces(asked, stored))
    return next(filter(None, pairs), None)


def _latin_words(left: Reading, right: Reading, asked: Side, stored: Side) -> _Difference | None:
    """Two English words of one class, each of which is all that stands there."""
    words = whole_words(asked), whole_words(stored)
    kind = of_one_latin_class(words[0].inside, words[1].inside)
    return _named(words, kind) if kind and _exchanged(left, right, words) else None


def _doubled(asked: Side, stored: Side) -> _Difference | None:
    """Two English words, as diner and dinner, of which one has a letter twice."""
    words = whole_words(asked), whole_words(stored)
    return _named(words) if are_doubled(*(side.inside for side in words)) else None


def _of_a_piece(left: Reading, right: Reading, asked: Side, stored: Side) -> _Difference | None:
    """The same of what stands between marks."""
    if asked.inside == stored.inside:
        return None
    kind = FactKind.NAME
    hit = han_names(asked, stored) or persons_inside(asked, stored)
    if hit is None and (found := _of_one_class(asked, stored)):
        kind, hit = found
    hit = hit or _foreign(left, right, asked, stored)
    weak = hit is None
    if weak and (hit := plain_names(asked, stored)) and one_thing(asked, stored):
        return None
    return _named(hit, kind, weak) if hit and _exchanged(left, right, hit, weak) else None


def _named(sides: Sides, kind: FactKind = FactKind.NAME, weak: bool = False) -> _Difference:
    asked, stored = sides
    return _Difference(kind, (asked.start, asked.stop), (stored.start, stored.stop), weak=weak)


def _of_one_class(asked: Side, stored: Side) -> tuple[FactKind, Sides] | None:
    """The shortest words of one class that a gap belongs to."""
    if may_be_of_one_class(asked.inside, stored.inside):
        for shape, one, other in worded(asked, stored):
            kind = of_one_class(one, other)
            if kind:
                return kind, (asked.widened(*shape), stored.widened(*shape))
    return None


def _more_of_one_class(asked: Side, stored: Side) -> _Difference | None:
    """Words of one class of which one holds the other: 公元 and 公元前."""
    if not _HAN.fullmatch(asked.inside + stored.inside):
        return None
    found = _of_one_class(asked, stored)
    return _named(found[1], found[0]) if found else None


def _foreign(left: Reading, right: Reading, asked: Side, stored: Side) -> Sides | None:
    """Two foreign names with a dot inside that is no full stop."""
    hit = foreign_names(asked, stored)
    if hit is None:
        return None
    names = left.original(hit[0][1:]), right.original(hit[1][1:])
    return None if _FULL_STOPS.intersection("".join(names)) else hit


def _retitled(left: Reading, right: Reading, titles: Sides) -> bool:
    """Whether neither text has the other's title anywhere."""
    asked, stored = (side.inside for side in titles)
    return asked not in right.said_titles and stored not in left.said_titles


def _exchanged(left: Reading, right: Reading, names: Sides, weak: bool = False) -> bool:
    """Whether each text has its own name more often than the other has: nothing just moved. Of
    certain names it is enough that one text has none of the other's.
    """
    asked, stored = (side.inside for side in names)
    gone = right.bare.text.count(asked), left.bare.text.count(stored)
    if not weak and not all(gone):
        return True
    return left.bare.text.count(asked) > gone[0] and right.bare.text.count(stored) > gone[1]
