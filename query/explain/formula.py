"""The steps behind a verdict, as data: what was measured, against which limits, what followed.

Nothing here is a sentence: `dupdex.wire.formula_lines` writes the steps out in English or Chinese.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from indexer.meant.meant import Disguise
from mappings.plan import Thresholds
from query.answers import Verdict
from query.verify.long_runs import Rule, Shared, rule_of, rules
from query.verify.scrambled import Scrambled
from query.verify.verdict import SAME, SYLLABLES, TINY, Judgement


class Measure(StrEnum):
    """What is measured. CHARACTERS, SYLLABLES and WORDS are Jaccard similarities of grams, EDITS
    and UNCHANGED the part of the longer text that edits leave (of the latter, characters alone),
    STAYED the part of it that a disguise leaves. SWAPS: left by edits, a swap of neighbours being
    one; IN_ORDER: the part of the shorter text's letters that stand in the other in their order;
    WITHIN: the part of its short grams there.
    """

    IDENTICAL = "identical"
    SIMILARITY = "similarity"
    CHARACTERS = "characters"
    SYLLABLES = "syllables"
    WORDS = "words"
    EDITS = "left_by_edits"
    STAYED = "left_of_longer_text"
    SWAPS = "left_by_swaps"
    IN_ORDER = "letters_in_order"
    WITHIN = "short_grams_of_one"
    UNCHANGED = "left_of_characters"
    SHARE = "share"
    LONG_GRAMS = "shared_long_grams"
    SHARE_IN_RUNS = "share_in_long_runs"
    SYLLABLES_IN_RUNS = "syllables_in_long_runs"
    WORDS_IN_RUNS = "words_in_runs"
    RUNS = "runs"
    SYLLABLES_SHARED = "shared_syllables"


COUNTS: Final = frozenset(
    {
        Measure.LONG_GRAMS,
        Measure.SYLLABLES_IN_RUNS,
        Measure.WORDS_IN_RUNS,
        Measure.RUNS,
        Measure.SYLLABLES_SHARED,
    }
)
"""Measures that count; all others are parts of one."""


_DISGUISES: Final = {
    Disguise.SWAPPED: Measure.SWAPS,
    Disguise.MISSING: Measure.IN_ORDER,
    Disguise.ADDED: Measure.WITHIN,
}


class Place(StrEnum):
    """Which of the two texts a value belongs to."""

    FIRST = "first"
    SECOND = "second"


class Combined(StrEnum):
    """How the outcome of a step follows from its comparisons."""

    ALL = "all"
    ANY = "any"


@dataclass(frozen=True, slots=True)
class Measurement:
    """One value, of one of the texts or of the pair (`place` is None).

    `limit`: what it has to reach; None when it is only stated. `largest_of`: the values whose
    maximum it is, empty when it was measured itself.
    """

    measure: Measure
    value: float
    limit: float | None = None
    largest_of: tuple[Measurement, ...] = ()
    place: Place | None = None

    @property
    def holds(self) -> bool | None:
        """Whether the limit is reached; None without one."""
        return None if self.limit is None else self.value >= self.limit


@dataclass(frozen=True, slots=True)
class Step:
    """A rule that was tried; when it holds, the texts are what `verdict` says."""

    verdict: Verdict
    combined: Combined
    measured: tuple[Measurement, ...]

    @property
    def holds(self) -> bool:
        """Whether enough of the limits are reached."""
        held = [value.holds for value in self.measured if value.limit is not None]
        return all(held) if self.combined is Combined.ALL else any(held)


@dataclass(frozen=True, slots=True)
class Formula:
    """The rules tried, in order, and the verdict they give: that of the last one when it holds.

    `widespread`: lookups still leave the pair out, as many unrelated documents have what the two
    texts share.
    """

    steps: tuple[Step, ...]
    verdict: Verdict | None
    widespread: bool = False


def formula(
    judgement: Judgement, limits: Thresholds, spaced: bool, longer: int, widespread: bool = False
) -> Formula:
    """The steps that lead to a judgement; `longer` is the length of the longer text, in letters
    and digits."""
    steps = tuple(_steps(judgement, limits, spaced, longer))
    return Formula(steps, judgement.verdict, widespread)


def _steps(judgement: Judgement, limits: Thresholds, spaced: bool, longer: int) -> Iterator[Step]:
    if judgement.verdict is Verdict.EXACT:
        yield Step(Verdict.EXACT, Combined.ALL, (Measurement(Measure.IDENTICAL, 1.0, 1.0),))
        return
    found = judgement.scrambled
    if found is not None and found.verdict is Verdict.NEAR:
        yield _disguised(judgement, found, spaced)
        return
    if judgement.repeats:
        yield _repeating(judgement, limits, spaced)
    elif judgement.kept is not None and longer < TINY:
        yield _tiny(judgement.kept, judgement.same or 0.0, limits)
    else:
        yield _near(judgement, limits, spaced)
    if judgement.verdict is Verdict.NEAR:
        return
    if found is not None:
        yield Step(found.verdict, Combined.ALL, (_told(found),))
        return
    if not judgement.by_runs:  # else the shares are those of long runs
        yield _in_grams(judgement, limits, spaced)
    if judgement.runs is not None:
        # when no rule holds, the first is told
        rule = rule_of(judgement.runs, limits, spaced) or rules(limits, spaced)[0]
        yield _in_runs(judgement, judgement.runs, rule, spaced)


def _tiny(kept: float, same: float, limits: Thresholds) -> Step:
    edits = (Measurement(Measure.EDITS, kept),)
    similarity = Measurement(Measure.SIMILARITY, kept, limits.short_near, edits)
    unchanged = Measurement(Measure.UNCHANGED, same, SAME)
    return Step(Verdict.NEAR, Combined.ALL, (similarity, unchanged))


def _near(judgement: Judgement, limits: Thresholds, spaced: bool) -> Step:
    """Grams reach their limit, or what edits leave of a short text reaches its own."""
    parts = _by_grams(judgement, spaced)
    by_grams = max(judgement.jaccard, judgement.syllable_jaccard)
    similarity = Measurement(Measure.SIMILARITY, by_grams, limits.near, parts)
    by_edits = judgement.kept
    if by_edits is None:
        return Step(Verdict.NEAR, Combined.ANY, (similarity,))
    if by_edits >= limits.short_near:  # edits decide, and count for the similarity
        parts = (*parts, Measurement(Measure.EDITS, by_edits))
        similarity = Measurement(Measure.SIMILARITY, judgement.similarity, None, parts)
    edits = Measurement(Measure.EDITS, by_edits, limits.short_near)
    return Step(Verdict.NEAR, Combined.ANY, (similarity, edits))


def _repeating(judgement: Judgement, limits: Thresholds, spaced: bool) -> Step:
    """Short grams that come again and again say nothing, so that edits have to tell as well."""
    by_grams = max(judgement.jaccard, judgement.syllable_jaccard)
    stated = Measurement(Measure.SIMILARITY, by_grams, None, _by_grams(judgement, spaced))
    edits = Measurement(Measure.EDITS, judgement.kept or 0.0, limits.short_near)
    return Step(Verdict.NEAR, Combined.ALL, (stated, edits))


def _disguised(judgement: Judgement, found: Scrambled, spaced: bool) -> Step:
    """The rule of a disguise decides, and what it left counts for the similarity."""
    parts = (*_by_grams(judgement, spaced), Measurement(Measure.STAYED, found.kept))
    similarity = Measurement(Measure.SIMILARITY, judgement.similarity, None, parts)
    return Step(Verdict.NEAR, Combined.ALL, (similarity, _told(found)))


def _told(found: Scrambled) -> Measurement:
    return Measurement(_DISGUISES[found.disguise], found.value, found.limit)


def _by_grams(judgement: Judgement, spaced: bool) -> tuple[Measurement, ...]:
    units = Measure.WORDS if spaced else Measure.SYLLABLES
    return (
        Measurement(Measure.CHARACTERS, judgement.jaccard),
        Measurement(units, judgement.syllable_jaccard),
    )


def _in_grams(judgement: Judgement, limits: Thresholds, spaced: bool) -> Step:
    part = limits.word_partial if spaced else limits.partial
    least = limits.word_shared if spaced else limits.shared
    share = _share(Measure.SHARE, judgement.share, judgement.stored_share, part)
    grams = Measurement(Measure.LONG_GRAMS, judgement.shared, least)
    return Step(Verdict.PARTIAL, Combined.ALL, (share, grams, *_of_syllables(judgement)))


def _of_syllables(judgement: Judgement) -> Iterator[Measurement]:
    if judgement.syllables is not None:
        yield Measurement(Measure.SYLLABLES_SHARED, judgement.syllables, SYLLABLES)


def _in_runs(judgement: Judgement, runs: Shared, rule: Rule, spaced: bool) -> Step:
    share = _share(Measure.SHARE_IN_RUNS, runs.share, runs.stored_share, rule.share)
    measure = Measure.WORDS_IN_RUNS if spaced else Measure.SYLLABLES_IN_RUNS
    measured = [share, Measurement(measure, runs.common, rule.units)]
    if rule.pieces > 1:
        measured.append(Measurement(Measure.RUNS, runs.pieces, rule.pieces))
    measured += _of_syllables(judgement)
    return Step(Verdict.PARTIAL, Combined.ALL, tuple(measured))


def _share(measure: Measure, first: float, second: float, limit: float) -> Measurement:
    parts = (
        Measurement(measure, first, place=Place.FIRST),
        Measurement(measure, second, place=Place.SECOND),
    )
    return Measurement(measure, max(first, second), limit, parts)
