"""How the values of tables look: to people, and in files."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

from dupdex.report.report_tables import Cell, Unit
from dupdex.wire.vocabulary import Phrase

_ABSENT: Final = "—"
_SPANS: Final = (
    (86_400, "天", "d"),
    (3_600, "小时", "h"),
    (60, "分钟", "min"),
)
_FORMULA: Final = (*"=+-@\t\r\n", *"＝＋－＠")
"""What a spreadsheet would take for the beginning of a formula; in Chinese settings also the wide
forms."""


def shown(value: Cell, unit: Unit) -> Phrase:
    """A value for people, in both languages."""
    if value is None:
        return Phrase(_ABSENT, _ABSENT)
    if isinstance(value, Phrase):
        return value
    if isinstance(value, str):
        return Phrase(value, value)
    if unit is Unit.SECONDS:
        return _span(value)
    if unit is Unit.SHARE:
        text = f"{value:.1%}"
    elif unit is Unit.TIME:
        text = _moment(value)[:16].replace("T", " ")
    else:
        text = f"{value:,}"
    return Phrase(text, text)


def in_file(value: Cell, unit: Unit) -> str | int | float:
    """A value for a CSV file: times as ISO 8601, shares to four decimals, and words in English. No
    text begins like a formula."""
    if value is None:
        return ""
    if isinstance(value, Phrase):
        return value.en
    if isinstance(value, str):
        return f"'{value}" if value.startswith(_FORMULA) else value
    if unit is Unit.TIME:
        return _moment(value)
    return round(value, 4) if isinstance(value, float) else value


def _moment(milliseconds: float) -> str:
    try:
        time = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=milliseconds)
    except OverflowError:
        return str(int(milliseconds))
    return time.isoformat(timespec="seconds").replace("+00:00", "Z")


def _span(seconds: float) -> Phrase:
    for length, zh, en in _SPANS:
        if seconds >= length:
            return Phrase(f"{seconds / length:.1f} {zh}", f"{seconds / length:.1f} {en}")
    return Phrase(f"{seconds:.0f} 秒", f"{seconds:.0f} s")
