"""Which words are of every day: what the shipped dictionary has, and the small words of it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from indexer.text.corpus_statistics import load_statistics
from indexer.text.stop_words import load_stop_words
from mappings.plan import STANDARD

_FIRST, _LAST = "\u4e00", "\u9fff"
_SMALL: Final = frozenset(
    "的是在了为着过这那有和与及也就都被把让从对向将已又还等到而则却即不很更最"
)
"""Characters that begin no name; a name may begin with others of the small words, as 中 or 上."""

_FEW: Final = 600
"""Documents of the dictionary that a rare character is in fewer of."""


def everyday(word: str) -> bool:
    """Whether a word is in the dictionary, so that it may stand in for another of its meaning."""
    return _words().get(word, 0) > 0


def in_words(text: str) -> bool:
    """Whether a stretch is words of the dictionary, of two characters or more, and no more."""
    ends = {0}
    for stop in range(2, len(text) + 1):
        if any(start in ends and everyday(text[start:stop]) for start in range(stop - 1)):
            ends.add(stop)
    return len(text) in ends


def is_garbled(text: str) -> bool:
    """Whether a decoder gave up on a part of a text, or made characters of it that no word has."""
    usual = _characters()
    return any(
        character == "\ufffd"
        or "\ue000" <= character <= "\uf8ff"
        or (_FIRST <= character <= _LAST and character not in usual)
        for character in text
    )


def is_rare(text: str) -> bool:
    """Whether a stretch has a character that few texts have, as most have that lost bytes make."""
    words = _words()
    return any(words.get(character, 0) < _FEW for character in text)


def is_usual(words: str) -> bool:
    """Whether a stretch begins with a small word, as no name does."""
    first = next((words[:size] for size in (4, 3, 2) if everyday(words[:size])), words[:1])
    if len(first) == 1 and _FIRST <= first <= _LAST:
        return first in _SMALL
    return first in load_stop_words("1")


@cache
def _characters() -> frozenset[str]:
    """The characters of all words of it."""
    return frozenset("".join(_words()))


@cache
def _words() -> Mapping[str, int]:
    """The shipped dictionary: in how many documents a word is."""
    return load_statistics(STANDARD).frequencies
