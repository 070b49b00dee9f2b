"""Entries as files and programs write them."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime, timedelta

import pytest

from dupdex.banks.bank_model import BankEntry
from dupdex.banks.entry_reading import entry_of, expiry_of
from mappings.errors import InputRefused

FULL = BankEntry("e", "text", ("a", "b"), "why", "ann", "", "2020-01-01T00:00:00.000Z")


def test_an_exported_entry_is_read_again() -> None:
    assert entry_of({**asdict(FULL), "labels": list(FULL.labels)}) == FULL


def test_what_is_not_given_is_taken_from_the_defaults() -> None:
    defaults = BankEntry("", "", ("x",), "all", "bob", "", "2099-01-01T00:00:00.000Z")
    read = entry_of({"text": "t"}, defaults)
    assert (read.labels, read.reason, read.by) == (("x",), "all", "bob")
    assert read.expires == defaults.expires
    assert entry_of({"text": "t", "labels": "one"}, defaults).labels == ("one",)
    assert entry_of({"text": "t", "labels": []}, defaults).labels == ()


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"text": 5}, "'text' holds a number"),
        ({"labels": {"a": 1}}, "'labels' holds an object"),
        ({"labels": ["a", 1]}, "'labels' holds a number"),
        ({"expires": "soon"}, "'soon' is no time"),
        ({"expires": 5}, "'5' is no time"),
        ({"label": "x"}, "no field 'label'"),
    ],
)
def test_a_wrong_field_is_named(given: dict[str, object], told: str) -> None:
    with pytest.raises(InputRefused, match=told):
        entry_of(given)


def test_an_expiry_is_a_time_to_come() -> None:
    now = datetime.now(UTC)
    assert timedelta(days=29) < expiry_of("30d") - now < timedelta(days=31)
    assert expiry_of("2099-01-31") == datetime(2099, 1, 31, tzinfo=UTC)
    for value in ("2020-01-01", "0d", "tomorrow", "999999w", ""):
        with pytest.raises(InputRefused):
            expiry_of(value)
