"""The sum behind a verdict, in one line with the numbers filled in."""

from __future__ import annotations

from mappings.plan import Thresholds
from query.model import Verdict
from query.verdict import TINY, Judgement


def formula(found: Judgement, limits: Thresholds, spaced: bool, longer: int) -> str:
    """`similarity = max(characters 0.82, sounds 0.91) = 0.91 >= 0.40: near`.

    `longer` is the length of the longer text, in letters and digits.
    """
    if found.verdict is Verdict.EXACT:
        return "similarity = 1, the letters and digits are the same: exact"
    text = _similarity(found, limits, spaced, longer)
    if found.verdict is Verdict.NEAR:
        return f"{text}: near"
    text += f"; {_share(found, limits, spaced)}"
    return f"{text}: {found.verdict.value if found.verdict else 'no duplicate'}"


def _share(found: Judgement, limits: Thresholds, spaced: bool) -> str:
    """The rule of long runs when it made a partial copy, else that of long grams."""
    by = f"max(first {found.share:.2f}, second {found.stored_share:.2f})"
    share = max(found.share, found.stored_share)
    if found.run_units is not None:
        return (
            f"share in long runs = {by} = {_against(share, limits.covered)}, "
            f"sounds in long runs {_counted(found.run_units, limits.covered_units)}"
        )
    part = limits.word_partial if spaced else limits.partial
    grams = limits.word_shared if spaced else limits.shared
    return (
        f"share = {by} = {_against(share, part)}, shared long grams {_counted(found.shared, grams)}"
    )


def _similarity(found: Judgement, limits: Thresholds, spaced: bool, longer: int) -> str:
    units = "words" if spaced else "sounds"
    grams = f"characters {found.jaccard:.2f}, {units} {found.syllable_jaccard:.2f}"
    by_grams = max(found.jaccard, found.syllable_jaccard)
    if found.kept is None:
        return f"similarity = max({grams}) = {_against(by_grams, limits.near)}"
    kept = _against(found.kept, limits.short_near)
    if longer < TINY:
        text = f"similarity = left by edits {kept}"
        if found.kept < limits.short_near:
            return text
        few = "at least" if found.verdict is Verdict.NEAR else "less than"
        return f"{text}, {few} half of the characters are the same"
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
