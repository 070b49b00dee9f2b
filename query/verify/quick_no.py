"""A cheap no for many candidates at once: which of them could have a verdict at all.

What is shared is counted for all candidates together, by compiled loops, and only of those that
are left: grams, and bags of letters. A bag is how often each letter stands in a text: however few
edits, swaps or gaps turn one text into another, the letters that they leave alone are in both bags,
and in those of halves of texts.
Pairs in scripts with spaces are looked at one by one.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from math import ceil
from typing import Final, NamedTuple

from mappings.plan import Plan, Thresholds
from query.grams import Features, Kind, count_different
from query.verify.long_runs import least_grams, rules
from query.verify.scrambled import (
    ALIGNED,
    AMONG,
    FEWEST_GRAMS,
    KEPT,
    LONGEST,
    MISSING,
    SHORTEST,
    UNSCREENED,
    WHOLE,
    could_be_scrambled,
    is_worth_it,
    stands_among,
)
from query.verify.verdict import TINY, are_short, kept_by_edits

_JUDGED: Final = 60
"""Texts by words of fewer letters are judged without a look whether it is worth it."""

_ROUNDING: Final = 1e-6


class Could(Enum):
    """What a text could be to another: nothing, a partial copy and no more, or anything."""

    NOT = 0
    PART = 1
    MATCH = 2


def what_could_match(asked: Features, stored: Sequence[Features], plan: Plan) -> list[Could]:
    """What each of several texts could be to the asked one, at little cost: where that is nothing,
    `judge` finds no verdict. The others are announced to the asked text.
    """
    asked.meet(stored)
    out = dict.fromkeys(stored, Could.NOT)
    read = stored
    if asked.spaced:
        read = [text for text in stored if not text.spaced]
        out |= {
            text: Could.MATCH for text in stored if text.spaced and _by_words(asked, text, plan)
        }
    if read:
        out |= _Screen(asked, read, plan).passed()
    asked.keep([text for text, could in out.items() if could is not Could.NOT])
    return [out[text] for text in stored]


class _Other(NamedTuple):
    """A text beside the asked one. `units`: short grams of syllables in common; `places`: where
    they stand in the text; `short` and `long`: letters of the shorter and of the longer of the two.
    """

    text: Features
    units: int
    places: int
    short: int
    long: int


class _Screen:
    """One text and others that are read by syllables; `left`: those of which nothing was told yet.

    `own`: letters, and `grams`: different short grams of syllables, of the asked text.
    """

    def __init__(self, asked: Features, stored: Sequence[Features], plan: Plan) -> None:
        self.asked, self.plan, self.limits = asked, plan, plan.thresholds
        self.own = own = asked.length
        self.grams = asked.different(Kind.UNITS, False)
        counts = asked.commons(stored, Kind.UNITS, False)
        self.left = [
            _Other(text, units, places, own, text.length)
            if own < text.length
            else _Other(text, units, places, text.length, own)
            for text, units, places in zip(stored, counts, asked.places_in(stored), strict=True)
        ]

    def passed(self) -> dict[Features, Could]:
        """Those that could be anything to the asked text, and what they could be."""
        out: dict[Features, Could] = {}
        for rule in (self._alike, self._among, self._by_letters, self._by_characters):
            told = rule()
            if told:
                out |= dict.fromkeys(told, Could.MATCH)
                self.left = [other for other in self.left if other.text not in out]
        return out | dict.fromkeys(self._partial(), Could.PART)

    def _alike(self) -> list[Features]:
        """With enough syllables in common, the same, or so short that nothing is told by less."""
        asked, given, least = self.asked, self.asked.given, self.limits.near * self.grams
        return [
            text
            for text, units, _, _, long in self.left
            if units >= least or long < TINY or (text.given == given and asked.is_same(text))
        ]

    def _among(self) -> list[Features]:
        """Where one stands whole in the other, its letters among others."""
        limits, least = self.limits, int(WHOLE * FEWEST_GRAMS[False])
        possible = [
            other
            for other in self.left
            if other.units >= least
            and other.short >= SHORTEST
            and other.long <= min(limits.short, AMONG * other.short)
        ]
        shorter = [other.text for other in possible if other.short < self.own]
        count_different(shorter, Kind.UNITS, False)
        return [
            text
            for text, units, _, short, _ in possible
            if units >= WHOLE * self._grams_of_shorter(text, short) - _ROUNDING
            and stands_among(self.asked, text, False, limits) is not None
        ]

    def _grams_of_shorter(self, text: Features, short: int) -> int:
        return text.different(Kind.UNITS, False) if short < self.own else self.grams

    def _by_letters(self) -> list[Features]:
        """By edits, for short texts; or disguised, its letters swapped or left out. Each of these
        leaves letters, or syllables, that both texts have.
        """
        out, mixed = [], []
        possible = [each for each in self.left if self._is_edited(each) or self._is_mixed(each)]
        sounds = self._in_bags([other.text for other in possible])
        for other, common in zip(possible, sounds, strict=True):
            text, _, _, short, long = other
            if common >= self.limits.short_near * long - _ROUNDING and self._is_edited(other):
                out.append(text)
                continue
            swapped = common >= long - int((1 - ALIGNED) * long)
            missing = common >= KEPT * short - _ROUNDING and short >= MISSING * long
            if (swapped or missing) and self._is_mixed(other):
                mixed.append(other)
        in_order = self._in_order(mixed)
        count_different(in_order, Kind.UNITS, False)
        return out + [text for text in in_order if is_worth_it(self.asked, text, spaced=False)]

    def _is_edited(self, other: _Other) -> bool:
        """Whether few edits could turn one text into the other, by their lengths."""
        least = self.limits.short_near * other.long - _ROUNDING
        return other.long <= self.limits.short and other.short >= least

    def _is_mixed(self, other: _Other) -> bool:
        """Whether letters could have been swapped or left out, by the lengths."""
        text, units, _, short, long = other
        if short < SHORTEST or long > LONGEST or short < min(int(ALIGNED * long), MISSING * long):
            return False
        # what boilerplate hides may be in both
        return units > 0 or long <= UNSCREENED[False] or self._has_boilerplate(text)

    def _has_boilerplate(self, text: Features) -> bool:
        return bool(self.asked.boilerplate() or text.boilerplate())

    def _in_order(self, mixed: Sequence[_Other]) -> list[Features]:
        """Those of these texts whose letters could be swapped or missing, and not just any letters.

        Letters that edits, swaps of two neighbours and gaps leave alone keep their order. So they
        are still in common when the asked text is cut in its middle, and the other one where most
        is left: all but one of a swap across the cut, which is an edit.
        """
        out = []
        halves = self.asked.in_halves([other.text for other in mixed])
        for (text, _, _, short, long), common in zip(mixed, halves, strict=True):
            swapped = common >= long - int((1 - ALIGNED) * long)
            if swapped or common >= ceil(KEPT * short - _ROUNDING):
                out.append(text)
        return out

    def _by_characters(self) -> list[Features]:
        """A Jaccard similarity of `near` takes as many shared grams as `near` of the asked text's
        own.

        By the table equal characters are equal syllables: of the asked text's grams of characters,
        no more are lost than fold into others. Readings by phrase give one character several.
        """
        asked, near, least = self.asked, self.limits.near, 0.0
        if self.plan.syllables == "table":
            # there are as many grams of characters, and of these fewer may be distinct
            least = self.grams - (1 - near) * asked.amount(Kind.UNITS, False) - _ROUNDING
        possible = [text for text, units, *_ in self.left if units >= least]
        if not possible:
            return []
        enough = near * asked.different(Kind.CHARACTERS, False)
        common = asked.commons(possible, Kind.CHARACTERS, False)
        return [text for text, found in zip(possible, common, strict=True) if found >= enough]

    def _partial(self) -> list[Features]:
        """A partial copy takes long grams, and these take short ones."""
        asked, limits = self.asked, self.limits
        least = min(limits.shared, least_grams(limits, False))
        possible = [other.text for other in self.left if self._may_have(least, other)]
        counts = zip(possible, asked.commons(possible, Kind.LONG, False), strict=True)
        common = {text: found for text, found in counts if found >= least}
        if not common:
            return []
        count_different([*common], Kind.LONG, False)
        share = min(rule.share for rule in rules(limits, spaced=False))
        return [
            text
            for text, found in common.items()
            if _could_be_part(asked, text, found, limits, share)
        ]

    def _may_have(self, least: int, other: _Other) -> bool:
        """Whether two texts can have so many long grams in common. Each takes a place in both whose
        short grams are in common: many places may have few different ones, as in rows of digits.
        """
        if other.units >= least:
            return True
        places = least + self.limits.passage - self.limits.gram
        repeats = self.asked.amount(Kind.UNITS, False) - self.grams
        return other.places >= places and other.units + repeats >= places

    def _in_bags(self, others: Sequence[Features]) -> list[int]:
        """At most how many syllables, and how many letters, the asked text and these have in
        common. By the table equal letters are equal syllables.
        """
        sounds = self.asked.in_bags(others, Kind.UNITS)
        if self.plan.syllables == "table":
            return sounds
        return [*map(max, sounds, self.asked.in_bags(others, Kind.CHARACTERS))]


def _by_words(asked: Features, stored: Features, plan: Plan) -> bool:
    """A single pair in scripts with spaces."""
    limits = plan.thresholds
    if are_short(asked, stored, limits) and _could_be_kept(asked, stored, limits):
        return True
    if could_be_scrambled(asked, stored, True, limits):
        return True
    for kind in (Kind.UNITS, Kind.CHARACTERS):
        if asked.common(stored, kind, True) >= limits.near * asked.different(kind, True):
            return True
    least = min(limits.word_shared, least_grams(limits, True))
    return asked.common(stored, Kind.LONG, True) >= least


def _could_be_kept(asked: Features, stored: Features, limits: Thresholds) -> bool:
    """Whether few edits turn one of two short texts into the other."""
    if max(asked.length, stored.length) < _JUDGED or asked.is_same(stored):
        return True  # judged in no time
    return max(kept_by_edits(asked, stored, True)) >= limits.short_near


def _could_be_part(
    asked: Features, stored: Features, common: int, limits: Thresholds, share: float
) -> bool:
    """Whether so many long grams can make one of two texts a part of the other: by their share, or
    by the runs that they stand in, at least `share` of it. A run of `run` units holds the fewest
    grams for its length.
    """
    left, right = asked.different(Kind.LONG, False), stored.different(Kind.LONG, False)
    if common >= limits.shared and common >= limits.partial * min(left, right):
        return True
    if left < asked.amount(Kind.LONG, False) or right < stored.amount(Kind.LONG, False):
        return True  # grams that come again stand in more runs than they are
    in_run = limits.run - limits.passage + 1
    most = common * limits.run / max(1, in_run)
    shorter = min(asked.size(spaced=False), stored.size(spaced=False))
    return in_run < 1 or most >= share * shorter
