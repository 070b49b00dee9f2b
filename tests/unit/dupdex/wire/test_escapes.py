"""Nothing that acts on a terminal is left, in a line or in JSON, and nothing else is changed."""

from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupdex.wire.escapes import HIDDEN, escaped_json, shortened, visible

ACTING = {"Cc", "Cf", "Cs", "Zl", "Zp"}
"""Categories whose characters move the cursor, turn the direction, or have no shape."""


def test_every_acting_character_is_shown_as_its_escape() -> None:
    for code in range(0x110000):
        character = chr(code)
        if unicodedata.category(character) in ACTING:
            shown = visible(character)
            assert shown.isascii()
            assert shown.startswith("\\")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x1b]0;x\x07", "a\\x1b]0;x\\x07"),
        ("\x9b31m", "\\x9b31m"),
        ("one\ttwo\r\n", "one\\ttwo\\r\\n"),
        ("\u202eevil\u2069", "\\u202eevil\\u2069"),
        ("ze\u200bro\u3164", "ze\\u200bro\\u3164"),
        ("tag\U000e0041", "tag\\U000e0041"),
        ("half \ud800", "half \\ud800"),
        ("C:\\x1b", "C:\\x1b"),
        ("全角　空格 ❤\ufe0f 𠀀 é", "全角　空格 ❤\ufe0f 𠀀 é"),
    ],
)
def test_what_is_shown(text: str, shown: str) -> None:
    assert visible(text) == shown


@given(st.text())
def test_showing_twice_is_showing_once(text: str) -> None:
    shown = visible(text)
    assert visible(shown) == shown
    assert not HIDDEN.search(shown)
    assert len(shown.splitlines()) <= 1


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_json_is_the_same_value(text: str) -> None:
    packed = escaped_json(json.dumps({text: [text]}, ensure_ascii=False).encode())
    assert json.loads(packed) == {text: [text]}
    assert not HIDDEN.search(packed.decode())


def test_json_keeps_its_lines() -> None:
    assert escaped_json('{\n  "é": "\u202e\U000e0041"\n}'.encode()) == (
        '{\n  "é": "\\u202e\\udb40\\udc41"\n}'.encode()
    )


def test_a_long_text_by_both_ends() -> None:
    assert shortened("a" * 90, 90) == "a" * 90
    shown = shortened("a" * 500_000 + "b" * 500_000, 90)
    assert shown == f"{'a' * 60} … (1,000,000 characters) … {'b' * 30}"
