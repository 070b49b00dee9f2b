"""Byte strings that wait in a temporary file: read once from a store, and needed again later."""

from __future__ import annotations

import os
from array import array
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from indexer.text.ragged import Positions
from mappings.errors import StoreFull


class RecordWriter:
    """Appends byte strings to a new file. Raises StoreFull when the disk is full."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: BinaryIO = path.open("wb")
        self._bounds = array("q", [0])

    def append(self, data: bytes) -> None:
        """Add one at the end."""
        try:
            self._file.write(data)
        except OSError as error:
            raise self._full(error) from error
        self._bounds.append(self._bounds[-1] + len(data))

    def closed(self) -> RecordFile:
        """All that was appended, for reading."""
        try:
            self._file.close()
        except OSError as error:
            raise self._full(error) from error
        bounds = np.array(self._bounds, np.int64)
        return RecordFile(self._path, bounds[:-1], np.diff(bounds))

    def _full(self, error: OSError) -> StoreFull:
        return StoreFull(
            f"{self._path.parent}: {error.strerror}; set TMPDIR to a folder on a disk with room "
            "for all texts of the index"
        )


@dataclass(frozen=True)
class RecordFile:
    """The strings of a file, by number. Each process that reads them opens the file once."""

    path: Path
    starts: Positions
    sizes: Positions

    def __len__(self) -> int:
        return len(self.starts)

    def __getitem__(self, number: int) -> bytes:
        return os.pread(self._file.fileno(), int(self.sizes[number]), int(self.starts[number]))

    def __getstate__(self) -> dict[str, Any]:
        return {"path": self.path, "starts": self.starts, "sizes": self.sizes}

    def in_order(self, order: Positions) -> RecordFile:
        """The same strings under other numbers."""
        return RecordFile(self.path, self.starts[order], self.sizes[order])

    def close(self) -> None:
        """Let go of the file, if it was opened here."""
        if "_file" in self.__dict__:
            self._file.close()

    @cached_property
    def _file(self) -> BinaryIO:
        return self.path.open("rb")
