"""Counting documents by their values, groups and times: what a store is asked, and its answer.

Both stores count where the documents are; what comes back is one row for each combination.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from typing import Any, Final

import orjson

from indexer.model import Ref

LONGEST_VALUE: Final = 1_024
"""Characters of a string that counts; longer ones are as good as absent."""

_SECONDS_BELOW: Final = 100_000_000_000
"""A number below this is a time in seconds, any other one in milliseconds."""

_DAY: Final = 86_400_000
_FIRST: Final = -62_135_596_800_000
_LAST: Final = 253_402_300_799_999


class Every(StrEnum):
    """The length of a period; weeks begin on Mondays, and all of them in UTC."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    YEAR = "year"


@dataclass(frozen=True, slots=True)
class ByGroup:
    """The group of a document."""


@dataclass(frozen=True, slots=True)
class ByPlan:
    """The plan that a document's stored values were made under."""


@dataclass(frozen=True, slots=True)
class ByValue:
    """The values of a field, each for itself; None where it has none."""

    path: str


@dataclass(frozen=True, slots=True)
class ByPeriod:
    """The first day of each period that a time of the field lies in, as "2026-01-31"; an empty
    path is the time when the document was written."""

    path: str
    every: Every


Axis = ByGroup | ByPlan | ByValue | ByPeriod


@dataclass(frozen=True, slots=True)
class InGroups:
    """Documents of these groups."""

    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class These:
    """These documents."""

    refs: tuple[Ref, ...]


@dataclass(frozen=True, slots=True)
class Tally:
    """A question: count documents (`among` None: all) by the values of each of `axes`. `earliest`
    is the field whose earliest time each row tells; None asks for none, "" is when the document
    was written."""

    axes: tuple[Axis, ...]
    among: InGroups | These | None = None
    earliest: str | None = None


@dataclass(frozen=True, slots=True)
class TallyRow:
    """Documents with these values, one for each axis; a document with several values of a field is
    in several rows. `earliest` in milliseconds since 1970."""

    keys: tuple[str | None, ...]
    documents: int
    earliest: int | None = None


def spelled(value: Any) -> str | None:
    """A JSON value as a key of a tally; None for one that does not count."""
    if isinstance(value, str):
        return value if len(value) <= LONGEST_VALUE else None
    return orjson.dumps(value).decode() if isinstance(value, bool | int | float) else None


def instant_of(value: Any) -> int | None:
    """The time that a JSON value says, in milliseconds since 1970; None when it says none, or one
    outside of the years 1 to 9999.

    Times are ISO 8601 (2026, 2026-01, 2026-01-31, 2026-01-31T23:59:59.123+08:00; "/" and a space
    will do, UTC where nothing is said), or numbers of seconds or milliseconds.
    """
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        instant = int(value * 1_000) if abs(value) < _SECONDS_BELOW else int(value)
    elif isinstance(value, str):
        text = value.strip(" ")
        if len(text) >= 9 and text.isascii() and text.isdecimal():
            return instant_of(int(text[:18]))
        try:
            instant = _day_of(text[:10]) + (_time_of(text[10:]) if len(text) > 10 else 0)
        except (ValueError, IndexError):
            return None
    else:
        return None
    return instant if _FIRST <= instant <= _LAST else None


def period_of(instant: int, every: Every) -> str:
    """The first day of the period that a time lies in."""
    day = datetime(1970, 1, 1, tzinfo=UTC).date() + timedelta(days=instant // _DAY)
    if every is Every.WEEK:
        day -= timedelta(days=day.weekday())
    elif every is not Every.DAY:
        day = day.replace(day=1, month=1 if every is Every.YEAR else day.month)
    return day.isoformat()


def _day_of(text: str) -> int:
    """`2026`, `2026-01` or `2026-01-31` in milliseconds since 1970."""
    if len(text) not in (4, 7, 10) or any(text[at : at + 1] not in ("", "-", "/") for at in (4, 7)):
        raise ValueError(text)
    year = _number(text[:4])
    month = _number(text[5:7]) if len(text) > 4 else 1
    day = _number(text[8:10]) if len(text) > 7 else 1
    return (date(year, month, day) - date(1970, 1, 1)).days * _DAY


def _time_of(text: str) -> int:
    """`T23:59`, `T23:59:59.123Z`, ` 23:59+08:00` in milliseconds after midnight, UTC."""
    if text[0] not in "T " or text[3] != ":":
        raise ValueError(text)
    hour, minute = _number(text[1:3]), _number(text[4:6])
    at, millis = 6, 0
    if text[at : at + 1] == ":":
        second = _number(text[7:9])
        at, millis = 9, second * 1_000
        if second > 59:
            raise ValueError(text)
        if text[at : at + 1] == ".":
            digits = text[at + 1 :]
            length = next((n for n, c in enumerate(digits) if not "0" <= c <= "9"), len(digits))
            millis += _number(f"{digits[:length]:0<3}"[:3])
            at += 1 + length
    if hour > 23 or minute > 59:
        raise ValueError(text)
    return hour * 3_600_000 + minute * 60_000 + millis - _offset_of(text[at:].strip(" "))


def _offset_of(text: str) -> int:
    """`Z`, `+08:00`, `-0530` in milliseconds."""
    if text in ("", "Z"):
        return 0
    hours, minutes = text[1:3], text[4:] if text[3:4] == ":" else text[3:]
    if text[0] not in "+-" or len(minutes) not in (0, 2):
        raise ValueError(text)
    offset = _number(hours) * 3_600_000 + (_number(minutes) if minutes else 0) * 60_000
    return -offset if text[0] == "-" else offset


def _number(text: str) -> int:
    """An integer of ASCII digits and nothing else. Raises ValueError."""
    if not text.isascii() or not text.isdecimal():
        raise ValueError(text)
    return int(text)
