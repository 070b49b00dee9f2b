"""What verification compares: the sets of short and long grams of texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property

import numpy as np
import numpy.typing as npt

from indexer.boilerplate import NOTHING, Boilerplate, Mask, mask_of
from indexer.fingerprints.exact import text_hashes
from indexer.model import Keys
from indexer.text import Prepared, Streams, prepare_all, spaced_rows
from indexer.text.hashing import Hashes, HashRows, distinct, shingle_rows, spell
from indexer.text.ragged import Number, Positions, Ragged
from indexer.text.streams import word_starts
from mappings.contract import Field
from mappings.plan import Plan

_SEED = 0
_TABLE_SIZE = 1 << 18
_TABLE_MASK = np.uint64(_TABLE_SIZE - 1)


class Kind(IntEnum):
    """The gram sets of a text."""

    CHARACTERS = 0
    UNITS = 1  # syllables, or words
    LONG = 2  # long grams of units
    RUNS = 3  # longer ones, whose places count


@dataclass(frozen=True)
class _Batch:
    """Gram hashes of texts prepared together, computed when first asked for."""

    prepared: Prepared
    plan: Plan
    boilerplate: Boilerplate = NOTHING
    _rows: dict[tuple[Kind, bool], HashRows] = field(default_factory=dict)
    _starts: dict[tuple[Kind, bool], Positions] = field(default_factory=dict)
    _views: dict[bool, Streams] = field(default_factory=dict)
    _touched: dict[bool, HashRows] = field(default_factory=dict)

    @cached_property
    def text_hashes(self) -> list[str]:
        return text_hashes(self.prepared)

    @cached_property
    def spaced(self) -> npt.NDArray[np.bool_]:
        return spaced_rows(self.prepared)

    def rows(self, kind: Kind, spaced: bool) -> HashRows:
        """The gram hashes of all texts, without those that touch boilerplate."""
        key = (kind, spaced)
        if key not in self._rows:
            streams = self.streams(spaced)
            units = streams.characters if kind is Kind.CHARACTERS else streams.units
            width = self.width(kind, spaced)
            rows = shingle_rows(units, width, _SEED)
            starts = _starts(rows)
            mask = self.unit_mask(kind, spaced)
            if mask is not None:
                clear = _is_clear(mask, units, rows, starts, width)
                rows, starts = rows.kept(clear), starts[clear]
            self._rows[key], self._starts[key] = rows, starts
        return self._rows[key]

    def starts(self, kind: Kind, spaced: bool) -> Ragged[np.int64]:
        """Where each gram begins, in units from the beginning of its text."""
        rows = self.rows(kind, spaced)
        return Ragged(self._starts[kind, spaced], rows.bounds)

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
            clear = _is_clear(mask, streams.units, rows, _starts(rows), width)
            self._touched[spaced] = rows.kept(~clear)
        return self._touched[spaced]

    def streams(self, spaced: bool) -> Streams:
        if spaced not in self._views:
            self._views[spaced] = Streams(self.prepared, self.plan, spaced)
        return self._views[spaced]

    def width(self, kind: Kind, spaced: bool) -> int:
        limits = self.plan.thresholds
        if spaced:
            return (limits.spaced_gram, limits.word_gram, limits.word_passage, limits.run)[kind]
        return (limits.gram, limits.gram, limits.passage, limits.run)[kind]


def _starts(rows: HashRows) -> Positions:
    """The place of each gram in its own row."""
    return np.arange(len(rows.values)) - np.repeat(rows.bounds[:-1], rows.lengths)


def _is_clear(mask: Mask, units: HashRows, rows: HashRows, starts: Positions, width: int) -> Mask:
    """Which grams touch no unit that is masked."""
    touched = np.zeros(len(mask) + 1, np.int64)
    np.cumsum(mask, out=touched[1:])
    first = starts + np.repeat(units.bounds[:-1], rows.lengths)
    last = np.minimum(first + width, np.repeat(units.bounds[1:], rows.lengths))
    clear: Mask = touched[last] == touched[first]
    return clear


@dataclass(frozen=True)
class Features:
    """One text of a batch. A pair is compared by words only when both texts are written with
    spaces, so every gram set exists by words and by syllables, computed when first asked for.
    """

    batch: _Batch
    row: int
    _sets: dict[tuple[Kind, bool], Hashes] = field(default_factory=dict)
    _tables: dict[tuple[Kind, bool], npt.NDArray[np.bool_]] = field(default_factory=dict)

    @property
    def text_hash(self) -> str:
        return self.batch.text_hashes[self.row]

    @property
    def spaced(self) -> bool:
        return bool(self.batch.spaced[self.row])

    def grams(self, kind: Kind, spaced: bool) -> Hashes:
        """One gram set, sorted and distinct; by words or by syllables."""
        key = (kind, spaced)
        if key not in self._sets:
            self._sets[key] = distinct(self.batch.rows(kind, spaced)[self.row].copy())
        return self._sets[key]

    @property
    def given(self) -> int:
        """Letters and digits of the text as it was given."""
        return int(self.batch.prepared.literal.folded.lengths[self.row])

    @property
    def whole(self) -> int:
        """Letters and digits."""
        return int(self.batch.prepared.folded.lengths[self.row])

    @property
    def length(self) -> int:
        """Letters and digits outside of boilerplate."""
        return self.whole - self.boilerplate()

    @cached_property
    def letters(self) -> str:
        """The letters and digits themselves."""
        codes = self._clear(self.batch.prepared.folded, Kind.CHARACTERS, False)
        return codes.tobytes().decode("utf-32-le", "surrogatepass")

    def units(self, spaced: bool) -> list[int]:
        """Syllables, or words as hashes, in text order, without boilerplate."""
        units: list[int] = self._clear(
            self.batch.streams(spaced).units, Kind.UNITS, spaced
        ).tolist()
        return units

    def covered(self, other: Features) -> int:
        """How many of the units stand in long runs that the other text has, too."""
        starts = self.places_of(other.grams(Kind.RUNS, spaced=False), Kind.RUNS, spaced=False)
        if not len(starts):
            return 0
        width = self.batch.width(Kind.RUNS, spaced=False)
        # each run adds its width, less what it has in common with the one before
        return int(np.minimum(np.diff(starts), width).sum()) + width

    def places_of(self, wanted: Hashes, kind: Kind, spaced: bool) -> Positions:
        """Where grams of a sorted set begin, in units from the beginning of the text."""
        starts: Positions = self.batch.starts(kind, spaced)[self.row][
            self.which_are(wanted, kind, spaced)
        ]
        return starts

    def which_are(self, wanted: Hashes, kind: Kind, spaced: bool) -> Mask:
        """Which grams, in text order without those of boilerplate, are in a sorted set."""
        grams = self.batch.rows(kind, spaced)[self.row]
        if not len(wanted):
            return np.zeros(len(grams), np.bool_)
        places = np.searchsorted(wanted, grams)
        places[places == len(wanted)] = 0
        shared: Mask = wanted[places] == grams
        return shared

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
        mask, bounds = self.batch.mask, self.batch.prepared.folded.bounds
        if mask is None:
            return 0
        return int(np.count_nonzero(mask[bounds[self.row] : bounds[self.row + 1]]))

    def _clear(self, rows: Ragged[Number], kind: Kind, spaced: bool) -> npt.NDArray[Number]:
        mask = self.batch.unit_mask(kind, spaced)
        values = rows[self.row]
        if mask is None:
            return values
        return values[~mask[rows.bounds[self.row] : rows.bounds[self.row + 1]]]

    def may_share(self, other: Features, kind: Kind, spaced: bool) -> int:
        """An upper bound of the number of shared grams, at a twentieth of the cost of counting."""
        hashes = other.batch.rows(kind, spaced)[other.row]
        return int(np.count_nonzero(self._table(kind, spaced)[hashes & _TABLE_MASK]))

    def _table(self, kind: Kind, spaced: bool) -> npt.NDArray[np.bool_]:
        """Which low bits occur in one gram set."""
        key = (kind, spaced)
        if key not in self._tables:
            table = np.zeros(_TABLE_SIZE, np.bool_)
            table[self.grams(kind, spaced) & _TABLE_MASK] = True
            self._tables[key] = table
        return self._tables[key]


def without_boilerplate(keys: Keys, *texts: Features) -> Keys:
    """The keys of one text, or the shared keys of two, without those that boilerplate makes in
    every one of the texts: a key that is boilerplate in one text alone still has a vote.
    """
    if not all(text.boilerplate() for text in texts):
        return keys
    dropped = {
        Field.SENTENCES: frozenset(texts[0].batch.boilerplate.sentences),
        Field.PASSAGE_KEYS: frozenset.intersection(*(t.boilerplate_passage_keys() for t in texts)),
    }
    kept = {
        name: tuple(term for term in terms if term not in dropped.get(name, ()))
        for name, terms in keys.items()
    }
    return {name: terms for name, terms in kept.items() if terms}


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
