"""Other characters and words for the same: script, sound, synonyms."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final

from indexer.text.table import LIMIT, load
from mappings.plan import STANDARD

_LEVEL_ONE: Final = range(16, 56)
"""The rows of GB 2312 with the 3,755 most common characters."""

_SYNONYMS: Final = Path(__file__).with_name("synonyms.txt")
"""Words that may stand for each other, a line for each group."""


def traditional(text: str, _rng: Random, configuration: str) -> str | None:
    """Traditional script by OpenCC: s2t by characters, s2twp in the words of Taiwan, too."""
    converted = str(_converter(configuration).convert(text))
    return None if converted == text else converted


@cache
def _converter(configuration: str) -> Any:
    from opencc import OpenCC  # a development dependency, and only used here

    return OpenCC(configuration)


def homophones(text: str, rng: Random, percent: int) -> str | None:
    """Other common characters of the same syllable for `percent` of those that have any."""
    alike = _homophones()
    places = [place for place, character in enumerate(text) if character in alike]
    if not places:
        return None
    out = list(text)
    for place in rng.sample(places, max(1, round(len(places) * percent / 100))):
        out[place] = rng.choice(alike[text[place]])
    return "".join(out)


@cache
def _homophones() -> dict[str, list[str]]:
    """Common characters of the same syllable, in another tone or the same, by character."""
    syllables = load(STANDARD.table, STANDARD.steps).syllable
    groups: dict[int, list[str]] = defaultdict(list)
    for row in _LEVEL_ONE:
        for cell in range(1, 95):
            character = bytes((0xA0 + row, 0xA0 + cell)).decode("gb2312", "ignore")
            if character and syllables[ord(character)] >= LIMIT:
                groups[int(syllables[ord(character)])].append(character)
    return {
        each: [other for other in group if other != each]
        for group in groups.values()
        if len(group) > 1
        for each in group
    }


def synonyms(text: str, rng: Random, probability: float) -> str | None:
    """Each word of the list becomes one of its synonyms with this probability."""
    others, pattern = _synonyms()

    def another(found: re.Match[str]) -> str:
        word = found.group()
        return rng.choice(others[word]) if rng.random() < probability else word

    changed = pattern.sub(another, text)
    return None if changed == text else changed


@cache
def _synonyms() -> tuple[dict[str, list[str]], re.Pattern[str]]:
    others: dict[str, list[str]] = {}
    for group in _SYNONYMS.read_text("utf-8").splitlines():
        words = group.split()
        others |= {word: [other for other in words if other != word] for word in words}
    longest_first = sorted((w for w in others if len(w) > 1), key=lambda word: (-len(word), word))
    # an English word by itself, a Chinese one wherever it stands
    spelled = (rf"\b{word}\b" if word.isascii() else word for word in longest_first)
    return others, re.compile("|".join(spelled))
