"""Codes of letters and digits: trains and flights (G1234, UA 1162), plates (京A12345), cases of a
court (京4138). Two of them are two things, also where letters and digits change together; and
times of day by am and pm.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from query.facts.sides import Side, Sides

_PROVINCES: Final = "京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼港澳台"
_CODE: Final = re.compile(
    rf"(?<![a-z0-9])(?:[{_PROVINCES}]\d{{2,6}}|[{_PROVINCES}]?(?:"
    r"(?:[a-z]\d|\d[a-z]|[a-z]{2}) ?\d{1,6}|[a-z]{1,3}-?\d{1,6})[a-z]?)(?![a-z0-9])"
)
_HALF: Final = re.compile(r"(?<![a-z])([ap])(?:\.\s?m\.?|m)(?![a-z])")
_BEFORE, _BEHIND = 10, 10
"""Characters around a gap that may belong to its code."""

LONGEST_CODE: Final = 5
"""Units of the longest gap in a code, in which a number is one."""

Written = Callable[[tuple[int, int]], str]


def codes(asked: Side, stored: Side, written: Written, other_written: Written) -> Sides | None:
    """Two codes that a gap belongs to; their letters are capital ones."""
    left = _around(_CODE, asked)
    right = left and _around(_CODE, stored)
    if left is None or right is None or _bare(left) == _bare(right):
        return None
    both = written(left[1:]), other_written(right[1:])
    return (left, right) if all(each == each.upper() for each in both) else None


def halves_of_day(asked: Side, stored: Side) -> Sides | None:
    """am and pm, with dots or without."""
    left = _around(_HALF, asked)
    right = left and _around(_HALF, stored)
    if left is None or right is None or left.inside[0] == right.inside[0]:
        return None
    return left, right


def _around(pattern: re.Pattern[str], side: Side) -> Side | None:
    """What a gap stands in, if it is such."""
    low, high = max(0, side.start - _BEFORE), side.stop + _BEHIND
    for match in pattern.finditer(side.text, low, high):
        if match.start() <= side.start and side.stop <= match.end():
            return Side(side.text, *match.span())
    return None


def _bare(code: Side) -> str:
    return "".join(filter(str.isalnum, code.inside))
