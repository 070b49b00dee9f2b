"""Byte strings that wait in a file: what is read once and needed later."""

from __future__ import annotations

import os
import zlib
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Self

import numpy as np

from indexer.text.ragged import Positions
from mappings.errors import StoreFull


class Spill:
    """A file that byte strings are appended to, and then read from by number.

    They are written as they are, unless `small` is asked for: to compress them takes long. Raises
    StoreFull when the disk is full.
    """

    def __init__(self, path: Path, small: bool = False) -> None:
        self._path, self._small = path, small
        self._file: BinaryIO = path.open("wb")
        self._bounds = array("q", [0])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def __len__(self) -> int:
        return len(self._bounds) - 1

    def append(self, data: bytes) -> None:
        if self._small:
            data = zlib.compress(data, 1)
        try:
            self._file.write(data)
        except OSError as error:
            raise full(self._path, error) from error
        self._bounds.append(self._bounds[-1] + len(data))

    def spilled(self) -> Spilled:
        """All that was appended, for reading."""
        try:
            self._file.flush()
        except OSError as error:
            raise full(self._path, error) from error
        bounds = np.array(self._bounds, np.int64)
        return Spilled(self._path, bounds[:-1], np.diff(bounds), self._small)


@dataclass(frozen=True, slots=True)
class Spilled:
    """The strings of a file, by number, of so many bytes in it each; any process may read them.
    `small`: they are compressed."""

    path: Path
    starts: Positions
    sizes: Positions
    small: bool = False

    def __len__(self) -> int:
        return len(self.starts)

    def read(self, numbers: Sequence[int]) -> list[bytes]:
        """Some of the strings."""
        with self.path.open("rb", buffering=0) as file:
            found = [
                os.pread(file.fileno(), int(self.sizes[number]), int(self.starts[number]))
                for number in numbers
            ]
        return [zlib.decompress(data) for data in found] if self.small else found

    def at(self, order: Positions) -> Spilled:
        """The same strings in another order."""
        return Spilled(self.path, self.starts[order], self.sizes[order], self.small)

    def each(self) -> Iterator[bytes]:
        """All strings, as they were appended."""
        with self.path.open("rb") as file:
            for size in self.sizes.tolist():
                data = file.read(size)
                yield zlib.decompress(data) if self.small else data


def full(path: Path, error: OSError) -> StoreFull:
    """What to raise when a file cannot be written."""
    return StoreFull(
        f"{path.parent}: {error.strerror}; set TMPDIR to a folder on a disk with room for the texts"
    )
