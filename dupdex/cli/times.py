"""Dates and ages that options take."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import click

from dupdex.banks.entry_reading import expiry_of
from dupdex.retention import time_of
from mappings.errors import InputRefused

_AGE = re.compile(r"(\d{1,6})([hdw])", re.ASCII)
_UNITS = {"h": "hours", "d": "days", "w": "weeks"}


class Time(click.ParamType[datetime]):
    """A date, a time, or how long ago: 2026-01-31, 2026-01-31T12:00Z, 90d, 12h, 4w."""

    name = "time"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> datetime:
        if isinstance(value, datetime):
            return value
        if age := _AGE.fullmatch(str(value)):
            number, unit = age.groups()
            try:
                return datetime.now(UTC) - timedelta(**{_UNITS[unit]: int(number)})
            except OverflowError:
                self.fail(f"{value!r} is too long ago", param, ctx)
        time = time_of(str(value))
        if time is None:
            self.fail(f"{value!r} is no date; write 2026-01-31, or 90d for 90 days ago", param, ctx)
        return time


class Expiry(click.ParamType[datetime]):
    """A date or time to come, or how long from now: 2027-01-31, 30d, 12h, 4w."""

    name = "expiry"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> datetime:
        if isinstance(value, datetime):
            return value
        try:
            return expiry_of(str(value))
        except InputRefused as error:
            self.fail(str(error), param, ctx)
