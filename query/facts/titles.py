"""Titles: what stands between title marks or quotation marks, as they are written. Prepared text
does not tell these marks apart, so the original is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

LONGEST: Final = 60
"""Characters of the longest title."""

_WORDS: Final = 24
"""The same in Chinese quotation marks: what is quoted at greater length is speech."""

_MARKS: Final = ("《》", "〈〉")
_QUOTES: Final = ("「」", "『』", "“”", "„“", "«»", "‹›", "＂＂", '""')
_ENDS: Final = "。．！？；!?;…"
_SPOKEN: Final = r"(?<![:：道说曰问答喊叫])"
"""After these marks and words somebody speaks."""

_HAN: Final = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
_OPENING: Final = frozenset(pair[0] for pair in (*_MARKS, *_QUOTES))
_TITLE: Final = re.compile(
    f"(?=[{''.join(_OPENING)}])"  # most characters end here
    "(?:"
    + "|".join(
        (
            *(rf"{one}([^{one}{other}\n。]{{1,{LONGEST}}}){other}" for one, other in _MARKS),
            *(
                rf"{_SPOKEN}(?<!\w){one}([^{one}{other}{_ENDS}\n]{{2,{LONGEST}}}){other}(?!\w)"
                if one == other
                else rf"{_SPOKEN}{one}([^{one}{other}{_ENDS}\n]{{2,{LONGEST}}}){other}"
                for one, other in _QUOTES
            ),
        )
    )
    + ")"
)


def titles(written: str) -> list[tuple[int, int]]:
    """The titles of a text as [start, stop), without their marks."""
    return list(_inside(written)) if any(mark in written for mark in _OPENING) else []


def _inside(written: str) -> Iterator[tuple[int, int]]:
    for match in _TITLE.finditer(written):
        place = match.lastindex or 0
        if place <= len(_MARKS) or not _is_speech(match[place]):
            yield match.span(place)


def _is_speech(words: str) -> bool:
    return words.count("，") > 1 or (len(words) > _WORDS and _HAN.search(words) is not None)
