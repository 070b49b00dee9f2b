"""What a near duplicate is disguised by whose grams tell it anyhow: edits strewn all over it."""

from __future__ import annotations

from collections import Counter
from typing import Final

from rapidfuzz.distance import OSA, Levenshtein

from indexer.meant.meant import Disguise
from indexer.text.stop_words import load_stop_words
from query.grams import Features
from query.verify.as_given import signs
from query.verify.scrambled import MOSTLY_ONE, swaps_outside_numbers

_LONGEST: Final = 1_000
"""Letters of the longest texts that are looked at."""

_FEWEST: Final = 5
_LEAST_PART: Final = 0.04
"""So many edits, and such a part of all letters, are more than slips of the pen."""

_QUARTERS: Final = 4
"""Parts of a text; edits that are all over it stand in all of them but one."""

_MOSTLY: Final = 2 / 3
"""The part of all edits that are of one kind."""

_APART: Final = 0.6
"""Letters are missing here and there when for each of them there are so many gaps."""


def strewn(asked: Features, stored: Features) -> Disguise | None:
    """What a near duplicate is disguised by that is one by its grams as well: letters swapped all
    over it, others that sound the same, or some missing in many places."""
    left, right = sorted((asked.letters, stored.letters))  # the same from either side
    longer = max(len(left), len(right))
    if longer > _LONGEST or not left or not right:
        return None
    least = max(_FEWEST, _LEAST_PART * longer)
    edits = Levenshtein.distance(left, right)
    if edits < least or not _are_all_over(left, right):
        return None
    swaps = min(edits - OSA.distance(left, right), swaps_outside_numbers(asked, stored))
    if swaps >= least and 2 * edits <= 5 * swaps:
        return Disguise.SWAPPED
    if asked.sounds is not None and stored.sounds is not None:
        heard = Levenshtein.distance(asked.sounds, stored.sounds)
        if edits - heard >= max(least, _MOSTLY * edits):
            return Disguise.HOMOPHONES
    return Disguise.MISSING if _are_missing(asked, stored, edits, least) else None


def _are_all_over(left: str, right: str) -> bool:
    """Whether edits stand in most quarters of a text."""
    places = [step.src_start for step in Levenshtein.opcodes(left, right) if step.tag != "equal"]
    return len({place * _QUARTERS // (len(left) + 1) for place in places}) >= _QUARTERS - 1


def _are_missing(asked: Features, stored: Features, edits: int, least: float) -> bool:
    """Whether most edits are letters that one text lacks, here and there, and neither digits nor
    small words nor mostly the same ones, as in another spelling, unless signs stand for them.
    """
    fewer, more = sorted((asked, stored), key=lambda text: len(text.letters))
    missing = len(more.letters) - len(fewer.letters)
    if missing < least or _MOSTLY * edits > missing:
        return False
    steps = Levenshtein.opcodes(fewer.letters, more.letters)
    gaps = [more.letters[s.dest_start : s.dest_end] for s in steps if s.tag == "insert"]
    if len(gaps) < _APART * missing:
        return False
    if signs(fewer) - signs(more) >= MOSTLY_ONE * missing:
        return True
    counts, small = Counter("".join(gaps)), load_stop_words("1")
    left_out = sum(count for each, count in counts.items() if each in small or each.isdigit())
    return max(left_out, *counts.values()) < MOSTLY_ONE * missing
