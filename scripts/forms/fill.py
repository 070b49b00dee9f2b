"""Forms as texts with slots, filled in with words.

A file of forms has one in a paragraph: its name, a colon and the text, of which `⏎` ends a line. A
slot names a sort of words, {person}, with what it is given where it takes anything, {number 3 44}
or {of Saturday Sunday}; slots with the same mark, {person#a}, have the same word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from itertools import count
from random import Random
from typing import Final

from scripts.forms.name_words import NameWords

_SLOT: Final = re.compile(r"\{(\w+)((?: [^}#]+)?)(?:#(\w+))?\}")


@dataclass(frozen=True, slots=True)
class TextForm:
    """A form; called with words it is filled in."""

    text: str

    def __call__(self, words: NameWords) -> str:
        return self._with(dict(self._chosen(words)))

    def changed_once(self, words: NameWords, others: NameWords, rng: Random) -> str:
        """Filled in with `words`, but for one slot that `others` fill in differently."""
        said, instead = dict(self._chosen(words)), dict(self._chosen(others))
        differing = [slot for slot, word in said.items() if word != instead[slot]]
        if differing:
            slot = rng.choice(differing)
            said[slot] = instead[slot]
        return self._with(said)

    def _chosen(self, words: NameWords) -> Iterator[tuple[str, str]]:
        """The words by the marks of slots, or by where those without a mark stand."""
        marks = set()
        for place, slot in enumerate(_SLOT.finditer(self.text)):
            sort, given, mark = slot.groups()
            if mark not in marks:
                yield mark or str(place), str(getattr(words, sort)(*_given(given)))
            if mark:
                marks.add(mark)

    def _with(self, said: dict[str, str]) -> str:
        places = count()

        def word(slot: re.Match[str]) -> str:
            place = str(next(places))
            return said[slot[3] or place]

        return _SLOT.sub(word, self.text)


def read_forms(name: str) -> dict[str, TextForm]:
    """The forms of a file beside this one, by name."""
    text = (files("scripts.forms") / f"{name}.txt").read_text("utf-8")
    found = (paragraph.partition(": ") for paragraph in text.strip().split("\n\n"))
    return {name: TextForm(form.replace("⏎", "\n")) for name, _, form in found}


def _given(words: str) -> list[str | int]:
    return [int(word) if word.isdigit() else word.replace("_", " ") for word in words.split()]
