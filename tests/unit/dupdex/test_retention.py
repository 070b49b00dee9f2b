"""Times in documents, and what a selection may be."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from dupdex.retention import Selection, time_of
from mappings.errors import InputRefused

DAY = datetime(2026, 1, 5, tzinfo=UTC)


@pytest.mark.parametrize(
    "value",
    [
        "2026-01-05",
        "2026-1-5",
        "2026/01/05",
        "2026.1.5",
        "2026年1月5日",
        " 2026-01-05 ",
        "20260105",
        20260105,
        "2026-01-05T00:00:00Z",
        "2026-01-05 08:00:00+08:00",
        "2026/1/5 00:00",
        DAY.timestamp(),
        int(DAY.timestamp()),
        int(DAY.timestamp()) * 1_000,
    ],
)
def test_a_time_is_read(value: object) -> None:
    assert time_of(value) == DAY


@pytest.mark.parametrize(
    "value",
    [None, True, "", "soon", "2026", 2026, 0, -5, 7, "2026-13-01", "05.01.2026", 1e300, {}, ["x"],
     float("nan"), float("inf"), "²⁰²⁶-01-01", 20261399],
)  # fmt: skip
def test_what_is_no_time_is_none(value: Any) -> None:
    assert time_of(value) is None


@pytest.mark.parametrize(
    ("body", "selected", "unread"),
    [
        ({"day": "2026-01-04"}, True, 0),
        ({"day": "2026-01-05"}, False, 0),
        ({"day": ["2025-01-01", "2026-02-01"]}, False, 0),
        ({"day": ["2025-01-01", "2025-02-01"]}, True, 0),
        ({"day": "long ago"}, False, 1),
        ({"day": ["2025-01-01", "long ago"]}, False, 1),
        ({"day": None}, False, 0),
        ({}, False, 0),
        ({"other": "2025-01-01"}, False, 0),
    ],
)
def test_a_document_is_older_when_all_its_times_are(
    body: dict[str, Any], selected: bool, unread: int
) -> None:
    chosen = Selection(field="day", before=DAY)
    assert chosen._is_older(body, DAY) is selected
    assert chosen.unread == unread


@pytest.mark.parametrize("given", [{}, {"field": "day"}, {"before": DAY}, {"text": ""}])
def test_not_everything_is_selected(given: dict[str, Any]) -> None:
    with pytest.raises(InputRefused):
        Selection(**given)
