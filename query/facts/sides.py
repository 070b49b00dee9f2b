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
_HAN: Final = re.compile(r"[\u4e00-\u9fff]+")
_HAN_END: Final = re.compile(r"[\u4e00-\u9fff]+$")
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
    def begins_clause(self) -> bool:
        return not self.start or not self.text[self.start - 1].isalnum()

    @property
    def ends_clause(self) -> bool:
        return self.stop >= len(self.text) or not self.text[self.stop].isalnum()


Sides = tuple[Side, Side]


def in_han(asked: Side, stored: Side, longest: int = LONGEST) -> bool:
    """Whether both are a few Chinese characters."""
    gaps = asked.inside, stored.inside
    return max(map(len, gaps)) <= longest and all(map(_HAN.fullmatch, gaps))


def wider(asked: Side, stored: Side, taken: Shapes = _SHAPES) -> Iterator[Sides]:
    """The gap, and the gap with the Chinese characters around it in both, fewest first."""
    widest = max(taken[-1])
    left = min(_han_before(side, widest) for side in (asked, stored))
    right = min(_han_after(side, widest) for side in (asked, stored))
    for more_left, more_right in taken:
        if more_left <= left and more_right <= right:
            yield asked.widened(more_left, more_right), stored.widened(more_left, more_right)


def _han_before(side: Side, widest: int) -> int:
    near = side.text[max(0, side.start - widest) : side.start]
    match = _HAN_END.search(near)
    return len(match[0]) if match else 0


def _han_after(side: Side, widest: int) -> int:
    match = _HAN.match(side.text, side.stop, side.stop + widest)
    return len(match[0]) if match else 0


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
