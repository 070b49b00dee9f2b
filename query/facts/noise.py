"""How damaged a pair of texts is, and which differences damage explains.

Where a stray character is broken every few words, a number or a name is broken as often as
anything else: 1953 and 195 are then no two facts. Without damage the same pair differs in a fact.
"""

from __future__ import annotations

from math import comb, exp
from typing import Final, NamedTuple

from rapidfuzz.distance import Levenshtein

from query.facts.everyday import is_garbled
from query.facts.fact_reading import Reading
from query.facts.gaps import Gap

FEW: Final = 2
"""Fewer broken characters say nothing of the rest of a text."""

CHANCE: Final = 0.01
"""What damage explains with a lesser probability is a fact."""

_DIGIT, _FOREIGN_DIGIT = 0.002, 0.05
"""The part of broken characters that are replaced by a digit: where all are Chinese ones, and where
letters or lost bytes are among them."""

_NO_DIGIT: Final = 0.1
"""Digits among those that broke letters, where none was seen."""

_ALIKE: Final = 0.5
"""What has no more changed letters is a word misspelt; what has more is another word."""

_NAMES: Final = 0.05
"""How many stretches of a text may be taken for names when they are broken, in its units."""


class Noise(NamedTuple):
    """`broken`: single characters that are replaced, added or missing among `units` equal ones,
    outside of numbers and names. `rewritten`: other stretches that no fact explains. `foreign`:
    whether letters or lost bytes broke some. `strays`: digits that stand in words of one text,
    where words are letters with spaces between; None for other texts.
    """

    broken: int
    rewritten: int
    units: int
    foreign: bool = False
    strays: int | None = None

    @property
    def rate(self) -> float:
        return self.broken / max(1, self.units)

    def explains_numbers(self, slight: int, digits: int, replaced: bool = False) -> bool:
        """Whether so many numbers with one broken character are to be expected, where all numbers
        together have so many `digits`; `replaced`: by another digit, as damage hardly does.
        """
        if self.broken < FEW or not slight:
            return False
        expected = self.rate * digits * (self._digit_part if replaced else 1.0)
        term = below = exp(-expected)
        for count in range(1, slight):
            term *= expected / count
            below += term
        return 1 - below >= CHANCE

    @property
    def _digit_part(self) -> float:
        """The part of broken characters that are replaced by a digit."""
        if self.strays is not None:
            return (self.strays + _NO_DIGIT) / max(1, self.broken)
        return _FOREIGN_DIGIT if self.foreign else _DIGIT

    def explains_number(self, changed: int, size: int, digits: int) -> bool:
        """Whether among numbers of so many `digits` one of a `size` with so many lost or strayed
        digits is to be expected.
        """
        if self.broken < FEW or not size:
            return False
        return digits / size * self._beyond(changed, size) >= CHANCE

    def explains_name(self, changed: int, units: int) -> bool:
        """Whether somewhere a name of so many `units` with so many `changed` is to be expected."""
        if self.broken < FEW:
            return False
        return self.units * _NAMES * self._beyond(changed, units) >= CHANCE

    def _beyond(self, changed: int, units: int) -> float:
        """The probability that of so many `units` so many or more are `changed`."""
        rate = min(1.0, self.rate)
        return sum(
            comb(units, count) * rate**count * (1 - rate) ** (units - count)
            for count in range(changed, units + 1)
        )


def damage_in(left: Reading, right: Reading, gaps: list[Gap], same: int, spaced: bool) -> Noise:
    """How damaged two texts are in gaps that no fact explains; `same`: their equal units.

    In words with spaces between a gap may have several broken letters in it.
    """
    single = {gap for gap in gaps if is_broken(left, right, gap)}
    broken, rewritten = len(single), len(gaps) - len(single)
    if not spaced:
        foreign = any(_is_foreign(left, right, gap) for gap in single)
        return Noise(broken, rewritten, same, foreign)
    misspelt = [_misspelt(left, right, gap) for gap in gaps if gap not in single]
    broken, rewritten = broken + sum(misspelt), rewritten - sum(map(bool, misspelt))
    return Noise(broken, rewritten, same, True, abs(_strays(left) - _strays(right)))


def is_broken(left: Reading, right: Reading, gap: Gap) -> bool:
    """A single character, or what a decoder made of lost bytes."""
    if max(gap.sizes) <= 1:
        return True
    return any(
        is_garbled(side.side(span).inside) for side, span in zip((left, right), gap, strict=True)
    )


def _misspelt(left: Reading, right: Reading, gap: Gap) -> int:
    """How many letters of a gap are broken, where no more than half of it is."""
    said = left.sounds(left.span(gap.asked)), right.sounds(right.span(gap.stored))
    changed = Levenshtein.distance(*said)
    return changed if changed <= max(gap.sizes) * _ALIKE else 0


def _strays(text: Reading) -> int:
    """Digits that stand alone between two letters, as they do in broken words."""
    said = text.bare.text
    around = (
        said[max(0, fact.start - 1) : fact.stop + 1]
        for fact in text.bare.facts
        if fact.stop - fact.start == 1 and said[fact.start].isdecimal()
    )
    return sum(each[0].isalpha() and each[-1].isalpha() for each in around)


def _is_foreign(left: Reading, right: Reading, gap: Gap) -> bool:
    """Whether a single character, or what a decoder made of lost bytes, is none of Chinese."""
    said = left.side(gap.asked).inside + right.side(gap.stored).inside
    return any(not "\u4e00" <= each <= "\u9fff" for each in said)
