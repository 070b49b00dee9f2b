"""Texts in sections that overlap, so that a passage that both sides have is a large part of one
section of each: a small part of a long text has few of its keys, and none of its verdicts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from indexer.text import prepare_all, spaced_rows
from mappings.plan import Plan

_LETTERS, _STEP = 480, 320
"""Characters of a section in Chinese, and from the beginning of one to that of the next: a passage
of 160 stands whole in one, and its 120 are a quarter of it."""

_PIECE: Final = 720
"""Characters of a part of a page: it is enough that one side is short. Parts overlap as sections
do."""

_SPACED: Final = 5
"""So many times as much in scripts with spaces: 400 words, of which 130 stand whole in one."""

_BLOCK: Final = 12_000
"""Characters that are looked up as one text; half of it overlaps."""


@dataclass(frozen=True, slots=True)
class Section:
    """Characters [start, stop) of a text."""

    start: int
    stop: int
    text: str


def is_spaced(text: str, plan: Plan) -> bool:
    """Whether a text is read by words."""
    return bool(spaced_rows(prepare_all([text], plan))[0])


def sections(text: str, plan: Plan) -> list[Section]:
    """The sections of a chapter; none of one that is hardly longer than a section."""
    return _parts(text, plan, _LETTERS)


def pieces(text: str, plan: Plan) -> list[Section]:
    """The parts that a page is looked up by beside the whole; none of a short one."""
    return _parts(text, plan, _PIECE)


def blocks(text: str) -> list[Section]:
    """The text as a whole; one of more than `_BLOCK` characters in parts."""
    return _cut(text, _BLOCK, _BLOCK // 2)


def _parts(text: str, plan: Plan, size: int) -> list[Section]:
    times = _SPACED if is_spaced(text, plan) else 1
    step = size - (_LETTERS - _STEP)
    if len(text) <= (size + step // 2) * times:
        return []
    return _cut(text, size * times, step * times)


def _cut(text: str, size: int, step: int) -> list[Section]:
    last = max(0, len(text) - size)
    starts = [*range(0, last, step), last]
    parts = ((start, min(len(text), start + size)) for start in starts)
    return [Section(start, stop, text[start:stop]) for start, stop in parts]
