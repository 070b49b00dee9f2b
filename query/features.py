"""What verification compares: the sets of short and long grams of texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property

import numpy as np
import numpy.typing as npt

from indexer.fingerprints.exact import text_hashes
from indexer.hashing import Hashes, HashRows, distinct, shingle_rows
from indexer.prepare import Prepared, Streams, prepare_all, spaced_rows
from mappings.plan import Plan

_SEED = 0
_TABLE_SIZE = 1 << 18
_TABLE_MASK = np.uint64(_TABLE_SIZE - 1)


class Kind(IntEnum):
    """The three gram sets of a text."""

    CHARACTERS = 0
    UNITS = 1  # syllables, or words
    PASSAGES = 2  # long grams of units


@dataclass(frozen=True)
class _Batch:
    """Gram hashes of texts prepared together, computed when first asked for."""

    prepared: Prepared
    plan: Plan
    _rows: dict[tuple[Kind, bool], HashRows] = field(default_factory=dict)
    _views: dict[bool, Streams] = field(default_factory=dict)

    @cached_property
    def text_hashes(self) -> list[str]:
        return text_hashes(self.prepared)

    @cached_property
    def spaced(self) -> npt.NDArray[np.bool_]:
        return spaced_rows(self.prepared)

    def rows(self, kind: Kind, spaced: bool) -> HashRows:
        """The gram hashes of all texts."""
        key = (kind, spaced)
        if key not in self._rows:
            streams = self._streams(spaced)
            units = streams.characters if kind is Kind.CHARACTERS else streams.units
            self._rows[key] = shingle_rows(units, _width(kind, spaced, self.plan), _SEED)
        return self._rows[key]

    def _streams(self, spaced: bool) -> Streams:
        if spaced not in self._views:
            self._views[spaced] = Streams(self.prepared, self.plan, spaced)
        return self._views[spaced]


def _width(kind: Kind, spaced: bool, plan: Plan) -> int:
    limits = plan.thresholds
    if spaced:
        return (limits.spaced_gram, limits.word_gram, limits.word_passage)[kind]
    return (limits.gram, limits.gram, limits.passage)[kind]


@dataclass(frozen=True)
class Features:
    """One text of a batch. A pair is compared in words only when both texts are written with
    spaces, so every set can be had both ways; each is made when it is first asked for.
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

    def may_share(self, other: Features, kind: Kind, spaced: bool) -> int:
        """An upper bound of the grams both have, at a twentieth of the cost of the count."""
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


def features_of(text: str, plan: Plan) -> Features:
    """The features of one text under a plan."""
    return features_all([text], plan)[0]


def features_all(texts: Sequence[str], plan: Plan) -> list[Features]:
    """The features of texts, computed together."""
    return features_of_prepared(prepare_all(texts, plan), plan)


def features_of_prepared(prepared: Prepared, plan: Plan) -> list[Features]:
    """The features of texts that are prepared already."""
    batch = _Batch(prepared, plan)
    return [Features(batch, row) for row in range(len(prepared))]


def shared(left: Hashes, right: Hashes) -> int:
    """How many values two sorted sets have in common."""
    both = np.concatenate((left, right))
    both.sort(kind="stable")  # two sorted runs: a merge, ten times faster than a sort
    return int(np.count_nonzero(both[1:] == both[:-1]))
