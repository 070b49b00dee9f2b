"""How damaged a pair of texts is, and which differences damage explains.

Where a stray character is broken every few words, a number or a name is broken as often as
anything else: 1953 and 195 are then no two facts. Without damage the same pair differs in a fact.
"""

from __future__ import annotations

from math import comb, exp
from typing import Final, NamedTuple

FEW: Final = 2
"""Fewer broken characters say nothing of the rest of a text."""

CHANCE: Final = 0.01
"""What damage explains with a lesser probability is a fact."""

_DIGIT, _FOREIGN_DIGIT = 0.002, 0.05
"""The part of broken characters that are replaced by a digit: where all are Chinese ones, and where
letters or lost bytes are among them."""

_NAMES: Final = 0.05
"""How many stretches of a text may be taken for names when they are broken, in its units."""


class Noise(NamedTuple):
    """`broken`: single characters that are replaced, added or missing among `units` equal ones,
    outside of numbers and names. `rewritten`: other stretches that no fact explains. `foreign`:
    whether letters or lost bytes broke some.
    """

    broken: int
    rewritten: int
    units: int
    foreign: bool = False

    @property
    def rate(self) -> float:
        return self.broken / max(1, self.units)

    def explains_numbers(self, slight: int, digits: int, replaced: bool = False) -> bool:
        """Whether so many numbers with one broken character are to be expected, where all numbers
        together have so many `digits`; `replaced`: by another digit, as damage hardly does.
        """
        if self.broken < FEW or not slight:
            return False
        part = _FOREIGN_DIGIT if self.foreign else _DIGIT
        expected = self.rate * digits * (part if replaced else 1.0)
        term = below = exp(-expected)
        for count in range(1, slight):
            term *= expected / count
            below += term
        return 1 - below >= CHANCE

    def explains_name(self, changed: int, units: int) -> bool:
        """Whether somewhere a name of so many `units` with so many `changed` is to be expected."""
        if self.broken < FEW:
            return False
        rate = min(1.0, self.rate)
        beyond = sum(
            comb(units, count) * rate**count * (1 - rate) ** (units - count)
            for count in range(changed, units + 1)
        )
        return self.units * _NAMES * beyond >= CHANCE
