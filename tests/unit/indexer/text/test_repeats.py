"""Which stretches are read again: those in which characters come again and again."""

from __future__ import annotations

from indexer.text.repeats import repeated_places, repetitive_blocks
from tests.texts import METRO


def test_only_repeated_characters_are_looked_at_again() -> None:
    assert repeated_places("总委会会会会会样无") == [2]
    assert repeated_places("多么多么好。一条一条") == [0, 6]
    for text in ("", "爱", "妈妈说天天", "爱好者和健身爱好者", "------", "aaaa", METRO):
        assert repeated_places(text) == []
    assert repetitive_blocks("这是。总委会会会会会样无,好") == [(3, 12)]
    assert repetitive_blocks(METRO) == []
