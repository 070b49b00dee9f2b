"""What is computed for all texts that were prepared together: gram hashes, letters, sounds."""

from __future__ import annotations

from enum import IntEnum
from typing import Final

import numpy as np

from indexer.boilerplate import NOTHING, Boilerplate, Mask, mask_of
from indexer.cached import cached_property
from indexer.fingerprints.exact import identity, text_hashes
from indexer.fingerprints.sentences import clear_ends
from indexer.text import Prepared, Streams, spaced_rows
from indexer.text.hashing import Hashes, HashRows, shingle_rows
from indexer.text.kernels import compiled
from indexer.text.ragged import Positions, Ragged
from indexer.text.skeleton import Undone
from indexer.text.streams import word_starts
from indexer.text.table import LIMIT, Codes
from mappings.plan import Plan
from query.clear_grams import are_clear

_SEED = 0
PRIVATE: Final = 0xF0000
"""From here on Unicode has characters of private use only, whose places syllables take."""


class Kind(IntEnum):
    """The gram sets of a text."""

    CHARACTERS = 0
    UNITS = 1  # syllables, or words
    LONG = 2  # long grams of units
    RUNS = 3  # longer ones, whose places count

    __hash__ = int.__hash__  # that of an enum is a function of Python


_SCREENED: Final = (Kind.UNITS, Kind.LONG)
"""What every candidate is looked at by; the other kinds are for those that pass."""

_LITTLE: Final = 10_000
"""Of so many letters grams are made in less time than some of them are chosen."""


_Alone = tuple[Hashes, Positions | None]
"""The gram hashes of one text, and where they begin if that is not one after the other."""


class GramBatch:
    """Gram hashes of texts prepared together, computed when first asked for.

    For each text: `spaced`: whether it is read by words; `wholes`: its letters and digits;
    `masked`: those that stand in boilerplate; `clear`: the others. `mask`: which folded codes
    stand in boilerplate, None when none do.
    """

    def __init__(self, prepared: Prepared, plan: Plan, boilerplate: Boilerplate = NOTHING) -> None:
        self.prepared, self.plan, self.boilerplate = prepared, plan, boilerplate
        self.spaced: list[bool] = spaced_rows(prepared).tolist()
        self.wholes: list[int] = prepared.folded.lengths.tolist()
        self.mask = mask_of(prepared, plan, boilerplate)
        self.masked = _counted(self.mask, prepared.folded.bounds)
        self.clear = [whole - lost for whole, lost in zip(self.wholes, self.masked, strict=True)]
        self._rows: dict[tuple[Kind, bool], HashRows] = {}
        self._alone: dict[tuple[Kind, bool, int], _Alone] = {}
        self._identities: dict[int, str] = {}
        self._views: dict[bool, Streams] = {}
        self._sizes: dict[bool, list[int]] = {}
        self._touched: dict[bool, HashRows] = {}
        self._sentences: dict[bool, Ragged[np.int64]] = {}

    def identity(self, row: int) -> str:
        """What equal texts have in common, made when first asked for; see `Features.is_same`."""
        if row not in self._identities:
            (text_hash,) = text_hashes(self.prepared.select(np.array([row])))
            self._identities[row] = identity(self.prepared, row, text_hash)
        return self._identities[row]

    @cached_property
    def given(self) -> list[int]:
        """For each text the letters and digits that it was given with."""
        lengths: list[int] = self.prepared.literal.folded.lengths.tolist()
        return lengths

    @cached_property
    def letters(self) -> str:
        """The letters and digits of all texts."""
        return decoded(self.prepared.folded.values)

    def undone(self, row: int) -> dict[Undone, int]:
        """How many places of a text its skeleton has undone in each way."""
        return {kind: counts[row] for kind, counts in self._undone.items() if counts[row]}

    @cached_property
    def _undone(self) -> dict[Undone, list[int]]:
        bounds = self.prepared.literal.rows.bounds
        return {
            kind: np.diff(places.searchsorted(bounds)).tolist()
            for kind, places in self.prepared.undone.items()
        }

    def rows(self, kind: Kind, spaced: bool) -> HashRows:
        """The gram hashes of all texts, without those that touch boilerplate."""
        rows = self._rows.get((kind, spaced))
        if rows is None:
            units, mask = self.stream(kind, spaced), self.unit_mask(kind, spaced)
            rows = self._rows[kind, spaced] = self._grams(units, mask, kind, spaced)[0]
        return rows

    def of_row(self, kind: Kind, spaced: bool, row: int) -> Hashes:
        """The gram hashes of one text; those of the others are not made when that takes longer."""
        if self.has_all(kind, spaced) or len(self.prepared) == 1:
            return self.rows(kind, spaced)[row]
        return self._own(kind, spaced, row)[0]

    def some(self, kind: Kind, spaced: bool, rows: list[int]) -> tuple[HashRows, Positions]:
        """The gram hashes of some texts: rows of them, and which of these are theirs, in order."""
        chosen = np.array(rows, np.int64)
        if self.has_all(kind, spaced) or 2 * len(rows) >= len(self.prepared):
            return self.rows(kind, spaced), chosen
        units, mask = self.stream(kind, spaced), self.unit_mask(kind, spaced)
        own = None if mask is None else Ragged(mask, units.bounds).select(chosen).values
        return self._grams(units.select(chosen), own, kind, spaced)[0], np.arange(len(rows))

    def has_all(self, kind: Kind, spaced: bool) -> bool:
        """Whether the grams of all texts are there, or are made when those of one are: of many
        texts, or long ones, those alone that every candidate is looked at by."""
        if (kind, spaced) in self._rows or len(self.prepared.folded.values) <= _LITTLE:
            return True
        return kind in _SCREENED and not spaced

    def amount(self, kind: Kind, spaced: bool, row: int) -> int:
        """How many gram hashes one text has."""
        if self.mask is not None:
            return len(self.of_row(kind, spaced, row))
        units = (self.wholes if kind is Kind.CHARACTERS else self.sizes(spaced))[row]
        return max(units - self.width(kind, spaced) + 1, min(units, 1))

    def sizes(self, spaced: bool) -> list[int]:
        """For each text its syllables and other units, or its words."""
        if spaced not in self._sizes:
            self._sizes[spaced] = self.streams(spaced).units.lengths.tolist()
        return self._sizes[spaced]

    def starts(self, kind: Kind, spaced: bool, row: int) -> Positions:
        """Where each gram of a text begins, in units from the beginning of the text."""
        starts = None if self.mask is None else self._own(kind, spaced, row)[1]
        return np.arange(len(self.of_row(kind, spaced, row))) if starts is None else starts

    def _own(self, kind: Kind, spaced: bool, row: int) -> _Alone:
        key = (kind, spaced, row)
        if key not in self._alone:
            units, mask = self.stream(kind, spaced), self.unit_mask(kind, spaced)
            low, high = units.bounds[row : row + 2].tolist()
            own = Ragged(units.values[low:high], np.array([0, high - low], np.int64))
            rows, clear = self._grams(own, None if mask is None else mask[low:high], kind, spaced)
            self._alone[key] = rows.values, None if clear is None else clear.nonzero()[0]
        return self._alone[key]

    def stream(self, kind: Kind, spaced: bool) -> HashRows:
        """What the grams of a kind are made of."""
        streams = self.streams(spaced)
        return streams.characters if kind is Kind.CHARACTERS else streams.units

    def _grams(
        self, units: HashRows, mask: Mask | None, kind: Kind, spaced: bool
    ) -> tuple[HashRows, Mask | None]:
        """The hashes of the grams of some rows that touch nothing masked; which of all grams these
        are, None for all."""
        width = self.width(kind, spaced)
        rows = shingle_rows(units, width, _SEED)
        if mask is None or not np.count_nonzero(mask):
            return rows, None
        clear = are_clear(mask, units, width)
        return rows.kept(clear), clear

    def unit_mask(self, kind: Kind, spaced: bool) -> Mask | None:
        """The same mask by units: words instead of letters in scripts with spaces."""
        if self.mask is None or kind is Kind.CHARACTERS or not spaced:
            return self.mask
        return self.mask[self.words]

    @cached_property
    def words(self) -> Positions:
        """Where the words of all texts begin, in letters and digits."""
        return self.prepared.places.searchsorted(word_starts(self.prepared))

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
            units = self.streams(spaced).units
            places = self.words if spaced else np.arange(len(self.prepared.folded.values))
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


def _counted(mask: Mask | None, bounds: Positions) -> list[int]:
    """For each row how many of its codes are masked."""
    if mask is None:
        return [0] * (len(bounds) - 1)
    before = np.zeros(len(mask) + 1, np.int64)
    np.cumsum(mask, out=before[1:])
    counts: list[int] = np.diff(before[bounds]).tolist()
    return counts


def as_string(units: Hashes) -> str | None:
    """See `Features.sounds`."""
    if compiled is not None:
        return compiled.as_string(units, LIMIT, PRIVATE)
    syllables = units >= np.uint64(LIMIT)
    codes = np.where(syllables, units - np.uint64(LIMIT - PRIVATE), units)
    if (units[~syllables] >= PRIVATE).any() or (codes >= LIMIT).any():
        return None
    return decoded(codes.astype(np.uint32))


def decoded(codes: Codes) -> str:
    return codes.tobytes().decode("utf-32-le", "surrogatepass")
