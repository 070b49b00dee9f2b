"""Skeletons: what a prepared text is in spite of its disguise.

The stream that keys and comparisons read. Letters that look alike are one letter (Unicode UTS #39),
marks that decorate are gone, single letters with marks or spaces between are a word again, l33t and
stretched letters are undone, pinyin between Han characters is read, stray letters there are passed
over, and parts of a character that stand side by side are put together. What plain texts have of
all this they have on both sides. `exact` and the facts read the text as it was prepared.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Protocol

import numpy as np
import numpy.typing as npt

from indexer.text.kernels import compiled
from indexer.text.letter_runs import Flags, Letters
from indexer.text.ragged import Positions, Ragged
from indexer.text.skeleton_table import BEGINS, LOOKS, SkeletonTable
from indexer.text.spaced_letters import joined_letters
from indexer.text.table import DROP, LETTER, OTHER, UNIT, Codes, Table

Traits = npt.NDArray[np.uint8]
Marks = npt.NDArray[np.uint8]

_KIND: Final = np.uint8(3)


class Undone(StrEnum):
    """What a skeleton undoes; answers call it the same (`query.answers.Disguise`)."""

    LOOK_ALIKES = "look-alikes"
    SPACED = "spaced letters"
    DIGITS = "digits for letters"
    STRETCHED = "stretched"
    PINYIN = "pinyin"
    STRAY = "stray letters"
    APART = "taken apart"


_IN_ORDER: Final = (
    Undone.LOOK_ALIKES,
    Undone.SPACED,
    Undone.STRAY,
    Undone.PINYIN,
    Undone.DIGITS,
    Undone.STRETCHED,
    Undone.APART,
)
_BITS: Final = {what: np.uint8(1 << step) for step, what in enumerate(_IN_ORDER)}
"""What places are marked with, in the order of the steps."""


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
    as long as all codes are there. `traits` have the Kind in them. `marks`: what was undone at
    each place of the prepared codes.
    """

    codes: Codes
    traits: Traits
    bounds: Positions
    marks: Marks
    at: Positions | None = None
    changed: bool = False

    def note(self, what: Undone, places: Positions) -> None:
        """Remember what was undone, at places of the draft as it is now."""
        self.marks[places if self.at is None else self.at[places]] |= _BITS[what]

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


@dataclass(frozen=True, slots=True)
class Skeleton:
    """Skeletons: `at` says where in the prepared codes each code comes from, `marks` what was
    undone at each place of them: see `undone_of`."""

    codes: Codes
    bounds: Positions
    at: Positions
    marks: Marks


def undone_of(marks: Marks) -> dict[Undone, Positions]:
    """The marked places, by what was undone there."""
    places = marks.nonzero()[0]
    there = marks.take(places)
    found = np.bitwise_or.reduce(there)
    return {what: places[there & bit != 0] for what, bit in _BITS.items() if found & bit}


def skeleton_of(prepared: Prepared, table: SkeletonTable) -> Skeleton | None:
    """The skeletons of prepared texts; None where there is nothing to undo."""
    if compiled is not None:
        return _compiled_skeleton(prepared, table)
    draft = draft_of(prepared, table)
    if not draft.changed:
        return None
    at = np.arange(len(draft.codes)) if draft.at is None else draft.at
    return Skeleton(draft.codes, draft.bounds, at, draft.marks)


def _compiled_skeleton(prepared: Prepared, table: SkeletonTable) -> Skeleton | None:
    rows, count = prepared.rows, len(prepared.rows.values)
    codes, at = np.empty(count, np.uint32), np.empty(count, np.int64)
    bounds, marks = np.empty(len(rows.bounds), np.int64), np.zeros(count, np.uint8)
    out, tables = (codes, at, bounds, marks), (prepared.table.kind, *table.arrays)
    left = compiled.skeleton_codes(rows.values, prepared.sources, rows.bounds, *out, *tables)
    return None if left is None else Skeleton(codes[:left], bounds, at[:left], marks)


def draft_of(prepared: Prepared, skeleton: SkeletonTable) -> Draft:
    """The skeleton of prepared texts. Most texts have hardly anything that could be undone, so all
    of them are looked at once, and places where something stands are few.
    """
    rows = prepared.rows
    traits = skeleton.traits.take(rows.values, mode="clip")
    traits |= prepared.kinds
    draft = Draft(rows.values, traits, rows.bounds, np.zeros(len(traits), np.uint8))
    _look(draft, prepared.table, skeleton)
    # what is at hand already is computed once
    traits = draft.traits
    places = (traits & _KIND != OTHER).nonzero()[0] if draft.changed else prepared.places
    traits = traits.take(places)
    kinds: Traits = traits & _KIND
    at = (kinds != UNIT).nonzero()[0]
    bounds = places.searchsorted(draft.bounds)
    kept, between, gone = np.ones(len(draft.codes), np.bool_), at[:0], at[:0]
    if np.count_nonzero(kinds == LETTER):  # of digits alone nothing is undone
        letters = Letters.of(draft.codes, places, at, kinds, bounds)
        if runs := letters.spaced_runs():
            sources = prepared.sources if draft.at is None else prepared.sources[draft.at]
            spaced, between = joined_letters(letters, runs, draft.codes, sources)
            draft.note(Undone.SPACED, letters.inside[spaced])
        if len(at) < len(places):
            read = _read_inside_han(draft, letters, skeleton)
            traits[at[read]] = skeleton.traits[letters.values[read]]
        draft.note(Undone.DIGITS, letters.inside[letters.read_digits()])
        draft.note(Undone.STRETCHED, letters.inside[letters.shorten()])
        if np.count_nonzero(letters.values != draft.codes.take(letters.inside)):
            draft.put(letters.inside, letters.values)
        gone = (~letters.kept).nonzero()[0]
        kept[letters.inside.take(gone)] = False
        gone = at.take(gone)
    if len(at) < len(places):
        _put_together(draft, _side_by_side(traits, gone), (places, bounds), kept, skeleton)
    kept[between] = False
    if np.count_nonzero(kept) < len(kept):
        draft.keep(kept)
    return draft


def _look(draft: Draft, table: Table, skeleton: SkeletonTable) -> None:
    """One letter for all that look alike."""
    changed = (draft.traits >= LOOKS).nonzero()[0]
    if not len(changed):
        return
    codes = skeleton.look[draft.codes[changed]]
    present = codes != DROP
    remaining, codes = changed[present], codes[present]
    draft.note(Undone.LOOK_ALIKES, remaining)
    draft.put(remaining, codes)
    draft.traits[remaining] = table.kind[codes] | skeleton.traits[codes]
    if len(remaining) < len(changed):
        kept = np.ones(len(draft.codes), np.bool_)
        kept[changed[~present]] = False
        draft.traits = draft.traits[kept]
        draft.keep(kept)


def _read_inside_han(draft: Draft, letters: Letters, skeleton: SkeletonTable) -> Positions:
    """Undo what was done to letters between Han characters; which of them were pinyin."""
    draft.note(Undone.STRAY, letters.inside[letters.pass_over_strays()])
    read = letters.read_pinyin(skeleton)
    draft.note(Undone.PINYIN, letters.inside[read])
    return read


def _side_by_side(traits: Traits, gone: Positions) -> tuple[Positions, Positions]:
    """Which letters, digits and Han characters may be the first part of a character, with the one
    that follows: a neighbour, or what comes after those that are gone."""
    traits[gone] &= _KIND
    first = ((traits[:-1] & (traits[1:] >> 1) & BEGINS) != 0).nonzero()[0]
    if not len(gone):
        return first, first + 1
    edges = np.ones(len(gone) + 1, np.bool_)
    np.greater(gone[1:] - gone[:-1], 1, out=edges[1:-1])
    left, right = gone[edges[:-1]] - 1, gone[edges[1:]] + 1
    across = (left >= 0) & (right < len(traits))
    left, right = left[across], right[across]
    both = (traits[left] & (traits[right] >> 1) & BEGINS).nonzero()[0]
    if not len(both):
        return first, first + 1
    second = np.concatenate((first + 1, right[both]))
    first = np.concatenate((first, left[both]))
    order = first.argsort()
    return first[order], second[order]


def _put_together(
    draft: Draft,
    pairs: tuple[Positions, Positions],
    among: tuple[Positions, Positions],
    kept: Flags,
    skeleton: SkeletonTable,
) -> None:
    """Two parts side by side, marks between them aside, are the character; of pairs that overlap
    every other one is, from the first on. `among`: the places of letters, digits and Han
    characters, and the bounds of the rows of these. `kept` is changed in place.
    """
    (places, bounds), (first, second) = among, pairs
    codes = draft.codes
    found, whole = skeleton.composed(
        codes.take(places.take(first)), codes.take(places.take(second))
    )
    first, second = first[found], second[found]
    inside = bounds[bounds.searchsorted(first, "right")] > second
    first, second, whole = first[inside], second[inside], whole[inside]
    if not len(first):
        return
    if (first[1:] == second[:-1]).any():
        begins = np.append(True, first[1:] != second[:-1]).nonzero()[0]
        sizes = np.diff(begins, append=len(first))
        taken = (np.arange(len(first)) - np.repeat(begins, sizes)) % 2 == 0
        first, second, whole = first[taken], second[taken], whole[taken]
    draft.note(Undone.APART, places[first])
    draft.put(places[first], whole)
    kept[places[second]] = False
