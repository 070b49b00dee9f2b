"""How times are read, and the periods they lie in."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from query.tally import Every, instant_of, period_of, spelled

TIMES = st.datetimes(datetime(2, 1, 1), datetime(9999, 1, 1))
OFFSETS = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))


@given(TIMES, OFFSETS, st.sampled_from(["T", " "]), st.sampled_from(["seconds", "milliseconds"]))
def test_iso_times_are_read(time: datetime, zone: timezone, between: str, digits: str) -> None:
    shown = time.replace(tzinfo=zone).isoformat(between, digits)
    expected = datetime.fromisoformat(shown) - datetime(1970, 1, 1, tzinfo=UTC)
    assert instant_of(shown) == expected // timedelta(milliseconds=1)
    assert instant_of(shown[:10].replace("-", "/")) == instant_of(shown[:10])


@given(
    st.text()
    | st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
)
def test_anything_is_a_time_or_none(value: Any) -> None:
    instant = instant_of(value)
    if instant is not None:
        assert {len(period_of(instant, every)) for every in Every} == {10}


@given(TIMES, st.sampled_from(Every))
def test_a_period_begins_before_its_times(time: datetime, every: Every) -> None:
    instant = instant_of(time.isoformat(timespec="milliseconds"))
    assert instant is not None
    first = date.fromisoformat(period_of(instant, every))
    days = {Every.DAY: 1, Every.WEEK: 7, Every.MONTH: 31, Every.YEAR: 366}[every]
    assert timedelta(0) <= time.date() - first < timedelta(days=days)
    assert every is not Every.WEEK or first.weekday() == 0


@pytest.mark.parametrize(
    ("value", "key"),
    [
        ("甲", "甲"),
        (5, "5"),
        (True, "true"),
        (1.5, "1.5"),
        (None, None),
        ({}, None),
        ("x" * 1_025, None),
    ],
)
def test_values_are_spelled(value: Any, key: str | None) -> None:
    assert spelled(value) == key
