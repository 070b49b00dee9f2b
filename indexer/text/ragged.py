"""Rows of different lengths in one array, so that a batch of texts is computed in one pass.

A NumPy call costs as much as its work on a thousand numbers, so texts are batched.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, Self, TypeVar

import numpy as np
import numpy.typing as npt

from indexer.cached import cached_property

Positions = npt.NDArray[np.int64]
Number = TypeVar("Number", bound=np.generic)


@dataclass(frozen=True)
class Ragged(Generic[Number]):
    """Row i is `values[bounds[i]:bounds[i + 1]]`; `bounds` has one entry more than rows."""

    values: npt.NDArray[Number]
    bounds: Positions

    def __len__(self) -> int:
        return len(self.bounds) - 1

    def __getitem__(self, row: int) -> npt.NDArray[Number]:
        return self.values[self.bounds[row] : self.bounds[row + 1]]

    @cached_property
    def lengths(self) -> Positions:
        return self.bounds[1:] - self.bounds[:-1]

    @cached_property
    def owners(self) -> Positions:
        """The row of every value."""
        return np.repeat(np.arange(len(self)), self.lengths)

    def kept(self, mask: npt.NDArray[np.bool_]) -> Self:
        """The same rows without the values where `mask` is false."""
        places = mask.nonzero()[0]
        return type(self)(self.values.take(places), places.searchsorted(self.bounds))

    def are_all(self, rows: Positions) -> bool:
        """Whether these are all rows, in their order."""
        return len(rows) == len(self) and bool((rows[1:] > rows[:-1]).all())

    def select(self, rows: Positions) -> Self:
        """The given rows, in that order."""
        if self.are_all(rows):
            return self
        parts = [self[row] for row in rows.tolist()]
        values = np.concatenate(parts) if parts else self.values[:0]
        return type(self)(values, bounds_of(self.lengths[rows]))


def bounds_of(lengths: npt.ArrayLike) -> Positions:
    """The bounds of rows with the given lengths."""
    sizes = np.asarray(lengths, np.int64)
    out = np.zeros(len(sizes) + 1, np.int64)
    np.add.accumulate(sizes, out=out[1:])  # in half of the time that `cumsum` takes
    return out


def ragged(rows: Sequence[npt.NDArray[Any]]) -> Ragged[Any]:
    """Rows given one by one, as one array."""
    return Ragged(np.concatenate(rows), bounds_of([len(row) for row in rows]))
