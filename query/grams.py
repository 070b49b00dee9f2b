"""What verification compares: the sets of short and long grams of texts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from indexer.boilerplate import NOTHING, Boilerplate
from indexer.text import Prepared, prepare_all
from indexer.text.hashing import Hashes, HashRows, spell
from indexer.text.ragged import Number, Positions, Ragged
from mappings.plan import Plan
from query.gram_batch import GramBatch, as_string, decoded
from query.gram_batch import Kind as Kind
from query.shared_grams import GramSet, common_in_bags, common_in_halves, distinct_counts

_LETTER_BITS: Final = 10
_HALF_BITS: Final = 13
"""Letters and syllables, and letters of halves, that agree in so many low bits count as one."""

_Count = Callable[[Hashes, Hashes, Positions, Positions, int, Positions], None]


class Features:
    """One text of a batch. A pair is compared by words only when both texts are written with
    spaces, so every gram set exists by words and by syllables, computed when first asked for.
    """

    __slots__ = (
        *("_counts", "_different", "_letters", "_met", "_places", "_sets", "_sounds"),
        *("batch", "length", "row", "spaced"),
    )

    def __init__(self, batch: GramBatch, row: int, spaced: bool, length: int) -> None:
        self.batch, self.row = batch, row
        self.spaced = spaced
        """Whether it is read by words."""
        self.length = length
        """Letters and digits outside of boilerplate."""
        self._sets: dict[tuple[Kind, bool], GramSet] = {}
        self._different: dict[tuple[Kind, bool], int] = {}
        self._counts: dict[tuple[Kind, bool], dict[Features, int]] = {}
        self._met: Sequence[Features] = ()
        self._places: dict[Features, int] = {}
        self._letters: str | None = None
        self._sounds: tuple[str | None] | None = None

    def is_same(self, other: Features) -> bool:
        """Whether the exact forms are equal; those of texts of other letters never are."""
        if self.given != other.given:
            return False
        left, right = (text.batch.prepared.literal.folded[text.row] for text in (self, other))
        if left.tobytes() != right.tobytes():
            return False
        return self.batch.identity(self.row) == other.batch.identity(other.row)

    def grams(self, kind: Kind, spaced: bool) -> GramSet:
        """The different grams of a kind; by words or by syllables."""
        found = self._sets.get((kind, spaced))
        if found is None:
            found = self._sets[kind, spaced] = GramSet(self.batch.of_row(kind, spaced, self.row))
        return found

    def different(self, kind: Kind, spaced: bool) -> int:
        """How many different grams of a kind there are."""
        found = self._different.get((kind, spaced))
        if found is None:
            found = self._different[kind, spaced] = len(self.grams(kind, spaced))
        return found

    def amount(self, kind: Kind, spaced: bool) -> int:
        """How many grams there are, repeats included."""
        return self.batch.amount(kind, spaced, self.row)

    @property
    def text(self) -> str:
        """What was given."""
        return decoded(self.batch.prepared.original[self.row])

    @property
    def given(self) -> int:
        """Letters and digits of the text as it was given."""
        return self.batch.given[self.row]

    @property
    def whole(self) -> int:
        """Letters and digits."""
        return self.batch.wholes[self.row]

    @property
    def letters(self) -> str:
        """The letters and digits themselves."""
        if self._letters is None:
            if self.batch.mask is None:
                low, high = self.batch.prepared.folded.bounds[self.row : self.row + 2].tolist()
                self._letters = self.batch.letters[low:high]
            else:
                codes = self._clear(self.batch.prepared.folded, Kind.CHARACTERS, False)
                self._letters = decoded(codes)
        return self._letters

    def units(self, spaced: bool) -> list[int]:
        """Syllables, or words as hashes, in text order, without boilerplate."""
        units: list[int] = self._unit_values(spaced).tolist()
        return units

    @property
    def sounds(self) -> str | None:
        """The syllables as one string, a character each, which is compared ten times faster than
        a list. They take the place of the private characters at the end of Unicode; None for a
        text that has such characters, or units that are no syllables.
        """
        if self._sounds is None:
            self._sounds = (as_string(self._unit_values(spaced=False)),)
        return self._sounds[0]

    def _unit_values(self, spaced: bool) -> Hashes:
        return self._clear(self.batch.streams(spaced).units, Kind.UNITS, spaced)

    def sentences(self, spaced: bool) -> Positions:
        """The number of the sentence that each unit stands in, ascending."""
        numbers: Positions = self.batch.sentences(spaced)[self.row]
        return numbers

    def size(self, spaced: bool) -> int:
        """Syllables and other units, or words."""
        return self.batch.sizes(spaced)[self.row]

    def places_in_both(
        self, other: Features, kind: Kind, spaced: bool
    ) -> tuple[Positions, Positions]:
        """Where the grams that the two texts share begin in either, in units from its beginning."""
        grams, others = (text.batch.of_row(kind, spaced, text.row) for text in (self, other))
        here, there = np.empty(len(grams), np.int64), np.empty(len(others), np.int64)
        counts = self.grams(kind, spaced).places_in_both(grams, others, here, there)
        return (
            self._starts(here[: counts[0]], kind, spaced),
            other._starts(there[: counts[1]], kind, spaced),
        )

    def places_of(self, wanted: GramSet, kind: Kind, spaced: bool) -> Positions:
        """Where grams of a set begin, in units from the beginning of the text."""
        return self._starts(self.positions_of(wanted, kind, spaced), kind, spaced)

    def _starts(self, found: Positions, kind: Kind, spaced: bool) -> Positions:
        """Where these of its grams begin."""
        if self.batch.mask is None:
            return found
        return self.batch.starts(kind, spaced, self.row)[found]

    def positions_of(self, wanted: GramSet, kind: Kind, spaced: bool) -> Positions:
        """Which grams, in text order without those of boilerplate, are in a set."""
        grams = self.batch.of_row(kind, spaced, self.row)
        out = np.empty(len(grams), np.int64)
        return out[: wanted.places(grams, out)]

    def original(self, start: int, stop: int, spaced: bool) -> tuple[int, int]:
        """Units [start, stop) as characters of the text as it was given."""
        prepared, row = self.batch.prepared, self.row
        begin = int(self.batch.streams(spaced).units.bounds[row])
        first, last = begin + start, begin + stop
        if spaced:
            words, end = self.batch.words, len(prepared.places)
            first, last = (words.item(at) if at < len(words) else end for at in (first, last))
        low, high = prepared.folded_span(first, last)
        offset = int(prepared.original.bounds[row])
        return low - offset, high - offset

    def boilerplate_passage_keys(self) -> frozenset[str]:
        """The passage keys that shingles touching boilerplate may make."""
        if not self.boilerplate():
            return frozenset()
        return frozenset(spell(self.batch.boilerplate_shingles(self.spaced)[self.row]))

    def boilerplate(self) -> int:
        """Letters and digits that have no say."""
        return self.batch.masked[self.row]

    def _clear(self, rows: Ragged[Number], kind: Kind, spaced: bool) -> npt.NDArray[Number]:
        mask = self.batch.unit_mask(kind, spaced)
        values = rows[self.row]
        if mask is None:
            return values
        return values[~mask[rows.bounds[self.row] : rows.bounds[self.row + 1]]]

    def meet(self, others: Sequence[Features]) -> None:
        """Announce the texts that this one will be compared with: the grams of a kind that it
        shares with any of them are counted for all of them in one pass.
        """
        self._counts.clear()
        self._places.clear()
        self._met = others

    def keep(self, others: Sequence[Features]) -> None:
        """Of those that were announced only these are compared further."""
        self._met = others

    def common(self, other: Features, kind: Kind, spaced: bool) -> int:
        """How many distinct grams the two texts share."""
        counts = self._counts.get((kind, spaced))
        if counts is None or other not in counts:
            counts = self._count(self._met_with(other, spaced), kind, spaced)
        return counts[other]

    def commons(self, others: Sequence[Features], kind: Kind, spaced: bool) -> list[int]:
        """The same for several texts, counted in one pass."""
        counts = self._count(others, kind, spaced)
        return [counts[other] for other in others]

    def places_in(self, others: Sequence[Features]) -> list[int]:
        """In how many places of other texts short grams of syllables begin that this one has, too;
        of texts whose common grams were counted."""
        return [self._places[other] for other in others]

    def compared(self, other: Features, kind: Kind, spaced: bool) -> tuple[int, int, int]:
        """How many distinct grams the two texts share, and how many either has."""
        counts = self._counts.get((kind, spaced), {})
        if other not in counts or (kind, spaced) not in other._different:
            counts = self._count(self._met_with(other, spaced), kind, spaced, different=True)
        return counts[other], self.different(kind, spaced), other._different[kind, spaced]

    def _met_with(self, other: Features, spaced: bool) -> Sequence[Features]:
        """Those that were announced and are read alike, if the other text is one of them."""
        met = [text for text in self._met if (self.spaced and text.spaced) == spaced]
        return met if other in met else [other]

    def _count(
        self, others: Sequence[Features], kind: Kind, spaced: bool, different: bool = False
    ) -> dict[Features, int]:
        """Count the grams shared with those that were not counted yet; their different grams, too,
        where these are asked for.
        """
        key, own = (kind, spaced), self.grams(kind, spaced)
        counts = self._counts.setdefault(key, {})
        missing = [
            other
            for other in others
            if other not in counts or (different and key not in other._different)
        ]
        for texts, grams, rows in _grams_of(missing, kind, spaced):
            found = np.empty((2, len(rows)), np.int64)
            own.common(grams.values, grams.bounds, rows, found.reshape(-1))
            numbers, places = found.tolist()
            counts.update(zip(texts, numbers, strict=True))
            if kind is Kind.UNITS and not spaced:
                self._places.update(zip(texts, places, strict=True))
            if different:
                _note_different(texts, kind, spaced, grams, rows)
        return counts

    def in_bags(self, others: Sequence[Features], kind: Kind) -> list[int]:
        """At most how many letters (Kind.CHARACTERS), or syllables, the text and each of several
        others have in common, wherever these stand."""
        return self._in_common(common_in_bags, others, kind, _LETTER_BITS)

    def in_halves(self, others: Sequence[Features]) -> list[int]:
        """The same of letters that stand in the same half: that of this text is its middle, others
        are cut wherever they have most in common with it."""
        return self._in_common(common_in_halves, others, Kind.CHARACTERS, _HALF_BITS)

    def _in_common(
        self, count: _Count, others: Sequence[Features], kind: Kind, bits: int
    ) -> list[int]:
        if not others:
            return []
        own = self.batch.stream(kind, False)[self.row]
        counts: dict[Features, int] = {}
        for texts in _by_batch(others):
            stream, found = texts[0].batch.stream(kind, False), np.empty(len(texts), np.int64)
            rows = np.array([text.row for text in texts], np.int64)
            count(own, stream.values, stream.bounds, rows, bits, found)
            counts.update(zip(texts, found.tolist(), strict=True))
        return [counts[other] for other in others]


def count_different(texts: Sequence[Features], kind: Kind, spaced: bool) -> None:
    """See `Features.different`: of several texts counted in one pass."""
    unknown = [text for text in texts if (kind, spaced) not in text._different]
    for some, grams, rows in _grams_of(unknown, kind, spaced):
        _note_different(some, kind, spaced, grams, rows)


def _grams_of(
    texts: Sequence[Features], kind: Kind, spaced: bool
) -> Iterator[tuple[list[Features], HashRows, Positions]]:
    """The texts of each batch, rows of grams, and which of these are theirs."""
    for some in _by_batch(texts):
        yield some, *some[0].batch.some(kind, spaced, [text.row for text in some])


def _note_different(
    texts: Sequence[Features], kind: Kind, spaced: bool, grams: HashRows, rows: Positions
) -> None:
    found = np.empty(len(rows), np.int64)
    distinct_counts(grams.values, grams.bounds, rows, found)
    for text, count in zip(texts, found.tolist(), strict=True):
        text._different[kind, spaced] = count


def _by_batch(texts: Sequence[Features]) -> list[list[Features]]:
    batches: dict[GramBatch, list[Features]] = {}
    for text in texts:
        batches.setdefault(text.batch, []).append(text)
    return list(batches.values())


def features_all(
    texts: Sequence[str], plan: Plan, boilerplate: Boilerplate = NOTHING
) -> list[Features]:
    """The features of texts, computed together; grams that touch `boilerplate` are left out."""
    return features_of_prepared(prepare_all(texts, plan), plan, boilerplate)


def features_of_prepared(
    prepared: Prepared, plan: Plan, boilerplate: Boilerplate = NOTHING
) -> list[Features]:
    """The features of texts that are prepared already."""
    batch = GramBatch(prepared, plan, boilerplate)
    return [
        Features(batch, row, spaced, length)
        for row, (spaced, length) in enumerate(zip(batch.spaced, batch.clear, strict=True))
    ]
