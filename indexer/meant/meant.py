"""The nouns: what a text is disguised by, and a text as it may be meant, with the places of its
characters in the text as given.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum


class Disguise(StrEnum):
    """What was undone in one of two texts, or told, to see that they are one."""

    LOOK_ALIKES = "look-alikes"
    BETWEEN = "marks between"
    VERTICAL = "vertical"
    SPACED = "spaced letters"
    DIGITS = "digits for letters"
    SIGNS = "signs for letters"
    STRETCHED = "stretched"
    PINYIN = "pinyin"
    STRAY = "stray letters"
    APART = "taken apart"
    HOMOPHONES = "homophones"
    SWAPPED = "letters swapped"
    MISSING = "letters missing"
    ADDED = "text added"
    BACKWARDS = "backwards"
    MARKUP = "markup"
    REFERENCES = "letters by number"


@dataclass(frozen=True, slots=True)
class Meant:
    """A text as it may be meant. `places[i]`: where its character i stands in the text as given.
    `disguises`: what was undone, in order. `ends`: where what stands at a place ends, if it is
    longer than a character. `in_tags`: whether tags or references, which say nothing by themselves,
    were most of the markup.
    """

    text: str
    places: Sequence[int]
    disguises: tuple[Disguise, ...] = ()
    ends: Mapping[int, int] = field(default_factory=dict)
    in_tags: bool = False

    @classmethod
    def given(cls, text: str) -> Meant:
        """A text as it is given."""
        return cls(text, range(len(text)))

    def other_letters(self, text: str, disguise: Disguise) -> Meant:
        """Other characters in the same places."""
        return replace(self, text=text, disguises=(*self.disguises, disguise))

    def taken(self, places: Sequence[int], disguise: Disguise) -> Meant:
        """The characters at these places, in this order."""
        text = "".join([self.text[place] for place in places])
        here = [self.places[place] for place in places]
        return replace(self, text=text, places=here, disguises=(*self.disguises, disguise))

    def span(self, start: int, stop: int) -> tuple[int, int]:
        """The stretch of the text as given that has the characters [start, stop)."""
        places = self.places[start:stop]
        if not places:
            return 0, 0
        return min(places), max(self.ends.get(place, place + 1) for place in places)
