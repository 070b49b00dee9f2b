"""Partial copies told by what stands in long runs that both texts have.

Grams of 12 syllables undercount what is left of a copied passage after a few edits, and a share of
the whole text says little where the text is long. So a text is also a partial copy of another

- when a share of it stands there in long runs, as in an excerpt of several pieces;
- when a smaller share does that is a long passage by itself: not one sentence, which is a
  quotation, however long, nor three of different places, but two that follow each other, or four;
- in scripts with spaces, when that passage is shorter, but has more sentences that follow each
  other: unrelated news has two in common, three where a notice is among them;
- in scripts with spaces, where a revised copy keeps hardly a long run, when many short runs of
  words together make a part of it: independent texts on one subject have few words in a row in
  common, and a quotation is one run or two.

Runs are of `run` syllables, or of `word_passage` words. Short runs say nothing where they are the
same few words again and again, as tags between letters are.
"""

from __future__ import annotations

from typing import Final, NamedTuple, Self

import numpy as np
from msgspec import Struct, structs

from indexer.text.ragged import Positions
from mappings.plan import Thresholds
from query.grams import Features, Kind
from query.shared_grams import covered

SEVERAL: Final = 4
"""The sequel of a passage that is more than a quotation."""

PART: Final = (12, 8)
"""Syllables, or words, of a sentence that make it a part of a passage."""

EDIT: Final = 3
"""Units that an edit may take out of a passage: sentences follow each other over it."""

WORDS: Final = 56
FOLLOWING: Final = 9
"""Words of a shorter passage, and its sequel: more than three sentences."""

UNBROKEN: Final = 64
THREE: Final = 7
"""Words in one run, of three sentences or more, that are a passage as well."""

BRIEF: Final = 40
QUARTER: Final = 0.26
"""Words in one run, of three sentences or more, that are so much of a text: of the unrelated news
with more in common no pair has as much of three sentences in one run."""


SHORT: Final = 10
"""Words of a run from which on it says something however often it comes again."""

VARIED: Final = 3
"""Different words that shorter runs have at the least, times the square root of all their words, or
half of them where these are few: so the words of a text grow with it (Heaps' law). In prose it is 4
and more, between tags 2."""


class Shared(Struct, frozen=True, gc=False):
    """How much two texts share, and the part of each text that is; 0 when they share nothing.

    `pieces`: in how many runs it stands, where these were counted. `sequel`: how many sentences it
    has, and twice how often one follows another in a run, where that was looked at. `longest`: the
    units of the longest run.
    """

    common: int
    share: float
    stored_share: float
    pieces: int = 1
    sequel: int = 0
    longest: int = 0

    @classmethod
    def of(cls, asked: Features, stored: Features, kind: Kind, spaced: bool) -> Self:
        """In different grams of a kind."""
        common, left, right = asked.compared(stored, kind, spaced)
        return cls(common, common / max(1, left), common / max(1, right))

    @property
    def most(self) -> float:
        return max(self.share, self.stored_share)


class Rule(Struct, frozen=True, gc=False):
    """What makes a partial copy: at least so many units, of such a share, in so many runs, with
    such a sequel, and so many in one run (see `Shared`).
    """

    units: int
    share: float
    pieces: int = 1
    sequel: int = 0
    longest: int = 0

    def holds(self, runs: Shared) -> bool:
        return self.may_hold(runs) and runs.sequel >= self.sequel

    def may_hold(self, runs: Shared) -> bool:
        """The same, whatever the sequel is."""
        enough = runs.common >= self.units and runs.pieces >= self.pieces
        return enough and runs.most >= self.share and runs.longest >= self.longest


def rules(limits: Thresholds, spaced: bool) -> tuple[Rule, ...]:
    """The rules for texts read by words (`spaced`) or by syllables; any one of them suffices."""
    if spaced:
        return (
            Rule(limits.word_passage_units, limits.word_passage_share),
            Rule(limits.revised_units, limits.revised, limits.revised_runs),
            Rule(WORDS, limits.word_passage_share, sequel=FOLLOWING),
            Rule(UNBROKEN, limits.word_passage_share, sequel=THREE, longest=UNBROKEN),
            Rule(BRIEF, QUARTER, sequel=THREE, longest=BRIEF),
        )
    return (
        Rule(limits.covered_units, limits.covered),
        Rule(limits.passage_units, limits.passage_share, sequel=SEVERAL),
    )


def rule_of(runs: Shared, limits: Thresholds, spaced: bool) -> Rule | None:
    """The first rule that holds."""
    return next((rule for rule in rules(limits, spaced) if rule.holds(runs)), None)


def least_grams(limits: Thresholds, spaced: bool) -> int:
    """The fewest long grams in common where a rule can hold; 0 when runs are shorter."""
    gram = limits.word_passage if spaced else limits.passage
    run = gram if spaced else limits.run
    needed = (max(rule.units, rule.pieces * run) for rule in rules(limits, spaced))
    return min(max(0, units - -(-units // run) * (gram - 1)) for units in needed)


def in_runs(asked: Features, stored: Features, limits: Thresholds, spaced: bool) -> Shared:
    """What stands in runs in common. The shares are of the whole texts: what boilerplate leaves of
    one may be a single sentence.
    """
    kind = Kind.LONG if spaced else Kind.RUNS
    here, there = asked.places_in_both(stored, kind, spaced)
    left, right = _Covered.of(asked, here, spaced), _Covered.of(stored, there, spaced)
    if spaced and _may_hold(_shared(left, right), limits, spaced):
        left, right = left.without_repeats(), right.without_repeats()
    runs = _shared(left, right)
    if _may_hold(runs, limits, spaced, by_sequel=True):
        return structs.replace(runs, sequel=min(left.sequel(), right.sequel()))
    return runs


def _may_hold(runs: Shared, limits: Thresholds, spaced: bool, *, by_sequel: bool = False) -> bool:
    """Whether a rule holds, whatever the sequel is; `by_sequel`: one of those that look at it."""
    some = (rule for rule in rules(limits, spaced) if rule.sequel or not by_sequel)
    return any(rule.may_hold(runs) for rule in some)


def _shared(left: _Covered, right: _Covered) -> Shared:
    return Shared(
        min(left.units, right.units),
        left.units / max(1, left.text.size(left.spaced)),
        right.units / max(1, right.text.size(right.spaced)),
        min(left.pieces, right.pieces),
        longest=min(left.longest, right.longest),
    )


class _Covered(NamedTuple):
    """Where a text has grams that another has, too. `starts`: of these grams, in units. `units`
    stand in them, in so many runs (`pieces`), of which the longest has `longest`.
    """

    text: Features
    spaced: bool
    starts: Positions
    width: int
    units: int
    pieces: int
    longest: int

    @classmethod
    def of(cls, text: Features, starts: Positions, spaced: bool) -> Self:
        width = text.batch.width(Kind.LONG if spaced else Kind.RUNS, spaced)
        return cls(text, spaced, starts, width, *covered(starts, width))

    def without_repeats(self) -> Self:
        """The same without short runs, if these are of few different words."""
        words = self.text.batch.streams(self.spaced).units[self.text.row]
        firsts = np.flatnonzero(np.diff(self.starts, prepend=-2) > 1)
        sizes = np.diff(firsts, append=len(self.starts)) + self.width - 1
        is_short = np.repeat(sizes < SHORT, np.diff(firsts, append=len(self.starts)))
        short = self.starts[is_short]
        inside = (short[:, None] + np.arange(self.width)).ravel()
        told = words[np.unique(inside)]
        if len(np.unique(told)) >= min(VARIED * len(told) ** 0.5, len(told) / 2):
            return self
        return type(self).of(self.text, self.starts[~is_short], self.spaced)

    def sequel(self) -> int:
        """How many sentences have `PART` units or more in these grams, and twice how often two of
        them follow each other in a run, or in runs that an edit parts; what is shorter may stand
        between them.
        """
        numbers = self.text.sentences(self.spaced)
        covered = np.zeros(len(numbers) + 1, np.int64)
        np.add.at(covered, self.starts, 1)
        np.add.at(covered, np.minimum(self.starts + self.width, len(numbers)), -1)
        places = np.flatnonzero(np.cumsum(covered)[:-1])
        runs = np.cumsum(np.diff(places, prepend=places[:1]) > 1 + EDIT)
        scale = int(numbers.max(initial=0)) + 2
        keys, sizes = np.unique(runs * scale + numbers[places], return_counts=True)
        there = keys[sizes >= PART[self.spaced]]
        return len(np.unique(there % scale)) + 2 * int(
            np.count_nonzero(np.diff(there // scale) == 0)
        )
