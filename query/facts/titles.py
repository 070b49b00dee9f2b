"""Titles: what stands between title marks or quotation marks, as they are written. Prepared text
does not tell these marks apart, so the original is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from query.facts.persons import is_person, may_speak

LONGEST: Final = 60
"""Characters of the longest title."""

_WORDS: Final = 24
"""The same in Chinese quotation marks: what is quoted at greater length is speech."""

_MARKS: Final = ("《》", "〈〉")
_QUOTES: Final = ("「」", "『』", "“”", "„“", "«»", "‹›")
_STRAIGHT: Final = '"＂'
_ENDS: Final = "。．！？；!?;…"
_HAN: Final = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
_OPENING: Final = frozenset("".join(pair[0] for pair in (*_MARKS, *_QUOTES)) + "‘<" + _STRAIGHT)
_TITLE: Final = re.compile(
    f"(?=[{''.join(_OPENING)}])"  # most characters end here
    "(?:"
    + "|".join(
        (
            *(rf"{one}([^{one}{other}\n。]{{1,{LONGEST}}}){other}" for one, other in _MARKS),
            rf"<<?([^<>\n。=/&]{{1,{LONGEST}}})>",
            *(
                rf"{one}([^{one}{other}{_ENDS}\n]{{2,{LONGEST}}}){other}"
                for one, other in (*_QUOTES, "‘’")
            ),
            *(rf"(?<!\w){one}([^{one}{_ENDS}\n]{{2,{LONGEST}}}){one}(?!\w)" for one in _STRAIGHT),
        )
    )
    + ")"
)
_UNQUOTED: Final = len(_MARKS) + 1
"""Groups of marks that have nothing but titles in them: 《》, 〈〉, and <> around Chinese."""

_SPEAKS: Final = re.compile(
    r"(?:(?<![小传学])说|(?<![频街渠轨隧铁报])道|[曰问答喊]|(?<![名做])叫)[,，]?$"
)
_SPEAKS_ON: Final = re.compile(
    r"(?:[说道曰问答喊叫称讲写云]|表示|指出|认为|强调|回忆|解释|介绍|坦言|透露|感叹|补充|直言|回应|回答|呼吁"
    r"|[我你您他她它们人]|告诉\w{1,4})[ 　]*[:：][ 　]*$|[^\W\u3040-\u30ff\u4e00-\u9fff][:：]$"
)
"""Who or what speaks before a colon; letters of other scripts do right before one."""

_SPEAKER: Final = re.compile(r"(?:^|[^\u4e00-\u9fff])([\u4e00-\u9fff]{2,6})[ 　]*[:：][ 　]*$")
_NEAR: Final = 10
"""Characters before a quotation that say whether somebody speaks."""


def titles(written: str) -> list[tuple[int, int]]:
    """The titles of a text as [start, stop), without their marks."""
    if not any(mark in written for mark in _OPENING):
        return []
    return sorted({*_inside(written), *_in_straight_quotes(written)})


def _inside(written: str) -> Iterator[tuple[int, int]]:
    for match in _TITLE.finditer(written):
        place = match.lastindex or 0
        words = match[place]
        if match[0][0] in "<‘" and ("，" in words or not _HAN.search(words)):
            continue
        if place <= _UNQUOTED or _is_title(written, *match.span(place)):
            yield match.span(place)


def _in_straight_quotes(written: str) -> Iterator[tuple[int, int]]:
    """The same where nothing but their order says which of these open, beside Chinese: of an even
    number in a line every other one.
    """
    for mark in _STRAIGHT:
        if mark not in written:
            continue
        start = 0
        for line in written.split("\n"):
            for begin, end in _pairs(line, mark, start):
                around = written[max(0, begin - 1) : begin + 2] + written[end - 1 : end + 2]
                clause = any(mark in written[begin:end] for mark in "，,")
                if _HAN.search(around) and not clause and _is_title(written, begin + 1, end):
                    yield begin + 1, end
            start += len(line) + 1


def _pairs(line: str, mark: str, start: int) -> list[tuple[int, int]]:
    """The places of every two marks in a line from `start` on, where their number is even."""
    if mark not in line or line.count(mark) % 2:
        return []
    places = [start + found.start() for found in re.finditer(mark, line)]
    return list(pairwise(places))[::2]


def _is_title(written: str, start: int, stop: int) -> bool:
    """Whether what stands in quotation marks is not said by somebody."""
    words = written[start:stop]
    if not 1 < len(words) <= LONGEST or any(mark in words for mark in _ENDS):
        return False
    if written[start - 2 : start - 1] == "=":  # an attribute of markup
        return False
    if words[0] in "，,、：:" or words[-1] in "，,、：:" or words.count("，") > 1:
        return False
    if len(words) > _WORDS and _HAN.search(words):
        return False
    return not _is_spoken(written[max(0, start - 1 - _NEAR) : start - 1].rpartition("\n")[2])


def _is_spoken(before: str) -> bool:
    """Whether a word of saying, or a person and a colon, stand before a quotation."""
    if _SPEAKS.search(before) or _SPEAKS_ON.search(before):
        return True
    speaker = _SPEAKER.search(before)
    return speaker is not None and (is_person(speaker[1], True) or may_speak(speaker[1]))
