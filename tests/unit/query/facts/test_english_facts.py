"""English words of one class, units behind numbers, and names that letters of one script make."""

from __future__ import annotations

import pytest

from tests.unit.query.facts.test_named_facts import compared

SAID = "The society says that {} there will be talks and music, which everybody may attend."


@pytest.mark.parametrize(
    ("asked", "stored", "kind"),
    [
        ("in the morning", "in the evening", "date"),
        ("in northern parts", "in southern parts", "name"),
        ("for dozens of people", "for hundreds of people", "number"),
        ("for a teacher", "for a lawyer", "name"),
        ("by Mr. Smith", "by Mr. Brown", "name"),
        ("by J. Smith", "by J. Brown", "name"),
    ],
)
def test_english_words_of_one_class(asked: str, stored: str, kind: str) -> None:
    found = compared(SAID.format(asked), SAID.format(stored))
    assert found == [(kind, _other(asked, stored), _other(stored, asked))]


@pytest.mark.parametrize(
    ("asked", "stored", "expected"),
    [
        ("for 500 miles", "for 500 kilometers", [("number", "500 miles", "500 kilometers")]),
        ("for five dollars", "for five euros", [("number", "five dollars", "five euros")]),
        ("from 5 am", "from 5 pm", [("date", "5 am", "5 pm")]),
        ("for years", "for decades", []),
        ("where they won", "where they pounds", []),
        ("at the last minute", "at the last second", []),
        ("at 5 p.m. Officials", "at 5 p.m. Authorities", []),  # no initial
        ("from the U.S. However,", "from the U.S. But", []),
    ],
)
def test_english_units_stand_behind_numbers(
    asked: str, stored: str, expected: list[tuple[str, str, str]]
) -> None:
    assert compared(SAID.format(asked), SAID.format(stored)) == expected


@pytest.mark.parametrize(
    ("asked", "stored"), [("for Neil Brown", "for Nell Brown"), ("in Mali", "in Mall")]
)
def test_letters_of_one_script_are_no_disguise(asked: str, stored: str) -> None:
    assert len(compared(SAID.format(asked), SAID.format(stored))) == 1


def _other(words: str, than: str) -> str:
    return next(word for word in words.split() if word not in than.split())
