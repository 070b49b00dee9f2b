"""Skeletons: what a prepared text is in spite of its disguise.

The stream that keys and comparisons read. Letters that look alike are one letter (Unicode UTS #39),
marks that decorate are gone, single letters with marks or spaces between are a word again, l33t and
stretched letters are undone, pinyin between Han characters is read, stray letters there are passed
over, and parts of a character that stand side by side are put together. What plain texts have of
all this they have on both sides. `exact` and the facts read the text as it was prepared.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from indexer.text.letter_runs import Flags, Letters
from indexer.text.ragged import Positions, Ragged
from indexer.text.skeleton_table import SkeletonTable
from indexer.text.spaced_letters import joined_letters
from indexer.text.table import DROP, LETTER, UNIT, Codes, Table


class Undone(StrEnum):
    """What a skeleton undoes."""

    LOOK_ALIKES = "look-alikes"
    SPACED = "spaced letters"
    DIGITS = "digits for letters"
    STRETCHED = "stretched"
    PINYIN = "pinyin"
    STRAY = "stray letters"
    APART = "taken apart"


@dataclass(slots=True)
class Draft:
    """A skeleton in the making: `at` says where in the prepared codes each code comes from.
    `undone`: places in the prepared codes.
    """

    codes: Codes
    at: Positions
    bounds: Positions
    undone: dict[Undone, Positions] = field(default_factory=dict)
    changed: bool = False

    def note(self, what: Undone, places: Positions) -> None:
        """Remember what was undone, at places of the draft as it is now."""
        if len(places):
            self.undone[what] = self.at[places]

    def keep(self, kept: Flags) -> None:
        """Leave codes out."""
        remaining = np.flatnonzero(kept)
        if len(remaining) < len(kept):
            self.codes, self.at = self.codes[remaining], self.at[remaining]
            self.bounds = remaining.searchsorted(self.bounds)
            self.changed = True


def draft_of(
    rows: Ragged[np.uint32], sources: Positions, table: Table, skeleton: SkeletonTable
) -> Draft:
    """The skeleton of prepared texts; `sources` are the places in the original of all codes."""
    draft = Draft(rows.values, np.arange(len(rows.values)), rows.bounds)
    _look(draft, table, skeleton)
    kinds = table.kind[draft.codes]
    if (kinds == LETTER).any():
        spaced, between = joined_letters(draft.codes, kinds, sources[draft.at], draft.bounds)
        if len(spaced):
            draft.note(Undone.SPACED, spaced)
            kept = np.ones(len(kinds), np.bool_)
            kept[between] = False
            draft.keep(kept)
            kinds = table.kind[draft.codes]
        _letters(draft, kinds, skeleton)
        kinds = table.kind[draft.codes]
    _put_together(draft, kinds, skeleton)
    return draft


def _look(draft: Draft, table: Table, skeleton: SkeletonTable) -> None:
    """One letter for all that look alike."""
    codes = skeleton.look[draft.codes]
    changed = np.flatnonzero(codes != draft.codes)
    if not len(changed):
        return
    draft.note(Undone.LOOK_ALIKES, changed[codes[changed] != DROP])
    draft.codes, draft.changed = codes, True
    draft.keep(codes != DROP)


def _letters(draft: Draft, kinds: npt.NDArray[np.uint8], skeleton: SkeletonTable) -> None:
    """What concerns letters of scripts with spaces, and digits."""
    places = np.flatnonzero(kinds)
    folded = kinds[places]
    at = np.flatnonzero(folded != UNIT)
    bounds = places.searchsorted(draft.bounds)
    letters = Letters.of(draft.codes[places], places, at, folded, bounds)
    before = letters.values.copy()
    inside = places[at]
    if len(at) < len(places):
        draft.note(Undone.STRAY, inside[letters.pass_over_strays()])
        draft.note(Undone.PINYIN, inside[letters.read_pinyin(skeleton)])
    draft.note(Undone.DIGITS, inside[letters.read_digits()])
    draft.note(Undone.STRETCHED, inside[letters.shorten()])
    if (letters.values != before).any():
        draft.codes = draft.codes.copy()
        draft.codes[inside] = letters.values
        draft.changed = True
    if not letters.kept.all():
        kept = np.ones(len(kinds), np.bool_)
        kept[inside[~letters.kept]] = False
        draft.keep(kept)


def _put_together(draft: Draft, kinds: npt.NDArray[np.uint8], skeleton: SkeletonTable) -> None:
    """Two parts side by side, marks between them aside, are the character; of pairs that overlap
    every other one is, from the first on.
    """
    places = np.flatnonzero(kinds)
    codes = draft.codes[places]
    pairs, whole = skeleton.composed(codes[:-1], codes[1:])
    if not len(pairs):
        return
    rows = places.searchsorted(draft.bounds)
    row = np.searchsorted(rows, pairs, "right")
    inside = rows[row] > pairs + 1
    pairs, whole = pairs[inside], whole[inside]
    if not len(pairs):
        return
    begins = np.flatnonzero(np.diff(pairs, prepend=-2) != 1)
    first = np.repeat(pairs[begins], np.diff(np.append(begins, len(pairs))))
    taken = (pairs - first) % 2 == 0
    pairs, whole = pairs[taken], whole[taken]
    draft.note(Undone.APART, places[pairs])
    draft.codes = draft.codes.copy()
    draft.codes[places[pairs]] = whole
    kept = np.ones(len(kinds), np.bool_)
    kept[places[pairs + 1]] = False
    draft.changed = True
    draft.keep(kept)
