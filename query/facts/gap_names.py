"""What stands in one place of two texts: names, words of closed classes, units of measure.

What the kinds of names are is told by `capitals`, `persons`, `names`, `things` and `classes`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from rapidfuzz.distance import Levenshtein

from query.answers import FactKind
from query.facts.capitals import capital_names, may_be_cased, whole_words
from query.facts.classes import (
    are_doubled,
    may_be_of_one_class,
    of_one_class,
    of_one_latin_class,
    of_one_unit,
    runs_on,
)
from query.facts.codes import LONGEST_CODE, codes, halves_of_day
from query.facts.fact_reading import Reading, Span
from query.facts.gaps import Gap
from query.facts.names import han_names, one_thing, quantities
from query.facts.persons import addressed, foreign_names, persons_inside
from query.facts.sides import Side, Sides, pieces, worded
from query.facts.slots import only_slot
from query.facts.things import other_titles, plain_names

_MANY: Final = 20
_DAMAGED: Final = 0.02
"""So many broken characters, and from this part of a text on, are damage that is all over it."""

_AROUND_SLOT: Final = 40
"""Equal units, at least, around the only thing that differs."""

_SLOTS: Final = 3
"""The most stretches that may differ as slots."""

_HAN: Final = re.compile("[\u4e00-\u9fff]{1,4}")
_PLAIN: Final = re.compile("[a-z]{2}|[\u4e00-\u9fff]{2}")
"""Two letters of one script: neither is there for its looks."""

_FULL_STOPS: Final = frozenset("．.。｡")


class Difference(NamedTuple):
    """A difference as stretches of the prepared texts.

    `changed` of `units` are not the same in both. `weak`: a name by its shape alone.
    """

    kind: FactKind
    asked: Span
    stored: Span
    changed: int = 0
    units: int = 0
    weak: bool = False

    @property
    def is_replaced(self) -> bool:
        """Whether what differs is as long on either side."""
        return self.asked[1] - self.asked[0] == self.stored[1] - self.stored[0]


def names_in(left: Reading, right: Reading, between: list[Gap]) -> Iterator[tuple[Gap, Difference]]:
    """Names in the gaps between blocks that stand next to each other in both texts.

    Where single characters are broken all over the texts, they are no names.
    """
    changes = [gap for gap in between if gap.is_change]
    wider = [gap for gap in changes if max(gap.sizes) != 1]
    single = len(changes) - len(wider)
    damaged = single >= _MANY and single >= _DAMAGED * len(left.bare.sounds)
    for gap in wider if damaged else changes:
        opened = gap.opened
        hit = _code(left, right, opened) or _quantity(left, right, opened)
        hit = hit or _name(left, right, opened)
        if hit and (hit := _sized(left, right, hit, opened)).changed:
            yield gap, hit


def _sized(left: Reading, right: Reading, hit: Difference, gap: Gap) -> Difference:
    """A difference with how much of it is changed: as it is, or with as much around the gap on
    either side, as beside a lost space (saidFrday) a name has more words in one text.
    """
    said = left.sounds(hit.asked), right.sounds(hit.stored)
    changed, units = Levenshtein.distance(*said), max(map(len, said))
    (start, stop), (other, end) = left.units(hit.asked), right.units(hit.stored)
    before = gap.asked[0] - start, gap.stored[0] - other
    behind = stop - gap.asked[1], end - gap.stored[1]
    if before[0] != before[1] or behind[0] != behind[1]:
        more, further = max(0, *before), max(0, *behind)
        said = (
            left.sounds(left.span((max(0, gap.asked[0] - more), gap.asked[1] + further))),
            right.sounds(right.span((max(0, gap.stored[0] - more), gap.stored[1] + further))),
        )
        changed, units = min((changed, units), (Levenshtein.distance(*said), max(map(len, said))))
    return hit._replace(changed=changed, units=units)


def _code(left: Reading, right: Reading, gap: Gap) -> Difference | None:
    """Another code of letters and digits, or the other half of a day."""
    if not 0 < min(gap.sizes) <= max(gap.sizes) <= LONGEST_CODE:
        return None
    if not (left.has_number(gap.asked) and right.has_number(gap.stored)):
        return None
    sides = left.side(gap.asked), right.side(gap.stored)
    if hit := codes(*sides, left.original, right.original):
        return named(hit, FactKind.NUMBER) if _exchanged(left, right, hit) else None
    asked, stored = left.date_before(gap.asked[0]), right.date_before(gap.stored[0])
    if asked is None or stored is None or not (hit := halves_of_day(*sides)):
        return None
    return Difference(FactKind.DATE, (asked, hit[0].stop), (stored, hit[1].stop))


def _quantity(left: Reading, right: Reading, gap: Gap) -> Difference | None:
    """Another unit of measure after a number."""
    asked, stored = left.fact_before(gap.asked[0]), right.fact_before(gap.stored[0])
    if asked is None or stored is None:
        return None
    values = asked.value, stored.value
    sides = left.side(gap.asked), right.side(gap.stored)
    hit = quantities(*sides, values)
    kind: FactKind | None = FactKind.NUMBER
    if hit is None and may_be_cased(*sides):
        hit = whole_words(sides[0]), whole_words(sides[1])
        kind = of_one_unit(hit[0].inside, hit[1].inside)
    if hit is None or kind is None:
        return None
    return Difference(kind, (asked.start, hit[0].stop), (stored.start, hit[1].stop))


def _name(left: Reading, right: Reading, gap: Gap) -> Difference | None:
    """Another name, or another word of a closed class."""
    (first, _), (other, _) = gap
    asked, stored = sides_of(left, right, gap)
    title = left.title_around(asked, first)
    titles = title and other_titles(title, right.title_around(stored, other))
    if titles:
        retitled = _retitled(left, right, titles) and not one_thing(asked, stored)
        return named(titles) if retitled else None
    asked, stored = left.glued(asked, first, stored), right.glued(stored, other, asked)
    cased = may_be_cased(asked, stored)
    if cased and (found := capital_names(asked, stored, left, right)):
        return named(found) if _exchanged(left, right, found) else None
    if cased and (hit := _latin_words(left, right, asked, stored)):
        return hit
    if not min(gap.sizes):
        return _doubled(asked, stored) if cased else _more_of_one_class(asked, stored)
    pairs = (_of_a_piece(left, right, *sides) for sides in pieces(asked, stored))
    return next(filter(None, pairs), None)


def _latin_words(left: Reading, right: Reading, asked: Side, stored: Side) -> Difference | None:
    """Two English words of one class, each of which is all that stands there."""
    words = whole_words(asked), whole_words(stored)
    kind = of_one_latin_class(words[0].inside, words[1].inside)
    return named(words, kind) if kind and _exchanged(left, right, words) else None


def _doubled(asked: Side, stored: Side) -> Difference | None:
    """Two English words, as diner and dinner, of which one has a letter twice."""
    words = whole_words(asked), whole_words(stored)
    return named(words) if are_doubled(*(side.inside for side in words)) else None


def _of_a_piece(left: Reading, right: Reading, asked: Side, stored: Side) -> Difference | None:
    """The same of what stands between marks."""
    if asked.inside == stored.inside:
        return None
    kind = FactKind.NAME
    hit = addressed(asked, stored) or han_names(asked, stored) or persons_inside(asked, stored)
    if hit is None and (found := _of_one_class(asked, stored)):
        kind, hit = found
    hit = hit or _foreign(left, right, asked, stored)
    weak = hit is None
    if weak and (hit := plain_names(asked, stored)) and one_thing(asked, stored):
        return None
    return named(hit, kind, weak) if hit and _exchanged(left, right, hit, weak) else None


def named(sides: Sides, kind: FactKind = FactKind.NAME, weak: bool = False) -> Difference:
    asked, stored = sides
    return Difference(kind, (asked.start, asked.stop), (stored.start, stored.stop), weak=weak)


def _of_one_class(asked: Side, stored: Side) -> tuple[FactKind, Sides] | None:
    """The shortest words of one class that a gap belongs to."""
    if may_be_of_one_class(asked.inside, stored.inside):
        for shape, one, other in worded(asked, stored):
            kind = of_one_class(one, other)
            sides = asked.widened(*shape), stored.widened(*shape)
            if kind and not any(runs_on(side.inside, side.following) for side in sides):
                return kind, sides
    return None


def _more_of_one_class(asked: Side, stored: Side) -> Difference | None:
    """Words of one class of which one holds the other: 公元 and 公元前."""
    if not _HAN.fullmatch(asked.inside + stored.inside):
        return None
    found = _of_one_class(asked, stored)
    return named(found[1], found[0]) if found else None


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


def slots_of(
    left: Reading, right: Reading, open_gaps: list[Gap], same: int
) -> dict[Gap, Difference]:
    """What differs as the only thing that is no fact, or one of few, once or again and again; all
    of it or nothing.
    """
    once = {contents(left, right, gap): gap for gap in reversed(open_gaps)}
    if same < _AROUND_SLOT or not 0 < len(once) <= _SLOTS:
        return {}
    out = {}
    for gap in once.values():
        sides = sides_of(left, right, gap)
        hit = only_slot(*sides, alone=len(once) == 1)
        if hit is None or one_thing(*sides) or not _exchanged(left, right, hit):
            return {}
        out[gap] = _sized(left, right, named(hit), gap)
    return out


def look_alike(left: Reading, right: Reading, names: Difference) -> bool:
    """Whether two names are one, letter by letter, in letters of another script that look alike."""
    one, other = left.bare.text[slice(*names.asked)], right.bare.text[slice(*names.stored)]
    if len(one) != len(other):
        return False
    pairs = zip(one, other, strict=True)
    if any(here != there and _PLAIN.match(here + there) for here, there in pairs):
        return False
    return left.undone(names.asked) == right.undone(names.stored) != []


def sides_of(left: Reading, right: Reading, gap: Gap) -> Sides:
    """What stands in a gap, without the lines that one text has before the first words of the
    other, or behind the last ones: headers and footers.
    """
    asked, stored = left.side(gap.asked), right.side(gap.stored)
    return _within(asked, stored), _within(stored, asked)


def _within(side: Side, beside: Side) -> Side:
    """The line of a stretch that stands for the end of another text."""
    if side.text.find("\n", side.start, side.stop) < 0 or "\n" in beside.inside:
        return side
    if beside.start == beside.stop:
        return side
    if not any(map(str.isalnum, beside.text[: beside.start])):
        last = side.inside[side.inside.rindex("\n") :]
        marks = next((at for at, each in enumerate(last) if each.isalnum()), len(last))
        return Side(side.text, side.stop - len(last) + marks, side.stop)
    if not any(map(str.isalnum, beside.text[beside.stop :])):
        return Side(side.text, side.start, side.start + side.inside.index("\n"))
    return side


def contents(left: Reading, right: Reading, gap: Gap) -> tuple[str, str]:
    """What stands in a gap; a name that comes again is no other change."""
    asked, stored = sides_of(left, right, gap)
    return asked.inside, stored.inside
