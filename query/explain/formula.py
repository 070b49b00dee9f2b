"""The sum behind a verdict, in one line with the numbers filled in."""

from __future__ import annotations

from typing import Final

from mappings.plan import Thresholds
from query.answers import Verdict
from query.verify.verdict import SAME, TINY, Judgement, Shared

COMMON: Final = "left out of lookups, as many unrelated documents have what these two have"


def formula(found: Judgement, limits: Thresholds, spaced: bool, longer: int) -> str:
    """`similarity = max(characters 0.82, sounds 0.91) = 0.91 >= 0.40: near`.

    `longer` is the length of the longer text, in letters and digits.
    """
    if found.verdict is Verdict.EXACT:
        return "similarity = 1, the letters and digits are the same: exact"
    text = _similarity(found, limits, spaced, longer)
    if found.verdict is Verdict.NEAR:
        return f"{text}: near"
    if not found.by_runs:  # else the shares are those of long runs
        text += f"; {_in_grams(found, limits, spaced)}"
    if found.runs is not None:
        text += f"; {_in_runs(found.runs, limits)}"
    return f"{text}: {found.verdict.value if found.verdict else 'no duplicate'}"


def _in_grams(found: Judgement, limits: Thresholds, spaced: bool) -> str:
    part = limits.word_partial if spaced else limits.partial
    grams = limits.word_shared if spaced else limits.shared
    share = _share(found.share, found.stored_share, part)
    return f"share = {share}, shared long grams {_counted(found.shared, grams)}"


def _in_runs(runs: Shared, limits: Thresholds) -> str:
    share = _share(runs.share, runs.stored_share, limits.covered)
    units = _counted(runs.common, limits.covered_units)
    return f"share in long runs = {share}, sounds in long runs {units}"


def _share(first: float, second: float, limit: float) -> str:
    largest = _against(max(first, second), limit)
    return f"max(first {first:.2f}, second {second:.2f}) = {largest}"


def _similarity(found: Judgement, limits: Thresholds, spaced: bool, longer: int) -> str:
    units = "words" if spaced else "sounds"
    grams = f"characters {found.jaccard:.2f}, {units} {found.syllable_jaccard:.2f}"
    by_grams = max(found.jaccard, found.syllable_jaccard)
    if found.kept is None:
        return f"similarity = max({grams}) = {_against(by_grams, limits.near)}"
    kept = _against(found.kept, limits.short_near)
    if longer < TINY:
        same = _against(found.same or 0.0, SAME)
        return f"similarity = left by edits {kept}, left of the characters {same}"
    if found.kept >= limits.short_near:
        return (
            f"similarity = max({grams}, left by edits {found.kept:.2f}) = {found.similarity:.2f}; "
            f"left by edits {kept}"
        )
    return f"similarity = max({grams}) = {_against(by_grams, limits.near)}, left by edits {kept}"


def _counted(count: int, limit: int) -> str:
    return f"{count:,} {'>=' if count >= limit else '<'} {limit:,}"


def _against(value: float, limit: float) -> str:
    """`0.91 >= 0.40`; with as many digits as it takes to see why."""
    for digits in (2, 3, 4, 6):
        shown, other = f"{value:.{digits}f}", f"{limit:.{digits}f}"
        if shown != other or value == limit:
            break
    return f"{shown} {'>=' if value >= limit else '<'} {other}"
