"""Which documents are to go: by filters, by words, and by a date."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from dupdex.index import Index
from indexer.field_path import values_at
from indexer.model import Body
from mappings.errors import InputRefused
from query.answers import Filter, Stored

_DAY: Final = re.compile(r"(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?(?:[T ](.+))?", re.ASCII)
_COMPACT: Final = re.compile(r"(?:19|20|21)\d{6}", re.ASCII)
_SECONDS, _MILLISECONDS = 10**8, 10**11  # 1973 in both; what is less is no time of a document


@dataclass(slots=True)
class Selection:
    """Documents that all filters accept, that full-text search for `text` finds, and whose `field`
    (a dotted path) is a time before `before`. `unread`: how many were left out as their field holds
    no time that can be read.

    Raises InputRefused for one that would select everything, and for a date without a field.
    """

    filters: tuple[Filter, ...] = ()
    text: str = ""
    field: str = ""
    before: datetime | None = None
    unread: int = 0

    def __post_init__(self) -> None:
        if (self.before is None) != (not self.field):
            raise InputRefused("a date goes with the field that holds it: --before DATE --field F")
        if not self.filters and not self.text and self.before is None:
            raise InputRefused("say which documents: by id, --query, --text or --before")

    def of(self, index: Index) -> Iterator[Stored]:
        """The documents, with bounded memory."""
        for document in index.find(self.filters, self.text):
            if self.before is None or self._is_older(document.body, self.before):
                yield document

    def _is_older(self, body: Body, before: datetime) -> bool:
        """Whether the latest of the field's times is earlier; a document without one stays."""
        values = [value for value in values_at(body, self.field) if value is not None]
        times = [time for time in map(time_of, values) if time is not None]
        if len(times) < len(values):
            self.unread += 1
            return False
        return bool(times) and max(times) < before


def time_of(value: Any) -> datetime | None:
    """A time as documents hold it: a date, with or without a time of day, or a number of seconds or
    milliseconds since 1970. What names no zone is UTC. None for anything else."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    text = str(value).strip()
    try:
        if not isinstance(value, str) and not _COMPACT.fullmatch(text):
            return _since_1970(float(value))
        if day := _DAY.fullmatch(text):
            year, month, number, rest = day.groups()
            text = f"{year}-{month:0>2}-{number:0>2}{'T' + rest if rest else ''}"
        time = datetime.fromisoformat(text)
    except (ValueError, OverflowError, OSError):
        return None
    return time.astimezone(UTC) if time.tzinfo else time.replace(tzinfo=UTC)


def _since_1970(number: float) -> datetime | None:
    if number < _SECONDS:
        return None
    return datetime.fromtimestamp(number / 1_000 if number >= _MILLISECONDS else number, UTC)
