"""Letters between Han characters and in words: what disguises do to them, undone.

All arrays here have an entry for each letter or digit of a script with spaces; there are few in
Chinese, and plain Chinese costs nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from indexer.text.ragged import Positions
from indexer.text.skeleton_table import SkeletonTable
from indexer.text.table import LETTER, Codes

Flags = npt.NDArray[np.bool_]

_DIGIT_LETTERS: Final = np.arange(0x80, dtype=np.uint32)
_DIGIT_LETTERS[[ord(c) for c in "012345798"]] = [ord(c) for c in "oizeastgb"]
"""What digits are written for. Each letter stands for one digit, so that two numbers stay two; 6
is left as it is."""

_I, _L = ord("i"), ord("l")
LEAST: Final = 4
"""Single letters in a row from which they are a word that somebody spaced."""

_LONGEST_STRETCH: Final = 60
"""Letters between two Han characters up to which pinyin is looked for; more are a quotation."""


@dataclass(slots=True)
class Letters:
    """The letters and digits of scripts with spaces, in text order.

    `inside`: where they stand in the text. `values`: what they become, changed in place; `kept`:
    false for those passed over. `words` and `stretches`: whether one begins here; a stretch ends
    at a Han character or at the end of its text. `before` and `after`: whether a Han character
    stands right before or after (other marks aside).
    """

    inside: Positions
    values: Codes
    kept: Flags
    letter: Flags
    words: Flags
    stretches: Flags
    before: Flags
    after: Flags

    @classmethod
    def of(
        cls,
        codes: Codes,
        places: Positions,
        at: Positions,
        kinds: npt.NDArray[np.uint8],
        bounds: Positions,
    ) -> Letters:
        """`codes` and `kinds` are those of all letters, digits and Han characters, which stand at
        `places` of the text; `at` are those that concern us, `bounds` the rows.
        """
        count = len(at)
        starts = np.zeros(count + 1, np.bool_)
        starts[at.searchsorted(bounds)] = True
        starts[0] = True
        stretches = starts[:-1].copy()
        stretches[1:] |= at[1:] - at[:-1] > 1
        inside = places[at]
        words = stretches.copy()
        words[1:] |= inside[1:] - inside[:-1] > 1
        first_of_row = np.zeros(len(codes) + 1, np.bool_)
        first_of_row[bounds] = True
        before = stretches & ~first_of_row[at]
        ends = np.ones(count, np.bool_)
        ends[:-1] = stretches[1:]
        after = ends & ~first_of_row[at + 1]
        letter = kinds[at] == LETTER
        return cls(
            inside, codes[at], np.ones(count, np.bool_), letter, words, stretches, before, after
        )

    def may_be_spaced(self) -> bool:
        """Whether LEAST words in a row are single letters."""
        begins = np.flatnonzero(self.words)
        single = np.diff(begins, append=len(self.values)) == 1
        if np.count_nonzero(single) < LEAST:
            return False
        run = single[: len(single) - LEAST + 1]
        for offset in range(1, LEAST):
            run = run & single[offset : len(single) - LEAST + 1 + offset]
        return bool(run.any())

    def pass_over_strays(self) -> Positions:
        """A single letter between Han characters is passed over; where these are."""
        starts = np.flatnonzero(self.stretches)
        single = np.add.reduceat(self.letter.astype(np.int64), starts) == 1
        stops = np.append(starts[1:], len(self.values)) - 1
        single &= self.before[starts] | self.after[stops]
        if not single.any():
            return starts[:0]
        owner = np.cumsum(self.stretches) - 1
        stray = np.flatnonzero(single[owner] & self.letter & (self.values < 0x80))
        self.kept[stray] = False
        self.letter[stray] = False
        return stray

    def read_pinyin(self, table: SkeletonTable) -> Positions:
        """Runs of letters inside Chinese that spell syllables become Han characters; where these
        letters are.
        """
        starts = np.flatnonzero(self.stretches)
        stops = np.append(starts[1:], len(self.values))
        inside = self.before[starts] | self.after[stops - 1]
        inside &= stops - starts <= _LONGEST_STRETCH
        runs = self.words.copy()
        runs[1:] |= self.letter[1:] != self.letter[:-1]
        begins = np.flatnonzero(runs)
        sizes = np.diff(np.append(begins, len(self.values)))
        owner = np.searchsorted(starts, begins, "right") - 1
        # a word ends with the letters that some syllable ends with, and all its pairs are in some
        unlike = ~self.letter | (self.values >= 0x80)
        low = self.values.astype(np.uint8) & 0x7F
        unlike[:-1] |= ~table.pairs[low[:-1], low[1:]] & ~runs[1:]
        unlike[begins[1:] - 1] |= ~table.last[low[begins[1:] - 1]]
        spelled = ~np.logical_or.reduceat(unlike, begins)
        chosen = np.flatnonzero(inside[owner] & spelled & (sizes > 1))
        if not len(chosen):
            return starts[:0]
        text = low.tobytes().decode("latin-1")
        read: list[int] = []
        for start, size in zip(begins[chosen].tolist(), sizes[chosen].tolist(), strict=True):
            syllables = table.syllables(text[start : start + size])
            if syllables:
                read += range(start, start + size)
                self.kept[start : start + size] = False
                for offset, code in syllables:
                    self.values[start + offset] = code
                    self.kept[start + offset] = True
        places = np.array(read, np.int64)
        self.letter[places] = False
        return places

    def read_digits(self) -> Positions:
        """Digits in a stretch that has letters become the letters they are written for, and l
        becomes i, as 1 may be either; where digits stand in a word with letters.
        """
        starts = np.flatnonzero(self.stretches)
        has = np.add.reduceat(self.letter.astype(np.int64), starts) > 0
        digits = np.flatnonzero(~self.letter & self.kept & (self.values < 0x80))
        digits = digits[has[np.searchsorted(starts, digits, "right") - 1]]
        self.values[digits] = _DIGIT_LETTERS[self.values[digits]]
        self.values[self.letter & (self.values == _L)] = _I
        return digits[self._in_words(self.letter)[digits]] if len(digits) else digits

    def shorten(self) -> Positions:
        """A letter written several times in a row is written once; where it stood three times or
        more."""
        same = np.zeros(len(self.values), np.bool_)
        same[1:] = self.values[1:] == self.values[:-1]
        same &= ~self.words
        same[1:] &= self.kept[:-1]
        same &= self.kept
        if not same.any():
            return np.flatnonzero(same)
        if not self.letter[same].all():
            same &= self._in_words(self.letter)
        self.kept &= ~same
        thrice: Positions = np.flatnonzero(same[1:] & same[:-1]) + 1
        goes_on = np.append(same, False)[thrice + 1]
        last: Positions = thrice[~goes_on]
        return last

    def _in_words(self, flags: Flags) -> Flags:
        """For each letter or digit whether its word has any of these."""
        begins = np.flatnonzero(self.words)
        has = np.add.reduceat(flags.astype(np.int64), begins) > 0
        return np.repeat(has, np.diff(np.append(begins, len(flags))))
