"""The noun: a text as it may be meant, and where its characters stand in the text as given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from query.answers import Disguise


@dataclass(frozen=True, slots=True)
class Meant:
    """A text as it may be meant. `places[i]`: where its character i stands in the text as given.
    `disguises`: what was undone, in order.
    """

    text: str
    places: Sequence[int]
    disguises: tuple[Disguise, ...] = ()

    @classmethod
    def given(cls, text: str) -> Meant:
        """A text as it is given."""
        return cls(text, range(len(text)))

    def other_letters(self, text: str, disguise: Disguise) -> Meant:
        """Other characters in the same places."""
        return Meant(text, self.places, (*self.disguises, disguise))

    def taken(self, places: Sequence[int], disguise: Disguise) -> Meant:
        """The characters at these places, in this order."""
        text = "".join([self.text[place] for place in places])
        here = [self.places[place] for place in places]
        return Meant(text, here, (*self.disguises, disguise))

    def span(self, start: int, stop: int) -> tuple[int, int]:
        """The stretch of the text as given that has the characters [start, stop)."""
        places = self.places[start:stop]
        return (min(places), max(places) + 1) if places else (0, 0)
