"""A file of rejected documents, sent again: whatever is stored leaves the file, the rest stays.

So nothing is sent twice, and no body of old goes over one that came later.
"""

from __future__ import annotations

import fcntl
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

from indexer.model import Outcome, Status
from indexer.sources.dead_letters import (
    DeadLetter,
    KeptLine,
    Target,
    again,
    letter_of,
    lock,
    opened,
)
from indexer.sources.files import reason, shown
from indexer.sources.options import BadLine
from mappings.errors import InputRefused


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """A rejected document that is not sent, as it was meant for another index, or for one that
    nobody knows any more (`to` is None).
    """

    letter: DeadLetter
    where: str


class Replay:
    """The documents of one rejects file that are to be sent to one index.

    Used in a `with` block: `items` gives them, `settle` is told what became of each, and leaving
    the block puts a file with what is left in the place of the old one (none when nothing is left),
    also when an error or Ctrl-C ends it. A run that is killed leaves the file as it was.

    With `force` documents are sent that were meant for another index. Raises NotFound or
    InputRefused when the file cannot be read or written, or another run has it open.
    """

    def __init__(self, path: str | Path, to: Target, force: bool = False) -> None:
        self.name = shown(path)
        self._path = Path(os.path.realpath(path))
        self._to, self._force = to, force
        self._gone: set[int] = set()
        self._reasons: dict[int, str] = {}
        self.superseded = 0
        """Documents that were dropped, as the file holds a later one of the same id."""

    def __enter__(self) -> Self:
        self._file = opened(self._path)
        if not stat.S_ISREG(os.fstat(self._file.fileno()).st_mode):
            self._file.close()
            raise InputRefused(
                f"{self.name} is no file that could be written back; copy it into one"
            )
        lock(self._file, self._path, fcntl.LOCK_EX)
        if not os.access(self._path.parent, os.W_OK | os.X_OK):
            self._file.close()
            raise InputRefused(
                f"{self.name} cannot be replayed: what is left could not be written into "
                f"{shown(self._path.parent)}; copy the file to a folder that you may write"
            )
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with self._file:
            if self._gone or self._reasons:
                self._write_back()

    def items(self) -> Iterator[DeadLetter | Elsewhere | KeptLine | BadLine]:
        """What the file holds, in order; a DeadLetter is to be sent, the others stay."""
        last = {
            letter.id: letter.line
            for _, letter in self._letters()
            if isinstance(letter, DeadLetter)
        }
        for number, letter in self._letters():
            if isinstance(letter, DeadLetter) and last[letter.id] != number:
                self._gone.add(number)
                self.superseded += 1
            else:
                yield letter

    def settle(self, outcome: Outcome) -> None:
        """Note what became of a document: one that is stored leaves the file."""
        mark = outcome.document.mark
        if mark is None:
            return
        if outcome.status is Status.REJECTED:
            self._reasons[mark.position] = outcome.reason
        else:
            self._gone.add(mark.position)

    def _letters(self) -> Iterator[tuple[int, DeadLetter | Elsewhere | KeptLine | BadLine]]:
        self._file.seek(0)
        for number, line in enumerate(self._file, 1):
            if not line.strip():
                continue
            letter = letter_of(line, self.name, number)
            if isinstance(letter, DeadLetter) and letter.to != self._to and not self._force:
                yield number, Elsewhere(letter, f"{self.name}:{number}")
            else:
                yield number, letter

    def _write_back(self) -> None:
        """Raises InputRefused when the file cannot be written."""
        partial = self._path.with_name(f".{self._path.name}.{os.getpid()}.tmp")
        try:
            with partial.open("wb") as file:
                os.fchmod(file.fileno(), stat.S_IMODE(os.fstat(self._file.fileno()).st_mode))
                self._write_left(file)
                file.flush()
                os.fsync(file.fileno())
                is_empty = file.tell() == 0
            if is_empty:
                self._path.unlink()
                partial.unlink()
            else:
                partial.replace(self._path)
        except OSError as error:
            partial.unlink(missing_ok=True)
            raise InputRefused(
                f"{self.name} cannot be written back ({reason(error)}); it still holds documents "
                "that are stored by now: remove them from it before it is replayed again"
            ) from error

    def _write_left(self, file: BinaryIO) -> None:
        self._file.seek(0)
        for number, line in enumerate(self._file, 1):
            if number in self._gone or not line.strip():
                continue
            why = self._reasons.get(number)
            file.write(line if why is None else again(line, why))
            if not line.endswith(b"\n") and why is None:
                file.write(b"\n")
