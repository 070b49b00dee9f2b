"""Entries of banks as people and programs write them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from dupdex.banks.bank_model import BankEntry
from dupdex.retention import time_of
from indexer.model import kind_of
from mappings.collections import moment
from mappings.errors import InputRefused

ENTRY_FIELDS: Final = ("id", "text", "labels", "reason", "by", "expires")
"""What an entry may be written with. `added` is also read, and made anew: exports have it."""

_AGE: Final = re.compile(r"(\d{1,6})([hdw])", re.ASCII)
_UNITS: Final = {"h": "hours", "d": "days", "w": "weeks"}


def expiry_of(value: str) -> datetime:
    """A date or time to come, or how long from now on: 2027-01-31, 30d, 12h, 4w.

    Raises InputRefused.
    """
    time = None
    if age := _AGE.fullmatch(value):
        number, unit = age.groups()
        try:
            time = datetime.now(UTC) + timedelta(**{_UNITS[unit]: int(number)})
        except OverflowError:
            time = None
    else:
        time = time_of(value)
    if time is None:
        raise InputRefused(f"{value[:40]!r} is no time; write 2027-01-31, or 30d for 30 days")
    if time <= datetime.now(UTC):
        raise InputRefused(f"{value[:40]!r} is over; give a time to come")
    return time


def entry_of(given: Mapping[str, Any], defaults: BankEntry | None = None) -> BankEntry:
    """An entry from JSON values; `defaults` say what is not given. `labels` is a string or a list
    of them. An expiry that is over is kept as it is, as the file may be an old export.

    Raises InputRefused naming the field.
    """
    base = defaults or BankEntry("", "")
    unknown = sorted(set(given) - {*ENTRY_FIELDS, "added"})
    if unknown:
        known = ", ".join(ENTRY_FIELDS)
        raise InputRefused(f"an entry has no field {unknown[0][:80]!r}; it has {known}")
    labels = given.get("labels")
    if isinstance(labels, str):
        labels = [labels]
    if labels is not None and not isinstance(labels, list):
        raise InputRefused(f"'labels' holds {kind_of(labels)}, not a list of strings")
    return BankEntry(
        _string(given, "id"),
        _string(given, "text"),
        base.labels if labels is None else tuple(_label(label) for label in labels),
        _string(given, "reason") or base.reason,
        _string(given, "by") or base.by,
        "",
        _expires(given.get("expires")) or base.expires,
    )


def _string(given: Mapping[str, Any], name: str) -> str:
    value = given.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise InputRefused(f"{name!r} holds {kind_of(value)}, not a string")
    return value


def _label(value: object) -> str:
    if not isinstance(value, str):
        raise InputRefused(f"'labels' holds {kind_of(value)}; give a list of strings")
    return value


def _expires(value: object) -> str | None:
    if value is None:
        return None
    time = time_of(value) if isinstance(value, str) and not _AGE.fullmatch(value) else None
    try:
        return moment(time or expiry_of(str(value)))
    except InputRefused as error:
        raise InputRefused(f"'expires': {error}") from error
