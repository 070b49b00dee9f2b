"""A cheap no for many candidates at once: which of them could have a verdict at all.

A NumPy call on a short text costs as much as one on twenty texts, so what can be told from shared
grams, lengths and bags of letters is told for all candidates together. A bag is how often each
letter stands in a text: however few edits, swaps or gaps turn one text into another, the letters
that they leave alone are in both bags. Pairs in scripts with spaces are looked at one by one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

import numpy as np

from indexer.text.ragged import Positions
from mappings.plan import Plan, Thresholds
from query.grams import Features, Kind
from query.shared_grams import Flags
from query.verify.long_runs import least_grams, rules
from query.verify.scrambled import (
    ALIGNED,
    AMONG,
    FEW,
    GRAMS,
    KEPT,
    LEAST,
    MISSING,
    MOST,
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


def could_match(asked: Features, stored: Features, plan: Plan) -> bool:
    """Whether `judge` could find a verdict: False only when it cannot, at little cost."""
    return could_match_all(asked, [stored], plan)[0]


def could_match_all(asked: Features, stored: Sequence[Features], plan: Plan) -> list[bool]:
    """The same for many texts; those that could match are announced to the asked one."""
    return [could is not Could.NOT for could in what_could_match(asked, stored, plan)]


def what_could_match(asked: Features, stored: Sequence[Features], plan: Plan) -> list[Could]:
    """The same, with what they could be."""
    asked.meet(stored)
    spaced = [asked.spaced and text.spaced for text in stored]
    read = [text for text, by_words in zip(stored, spaced, strict=True) if not by_words]
    others = iter(_Screen.of(asked, read, plan).passed() if read else ())
    out = [
        (Could.MATCH if _by_words(asked, text, plan) else Could.NOT) if by_words else next(others)
        for text, by_words in zip(stored, spaced, strict=True)
    ]
    asked.keep([text for text, could in zip(stored, out, strict=True) if could is not Could.NOT])
    return out


@dataclass(frozen=True, slots=True)
class _Screen:
    """One text and others that are read by syllables; arrays have an entry for each of these.

    `short` and `long`: letters of the shorter and of the longer text; `units`: short grams of
    syllables in common.
    """

    asked: Features
    stored: Sequence[Features]
    plan: Plan
    short: Positions
    long: Positions
    units: Positions

    @classmethod
    def of(cls, asked: Features, stored: Sequence[Features], plan: Plan) -> _Screen:
        lengths = np.array([text.length for text in stored], np.int64)
        units = asked.commons(stored, Kind.UNITS, False)
        own = asked.length
        return cls(asked, stored, plan, np.minimum(lengths, own), np.maximum(lengths, own), units)

    def passed(self) -> list[Could]:
        """What each of them could be."""
        limits = self.plan.thresholds
        out: Flags = self.units >= limits.near * len(self.asked.grams(Kind.UNITS, False))
        out |= self.long < TINY
        given = self.asked.given
        for at in (~out).nonzero()[0].tolist():
            text = self.stored[at]
            out[at] = text.given == given and self.asked.is_same(text)
        self._near_by_letters(out)
        self._near_by_characters(out)
        close = out.tolist()
        self._partial(out)
        return [
            Could.MATCH if is_close else Could.PART if possible else Could.NOT
            for is_close, possible in zip(close, out.tolist(), strict=True)
        ]

    def _near_by_characters(self, out: Flags) -> None:
        """A Jaccard similarity of `near` takes as many shared grams as `near` of the asked text's
        own.

        By the table equal characters are equal syllables: of the asked text's grams of characters,
        no more are lost than fold into others. Readings by phrase give one character several.
        """
        near, asked = self.plan.thresholds.near, self.asked
        possible = ~out
        if self.plan.syllables == "table":
            lost = len(asked.grams(Kind.UNITS, False)) - self.units
            # there are as many grams of characters, and of these fewer may be distinct
            possible &= (1 - near) * asked.amount(Kind.UNITS, False) >= lost
        rows = possible.nonzero()[0]
        if len(rows):
            grams = len(asked.grams(Kind.CHARACTERS, False))
            out[rows] = self._common(rows, Kind.CHARACTERS) >= near * grams

    def _near_by_letters(self, out: Flags) -> None:
        """By edits, for short texts; or disguised, its letters swapped, left out or put among
        others. Each of these leaves letters, or syllables, that both texts have.
        """
        short, long, limits = self.short, self.long, self.plan.thresholds
        added = (long <= np.minimum(limits.short, AMONG * short)) & (short >= LEAST)
        added &= self.units >= int(WHOLE * GRAMS[False])
        grams = len(self.asked.grams(Kind.UNITS, False))  # most of them, where it is the shorter
        added &= (short < self.asked.length) | (self.units >= WHOLE * grams - _ROUNDING)
        for at in (added & ~out).nonzero()[0].tolist():
            out[at] = stands_among(self.asked, self.stored[at], False, limits) is not None
        edited = (long <= limits.short) & (short >= limits.short_near * long - _ROUNDING)
        disguised = (short >= LEAST) & (long <= MOST)
        # what boilerplate hides may be in both
        apart = disguised & (long > FEW[False]) & (self.units == 0)
        if apart.any() and not any(text.boilerplate() for text in (self.asked, *self.stored)):
            disguised &= ~apart
        disguised &= short >= np.minimum((ALIGNED * long).astype(np.int64), MISSING * long)
        rows = ((edited | disguised) & ~out).nonzero()[0]
        if not len(rows):
            return
        sounds = self._in_bags(rows)
        short, long = short[rows], long[rows]
        out[rows] = edited[rows] & (sounds >= limits.short_near * long - _ROUNDING)
        swapped = sounds >= long - ((1 - ALIGNED) * long).astype(np.int64)
        missing = (sounds >= KEPT * short - _ROUNDING) & (short >= MISSING * long)
        for at in self._in_order(rows[disguised[rows] & (swapped | missing)]).tolist():
            out[at] |= is_worth_it(self.asked, self.stored[at], spaced=False)

    def _in_order(self, rows: Positions) -> Positions:
        """Those of these rows whose letters could be swapped or missing, and not just any letters.

        An edit, or a swap of two neighbours, takes at most two pairs of neighbours from a text, and
        a letter put in takes one. What boilerplate leaves of a text has other neighbours.
        """
        others = [self.stored[at] for at in rows.tolist()]
        if not others or any(text.boilerplate() for text in (self.asked, *others)):
            return rows
        pairs = self.asked.neighbours_in_bags(others)
        short, long = self.short[rows], self.long[rows]
        swapped = pairs >= long - 1 - 2 * ((1 - ALIGNED) * long).astype(np.int64)
        kept = np.ceil(KEPT * short - _ROUNDING).astype(np.int64)
        missing = pairs >= short - 1 - 2 * (short - kept) - (long - kept)
        possible: Positions = rows[swapped | missing]
        return possible

    def _partial(self, out: Flags) -> None:
        """A partial copy takes long grams, and these take short ones."""
        limits = self.plan.thresholds
        least = min(limits.shared, least_grams(limits, False))
        rows = (~out & (self.units >= least)).nonzero()[0]
        common = self._common(rows, Kind.LONG)
        for at, found in zip(rows.tolist(), common.tolist(), strict=True):
            out[at] = found >= least and _could_be_part(self.asked, self.stored[at], found, limits)

    def _common(self, rows: Positions, kind: Kind) -> Positions:
        return self.asked.commons([self.stored[at] for at in rows.tolist()], kind, False)

    def _in_bags(self, rows: Positions) -> Positions:
        """At most how many syllables, and how many letters, the asked text and these have in
        common. By the table equal letters are equal syllables.
        """
        others = [self.stored[at] for at in rows.tolist()]
        sounds = self.asked.in_bags(others, Kind.UNITS)
        if self.plan.syllables == "table":
            return sounds
        return np.maximum(sounds, self.asked.in_bags(others, Kind.CHARACTERS))


def _by_words(asked: Features, stored: Features, plan: Plan) -> bool:
    """A single pair in scripts with spaces."""
    limits = plan.thresholds
    if are_short(asked, stored, limits) and _could_be_kept(asked, stored, limits):
        return True
    if could_be_scrambled(asked, stored, True, limits):
        return True
    for kind in (Kind.UNITS, Kind.CHARACTERS):
        if asked.common(stored, kind, True) >= limits.near * len(asked.grams(kind, True)):
            return True
    least = min(limits.word_shared, least_grams(limits, True))
    return asked.common(stored, Kind.LONG, True) >= least


def _could_be_kept(asked: Features, stored: Features, limits: Thresholds) -> bool:
    """Whether few edits turn one of two short texts into the other."""
    if max(asked.length, stored.length) < _JUDGED or asked.is_same(stored):
        return True  # judged in no time
    return max(kept_by_edits(asked, stored, True)) >= limits.short_near


def _could_be_part(asked: Features, stored: Features, common: int, limits: Thresholds) -> bool:
    """Whether so many long grams can make one of two texts a part of the other: by their share, or
    by the runs that they stand in. A run of `run` units holds the fewest grams for its length.
    """
    left, right = (len(text.grams(Kind.LONG, spaced=False)) for text in (asked, stored))
    if common >= limits.shared and common >= limits.partial * min(left, right):
        return True
    if left < asked.amount(Kind.LONG, False) or right < stored.amount(Kind.LONG, False):
        return True  # grams that come again stand in more runs than they are
    in_run = limits.run - limits.passage + 1
    most = common * limits.run / max(1, in_run)
    share = min(rule.share for rule in rules(limits, spaced=False))
    shorter = min(asked.size(spaced=False), stored.size(spaced=False))
    return in_run < 1 or most >= share * shorter
