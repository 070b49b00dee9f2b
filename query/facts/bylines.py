"""Bylines: who wrote, took, edited or passed on a text, and when that was put online.

A text that is copied keeps what it says and gets another byline. Texts here are prepared: width and
case are folded, Chinese is simplified.
"""

from __future__ import annotations

import re
from typing import Final

_REPORTER: Final = "记者|通讯员|特约评论员"
_ROLE: Final = (
    "来源|转自|来自|责任编辑|责编|编辑|主编|作者|撰文|撰稿|文字|图片|摄影|摄像|供稿|供图|整理|校对|审核"
    "|监制|制作|出品|发布者|发布人|文|图|摄"
)
_NAMES: Final = r"(?:[^\W\d]{2,4}[ ,、/]+){0,4}"
"""Other people named before, as in a list."""

_ENGLISH: Final = (
    r"\b(?:(?:reporting|editing|edited|photos?|photography) by|(?:photo|photos|image):)"
)

_BEFORE: Final = re.compile(
    rf"(?:(?:{_REPORTER})[ :/|丨]*|(?:{_ROLE}) ?[:/|丨] ?){_NAMES}$|{_ENGLISH} ?$"
)
_AFTER: Final = re.compile(
    r" ?(?:[/|丨] ?(?:文|图|摄)|(?:摄影|摄像|供图|供稿|撰文|综合?报道|摄)\W)"
)

_LINE: Final = re.compile(
    rf"(?:{_REPORTER}|(?:{_ROLE}) ?[:/|丨]|本文来自|转载自|发布时间|发布日期|发布于|更新时间)"
    rf"|{_ENGLISH}|^\W*(?:(?:written )?by |(?:source|author|editor|published|updated)\b)"
)
"""What makes a line at either end of a text a byline."""

_STAMP: Final = re.compile(r"[\W\d年月日时点分秒_]+")

_BRACKET_BEFORE: Final = re.compile(rf"[(\[【] ?{_NAMES}$")
_BRACKET_AFTER: Final = re.compile(r"(?:[ ,、/][^\W\d]{2,4}){0,4} ?[)\]】]\W*$")

_LINES: Final = 3
"""So many lines at either end of a text may be bylines."""

_LONGEST: Final = 80
_PART: Final = 1 / 2
"""A byline has no more characters, and is no greater part of the text."""

_NEAR: Final = 40
"""Characters looked at on either side."""


def in_byline(text: str, start: int, stop: int) -> bool:
    """Whether a name, date or number of a prepared text belongs to a byline."""
    first = text.rfind("\n", 0, start) + 1
    last = text.find("\n", stop)
    last = len(text) if last < 0 else last
    before, after = text[max(first, start - _NEAR) : start], text[stop:last][:_NEAR] + "\n"
    if _BEFORE.search(before) or _AFTER.match(after):
        return True
    at_end = len(text) - stop <= _NEAR and _BRACKET_AFTER.match(text[stop:])
    if at_end and _BRACKET_BEFORE.search(before):
        return True
    return _at_an_end(text, first, last) and _is_byline(text[first:last], text[start:stop])


def _at_an_end(text: str, first: int, last: int) -> bool:
    """Whether a line is short, and one of the first or last of the text."""
    if last - first > min(_LONGEST, _PART * len(text)):
        return False
    above, below = text[:first].split("\n"), text[last:].split("\n")
    return min(sum(map(bool, above)), sum(map(bool, below))) < _LINES


def _is_byline(line: str, said: str) -> bool:
    """Whether a line has the words of one, or nothing but the date or name."""
    bare = line.replace(said, "", 1)
    return bool(_LINE.search(line) or _STAMP.fullmatch(line)) or not any(map(str.isalnum, bare))
