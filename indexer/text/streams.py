"""The feature streams of prepared texts: characters, units of sound, words.

Scripts that put spaces between words (Latin, Cyrillic, ...) are read by words where Chinese is
read by syllables; a text belongs to the kind of which it has more units.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Final, Protocol

import numpy as np
import numpy.typing as npt

from indexer.cached import cached_property
from indexer.text.hashing import HashRows, mix, shingle_rows
from indexer.text.kernels import compiled
from indexer.text.preparation import Prepared
from indexer.text.ragged import Positions, Ragged
from indexer.text.segment import segmenter
from indexer.text.table import DIGIT, LETTER, LIMIT, OTHER, UNIT, Codes
from indexer.text.word_edges import word_edges
from indexer.text.words import Words, words_between
from mappings.errors import PlanMismatch
from mappings.plan import Plan

_POWERS: Final = np.cumprod(np.full(64, 0x9E3779B97F4A7C15, np.uint64))


class ShinglePlan(Protocol):
    """The numbers of a scheme that works on shingles."""

    @property
    def shingle(self) -> int: ...
    @property
    def spaced_shingle(self) -> int: ...
    @property
    def seed(self) -> int: ...


@dataclass(frozen=True)
class Streams:
    """Views of prepared texts of one kind: read by words when `spaced`, else by syllables.

    Each view is computed on first use, with one row per text. Words that are looked up, in
    statistics or among stop words, are those of the texts before the skeleton.
    """

    prepared: Prepared
    plan: Plan
    spaced: bool
    _shingles: dict[tuple[bool, int, int], HashRows] = field(default_factory=dict)

    @cached_property
    def characters(self) -> HashRows:
        """Letters and digits, as code points."""
        folded = self.prepared.folded
        return Ragged(folded.values.astype(np.uint64), folded.bounds)

    @cached_property
    def units(self) -> HashRows:
        """Syllables without tone in Chinese; hashed words in spaced scripts."""
        if self.spaced:
            return _spaced_words(self.prepared)
        folded = self.prepared.folded
        if self.plan.syllables != "table":
            syllables = _phrase_syllables(self.prepared, self.plan.syllables)
        else:
            syllables = self.prepared.table.syllable.take(folded.values, mode="clip")
        return Ragged(syllables.astype(np.uint64), folded.bounds)

    @cached_property
    def hashed_words(self) -> Words:
        """The tokens of the plan's segmenter that begin with a letter or digit, hashed with the
        seed of the simhash.
        """
        return self._words_of(self.prepared.literal)

    @cached_property
    def skeleton_words(self) -> Words:
        """The same of the skeletons."""
        if self.prepared.before is None:
            return self.hashed_words
        return self._words_of(self.prepared)

    def _words_of(self, prepared: Prepared) -> Words:
        text = prepared.codes.tobytes().decode("utf-32-le")
        edges, rows = word_edges(prepared.rows, text, segmenter(self.plan))
        begins = prepared.kinds.take(edges[:-1]) != OTHER
        return words_between(text, edges, rows, self.plan.simhash.seed, begins)

    @cached_property
    def word_counts(self) -> list[Counter[str]]:
        """How often each token of the plan's segmenter occurs, punctuation included."""
        return [Counter(self.words(row)) for row in range(len(self.prepared))]

    def words(self, row: int) -> list[str]:
        """The tokens of the plan's segmenter in text order, punctuation included."""
        return segmenter(self.plan)(self.prepared.literal.text(row))

    def character_shingles(self, part: ShinglePlan) -> HashRows:
        """Shingles of letters and digits; longer in spaced scripts, whose alphabets are small."""
        return self._shingled(self.characters, False, part)

    def unit_shingles(self, part: ShinglePlan) -> HashRows:
        """Shingles of syllables (of words in spaced scripts), in text order."""
        return self._shingled(self.units, True, part)

    def _shingled(self, stream: HashRows, of_units: bool, part: ShinglePlan) -> HashRows:
        width = part.spaced_shingle if self.spaced else part.shingle
        key = (of_units, width, part.seed)
        if key not in self._shingles:
            self._shingles[key] = shingle_rows(stream, width, part.seed)
        return self._shingles[key]


def spaced_rows(prepared: Prepared) -> npt.NDArray[np.bool_]:
    """For each text, whether most of its units are words separated by spaces."""
    bounds, out = prepared.rows.bounds, np.zeros(len(prepared), np.bool_)
    if compiled is not None:
        compiled.spaced(prepared.kinds, bounds, out)
        return out
    places = (prepared.kinds == UNIT).nonzero()[0].searchsorted(bounds)
    units = places[1:] - places[:-1]
    # fewer letters than units means fewer words than units, which settles most texts
    for row in (units * 2 < prepared.folded.lengths).nonzero()[0].tolist():
        kinds = prepared.kinds[bounds[row] : bounds[row + 1]]
        inside = (kinds == LETTER) | (kinds == DIGIT)
        words = np.count_nonzero(inside[1:] & ~inside[:-1]) + int(inside[0])
        out[row] = words > units[row]
    return out


def word_starts(prepared: Prepared) -> Positions:
    """The positions in the prepared codes where a word begins; each Han character is one."""
    kinds = prepared.kinds
    inside = (kinds == LETTER) | (kinds == DIGIT)
    begins = inside.copy()
    begins[1:] &= ~inside[:-1]
    bounds = prepared.rows.bounds[:-1]
    bounds = bounds[bounds < len(begins)]
    begins[bounds] = inside[bounds]
    starts: Positions = (begins | (kinds == UNIT)).nonzero()[0]
    return starts


def _spaced_words(prepared: Prepared) -> HashRows:
    """A hash per word."""
    starts, places = word_starts(prepared), prepared.places
    if not len(starts):
        return Ragged(np.zeros(0, np.uint64), prepared.folded.bounds)
    word = np.searchsorted(starts, places, "right") - 1
    terms = prepared.folded.values.astype(np.uint64)
    terms *= _POWERS[(places - starts[word]) % len(_POWERS)]
    hashes = mix(np.add.reduceat(terms, np.searchsorted(places, starts)))
    return Ragged(hashes, np.searchsorted(starts, prepared.rows.bounds))


def _phrase_syllables(prepared: Prepared, readings_of: str) -> Codes:
    """Readings by phrase (了解 le/liao): slower, and tied to one version of pypinyin.

    Raises PlanMismatch when another version is installed.
    """
    if readings_of != f"pypinyin-{version('pypinyin')}":
        raise PlanMismatch(
            f"the plan reads syllables by {readings_of}, installed is pypinyin "
            f"{version('pypinyin')}; install the plan's version, or run 'dupdex rebuild' with "
            "another plan"
        )
    from pypinyin import Style, lazy_pinyin

    table, folded = prepared.table, prepared.folded
    number = {name: i for i, name in enumerate(table.syllable_names)}
    out = table.syllable[folded.values].copy()
    for row in range(len(folded)):
        start = folded.bounds[row]
        text = folded[row].tobytes().decode("utf-32-le")
        readings = lazy_pinyin(text, style=Style.NORMAL, errors=list, v_to_u=False)  # type: ignore[arg-type]
        for place, reading in enumerate(readings, start):
            syllable = number.get(reading) if isinstance(reading, str) else None
            if syllable is not None and out[place] >= LIMIT:
                out[place] = LIMIT + syllable
    return out
