"""Permuted tables (Manku, Jain, Das Sarma 2007): all simhashes within a few bits, in memory.

For every choice of blocks one table holds all values with the bits of that choice first, sorted:
the values that agree in them stand together and are found by binary search. Two values that differ
in at most `blocks - choose` bits agree in some choice, so nothing is missed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from indexer.fingerprints.simhash import BITS, Block, blocks_of, choices_of
from indexer.text.hashing import Hashes
from indexer.text.ragged import bounds_of
from mappings.errors import InputRefused
from mappings.plan import SimhashPlan

Rows = npt.NDArray[np.int64]

_UNSORTED: Final = 1_024
"""So many new values are compared one by one before they are sorted in, and more beside many."""


@dataclass(slots=True)
class _Table:
    """The values, permuted and sorted; `rows[i]` is the number of the value at `values[i]`."""

    order: tuple[Block, ...]
    prefix: int  # bits
    values: Hashes
    rows: npt.NDArray[np.uint32]

    def permuted(self, values: Hashes) -> Hashes:
        """The values with their blocks in the order of this table, at the upper end of 64 bits."""
        out = np.zeros_like(values)
        place = BITS
        for shift, width in self.order:
            place -= width
            part = (values >> np.uint64(shift)) & np.uint64((1 << width) - 1)
            out |= part << np.uint64(place)
        return out

    def merge(self, values: Hashes, first: int) -> None:
        """Sort values in; they are numbered from `first`."""
        both = np.concatenate((self.values, self.permuted(values)))
        added = np.arange(first, first + len(values), dtype=np.uint32)
        order = both.argsort(kind="stable")
        self.values, self.rows = both[order], np.concatenate((self.rows, added))[order]

    def spans(self, permuted: Hashes) -> tuple[Rows, Rows]:
        """For each value where those begin and end that start as it does."""
        rest = np.uint64(BITS - self.prefix)
        low = permuted >> rest << rest
        high = low | np.uint64((1 << (BITS - self.prefix)) - 1)
        return self.values.searchsorted(low), self.values.searchsorted(high, "right")


class PermutedTables:
    """Simhashes by id. A table takes 12 bytes a value, and there are `blocks` choose `choose`."""

    def __init__(self, blocks: int = 4, choose: int = 1, bits: int = 64) -> None:
        if not 1 <= choose < blocks <= 8 or bits not in (32, 64):
            raise InputRefused(
                f"no tables of {blocks} blocks, choose {choose}, of {bits} bits; take 2 to 8 "
                "blocks, choose fewer, of 32 or 64 bits"
            )
        layout = SimhashPlan(blocks=blocks, choose=choose, bits=bits)
        self.reach = blocks - choose
        self._bits = bits
        self._ids: list[str] = []
        self._new: list[int] = []
        parts = blocks_of(bits, blocks)
        self._tables = []
        for choice in choices_of(layout):
            order = (*choice, *(part for part in parts if part not in choice))
            prefix = sum(width for _, width in choice)
            empty = np.zeros(0, np.uint64), np.zeros(0, np.uint32)
            self._tables.append(_Table(order, prefix, *empty))

    def __len__(self) -> int:
        return len(self._ids)

    def add(self, name: str, value: int) -> None:
        """One more value; a name may have several."""
        self.add_all([(name, value)])

    def add_all(self, named: Iterable[tuple[str, int]]) -> None:
        """Many values at once."""
        for name, value in named:
            if not 0 <= value < 1 << self._bits:
                raise InputRefused(f"{value} of {name!r} is no value of {self._bits} bits")
            self._ids.append(name)
            self._new.append(value)
        known = len(self._ids) - len(self._new)
        if len(self._new) >= max(_UNSORTED, known // 16):
            values = np.array(self._new, np.uint64)
            for table in self._tables:
                table.merge(values, known)
            self._new = []

    def find(self, value: int, distance: int | None = None) -> list[tuple[str, int]]:
        """Every (id, distance) within `distance` bits, nearest first, then in order of arrival.

        Raises InputRefused for more bits than `reach`, up to which nothing is missed.
        """
        limit = self.reach if distance is None else distance
        if not 0 <= limit <= self.reach:
            raise InputRefused(
                f"these tables find values up to {self.reach} bits away, not {limit}; make them "
                "with more blocks, or choose fewer of them"
            )
        rows, distances = self._sharing(value)
        rows, distances = rows[distances <= limit], distances[distances <= limit]
        rows, first = np.unique(rows, return_index=True)
        distances = distances[first]
        order = np.lexsort((rows, distances))
        return [(self._ids[rows[i]], int(distances[i])) for i in order.tolist()]

    def any_near(self, values: Sequence[int], distance: int) -> npt.NDArray[np.bool_]:
        """For each value whether another that shares a choice of blocks is within `distance` bits.

        Beyond `reach` some share no choice and are not seen; new ones count without sharing.
        """
        asked, new = np.array(values, np.uint64), np.array(self._new, np.uint64)
        near = np.zeros(len(asked), np.bool_)
        for row, value in enumerate(asked if len(new) else ()):
            near[row] = (np.bitwise_count(new ^ value) <= distance).any()
        for table in self._tables:
            permuted = table.permuted(asked)
            starts, stops = table.spans(permuted)
            bounds = bounds_of(stops - starts)
            owners = np.repeat(np.arange(len(asked)), stops - starts)
            places = np.arange(bounds[-1]) + (starts - bounds[:-1])[owners]
            distances = np.bitwise_count(table.values[places] ^ permuted[owners])
            near[owners[distances <= distance]] = True
        return near

    def candidates(self, values: Sequence[int]) -> list[int]:
        """How many values the tables bring to be compared with each; a value that stands in
        reach in several tables counts in each, as in the arithmetic."""
        asked = np.array(values, np.uint64)
        counts = np.zeros(len(asked), np.int64)
        for table in self._tables:
            starts, stops = table.spans(table.permuted(asked))
            counts += stops - starts
        return list(map(int, counts))

    def _sharing(self, value: int) -> tuple[Rows, Rows]:
        """The numbers of the values that stand beside it in any table, once for each, and of
        all that are not sorted in yet; and their distances."""
        asked = np.array([value], np.uint64)
        rows, distances = [], []
        for table in self._tables:
            permuted = table.permuted(asked)
            (start,), (stop,) = table.spans(permuted)
            rows.append(table.rows[start:stop].astype(np.int64))
            distances.append(np.bitwise_count(table.values[start:stop] ^ permuted))
        new = np.array(self._new, np.uint64)
        rows.append(np.arange(len(self._ids) - len(new), len(self._ids)))
        distances.append(np.bitwise_count(new ^ asked))
        return np.concatenate(rows), np.concatenate(distances).astype(np.int64)
