"""Stretches of prepared text in which two texts differ, and the Chinese characters around them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

LONGEST: Final = 10
"""Characters of the longest Chinese name looked for."""

_WIDEST: Final = 4
"""Characters that two different names may share at either end: 南京 and 北京."""

Shapes = Sequence[tuple[int, int]]
"""How many characters before and after a stretch are taken as well, fewest first."""


def shapes(before: int, after: int) -> Shapes:
    """All of them, up to so many."""
    return sorted(((i, j) for i in range(before + 1) for j in range(after + 1)), key=sum)


_SHAPES: Final = shapes(_WIDEST, _WIDEST)
_FIRST, _LAST = "\u4e00", "\u9fff"
_HAN: Final = re.compile(r"[\u4e00-\u9fff]+")
_PIECE: Final = re.compile(r"[^\W_]+(?:\.[^\W_]+)*")
"""What stands between marks; a dot inside belongs to a foreign name."""

_STOP: Final = re.compile(r"[;!?。\n]|\.(?![^\W_])")
_MOST: Final = 12
"""Names of the longest list that is looked into."""


class Side(NamedTuple):
    """A prepared text with a stretch [start, stop) of it, where the other text has another."""

    text: str
    start: int
    stop: int

    def widened(self, left: int, right: int) -> Side:
        """The stretch with some of what stands around it."""
        return Side(self.text, self.start - left, self.stop + right)

    @property
    def inside(self) -> str:
        return self.text[self.start : self.stop]

    @property
    def following(self) -> str:
        """The character behind it, if there is one."""
        return self.text[self.stop : self.stop + 1]

    @property
    def begins_clause(self) -> bool:
        return self.begins_clause_before(0)

    def begins_clause_before(self, more: int) -> bool:
        """Whether the stretch begins one with so many characters more before it."""
        start = self.start - more
        return not start or not self.text[start - 1].isalnum()

    @property
    def ends_clause(self) -> bool:
        return self.stop >= len(self.text) or not self.text[self.stop].isalnum()


Sides = tuple[Side, Side]


def in_han(asked: Side, stored: Side, longest: int = LONGEST) -> bool:
    """Whether both are a few Chinese characters."""
    (text, start, stop), (other, begin, end) = asked, stored
    if stop - start > longest or end - begin > longest:
        return False
    return bool(_HAN.fullmatch(text, start, stop) and _HAN.fullmatch(other, begin, end))


def wider(asked: Side, stored: Side, taken: Shapes = _SHAPES) -> Iterator[Sides]:
    """The gap, and the gap with the Chinese characters around it in both, fewest first."""
    for shape, _, _ in worded(asked, stored, taken):
        yield asked.widened(*shape), stored.widened(*shape)


def worded(
    asked: Side, stored: Side, taken: Shapes = _SHAPES
) -> Iterator[tuple[tuple[int, int], str, str]]:
    """The shapes of the same, each with what stands inside of either side: most are left alone for
    their letters.
    """
    (text, start, stop), (other, begin, end) = asked, stored
    widest = max(taken[-1])
    left = min(_han_before(text, start, widest), _han_before(other, begin, widest))
    right = min(_han_after(text, stop, widest), _han_after(other, end, widest))
    for shape in taken:
        more_left, more_right = shape
        if more_left <= left and more_right <= right:
            yield (
                shape,
                text[start - more_left : stop + more_right],
                other[begin - more_left : end + more_right],
            )


def _han_before(text: str, start: int, widest: int) -> int:
    place, least = start, max(0, start - widest)
    while place > least and _FIRST <= text[place - 1] <= _LAST:
        place -= 1
    return start - place


def _han_after(text: str, stop: int, widest: int) -> int:
    place, most = stop, min(len(text), stop + widest)
    while place < most and _FIRST <= text[place] <= _LAST:
        place += 1
    return place - stop


def pieces(asked: Side, stored: Side) -> Iterator[Sides]:
    """What stands between marks in both, as far as both have as much of it: a list of names is
    compared name by name. The stretches themselves where there are no marks.
    """
    lists = _pieces(asked), _pieces(stored)
    if max(map(len, lists)) < 2:
        yield asked, stored
    elif max(map(len, lists)) <= _MOST and not any(map(_has_sentences, (asked, stored))):
        yield from zip(*lists, strict=False)


def _pieces(side: Side) -> list[Side]:
    found = _PIECE.finditer(side.text, side.start, side.stop)
    return [Side(side.text, *piece.span()) for piece in found]


def _has_sentences(side: Side) -> bool:
    return _STOP.search(side.inside) is not None
