"""What verification compares: the sets of short and long grams of texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from indexer.boilerplate import NOTHING, Boilerplate, Mask, mask_of
from indexer.fingerprints.exact import identity, text_hashes
from indexer.fingerprints.sentences import clear_ends
from indexer.text import Prepared, Streams, prepare_all, spaced_rows
from indexer.text.hashing import Hashes, HashRows, distinct, shared, shingle_rows, spell
from indexer.text.ragged import Number, Positions, Ragged, ragged
from indexer.text.streams import word_starts
from indexer.text.table import LIMIT
from mappings.plan import Plan
from query.clear_grams import are_clear
from query.shared_grams import Counts, common_in_bags, shared_by_rows, which_are_in

_SEED = 0
_PRIVATE = 0xF0000  # from here on Unicode has characters of private use only


class Kind(IntEnum):
    """The gram sets of a text."""

    CHARACTERS = 0
    UNITS = 1  # syllables, or words
    LONG = 2  # long grams of units
    RUNS = 3  # longer ones, whose places count

    __hash__ = int.__hash__  # that of an enum is a function of Python


_SCREENED: Final = (Kind.UNITS, Kind.LONG)
"""What every candidate is looked at by; the other kinds are for those that pass."""


@dataclass(frozen=True)
class _Batch:
    """Gram hashes of texts prepared together, computed when first asked for."""

    prepared: Prepared
    plan: Plan
    boilerplate: Boilerplate = NOTHING
    _rows: dict[tuple[Kind, bool], HashRows] = field(default_factory=dict)
    _alone: dict[tuple[Kind, bool, int], tuple[Hashes, Positions]] = field(default_factory=dict)
    _identities: dict[int, str] = field(default_factory=dict)
    _views: dict[bool, Streams] = field(default_factory=dict)
    _touched: dict[bool, HashRows] = field(default_factory=dict)
    _sentences: dict[bool, Ragged[np.int64]] = field(default_factory=dict)

    def identity(self, row: int) -> str:
        """What equal texts have in common, made when first asked for; see `Features.is_same`."""
        if row not in self._identities:
            (text_hash,) = text_hashes(self.prepared.select(np.array([row])))
            self._identities[row] = identity(self.prepared, row, text_hash)
        return self._identities[row]

    @cached_property
    def spaced(self) -> list[bool]:
        """For each text whether it is read by words."""
        spaced: list[bool] = spaced_rows(self.prepared).tolist()
        return spaced

    @cached_property
    def wholes(self) -> list[int]:
        """For each text its letters and digits."""
        lengths: list[int] = self.prepared.folded.lengths.tolist()
        return lengths

    @cached_property
    def clear(self) -> list[int]:
        """The same outside of boilerplate."""
        return [whole - lost for whole, lost in zip(self.wholes, self.masked, strict=True)]

    @cached_property
    def given(self) -> list[int]:
        """The same of the texts as they were given."""
        lengths: list[int] = self.prepared.literal.folded.lengths.tolist()
        return lengths

    @cached_property
    def masked(self) -> list[int]:
        """For each text the letters and digits that stand in boilerplate."""
        if self.mask is None:
            return [0] * len(self.prepared)
        before = np.zeros(len(self.mask) + 1, np.int64)
        np.cumsum(self.mask, out=before[1:])
        counts: list[int] = np.diff(before[self.prepared.folded.bounds]).tolist()
        return counts

    def rows(self, kind: Kind, spaced: bool) -> HashRows:
        """The gram hashes of all texts, without those that touch boilerplate."""
        key = (kind, spaced)
        if key not in self._rows:
            units = self.stream(kind, spaced)
            self._rows[key] = self._grams(units, self.unit_mask(kind, spaced), kind, spaced)[0]
        return self._rows[key]

    def of_row(self, kind: Kind, spaced: bool, row: int) -> Hashes:
        """The gram hashes of one text. Of the kinds that few texts are asked for, only its own are
        made."""
        rows = self._rows.get((kind, spaced))
        if rows is not None or len(self.prepared) == 1 or (kind in _SCREENED and not spaced):
            return self.rows(kind, spaced)[row]
        return self._own(kind, spaced, row)[0]

    def some(self, kind: Kind, spaced: bool, rows: list[int]) -> HashRows:
        """The gram hashes of some texts, in the order of `rows`."""
        if rows == list(range(len(self.prepared))):
            return self.rows(kind, spaced)
        of_all = (kind, spaced) in self._rows or (kind in _SCREENED and not spaced)
        if of_all or 2 * len(rows) >= len(self.prepared):
            return self.rows(kind, spaced).select(np.array(rows, np.int64))
        return ragged([self._own(kind, spaced, row)[0] for row in rows])

    def starts(self, kind: Kind, spaced: bool, row: int) -> Positions:
        """Where each gram of a text begins, in units from the beginning of the text."""
        return self._own(kind, spaced, row)[1]

    def _own(self, kind: Kind, spaced: bool, row: int) -> tuple[Hashes, Positions]:
        key = (kind, spaced, row)
        if key not in self._alone:
            units, mask = self.stream(kind, spaced), self.unit_mask(kind, spaced)
            low, high = units.bounds[row : row + 2].tolist()
            own = Ragged(units.values[low:high], np.array([0, high - low], np.int64))
            rows, starts = self._grams(own, None if mask is None else mask[low:high], kind, spaced)
            self._alone[key] = rows.values, starts
        return self._alone[key]

    def stream(self, kind: Kind, spaced: bool) -> HashRows:
        """What the grams of a kind are made of."""
        streams = self.streams(spaced)
        return streams.characters if kind is Kind.CHARACTERS else streams.units

    def _grams(
        self, units: HashRows, mask: Mask | None, kind: Kind, spaced: bool
    ) -> tuple[HashRows, Positions]:
        """The hashes of the grams of some rows that touch nothing masked, and where they begin; a
        start for each only of a single row."""
        width = self.width(kind, spaced)
        rows = shingle_rows(units, width, _SEED)
        if mask is None or not np.count_nonzero(mask):
            return rows, np.arange(len(rows.values))
        clear = are_clear(mask, units, width)
        return rows.kept(clear), clear.nonzero()[0]

    @cached_property
    def mask(self) -> Mask | None:
        """Which folded codes stand in boilerplate; None when none do."""
        return mask_of(self.prepared, self.plan, self.boilerplate)

    def unit_mask(self, kind: Kind, spaced: bool) -> Mask | None:
        """The same mask by units: words instead of letters in scripts with spaces."""
        if self.mask is None or kind is Kind.CHARACTERS or not spaced:
            return self.mask
        places = self.prepared.places
        return self.mask[np.searchsorted(places, word_starts(self.prepared))]

    def boilerplate_shingles(self, spaced: bool) -> HashRows:
        """Hashes of the shingles behind passage keys, those alone that touch boilerplate."""
        if spaced not in self._touched:
            streams, part = self.streams(spaced), self.plan.passages
            rows, mask = streams.unit_shingles(part), self.unit_mask(Kind.UNITS, spaced)
            width = part.spaced_shingle if spaced else part.shingle
            if mask is None:
                mask = np.zeros(len(streams.units.values), np.bool_)
            clear = are_clear(mask, streams.units, width)
            self._touched[spaced] = rows.kept(~clear)
        return self._touched[spaced]

    def sentences(self, spaced: bool) -> Ragged[np.int64]:
        """The number of the sentence that each unit stands in."""
        if spaced not in self._sentences:
            units, places = self.streams(spaced).units, np.arange(len(self.prepared.folded.values))
            if spaced:
                places = np.searchsorted(self.prepared.places, word_starts(self.prepared))
            numbers = np.searchsorted(clear_ends(self.prepared), places, "right")
            self._sentences[spaced] = Ragged(numbers, units.bounds)
        return self._sentences[spaced]

    def streams(self, spaced: bool) -> Streams:
        if spaced not in self._views:
            self._views[spaced] = Streams(self.prepared, self.plan, spaced)
        return self._views[spaced]

    def width(self, kind: Kind, spaced: bool) -> int:
        limits = self.plan.thresholds
        if spaced:
            return (limits.spaced_gram, limits.word_gram, limits.word_passage, limits.run)[kind]
        return (limits.gram, limits.gram, limits.passage, limits.run)[kind]


@dataclass(frozen=True, eq=False)  # equal to itself alone
class Features:
    """One text of a batch. A pair is compared by words only when both texts are written with
    spaces, so every gram set exists by words and by syllables, computed when first asked for.
    """

    batch: _Batch
    row: int

    @cached_property  # few of the texts that are compared need them
    def _sets(self) -> dict[tuple[Kind, bool], Hashes]:
        return {}

    @cached_property
    def _counts(self) -> dict[tuple[Kind, bool], dict[Features, int]]:
        return {}

    @cached_property
    def _met(self) -> list[Features]:
        return []

    def is_same(self, other: Features) -> bool:
        """Whether the exact forms are equal; those of texts of different lengths never are."""
        same_length = self.given == other.given
        return same_length and self.batch.identity(self.row) == other.batch.identity(other.row)

    @property
    def spaced(self) -> bool:
        """Whether it is read by words."""
        return self.batch.spaced[self.row]

    def grams(self, kind: Kind, spaced: bool) -> Hashes:
        """One gram set, sorted and distinct; by words or by syllables."""
        key = (kind, spaced)
        if key not in self._sets:
            self._sets[key] = distinct(self.batch.of_row(kind, spaced, self.row).copy())
        return self._sets[key]

    def amount(self, kind: Kind, spaced: bool) -> int:
        """How many grams there are, repeats included."""
        return len(self.batch.of_row(kind, spaced, self.row))

    @property
    def given(self) -> int:
        """Letters and digits of the text as it was given."""
        return self.batch.given[self.row]

    @property
    def whole(self) -> int:
        """Letters and digits."""
        return self.batch.wholes[self.row]

    @property
    def length(self) -> int:
        """Letters and digits outside of boilerplate."""
        return self.batch.clear[self.row]

    @cached_property
    def letters(self) -> str:
        """The letters and digits themselves."""
        codes = self._clear(self.batch.prepared.folded, Kind.CHARACTERS, False)
        return codes.tobytes().decode("utf-32-le", "surrogatepass")

    def units(self, spaced: bool) -> list[int]:
        """Syllables, or words as hashes, in text order, without boilerplate."""
        units: list[int] = self._unit_values(spaced).tolist()
        return units

    @cached_property
    def sounds(self) -> str | None:
        """The syllables as one string, a character each, which is compared ten times faster than
        a list. They take the place of the private characters at the end of Unicode; None for a
        text that has such characters, or units that are no syllables.
        """
        units = self._unit_values(spaced=False)
        syllables = units >= np.uint64(LIMIT)
        codes = np.where(syllables, units - np.uint64(LIMIT - _PRIVATE), units)
        if (units[~syllables] >= _PRIVATE).any() or (codes >= LIMIT).any():
            return None
        return codes.astype(np.uint32).tobytes().decode("utf-32-le", "surrogatepass")

    def _unit_values(self, spaced: bool) -> Hashes:
        return self._clear(self.batch.streams(spaced).units, Kind.UNITS, spaced)

    def sentences(self, spaced: bool) -> Positions:
        """The number of the sentence that each unit stands in, ascending."""
        numbers: Positions = self.batch.sentences(spaced)[self.row]
        return numbers

    def size(self, spaced: bool) -> int:
        """Syllables and other units, or words."""
        return int(self.batch.streams(spaced).units.lengths[self.row])

    def places_of(self, wanted: Hashes, kind: Kind, spaced: bool) -> Positions:
        """Where grams of a sorted set begin, in units from the beginning of the text."""
        starts = self.batch.starts(kind, spaced, self.row)
        return starts[self.which_are(wanted, kind, spaced)]

    def which_are(self, wanted: Hashes, kind: Kind, spaced: bool) -> Mask:
        """Which grams, in text order without those of boilerplate, are in a sorted set."""
        return which_are_in(wanted, self.batch.of_row(kind, spaced, self.row))

    def original(self, start: int, stop: int, spaced: bool) -> tuple[int, int]:
        """Units [start, stop) as characters of the text as it was given."""
        prepared, units = self.batch.prepared, self.batch.streams(spaced).units
        first, last = units.bounds[self.row] + (start, stop)
        if spaced:
            words = np.append(word_starts(prepared), len(prepared.codes))
            first, last = np.searchsorted(prepared.places, words[[first, last]])
        low, high = prepared.folded_span(int(first), int(last))
        offset = int(prepared.original.bounds[self.row])
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
        self._met[:] = others

    def keep(self, others: Sequence[Features]) -> None:
        """Of those that were announced only these are compared further."""
        self._met[:] = others

    def common(self, other: Features, kind: Kind, spaced: bool) -> int:
        """How many distinct grams the two texts share."""
        counts = self._counts.setdefault((kind, spaced), {})
        if other not in counts and self._met:
            met = [text for text in self._met if (self.spaced and text.spaced) == spaced]
            self._count(met, kind, spaced)
        if other in counts:
            return counts[other]
        return shared(self.grams(kind, spaced), other.grams(kind, spaced))

    def commons(self, others: Sequence[Features], kind: Kind, spaced: bool) -> Counts:
        """The same for several texts that were announced, counted in one pass."""
        self._count(others, kind, spaced)
        counts = self._counts[kind, spaced]
        return np.array([counts[other] for other in others], np.int64)

    def _count(self, others: Sequence[Features], kind: Kind, spaced: bool) -> None:
        """Count the grams shared with those that were not counted yet."""
        counts = self._counts.setdefault((kind, spaced), {})
        missing = [other for other in others if other not in counts]
        for texts in _by_batch(missing):
            rows = texts[0].batch.some(kind, spaced, [text.row for text in texts])
            found = shared_by_rows(self.grams(kind, spaced), rows)
            counts.update(zip(texts, found.tolist(), strict=True))

    def in_bags(self, others: Sequence[Features], kind: Kind) -> Counts:
        """At most how many letters (Kind.CHARACTERS), or syllables, the text and each of several
        others have in common, wherever these stand."""
        own = self.batch.stream(kind, False)[self.row]
        out = np.zeros(len(others), np.int64)
        places = {other: place for place, other in enumerate(others)}
        for texts in _by_batch(others):
            rows = texts[0].batch.stream(kind, False).select(np.array([t.row for t in texts]))
            out[[places[text] for text in texts]] = common_in_bags(own, rows)
        return out


def _by_batch(texts: Sequence[Features]) -> list[list[Features]]:
    batches: dict[int, list[Features]] = {}
    for text in texts:
        batches.setdefault(id(text.batch), []).append(text)
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
    batch = _Batch(prepared, plan, boilerplate)
    return [Features(batch, row) for row in range(len(prepared))]
