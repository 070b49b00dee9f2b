"""The same characters in other places: something between them, turned round, set in columns."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from indexer.meant.known_letters import is_letter, is_letter_or_digit
from indexer.meant.meant import Disguise, Meant

_OVERRIDE: Final = "\u202e"
_TURNED: Final = re.compile("\u202e([^\u202c\n]*)(\u202c?)")

_LEAST: Final = 12
"""Other characters from which a text may have something between them."""

_KINDS: Final = 8
_MOST: Final = 0.3
"""So many different others there are at least, and the most frequent is at most this part of them:
laughs and rows of digits repeat themselves."""

_AROUND: Final = frozenset("\u0488\u0489\u20dd\u20de\u20df\u20e0\u20e2\u20e4")
"""Marks that go around a letter; those through one are no letters to the skeleton."""

_BESIDE: Final = 0.2
"""The part of the others, at most, that has another right behind it."""

_LINES: Final = 3
_WIDEST: Final = 12
_WIDEST_OF_ALL: Final = 80
_POST: Final = 200
"""Characters of a line of a grid; those of longer texts are wider only where something parts the
columns, as prose is wrapped at 20 and more."""

_PARTING: Final = frozenset(" \u3000\t|│｜¦·")
"""What stands between the columns of a grid."""

_HAN: Final = re.compile("[\u4e00-\u9fff]")
_MARKS: Final = frozenset("，。、！？；：（）《》“”")


def has_override(text: str) -> bool:
    """Whether something is shown from right to left by force."""
    return _OVERRIDE in text


def often_between(text: str) -> set[str]:
    """The characters that may stand between all others: those of a third and two thirds of the way
    that are a third of a text."""
    size = len(text)
    if size < 2 * _LEAST:
        return set()
    some = {*text[size // 3 : size // 3 + 3], *text[2 * size // 3 : 2 * size // 3 + 3]}
    return {each for each in some if 3 * text.count(each) >= size}


def is_grid(text: str) -> bool:
    """Whether the first two lines are as wide as each other, as those of a grid are."""
    width = text.find("\n", 0, _WIDEST_OF_ALL + 1)
    return width > 1 and text.find("\n", width + 1) == 2 * width + 1


def without_override(meant: Meant) -> Meant | None:
    """What stands behind U+202E is shown from right to left, up to U+202C or the end of the line
    (Unicode UAX #9): the text as it is shown."""
    text = meant.text
    if not has_override(text):
        return None
    places: list[int] = []
    done = 0
    for found in _TURNED.finditer(text):
        places += range(done, found.start())
        places += range(found.end(1) - 1, found.start(1) - 1, -1)
        done = found.end()
    places += range(done, len(text))
    if not any(is_letter_or_digit(text[place]) for place in places):
        return None
    return meant.taken(places, Disguise.BACKWARDS)


def without_strokes(meant: Meant) -> Meant | None:
    """The text without the one letter, stroke or ring that stands between all its characters."""
    text = meant.text
    for each in often_between(text):
        if (is_letter_or_digit(each) or each in _AROUND) and _is_between(text, each):
            kept = [place for place in range(len(text)) if text[place] != each]
            return meant.taken(kept, Disguise.BETWEEN)
    return None


def _is_between(text: str, stroke: str) -> bool:
    """Whether this character stands at every second place, and the others vary."""
    others = [each for each in text if each != stroke and is_letter_or_digit(each)]
    counts = Counter(others)
    if len(others) < _LEAST or len(counts) < _KINDS:
        return False
    if max(counts.values()) > _MOST * len(others):
        return False
    if 2 * sum(map(is_letter, others)) < len(others):
        return False
    beside = [left == right == stroke for left, right in pairwise(text)]
    alone = sum(
        stroke not in both and all(map(is_letter_or_digit, both)) for both in pairwise(text)
    )
    return sum(beside) + alone <= _BESIDE * len(others)


def by_columns(text: str) -> Iterator[Meant]:
    """A text set in a grid, read from top to bottom: from the right, as of old, and from the left.
    Marks tell the grid from a poem: they stand at the beginning of lines, or anywhere in them. So
    does the rest of the last column, which is blank.
    """
    if not is_grid(text):
        return
    lines = text.strip("\n").split("\n")
    width = len(lines[0])
    if len(lines) < _LINES or any(len(line) != width for line in lines[:-1]):
        return
    step = _step(lines)
    if step == 1 and width > _WIDEST and len(text) > _POST:
        return
    if len(lines[-1]) > width or 2 * step * len(_HAN.findall(text)) < len(text):
        return
    here = range(0, width, step)
    marked = {at for line in lines for at in here[:-1] if line[at : at + 1] in _MARKS}
    blank = not _ends_blank(lines[0]) and _ends_blank(lines[-1])
    if len(marked) < 2 and 0 not in marked and not blank:
        return
    first = len(text) - len(text.lstrip("\n"))
    for columns in (here[::-1], here):
        places = [
            first + row * (width + 1) + column
            for column in columns
            for row, line in enumerate(lines)
            if column < len(line) and not line[column].isspace()
        ]
        yield Meant.given(text).taken(places, Disguise.VERTICAL)


def _step(lines: list[str]) -> int:
    """2 where something stands between all columns of a grid, else 1."""
    between = {each for line in lines for each in line[1::2]}
    return 2 if len(between) == 1 and between <= _PARTING else 1


def _ends_blank(line: str) -> bool:
    return line[:1].isspace() or line[-1:].isspace()
