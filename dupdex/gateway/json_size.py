"""How many values are in JSON, before it is read: a byte of text can take thirty of memory."""

from __future__ import annotations

import re
from itertools import islice
from typing import Final

from mappings.errors import InputRefused

MOST_VALUES: Final = 1_000_000
"""Values, lists and objects in one document, or one request."""

FEW_VALUES: Final = 200_000
"""The same of a request that asks for something."""

TOKENS: Final = re.compile(rb'"(?:[^"\\]++|\\.)*+"?|[{}\[\],]', re.DOTALL)
"""Strings, brackets and commas. A string without end goes on to the end, and no step is taken
twice: what is no JSON takes no longer than what is."""


_MARKS: Final = re.compile(rb'(?:[^",\[{]++|"(?:[^"\\]++|\\.)*+"?)*+(?:[,\[{]|\Z)', re.DOTALL)
"""Each comma or opening bracket outside of strings, with what stands before it, and what
stands behind the last one: nothing is looked at twice."""


def check_values(content: bytes, most: int = MOST_VALUES) -> None:
    """Raises InputRefused for JSON of more values."""
    if len(content) <= most:
        return
    marks = sum(map(content.count, (b",", b"{", b"[")))
    if marks > most and _count(content, most) > most:
        raise InputRefused(f"the JSON has more than {most:,} values; send less at once")


def _count(content: bytes, most: int) -> int:
    """Values and what holds them, commas in texts left out; counted until there are too many."""
    return sum(1 for _ in islice(_MARKS.finditer(content), most + 1))
