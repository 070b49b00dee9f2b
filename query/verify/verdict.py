"""Candidate in, verdict out: what two texts are to each other.

- exact: the same letters and digits, with the same marks inside numbers.
- near: Jaccard of 4-grams over characters or over syllables reaches `near`; or, of two texts
  of at most `short` letters, so few edits turn one into the other that `short_near` of it stays.
  With a direction when one is an excerpt of the other, at least half of it. Or one text is the
  other in a disguise (`query.verify.scrambled`). Of texts that say little, as rows of digits, short
  grams prove nothing (`REPEATED`).
- partial: enough long grams of the shorter text stand in the other one, or enough of either text
  stands in the other in long runs (see `query.verify.long_runs`), with a direction. In texts that
  are read by syllables some syllables must be among it: commands, their output and addresses are
  long, and unrelated texts have them in common.

Texts in scripts with spaces are compared by words and by longer character grams, because a small
alphabet makes short grams common. All limits are in the plan's `thresholds`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from rapidfuzz.distance import Levenshtein

from indexer.text.ragged import Positions
from mappings.plan import Plan, Thresholds
from query.answers import Direction, Verdict
from query.grams import Features, Kind
from query.shared_grams import covered_from
from query.verify.as_given import nothing_left_out
from query.verify.direction import CONTAINED, direction_of, one_way
from query.verify.long_runs import Shared, in_runs, least_grams, rule_of
from query.verify.scrambled import Scrambled, scrambled

TINY: Final = 10
"""In texts of fewer letters, sounds alone prove nothing: half of the characters must be equal; and
a letter that the skeleton leaves out is one that differs."""

SAME: Final = 0.5

REPEATED: Final = 0.75
"""Texts of which fewer of the short grams are different ones share most of them with any other
such text: rows of digits, whose long grams do not come again as those of a refrain do, and texts of
which the skeleton leaves little but one character. Of those up to `_REPEATING` letters (in long
prose words meet again) long grams have to be shared, `_LONG_ONES` at least, or edits leave
`short_near`."""

_REPEATING: Final = 5_000
_LONG_ONES: Final = 5
_ROW: Final = 20
"""Long grams from which on a text may be such a row."""

_LEFT: Final = 2 / 3
"""The part of its letters that the skeleton of a text leaves, unless it has lost its words."""

SYLLABLES: Final = 12
"""The fewest that must stand in what two texts share for one to be a partial copy of the other,
where either is read by syllables, and the other so or with Chinese sentences in it."""

TELLS_ALONE: Final = 0.3
"""The part of either text in the other one from which on it need not be syllables."""

_SENTENCES: Final = 60
"""Syllables from which on a text that is read by words has Chinese sentences."""

_REPEATS: Final = re.compile(r"(\D)\1+", re.DOTALL)

_ALPHABETS: Final = 0x590
"""Below, Unicode has digits and the letters of Latin, Greek and Cyrillic script."""

NOTHING_SHARED: Final = Shared(0, 0.0, 0.0, 0)


@dataclass(frozen=True, slots=True)
class Judgement:
    """The outcome of comparing two texts; `verdict` is None when they are no duplicates.

    `share` and `stored_share`: the part of either text that the other one has, in long grams, or
    in long runs when these told a partial copy (`by_runs`). `shared`: distinct long grams found in
    both, whatever told. `kept`: what edits leave of the longer of two short texts; `same`: that
    of its characters alone. `runs`: what stands in long runs, None when nobody looked, as another
    rule told. `scrambled`: the disguise that told. `syllables`: those
    among the long grams in common, when they were too few for a partial copy. `repeats`: whether
    grams in common said little, as either text repeats a few.
    """

    verdict: Verdict | None
    similarity: float
    share: float
    stored_share: float
    direction: Direction | None
    jaccard: float
    syllable_jaccard: float
    shared: int
    kept: float | None = None
    same: float | None = None
    runs: Shared | None = None
    scrambled: Scrambled | None = None
    syllables: int | None = None
    repeats: bool = False

    @property
    def by_runs(self) -> bool:
        """Whether long runs, and not long grams, made this a partial copy."""
        return self.runs is not None and self.verdict is Verdict.PARTIAL


def judge(asked: Features, stored: Features, plan: Plan) -> Judgement:
    """Compare two texts by their own content. Symmetric but for the direction."""
    if asked.is_same(stored):
        # by syllables, which spaces between words do not touch; in both, as signs that exact forms
        # leave out may be letters to a skeleton: the same from either side
        shared = asked.common(stored, Kind.LONG, False)
        return Judgement(Verdict.EXACT, 1.0, 1.0, 1.0, None, 1.0, 1.0, shared)
    limits = plan.thresholds
    spaced = asked.spaced and stored.spaced
    near = _near(asked, stored, spaced, limits)
    told = near.holds or _only_repeats(asked, stored, spaced, limits, (Kind.UNITS,))
    disguise = None if told else scrambled(asked, stored, spaced, limits)
    if not near.holds and not disguise:
        return _no_closer(asked, stored, near, _partial(asked, stored, spaced, limits))
    long_grams = _long_grams(asked, stored, spaced)
    verdict, direction = disguise.verdict if disguise else Verdict.NEAR, None
    if min(asked.length, stored.length) < CONTAINED * max(asked.length, stored.length):
        direction = one_way(asked, stored, long_grams)
    kept = disguise.kept if disguise and verdict is Verdict.NEAR else 0.0
    return Judgement(
        verdict,
        max(near.similarity, kept),
        long_grams.share,
        long_grams.stored_share,
        direction,
        near.by_characters,
        near.by_units,
        long_grams.common,
        near.kept,
        near.same,
        scrambled=disguise,
    )


def judge_part(asked: Features, stored: Features, plan: Plan) -> Judgement | None:
    """What `judge` says of two texts that are nothing closer to each other than partial copies, but
    for what edits leave, which explanations alone tell; None where they are not even that.
    """
    limits, spaced = plan.thresholds, asked.spaced and stored.spaced
    partial = _partial(asked, stored, spaced, limits)
    if not partial.holds:
        return None
    return _no_closer(asked, stored, _by_grams(asked, stored, spaced), partial)


class _Partial(NamedTuple):
    """Whether one text is a partial copy of the other, what covers it, the long grams, the runs
    where these were looked at, and the syllables in common where these are too few.
    """

    holds: bool
    covering: Shared
    long_grams: Shared
    runs: Shared | None
    few: int | None


def _no_closer(asked: Features, stored: Features, near: _Near, partial: _Partial) -> Judgement:
    """Of two texts that are no near duplicates."""
    covering = partial.covering
    return Judgement(
        Verdict.PARTIAL if partial.holds else None,
        near.similarity,
        covering.share,
        covering.stored_share,
        direction_of(asked, stored, covering) if partial.holds else None,
        near.by_characters,
        near.by_units,
        partial.long_grams.common,
        near.kept,
        near.same,
        partial.runs,
        syllables=partial.few,
        repeats=near.repeats,
    )


def _partial(asked: Features, stored: Features, spaced: bool, limits: Thresholds) -> _Partial:
    long_grams = _long_grams(asked, stored, spaced)
    few = None
    units = min(asked.size(spaced), stored.size(spaced))
    if _is_partial(long_grams, units, spaced, limits):
        few = _few_syllables(asked, stored, long_grams)
        if few is None:
            return _Partial(True, long_grams, long_grams, None, None)
    # what a text repeats counts once, so that `query.verify.quick_no` can tell by the grams
    enough = long_grams.common >= least_grams(limits, spaced)
    runs = in_runs(asked, stored, limits, spaced) if enough else NOTHING_SHARED
    if not rule_of(runs, limits, spaced):
        return _Partial(False, long_grams, long_grams, runs, few)
    if few is None:
        few = _few_syllables(asked, stored, runs)
    return _Partial(few is None, runs if few is None else long_grams, long_grams, runs, few)


def _few_syllables(asked: Features, stored: Features, covering: Shared) -> int | None:
    """The syllables in common, None where they are enough for a partial copy."""
    if (asked.spaced and stored.spaced) or covering.most >= TELLS_ALONE:
        return None
    if any(text.spaced and not _has_syllables(text) for text in (asked, stored)):
        return None  # English beside English with other letters strewn in, but no Chinese article
    places = asked.places_in_both(stored, Kind.LONG, spaced=False)
    found = min(map(_syllables, (asked, stored), places))
    return found if found < SYLLABLES else None


def _has_syllables(text: Features) -> bool:
    units = text.batch.streams(False).units[text.row]
    return bool(np.count_nonzero(units >= np.uint64(_ALPHABETS)) >= _SENTENCES)


def _syllables(text: Features, starts: Positions) -> int:
    """How many units stand in the long grams that begin there and are neither digits nor letters
    of Latin, Greek or Cyrillic script.
    """
    units = text.batch.streams(False).units[text.row]
    return covered_from(starts, text.batch.width(Kind.LONG, False), units, _ALPHABETS)


class _Near(NamedTuple):
    """Whether two texts are near duplicates, by which measures."""

    holds: bool
    similarity: float
    by_characters: float
    by_units: float
    kept: float | None = None
    same: float | None = None
    repeats: bool = False


def _by_grams(asked: Features, stored: Features, spaced: bool) -> _Near:
    """No near duplicates, as far as is known."""
    by_units = _jaccard(asked, stored, Kind.UNITS, spaced)
    by_characters = _jaccard(asked, stored, Kind.CHARACTERS, spaced)
    return _Near(False, max(by_characters, by_units), by_characters, by_units)


def _near(asked: Features, stored: Features, spaced: bool, limits: Thresholds) -> _Near:
    _, similarity, by_characters, by_units, *_ = _by_grams(asked, stored, spaced)
    by_kind = {Kind.UNITS: by_units, Kind.CHARACTERS: by_characters}
    alike = [kind for kind, jaccard in by_kind.items() if jaccard >= limits.near]
    near, are_short_ones = bool(alike), are_short(asked, stored, limits)
    kinds = alike or [*by_kind]
    if (near or are_short_ones) and _only_repeats(asked, stored, spaced, limits, kinds):
        same, kept = _kept_in_runs(asked, stored, spaced)
        if kept < limits.short_near:
            return _Near(False, similarity, by_characters, by_units, kept, same, repeats=True)
    if not are_short_ones:
        return _Near(near, similarity, by_characters, by_units)
    same, kept = kept_by_edits(asked, stored, spaced)
    if max(asked.length, stored.length) < TINY:
        same, kept = _kept_as_given(asked, stored, spaced, same, kept)
        near, similarity = same >= SAME and kept >= limits.short_near, kept
    elif kept >= limits.short_near:
        near, similarity = True, max(similarity, kept)
    return _Near(near, similarity, by_characters, by_units, kept, same)


def _only_repeats(
    asked: Features, stored: Features, spaced: bool, limits: Thresholds, kinds: Iterable[Kind]
) -> bool:
    """Whether the short grams in common, of these kinds, are those of any two texts that say
    little, and no long ones prove more.
    """
    texts = asked, stored
    if not all(_says_little(text, kind, spaced) for text in texts for kind in kinds):
        return False
    few = asked.common(stored, Kind.LONG, spaced) < _LONG_ONES
    few = few or all(_lost_words(text) and _says_little(text, Kind.LONG, spaced) for text in texts)
    return few or _jaccard(asked, stored, Kind.LONG, spaced) < limits.near


def _says_little(text: Features, kind: Kind, spaced: bool) -> bool:
    """Whether a text of no great length has few different short grams of a kind, though it does
    not say the same again and again.
    """
    different = _different(text, kind, spaced)
    if text.length > _REPEATING or different >= REPEATED:
        return False
    if _lost_words(text):
        return True
    is_row = text.amount(Kind.LONG, spaced) >= _ROW
    return is_row and different < REPEATED * _different(text, Kind.LONG, spaced)


def _lost_words(text: Features) -> bool:
    """Whether its skeleton leaves so little of a text that it may be but strokes, say."""
    return text.whole < _LEFT * text.given


def _different(text: Features, kind: Kind, spaced: bool) -> float:
    """The part of its grams that are different ones."""
    return text.different(kind, spaced) / max(1, text.amount(kind, spaced))


def are_short(asked: Features, stored: Features, limits: Thresholds) -> bool:
    return max(asked.length, stored.length) <= limits.short


def kept_by_edits(
    asked: Features, stored: Features, spaced: bool, least: float = 0.0
) -> tuple[float, float]:
    """What edits leave of the longer text, 0 to 1: of its characters, and of those or its units.
    What is below `least` may be given as 0.
    """
    if not asked.letters or not stored.letters:
        return 0.0, 0.0  # boilerplate is all there is
    same = Levenshtein.normalized_similarity(asked.letters, stored.letters, score_cutoff=least)
    if not spaced and asked.sounds is not None and stored.sounds is not None:
        sounds = Levenshtein.normalized_similarity(asked.sounds, stored.sounds, score_cutoff=least)
    else:
        units = asked.units(spaced), stored.units(spaced)
        sounds = Levenshtein.normalized_similarity(*units, score_cutoff=least)
    return same, max(same, sounds)


def _kept_as_given(
    asked: Features, stored: Features, spaced: bool, same: float, kept: float
) -> tuple[float, float]:
    """The same with the letters that the skeletons of two tiny texts leave out, where that is less:
    A股 is not B股. More letters than a tiny text may have are a disguise, as nobody stretches a
    word so far by chance.
    """
    texts = (asked, stored)
    if max(text.given for text in texts) >= TINY or any(text.boilerplate() for text in texts):
        return same, kept
    letters, most = _kept_of(nothing_left_out(asked), nothing_left_out(stored), spaced)
    return min(same, letters), min(kept, most)


def _kept_in_runs(asked: Features, stored: Features, spaced: bool) -> tuple[float, float]:
    """The same of longer texts, in which a letter that is repeated stands once: a laugh may be as
    long as it likes.
    """
    left, right = (map(_repeated_once, nothing_left_out(text)) for text in (asked, stored))
    return _kept_of(left, right, spaced)


def _kept_of(asked: Iterable[str], stored: Iterable[str], spaced: bool) -> tuple[float, float]:
    """What edits leave of letters, and of letters or syllables, given as strings."""
    (left, left_sounds), (right, right_sounds) = asked, stored
    letters = Levenshtein.normalized_similarity(left, right)
    sounds = 0.0 if spaced else Levenshtein.normalized_similarity(left_sounds, right_sounds)
    return letters, max(letters, sounds)


def _repeated_once(letters: str) -> str:
    """Digits are left as they are: 100 is not 10."""
    return _REPEATS.sub(r"\1", letters)


def _long_grams(asked: Features, stored: Features, spaced: bool) -> Shared:
    """Long grams in common."""
    return Shared.of(asked, stored, Kind.LONG, spaced)


def _is_partial(long_grams: Shared, units: int, spaced: bool, limits: Thresholds) -> bool:
    """`units`: of the shorter text with its boilerplate, which may leave one sentence of it."""
    if spaced:
        return long_grams.most >= limits.word_partial and long_grams.common >= limits.word_shared
    least = max(limits.shared, limits.passage_share * units)
    return long_grams.most >= limits.partial and long_grams.common >= least


def _jaccard(asked: Features, stored: Features, kind: Kind, spaced: bool) -> float:
    common, left, right = asked.compared(stored, kind, spaced)
    return common / max(1, left + right - common)
