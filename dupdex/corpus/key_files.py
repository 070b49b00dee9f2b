"""Keys of a corpus in files, while it is read: what does not fit into the memory allowed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np

from dupdex.corpus.spill import full
from indexer.text.hashing import Hashes
from indexer.text.ragged import Positions
from mappings.contract import Field
from query.key_join import renumbered

_AT_ONCE: Final = 1 << 20


class KeyFiles:
    """A file for each field, of packed entries (see `query.key_join.packed`). Raises StoreFull when
    the disk is full.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._fields: list[Field] = []

    def append(self, field: Field, entries: Hashes) -> None:
        """Add keys of one field."""
        if field not in self._fields:
            self._fields.append(field)
        path = self._path(field)
        try:
            with path.open("ab") as file:
                file.write(entries.tobytes())
        except OSError as error:
            raise full(path, error) from error

    def parts(self, number: Positions) -> Iterator[tuple[Field, Hashes]]:
        """All keys, some at a time, each node under its new `number`."""
        for field in self._fields:
            with self._path(field).open("rb") as file:
                while len(entries := np.fromfile(file, np.uint64, _AT_ONCE)):
                    yield field, renumbered([entries], number)

    def _path(self, field: Field) -> Path:
        return self._folder / f"keys-{field.value}"
