"""Cursors as words, there and back."""

from __future__ import annotations

import re

import pytest

from dupdex.wire.cursors import from_word, to_word
from mappings.errors import InputRefused


@pytest.mark.parametrize(
    "cursor", [("a",), ("2026-01-31T00:00:00.000Z", "id"), (1, "é\U0001f600"), (0.25, "x" * 512)]
)
def test_there_and_back(cursor: tuple[object, ...]) -> None:
    word = to_word(cursor)
    assert re.fullmatch(r"[\w-]+", word)
    assert from_word(word) == cursor


@pytest.mark.parametrize("word", ["", "!", "a", "W10", "MQ", "中", "eyJhIjoxfQ", "x" * 5])
def test_another_word_is_refused(word: str) -> None:
    with pytest.raises(InputRefused, match="no place to go on from"):
        from_word(word)
