"""Candidate in, verdict out: what two texts are to each other.

- exact: the same letters and digits, with the same marks inside numbers.
- near: Jaccard of 4-grams over characters or over syllables reaches `near`.
- partial: enough long grams of the shorter text stand in the other one, with a direction.

Texts in scripts with spaces are compared by words and by longer character grams, because a small
alphabet makes short grams common. All limits are in the plan's `thresholds`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from mappings.plan import Plan, Thresholds
from query.features import Features, Kind, shared
from query.model import Direction, Verdict

CONTAINED: Final = 0.8
"""From this share on, a text counts as standing inside the other."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """The outcome of comparing two texts; `verdict` is None when they are no duplicates."""

    verdict: Verdict | None
    similarity: float
    share: float
    stored_share: float
    direction: Direction | None
    jaccard: float
    syllable_jaccard: float
    shared: int


def judge(asked: Features, stored: Features, plan: Plan) -> Judgement:
    """Compare two texts by their own content. Symmetric but for the direction."""
    if asked.text_hash == stored.text_hash:
        # by syllables, which spaces between words do not touch: the same from either side
        whole = len(asked.grams(Kind.PASSAGES, spaced=False))
        return Judgement(Verdict.EXACT, 1.0, 1.0, 1.0, None, 1.0, 1.0, whole)
    limits = plan.thresholds
    spaced = asked.spaced and stored.spaced
    by_units = _jaccard(asked, stored, Kind.UNITS, spaced)
    common, share, stored_share = _passages(asked, stored, spaced)
    partial = _is_partial(max(share, stored_share), common, spaced, limits)
    by_characters = _jaccard(asked, stored, Kind.CHARACTERS, spaced)
    similarity = max(by_characters, by_units)
    verdict: Verdict | None = None
    direction: Direction | None = None
    if similarity >= limits.near:
        verdict = Verdict.NEAR
    elif partial:
        verdict = Verdict.PARTIAL
        direction = _direction(share, stored_share)
    return Judgement(
        verdict, similarity, share, stored_share, direction, by_characters, by_units, common
    )


def could_match(asked: Features, stored: Features, plan: Plan) -> bool:
    """Whether `judge` might find a verdict: says no only when it is sure, and is far cheaper.

    A Jaccard similarity of `near` takes as many shared grams as `near` of the asked text's own.
    """
    limits = plan.thresholds
    spaced = asked.spaced and stored.spaced
    units = asked.may_share(stored, Kind.UNITS, spaced)
    if units >= limits.near * len(asked.grams(Kind.UNITS, spaced)):
        return True
    if spaced:
        characters = asked.may_share(stored, Kind.CHARACTERS, spaced)
        if characters >= limits.near * len(asked.grams(Kind.CHARACTERS, spaced)):
            return True
        return asked.may_share(stored, Kind.PASSAGES, spaced) >= limits.word_shared
    # Equal characters are equal syllables: where few syllable grams meet, no more others can.
    if units < limits.shared:
        return False
    return asked.may_share(stored, Kind.PASSAGES, spaced) >= limits.shared


def _passages(asked: Features, stored: Features, spaced: bool) -> tuple[int, float, float]:
    """Long grams in common, and their share of either text."""
    left = asked.grams(Kind.PASSAGES, spaced)
    right = stored.grams(Kind.PASSAGES, spaced)
    common = shared(left, right)
    return common, common / max(1, len(left)), common / max(1, len(right))


def _is_partial(share: float, common: int, spaced: bool, limits: Thresholds) -> bool:
    if spaced:
        return share >= limits.word_partial and common >= limits.word_shared
    return share >= limits.partial and common >= limits.shared


def _direction(share: float, stored_share: float) -> Direction:
    if share >= CONTAINED and share >= stored_share:
        return Direction.CONTAINED_IN
    if stored_share >= CONTAINED:
        return Direction.CONTAINS
    return Direction.OVERLAPS


def _jaccard(asked: Features, stored: Features, kind: Kind, spaced: bool) -> float:
    left, right = asked.grams(kind, spaced), stored.grams(kind, spaced)
    common = shared(left, right)
    return common / max(1, len(left) + len(right) - common)
