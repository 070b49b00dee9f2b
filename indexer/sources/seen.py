"""The ids seen in a run, at about eight bytes each, however many there are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import mmh3
import numpy as np
import numpy.typing as npt

_RECENT: Final = 1 << 14

_Run = npt.NDArray[np.uint64]


class SeenIds:
    """A set of ids as 64-bit hashes: recent ones in a Python set, the others in sorted arrays.

    An array is merged with its neighbour once that is at most twice as long, so there are few
    arrays and each id is moved only a few times. Two ids share a hash once in 4,000 runs of 10^8
    ids; that affects a count, never a document. Peak memory is about 20 bytes per id while the
    largest arrays are merged.
    """

    def __init__(self) -> None:
        self.repeats = 0
        """The number of repeated ids."""
        self._recent: set[int] = set()
        self._runs: list[_Run] = []

    def add(self, ids: Sequence[str]) -> list[bool]:
        """Add ids; for each, in order, whether it was added before, in this call or earlier."""
        seen: list[bool] = []
        for start in range(0, len(ids), _RECENT):
            seen += self._add(ids[start : start + _RECENT])
        self.repeats += sum(seen)
        return seen

    def _add(self, ids: Sequence[str]) -> list[bool]:
        hashes = [_hash(name) for name in ids]
        older = self._in_runs(np.array(hashes, np.uint64)).tolist()
        seen = []
        for value, is_older in zip(hashes, older, strict=True):
            seen.append(is_older or value in self._recent)
            if not is_older:
                self._recent.add(value)
        if len(self._recent) >= _RECENT:
            self._settle()
        return seen

    def _in_runs(self, values: _Run) -> npt.NDArray[np.bool_]:
        is_seen = np.zeros(len(values), np.bool_)
        for run in self._runs:
            places = np.searchsorted(run, values)
            places[places == len(run)] = 0  # beyond the largest: compares unequal with the first
            is_seen |= run[places] == values
        return is_seen

    def _settle(self) -> None:
        run = np.fromiter(self._recent, np.uint64, len(self._recent))
        run.sort()
        self._recent.clear()
        while self._runs and len(self._runs[-1]) <= 2 * len(run):
            run = np.concatenate((self._runs.pop(), run))
            run.sort(kind="stable")  # of two sorted halves: one merge
        self._runs.append(run)


def _hash(name: str) -> int:
    # Ids are not validated yet and may hold lone surrogates.
    return int(mmh3.hash64(name.encode("utf-8", "surrogatepass"), signed=False)[0])
