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
from indexer.text.skeleton_table import BEGINS, LOOKS, SkeletonTable
from indexer.text.spaced_letters import joined_letters
from indexer.text.table import DROP, OTHER, UNIT, Codes, Table


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
    """A skeleton in the making: `at` says where in the prepared codes each code comes from, None
    as long as all codes are there. `undone`: places in the prepared codes.
    """

    codes: Codes
    kinds: npt.NDArray[np.uint8]
    traits: npt.NDArray[np.uint8]
    bounds: Positions
    at: Positions | None = None
    undone: dict[Undone, Positions] = field(default_factory=dict)
    changed: bool = False

    def note(self, what: Undone, places: Positions) -> None:
        """Remember what was undone, at places of the draft as it is now."""
        if len(places):
            self.undone[what] = places if self.at is None else self.at[places]

    def put(self, places: Positions, codes: Codes) -> None:
        """Put other codes in these places."""
        if not self.changed:
            self.codes, self.changed = self.codes.copy(), True
        self.codes[places] = codes

    def keep(self, kept: Flags) -> None:
        """Leave codes out."""
        remaining: Positions = kept.nonzero()[0]
        self.codes = self.codes.take(remaining)
        self.at = remaining if self.at is None else self.at.take(remaining)
        self.bounds = remaining.searchsorted(self.bounds)
        self.changed = True


def draft_of(prepared: Prepared, skeleton: SkeletonTable) -> Draft:
    """The skeleton of prepared texts. Most texts have hardly anything that could be undone, so all
    of them are looked at once, and places where something stands are few.
    """
    rows = prepared.rows
    traits = skeleton.traits.take(rows.values, mode="clip")
    draft = Draft(rows.values, prepared.kinds, traits, rows.bounds)
    _look(draft, prepared.table, skeleton)
    # what is at hand already is computed once
    places = (draft.kinds != OTHER).nonzero()[0] if draft.changed else prepared.places
    kinds, traits = draft.kinds.take(places), draft.traits.take(places)
    at = (kinds != UNIT).nonzero()[0]
    bounds = places.searchsorted(draft.bounds)
    kept, between = np.ones(len(draft.codes), np.bool_), at[:0]
    left = None
    if len(at):
        letters = Letters.of(draft.codes, places, at, kinds, bounds)
        if runs := letters.spaced_runs():
            sources = prepared.sources if draft.at is None else prepared.sources[draft.at]
            spaced, between = joined_letters(letters, runs, draft.codes, sources)
            draft.note(Undone.SPACED, letters.inside[spaced])
        inside_han = len(at) < len(places) and _read_inside_han(
            draft, letters, at, traits, skeleton
        )
        draft.note(Undone.DIGITS, letters.inside[letters.read_digits()])
        draft.note(Undone.STRETCHED, letters.inside[letters.shorten()])
        _put_letters(draft, letters)
        kept[letters.inside[~letters.kept]] = False
        if inside_han:  # else Han characters have the neighbours that they had
            left = kept.take(places).nonzero()[0]
    if left is not None:
        places, traits, bounds = places.take(left), traits.take(left), left.searchsorted(bounds)
    _put_together(draft, places, traits, bounds, kept, skeleton)
    kept[between] = False
    if not kept.all():
        draft.keep(kept)
    return draft


def _look(draft: Draft, table: Table, skeleton: SkeletonTable) -> None:
    """One letter for all that look alike."""
    changed = (draft.traits & LOOKS).nonzero()[0]
    if not len(changed):
        return
    codes = skeleton.look[draft.codes[changed]]
    present = codes != DROP
    remaining, codes = changed[present], codes[present]
    draft.note(Undone.LOOK_ALIKES, remaining)
    draft.put(remaining, codes)
    draft.kinds = draft.kinds.copy()
    draft.kinds[remaining], draft.traits[remaining] = table.kind[codes], skeleton.traits[codes]
    if len(remaining) < len(changed):
        kept = np.ones(len(draft.codes), np.bool_)
        kept[changed[~present]] = False
        draft.kinds, draft.traits = draft.kinds[kept], draft.traits[kept]
        draft.keep(kept)


def _read_inside_han(
    draft: Draft,
    letters: Letters,
    at: Positions,
    traits: npt.NDArray[np.uint8],
    skeleton: SkeletonTable,
) -> bool:
    """Undo what was done to letters between Han characters; whether anything was. `traits` takes
    those of what is read.
    """
    strays = letters.pass_over_strays()
    draft.note(Undone.STRAY, letters.inside[strays])
    read = letters.read_pinyin(skeleton)
    draft.note(Undone.PINYIN, letters.inside[read])
    traits[at[read]] = skeleton.traits[letters.values[read]]
    return len(strays) > 0 or len(read) > 0


def _put_letters(draft: Draft, letters: Letters) -> None:
    """Put the letters that are others now in their places."""
    changed = (letters.values != draft.codes.take(letters.inside)).nonzero()[0]
    if len(changed):
        draft.put(letters.inside.take(changed), letters.values.take(changed))


def _put_together(
    draft: Draft,
    places: Positions,
    traits: npt.NDArray[np.uint8],
    bounds: Positions,
    kept: Flags,
    skeleton: SkeletonTable,
) -> None:
    """Two parts side by side, marks between them aside, are the character; of pairs that overlap
    every other one is, from the first on. `places`: those of letters, digits and Han characters;
    `traits` and `bounds` are theirs. `kept` is changed in place.
    """
    pairs = (traits[:-1] & (traits[1:] >> 1) & BEGINS).nonzero()[0]
    if not len(pairs):
        return
    codes = draft.codes
    pairs, whole = skeleton.composed(pairs, codes[places[pairs]], codes[places[pairs + 1]])
    inside = bounds[np.searchsorted(bounds, pairs, "right")] > pairs + 1
    pairs, whole = pairs[inside], whole[inside]
    if not len(pairs):
        return
    begins = np.flatnonzero(np.diff(pairs, prepend=-2) != 1)
    first = np.repeat(pairs[begins], np.diff(np.append(begins, len(pairs))))
    taken = (pairs - first) % 2 == 0
    pairs, whole = pairs[taken], whole[taken]
    draft.note(Undone.APART, places[pairs])
    draft.put(places[pairs], whole)
    kept[places[pairs + 1]] = False
