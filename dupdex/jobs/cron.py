"""Times of a crontab line, as cron means them.

APScheduler counts weekdays from Monday and wants both days to fit where a line names a day of the
month and a weekday; cron counts from Sunday, and either day fits.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any, Final, Protocol
from zoneinfo import ZoneInfo

from mappings.errors import InputRefused

_DAYS: Final = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
_PART: Final = re.compile(r"(\*|[a-z0-9]+)(?:-([a-z0-9]+))?(?:/(\d{1,2}))?")
_RANGES: Final = (
    ("minute", "0-59"),
    ("hour", "0-23"),
    ("day of the month", "1-31"),
    ("month", "1-12 or jan-dec"),
    ("weekday", "0-7 or sun-sat"),
)
_SHORT: Final = {
    "@hourly": "0 * * * *",
    "@daily": "0 0 * * *",
    "@weekly": "0 0 * * 0",
    "@monthly": "0 0 1 * *",
}


class Trigger(Protocol):
    """When something is due; the triggers of APScheduler are such."""

    def get_next_fire_time(
        self, previous_fire_time: datetime | None, now: datetime
    ) -> datetime | None:
        """The next time after `previous_fire_time`, or from `now` on; None for never again."""
        ...


def cron_trigger(line: str, zone: str | None = None) -> Trigger:
    """The times of a crontab line of five fields, in a time zone; by default that of the machine.

    Raises InputRefused for a line that has no meaning, and where APScheduler is not installed.
    """
    fields = _SHORT.get(line.strip(), line).lower().split()
    if len(fields) != 5:
        raise InputRefused(
            f"the schedule {line!r} has {len(fields)} fields; write five, as in '0 3 * * *' for "
            "every night at three"
        )
    if fields[2] != "*" and fields[4] != "*":
        raise InputRefused(
            f"the schedule {line!r} names a day of the month and a weekday; write one of them, "
            "and run two schedules for both"
        )
    names = ("minute", "hour", "day", "month", "day_of_week")
    values = dict(zip(names, [*fields[:4], _weekdays(fields[4], line)], strict=True))
    return _made(values, line, zone)


def _made(values: dict[str, str], line: str, zone: str | None) -> Trigger:
    try:
        from apscheduler.triggers.cron import CronTrigger
    except ImportError as error:
        raise InputRefused(
            "schedules need APScheduler; install it with: pip install 'dupdex[jobs]'"
        ) from error
    try:
        given: Any = None if zone is None else ZoneInfo(zone)
    except (ValueError, OSError, KeyError) as error:
        raise InputRefused(f"no time zone {zone!r}; write one like Asia/Shanghai") from error
    for (name, value), (told, range_) in zip(values.items(), _RANGES, strict=True):
        try:
            CronTrigger(**{name: value})
        except ValueError as error:
            raise InputRefused(
                f"the schedule {line!r} has {value!r} for the {told}; write * or {range_}, as in "
                "'0 3 * * *' for every night at three"
            ) from error
    trigger: Trigger = CronTrigger(**values, timezone=given)
    if trigger.get_next_fire_time(None, datetime.now(UTC)) is None:
        raise InputRefused(f"the schedule {line!r} names a day that no month has; name another")
    return trigger


def _weekdays(field: str, line: str) -> str:
    """The weekdays of a field by name, of which 0 and 7 are Sunday."""
    if field == "*":
        return field
    days: set[int] = set()
    for part in field.split(","):
        found = _PART.fullmatch(part)
        if found is None:
            raise InputRefused(f"the schedule {line!r} names no weekday with {part!r}")
        first, last, step = found.groups()
        low, high = (0, 6) if first == "*" else (_day(first, line), _day(last or first, line))
        if step and not last and first != "*":
            high = 6
        if high < low:  # fri-mon
            high += 7
        days.update(day % 7 for day in range(low, high + 1, max(1, int(step or 1))))
    return ",".join(_DAYS[day] for day in sorted(days))


def _day(name: str, line: str) -> int:
    if name[:3] in _DAYS and len(name) == 3:
        return _DAYS.index(name)
    if name.isdigit() and int(name) <= 7:
        return int(name)
    raise InputRefused(f"the schedule {line!r} names no weekday with {name!r}; write 0-7, sun-sat")
