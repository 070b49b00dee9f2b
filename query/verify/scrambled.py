"""Copies whose letters were swapped with their neighbours, masked, left out, or put among others.

Such a copy keeps few runs of letters, so that grams say little, and costs many edits; what tells
it from another text is that its letters are the same ones, nearly in their order:

- swapped: the fewest edits, a swap of neighbours among them (optimal string alignment), are few,
  and those that are no swaps are no more than any near duplicate may have.
  Digits are letters apart: in another order they are another number.
- missing: the letters of the shorter text stand in the longer one, in their order, all but one in
  twenty (longest common subsequence), and make most of it. A mask is a letter that is missing.
  What is left out without a mask is not one word throughout, as a negation may be.
- added: a short text stands whole in one that is no more than five times as long.
"""

from __future__ import annotations

from collections import Counter
from math import ceil
from typing import Final

from msgspec import Struct
from rapidfuzz.distance import OSA, LCSseq, Levenshtein

from indexer.meant.meant import Disguise
from mappings.plan import Thresholds
from query.answers import Verdict
from query.grams import Features, Kind
from query.verify.as_given import signs, with_equal_digits

ALIGNED: Final = 0.65
"""Part of the longer text that edits must leave, a swap of neighbours being one edit."""

SCRAMBLED: Final = 0.03
"""Part of the longer text: the fewest swaps that make a long text a scrambled one. Single ones are
edits as any other, which long texts of one template have as well."""

DRIFTED: Final = 0.05
"""A letter that is swapped twice has moved, which is no swap but two edits. These are not counted
where this part of the longer text was swapped, and the letters are the same."""

SAME_LETTERS: Final = 0.97
"""The part of the longer text's letters that are in the other one, wherever they stand, then."""

DIGITS: Final = 1 / 3
"""Up to so many swaps of digits for one of letters the digits are swapped as all of the text is."""

MISSING: Final = 0.7
"""Part of the longer text that a shorter one must be; masks that hide more leave too little."""

KEPT: Final = 0.95
"""Part of the shorter text's letters that must stand in the longer one in their order: a text in
which something was replaced has less."""

FEWEST_MORE: Final = 3
"""From so many letters, or words, on that one text has more, these may be one put in throughout."""

MOSTLY_ONE: Final = 0.5
"""The part of these that is one and the same then: "not" all over a text makes its opposite."""

SHORTEST: Final = 10
"""Fewer letters prove nothing by themselves."""

LONGEST: Final = 3_000
"""Longer texts are not looked at: the time grows with the square of the length."""

UNSCREENED: Final = (200, 600)
"""Letters up to which texts are compared whatever grams they share; by syllables, and by words."""

SHARED_GRAMS: Final = (0.05, 0.015)
"""Part of the short grams of either text that must be in the other one, of longer texts: by
syllables, and by letters in scripts with spaces. With every fifth letter swapped it is .25 and
.04."""

WHOLE: Final = 0.9
"""Part of the short grams of a text that must be in another for it to stand there whole."""

AMONG: Final = 5
"""How many times as long as a text the other one may be in which it stands."""

NEAR_FROM: Final = 0.5
"""Part of the longer text from which the shorter one in it is a near duplicate; a smaller one is a
partial copy."""

FEWEST_GRAMS: Final = (9, 5)
"""Fewest short grams of a text that stands in another, by syllables and by words: of texts of 12
syllables, or 6 words."""


class Scrambled(Struct, frozen=True, gc=False):
    """What made one text of another. `kept`: the part of the longer text that stayed; `value` is
    what told it, by the rule of that disguise, and `limit` what it had to reach.
    """

    disguise: Disguise
    kept: float
    value: float
    limit: float

    @property
    def verdict(self) -> Verdict:
        """Near, unless most of one text is not in the other at all."""
        return Verdict.NEAR if self.kept >= NEAR_FROM else Verdict.PARTIAL


def scrambled(
    asked: Features, stored: Features, spaced: bool, limits: Thresholds
) -> Scrambled | None:
    """Whether one text is the other in such a disguise. Symmetric."""
    if not is_worth_it(asked, stored, spaced):
        return None
    short, long = sorted((asked.length, stored.length))
    if short < int(ALIGNED * long):  # neither swaps nor missing letters make up for the rest
        return stands_among(asked, stored, spaced, limits)
    in_both = asked.in_bags([stored], Kind.CHARACTERS)[0]
    if in_both >= min(long - int((1 - ALIGNED) * long), KEPT * short):
        found = _swapped(asked, stored, limits) or _missing(asked, stored, spaced)
        if found:
            return found
    return stands_among(asked, stored, spaced, limits)


def could_be_scrambled(asked: Features, stored: Features, spaced: bool, limits: Thresholds) -> bool:
    """False only where `scrambled` finds nothing: exact for short texts, which are compared in no
    time, and one look at grams that are counted anyway for others."""
    if not is_worth_it(asked, stored, spaced):
        return False
    if max(asked.length, stored.length) > limits.short:
        return True
    return scrambled(asked, stored, spaced, limits) is not None


def is_worth_it(asked: Features, stored: Features, spaced: bool) -> bool:
    """Whether the texts are short enough to be compared letter by letter, and whether any but the
    shortest share some short grams, which are counted anyway."""
    short, long = sorted((asked.length, stored.length))
    if short < SHORTEST or long > LONGEST:
        return False
    if long <= UNSCREENED[spaced]:
        return True
    kind = Kind.CHARACTERS if spaced else Kind.UNITS
    common = asked.common(stored, kind, spaced)
    if common >= SHARED_GRAMS[spaced] * asked.different(kind, spaced):
        return True
    return common >= SHARED_GRAMS[spaced] * stored.different(kind, spaced)


def _swapped(asked: Features, stored: Features, limits: Thresholds) -> Scrambled | None:
    """A swap of neighbours is two edits, or one where swaps are counted as such: the difference
    of the two distances is the number of swaps, and what remains are other edits.
    """
    left, right = asked.letters, stored.letters
    longer = max(len(left), len(right))
    most = int((1 - ALIGNED) * longer)
    distance = OSA.distance(left, right, score_cutoff=most)
    if distance > most:
        return None
    both = Levenshtein.distance(left, right)
    least = SCRAMBLED * longer if longer > limits.short else 1
    if both - distance < least:
        return None
    swaps = both - distance
    outside = swaps_outside_numbers(asked, stored)
    if swaps - outside > DIGITS * outside:
        swaps = outside
    edits = both - 2 * swaps  # two digits that changed places are two edits
    if swaps < least or edits + swaps > most:
        return None
    few = edits <= min(2 * swaps, (1 - limits.short_near) * longer)
    if not few and (swaps < DRIFTED * longer or _common(left, right) < SAME_LETTERS * longer):
        return None
    kept = 1 - (edits + swaps) / longer
    return Scrambled(Disguise.SWAPPED, kept, kept, ALIGNED)


def swaps_outside_numbers(asked: Features, stored: Features) -> int:
    """Swaps of neighbours that are not both digits."""
    left, right = with_equal_digits(asked), with_equal_digits(stored)
    return int(Levenshtein.distance(left, right) - OSA.distance(left, right))


def _common(left: str, right: str) -> int:
    """Letters in common, wherever they stand."""
    return (Counter(left) & Counter(right)).total()


def _missing(asked: Features, stored: Features, spaced: bool) -> Scrambled | None:
    fewer, more = sorted((asked, stored), key=lambda text: text.length)
    short, long = fewer.letters, more.letters
    if len(short) < MISSING * len(long):
        return None
    least = ceil(KEPT * len(short))
    common = LCSseq.similarity(short, long, score_cutoff=least)
    if common < least or _is_one_throughout(fewer, more, spaced):
        return None
    return Scrambled(Disguise.MISSING, common / len(long), common / len(short), KEPT)


def _is_one_throughout(fewer: Features, more: Features, spaced: bool) -> bool:
    """Whether most of what one text has more is one letter, or one word in scripts with spaces,
    and no marks stand in its place in the other.
    """
    if spaced:
        extra = Counter(more.units(spaced)) - Counter(fewer.units(spaced))
    else:
        extra = Counter(map(ord, more.letters)) - Counter(map(ord, fewer.letters))
    total = extra.total()
    if total < FEWEST_MORE or max(extra.values()) < MOSTLY_ONE * total:
        return False
    return signs(fewer) - signs(more) < MOSTLY_ONE * total


def stands_among(
    asked: Features, stored: Features, spaced: bool, limits: Thresholds
) -> Scrambled | None:
    """Whether one text stands whole in the other. Short texts alone: long ones have long grams,
    which say more.
    """
    short, long = (asked, stored) if asked.length <= stored.length else (stored, asked)
    if long.length > min(limits.short, AMONG * short.length):
        return None
    common = asked.common(stored, Kind.UNITS, spaced)
    if common < int(WHOLE * FEWEST_GRAMS[spaced]):
        return None  # too few for the fewest grams
    grams = short.different(Kind.UNITS, spaced)
    if grams < FEWEST_GRAMS[spaced]:
        return None
    whole = common / grams
    if whole < WHOLE:
        return None
    return Scrambled(Disguise.ADDED, short.length / long.length, whole, WHOLE)
