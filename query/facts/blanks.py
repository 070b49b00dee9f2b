"""Blanks: lines of a form that are empty in one text and filled in in the other.

`Name:` beside `Name: Walter Harlow`. A line that only breaks after its colon is no blank: what it
is filled in with must be in one text alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from query.facts.sides import Side, Sides

_LABEL: Final = r"^[ \t]*([^:\n]{1,24}):"
_NOTHING: Final = re.compile(r":[ \t_.…]*$", re.MULTILINE)
_EMPTY: Final = re.compile(rf"{_LABEL}[ \t_.…]*$", re.MULTILINE)
_FILLED: Final = re.compile(rf"{_LABEL}[ \t_]*([男女是否有无]|\w[^\n]{{1,59}})$", re.MULTILINE)


def blanks(asked: str, stored: str) -> Iterator[Sides]:
    """The lines that are empty in one of two prepared texts, with their labels."""
    yield from _blanks(asked, stored)
    for filled, empty in _blanks(stored, asked):
        yield empty, filled


def _blanks(empty: str, filled: str) -> Iterator[Sides]:
    if _NOTHING.search(empty) is None:  # a line is tried at every character
        return
    found = {line[1].strip(): line for line in _EMPTY.finditer(empty)}
    if not found:
        return
    said = ""
    for line in _FILLED.finditer(filled):
        blank = found.get(line[1].strip())
        if blank is None:
            continue
        said = said or _letters(empty)
        if _letters(line[2]) not in said:
            yield Side(empty, blank.start(1), blank.end(1)), Side(filled, line.start(1), line.end())


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))
