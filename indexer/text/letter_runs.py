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

SCATTERED: Final = 3
APART: Final = 16
"""A text has letters put among its characters when it has at least so many of them, and one in so
many of all its letters: an A in front of 股 is a word of its own."""

_LONGEST_STRETCH: Final = 60
"""Letters between two Han characters up to which pinyin is looked for; more are a quotation."""


@dataclass(slots=True)
class Letters:
    """The letters and digits of scripts with spaces, in text order.

    `inside`: where they stand in the text. `values`: what they become, changed in place; `kept`:
    false for those passed over. `words` and `stretches`: whether one begins here; a stretch ends
    at a Han character or at the end of its text. `starts`: where stretches begin; `before` and
    `after`: for each of them whether a Han character stands right before or after (other marks
    aside). `counts`: the letters of each. `scattered`: whether its text has single letters put
    among Han characters all over.
    """

    inside: Positions
    values: Codes
    kept: Flags
    letter: Flags
    words: Flags
    stretches: Flags
    starts: Positions
    before: Flags
    after: Flags
    counts: Positions
    scattered: Flags

    @classmethod
    def of(
        cls,
        codes: Codes,
        places: Positions,
        at: Positions,
        kinds: npt.NDArray[np.uint8],
        bounds: Positions,
    ) -> Letters:
        """`codes` are those of the texts, `places` where letters, digits and Han characters stand
        in them, `kinds` what these are; `at` are those that concern us, `bounds` the rows, both
        counted among `places`.
        """
        count, whole = len(at), len(at) == len(places)
        inside = places if whole else places.take(at)
        stretches = np.zeros(count + 1, np.bool_)
        stretches[(bounds if whole else at.searchsorted(bounds))[:-1]] = True
        stretches = stretches[:-1]
        stretches[0] = True
        if not whole:
            stretches[1:] |= at[1:] - at[:-1] > 1
        words = stretches.copy()
        words[1:] |= inside[1:] - inside[:-1] > 1
        starts = stretches.nonzero()[0]
        first_of_row = np.zeros(len(places) + 1, np.bool_)
        first_of_row[bounds] = True
        before = ~first_of_row.take(at[starts])
        after = ~first_of_row.take(at[_edges(starts, count)[1:] - 1] + 1)
        letter = (kinds if whole else kinds.take(at)) == LETTER
        counts = np.add.reduceat(letter, starts, dtype=np.int64)
        single = ((counts == 1) & before & after).nonzero()[0]
        scattered = np.zeros(len(starts), np.bool_)
        if len(single) >= SCATTERED:
            scattered = _scattered(places, at, starts, single, bounds)
        kept = np.ones(count, np.bool_)
        values = codes.take(inside)
        return cls(
            inside, values, kept, letter, words, stretches, starts, before, after, counts, scattered
        )

    def spaced_runs(self) -> list[tuple[int, int]]:
        """The rows of LEAST or more words of a single letter in one stretch, as [start, stop)."""
        if len(self.values) < LEAST:
            return []
        goes_on = self.words & ~self.stretches
        here = self.words[: 1 - LEAST].copy()
        here[:-1] &= self.words[LEAST:]  # the last of them is a word by itself, too
        for offset in range(1, LEAST):
            here &= goes_on[offset : len(here) + offset]
        if not here.any():
            return []
        first = here.nonzero()[0].tolist()
        starts = [at for at in first if not at or not here[at - 1]]
        stops = [at + LEAST for at in first if at + 1 == len(here) or not here[at + 1]]
        return list(zip(starts, stops, strict=True))

    def pass_over_strays(self) -> Positions:
        """Single letters between Han characters are passed over where many are; where these are."""
        between = (self.before | self.after) & self.scattered
        single: Positions = ((self.counts == 1) & between).nonzero()[0]
        if not len(single):
            return single
        earlier = self.counts.cumsum() - self.counts
        stray: Positions = self.letter.nonzero()[0][earlier[single]]
        ascii_only = self.values[stray] < 0x80
        stray = stray[ascii_only]
        self.kept[stray] = False
        self.letter[stray] = False
        self.counts[single[ascii_only]] = 0
        return stray

    def read_pinyin(self, table: SkeletonTable) -> Positions:
        """Runs of letters inside Chinese that spell syllables become Han characters; where these
        letters are.
        """
        begins, ends = self._spelled(table)
        if not len(begins):
            return begins
        text, known = self.values.astype(np.uint8).tobytes().decode("latin-1"), table.syllables
        read: list[int] = []
        heads: list[int] = []
        values: list[int] = []
        for start, stop in zip(begins.tolist(), ends.tolist(), strict=True):
            syllables = known[text[start:stop]]
            if syllables:
                read += range(start, stop)
                for offset, code in syllables:
                    heads.append(start + offset)
                    values.append(code)
        places = np.array(read, np.int64)
        if read:
            self.letter[places] = self.kept[places] = False
            self.values[heads], self.kept[heads] = values, True
            self.counts = np.add.reduceat(self.letter, self.starts, dtype=np.int64)
        return places

    def _spelled(self, table: SkeletonTable) -> tuple[Positions, Positions]:
        """Where runs of letters begin and end in short stretches inside Chinese that may spell
        syllables: each ends with a letter that some syllable ends with, and all its pairs are in
        some.
        """
        starts = self.starts
        edges = _edges(starts, len(self.values))
        inside = (self.before | self.after) & (self.counts > 1)
        inside &= edges[1:] - starts <= _LONGEST_STRETCH
        if not inside.any():
            return starts[:0], starts[:0]
        low = self.values.astype(np.uint8)
        low *= self.letter & (self.values < 0x80)
        runs = self.words.copy()
        runs[1:] |= self.letter[1:] != self.letter[:-1]
        following = np.zeros(len(low), np.uint16)
        following[:-1] = low[1:]
        following[:-1] *= ~runs[1:]
        following |= low.astype(np.uint16) << 7
        unlike = (~table.pairs.take(following, mode="clip")).nonzero()[0]
        begins = _edges(runs.nonzero()[0], len(low))
        first = unlike.searchsorted(begins)
        fits = (first[1:] == first[:-1]) & (begins[1:] - begins[:-1] > 1)
        chosen = fits.nonzero()[0]
        chosen = chosen[inside[starts.searchsorted(begins[chosen], "right") - 1]]
        return begins[chosen], begins[chosen + 1]

    def read_digits(self) -> Positions:
        """Digits in a stretch that has letters become the letters they are written for, and l
        becomes i, as 1 may be either; where digits stand in a word with letters.
        """
        digits = (~self.letter & self.kept & (self.values < 0x80)).nonzero()[0]
        if len(digits):
            digits = digits[self.counts[self.starts.searchsorted(digits, "right") - 1] > 0]
            digits = digits[_DIGIT_LETTERS[self.values[digits]] != self.values[digits]]
            self.values[digits] = _DIGIT_LETTERS[self.values[digits]]
        self.values[self.values == _L] = _I
        return digits[self._in_words(digits)] if len(digits) else digits

    def shorten(self) -> Positions:
        """A letter written several times in a row is written once; where it stood three times or
        more."""
        same = np.zeros(len(self.values), np.bool_)
        np.equal(self.values[1:], self.values[:-1], out=same[1:])
        same &= ~self.words
        same[1:] &= self.kept[:-1]
        same &= self.kept
        others = (same & ~self.letter).nonzero()[0]
        if len(others):
            same[others[~self._in_words(others)]] = False
        self.kept &= ~same
        thrice = same[1:] & same[:-1]
        thrice[:-1] &= ~same[2:]
        last: Positions = thrice.nonzero()[0] + 1
        return last

    def _in_words(self, places: Positions) -> Flags:
        """For each of these whether its word has any letters."""
        begins = _edges(self.words.nonzero()[0], len(self.values))
        word = begins.searchsorted(places, "right")
        letters = self.letter.nonzero()[0]
        found: Flags = letters.searchsorted(begins[word]) > letters.searchsorted(begins[word - 1])
        return found


def _scattered(
    places: Positions, at: Positions, starts: Positions, single: Positions, bounds: Positions
) -> Flags:
    """For each stretch whether its text has SCATTERED or more stretches of a single letter, of
    those in `single`, right between two Han characters, and one in APART of all that it has.
    """
    here = at[starts[single]]
    tight = (places[here] - places[here - 1] == 1) & (places[here + 1] - places[here] == 1)
    rows = bounds.searchsorted(here[tight], "right") - 1
    strays = np.bincount(rows, minlength=len(bounds) - 1)
    many = (strays >= SCATTERED) & (strays * APART >= np.diff(bounds))
    found: Flags = many[bounds.searchsorted(at[starts], "right") - 1]
    return found


def _edges(starts: Positions, stop: int) -> Positions:
    """The starts, and where the last of them ends."""
    out = np.empty(len(starts) + 1, np.int64)
    out[:-1], out[-1] = starts, stop
    return out
