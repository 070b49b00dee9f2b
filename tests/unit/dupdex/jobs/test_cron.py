"""Times of crontab lines, as cron means them."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from dupdex.jobs.cron import cron_trigger
from mappings.errors import InputRefused

ZONE = ZoneInfo("Asia/Shanghai")
SUNDAY = datetime(2026, 11, 22, 12, 0, tzinfo=ZONE)


def times(line: str, count: int = 3, zone: str | None = "Asia/Shanghai") -> list[str]:
    trigger, now = cron_trigger(line, zone), SUNDAY
    out = []
    for _ in range(count):
        found = trigger.get_next_fire_time(None, now)
        assert found is not None
        out.append(found.strftime("%a %m-%d %H:%M"))
        now = found + timedelta(seconds=1)
    return out


def test_every_night() -> None:
    assert times("0 3 * * *") == ["Mon 11-23 03:00", "Tue 11-24 03:00", "Wed 11-25 03:00"]
    assert times("@daily", 1) == ["Mon 11-23 00:00"]
    assert times("*/20 12 * * *", 2) == ["Sun 11-22 12:00", "Sun 11-22 12:20"]


@pytest.mark.parametrize(
    ("field", "days"),
    [
        ("0", "Sun Sun"),
        ("7", "Sun Sun"),
        ("1", "Mon Mon"),
        ("1-5", "Mon Tue"),
        ("sat,sun", "Sat Sun"),
        ("fri-mon", "Mon Fri"),
        ("0-6/3", "Wed Sat"),
        ("5/2", "Fri Fri"),
    ],
)
def test_weekdays_are_those_of_cron(field: str, days: str) -> None:
    """APScheduler counts from Monday; crontabs count from Sunday."""
    found = [each[:3] for each in times(f"0 3 * * {field}", 2)]
    assert found == days.split()


def test_the_time_zone_counts() -> None:
    assert times("0 3 * * *", 1, "Europe/Berlin") == ["Mon 11-23 03:00"]
    berlin = cron_trigger("0 3 * * *", "Europe/Berlin").get_next_fire_time(None, SUNDAY)
    shanghai = cron_trigger("0 3 * * *", "Asia/Shanghai").get_next_fire_time(None, SUNDAY)
    assert berlin is not None
    assert shanghai is not None
    assert berlin - shanghai == timedelta(hours=7)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("0 3 * *", "has 4 fields"),
        ("60 3 * * *", r"'60' for the minute; write \* or 0-59"),
        ("0 25 * * *", "'25' for the hour"),
        ("0 3 32 * *", "'32' for the day of the month"),
        ("1,,2 3 * * *", "'1,,2' for the minute"),
        ("*/0 3 * * *", r"'\*/0' for the minute"),
        ("0 3 1 someday *", "'someday' for the month"),
        ("0 3 30 2 *", "no month has"),
        ("0 3 31 4 *", "no month has"),
        ("0 3 1 * 1", "one of them"),
        ("0 3 * * someday", "no weekday"),
        ("0 3 * * 8", "no weekday"),
        ("", "has 0 fields"),
    ],
)
def test_what_has_no_meaning_is_refused(line: str, said: str) -> None:
    with pytest.raises(InputRefused, match=said):
        cron_trigger(line)


def test_a_time_zone_that_there_is_not() -> None:
    with pytest.raises(InputRefused, match="no time zone 'Mars/Base'"):
        cron_trigger("0 3 * * *", "Mars/Base")
