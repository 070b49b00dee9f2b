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
from typing import Protocol

import numpy as np
import numpy.typing as npt

from indexer.text.letter_runs import Flags, Letters
from indexer.text.ragged import Positions, Ragged
from indexer.text.skeleton_table import SkeletonTable
from indexer.text.spaced_letters import joined_letters
from indexer.text.table import DROP, UNIT, Codes, Table


class Undone(StrEnum):
    """What a skeleton undoes."""

    LOOK_ALIKES = "look-alikes"
    SPACED = "spaced letters"
    DIGITS = "digits for letters"
    STRETCHED = "stretched"
    PINYIN = "pinyin"
    STRAY = "stray letters"
    APART = "taken apart"


class Prepared(Protocol):
    """Prepared texts, as `indexer.text.preparation` makes them."""

    @property
    def rows(self) -> Ragged[np.uint32]: ...
    @property
    def sources(self) -> Positions: ...
    @property
    def table(self) -> Table: ...
    @property
    def kinds(self) -> npt.NDArray[np.uint8]: ...
    @property
    def places(self) -> Positions: ...


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


def draft_of(prepared: Prepared, skeleton: SkeletonTable) -> Draft:
    """The skeleton of prepared texts."""
    rows, table = prepared.rows, prepared.table
    draft = Draft(rows.values, np.arange(len(rows.values)), rows.bounds)
    _look(draft, skeleton)
    # what is at hand already is computed once
    kinds = table.kind[draft.codes] if draft.changed else prepared.kinds
    places = np.flatnonzero(kinds) if draft.changed else prepared.places
    folded = draft.codes[places]
    kept = np.ones(len(folded), np.bool_)
    kinds = kinds[places]
    at = np.flatnonzero(kinds != UNIT)
    bounds = places.searchsorted(draft.bounds)
    between = at[:0]
    if len(at):
        letters = Letters.of(folded, places, at, kinds, bounds)
        if letters.may_be_spaced():
            spaced, between = joined_letters(letters, draft.codes, prepared.sources[draft.at])
            draft.note(Undone.SPACED, places[at[spaced]])
        _read(draft, letters, places[at], len(at) < len(places), skeleton)
        folded[at], kept[at] = letters.values, letters.kept
    _put_together(draft, folded, kept, places, bounds, skeleton)
    return _finished(draft, folded, kept, places, between)


def _finished(
    draft: Draft, folded: Codes, kept: Flags, places: Positions, between: Positions
) -> Draft:
    """The draft with these letters and digits in their places, without those not kept and without
    what stood between others."""
    if not draft.changed:
        draft.changed = (
            len(between) > 0 or not kept.all() or bool((draft.codes[places] != folded).any())
        )
        if not draft.changed:
            return draft
    draft.codes = draft.codes.copy()
    draft.codes[places] = folded
    remaining = np.ones(len(draft.codes), np.bool_)
    remaining[places[~kept]] = False
    remaining[between] = False
    draft.keep(remaining)
    return draft


def _look(draft: Draft, skeleton: SkeletonTable) -> None:
    """One letter for all that look alike."""
    codes = skeleton.look[draft.codes]
    changed = np.flatnonzero(codes != draft.codes)
    if not len(changed):
        return
    draft.note(Undone.LOOK_ALIKES, changed[codes[changed] != DROP])
    draft.codes, draft.changed = codes, True
    if (codes[changed] == DROP).any():
        draft.keep(codes != DROP)


def _read(
    draft: Draft, letters: Letters, inside: Positions, has_han: bool, skeleton: SkeletonTable
) -> None:
    """Undo what was done to letters and digits."""
    if has_han:
        draft.note(Undone.STRAY, inside[letters.pass_over_strays()])
        draft.note(Undone.PINYIN, inside[letters.read_pinyin(skeleton)])
    draft.note(Undone.DIGITS, inside[letters.read_digits()])
    draft.note(Undone.STRETCHED, inside[letters.shorten()])


def _put_together(
    draft: Draft,
    folded: Codes,
    kept: Flags,
    places: Positions,
    bounds: Positions,
    skeleton: SkeletonTable,
) -> None:
    """Two parts side by side, marks between them aside, are the character; of pairs that overlap
    every other one is, from the first on. `folded` and `kept` are changed in place.
    """
    live = None if kept.all() else np.flatnonzero(kept)
    codes = folded if live is None else folded[live]
    rows = bounds if live is None else live.searchsorted(bounds)
    pairs, whole = skeleton.composed(codes[:-1], codes[1:])
    if not len(pairs):
        return
    inside = rows[np.searchsorted(rows, pairs, "right")] > pairs + 1
    pairs, whole = pairs[inside], whole[inside]
    if not len(pairs):
        return
    begins = np.flatnonzero(np.diff(pairs, prepend=-2) != 1)
    first = np.repeat(pairs[begins], np.diff(np.append(begins, len(pairs))))
    taken = (pairs - first) % 2 == 0
    pairs, whole = pairs[taken], whole[taken]
    second = pairs + 1 if live is None else live[pairs + 1]
    pairs = pairs if live is None else live[pairs]
    draft.note(Undone.APART, places[pairs])
    folded[pairs] = whole
    kept[second] = False
