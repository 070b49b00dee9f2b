"""Replays a file of rejected documents: stored documents leave the file, the others stay.

So nothing is sent twice, and of several entries of one id only the last is sent. The line of a
stored document is blanked in place at once, so that this survives a killed run. At the end the file
is rewritten without blank lines.
"""

from __future__ import annotations

import fcntl
import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from indexer.model import Mark, Outcome, Status
from indexer.sources.dead_letters import (
    DeadLetter,
    KeptLine,
    Target,
    letter_of,
    lock,
    opened,
    rejected_again,
)
from indexer.sources.files import reason, shown
from indexer.sources.options import BadLine
from mappings.errors import InputRefused

_AT_ONCE: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """A rejected document that is not sent, because it was meant for another index, or for one
    that is not recorded (`to` is None).
    """

    letter: DeadLetter
    where: str


class Replay:
    """The documents of a rejects file that are to be sent to an index.

    Used in a `with` block: `items` yields the entries, `settle` records the outcome of each, and
    leaving the block replaces the file by one with the remaining entries (or removes it when none
    remain), even after an error or Ctrl-C.

    With `force`, documents meant for another index are sent as well. Raises NotFound or
    InputRefused when the file cannot be read or written, or is in use by another run.
    """

    def __init__(self, path: str | Path, to: Target, force: bool = False) -> None:
        self.name = shown(path)
        self._path = Path(os.path.realpath(path))
        self._to, self._force = to, force
        self._reasons: dict[int, str] = {}
        self._is_changed = False
        self.superseded = 0
        """Documents that were dropped because the file has a later one with the same id."""

    def __enter__(self) -> Self:
        self._file = opened(self._path)
        if not stat.S_ISREG(os.fstat(self._file.fileno()).st_mode):
            self._file.close()
            raise InputRefused(
                f"{self.name} is no file that could be written back; copy it into one"
            )
        lock(self._file, self._path, fcntl.LOCK_EX)
        return self

    def __exit__(self, *_: object) -> None:
        with self._file:
            if self._is_changed:
                self._write_back()

    def items(self) -> Iterator[DeadLetter | Elsewhere | KeptLine | BadLine]:
        """The entries of the file, in order; a DeadLetter is to be sent, the others stay.

        Raises InputRefused, before the first, for a file in which nothing is an entry.
        """
        last = self._last_ones()
        for letter in self._letters():
            if isinstance(letter, DeadLetter) and last[letter.id] != letter.mark:
                self._blank(letter.mark.position)
                self.superseded += 1
            else:
                yield letter

    def _last_ones(self) -> dict[str, Mark]:
        """Where the last entry of each id is that may be sent."""
        last: dict[str, Mark] = {}
        fault: BadLine | None = None
        is_ours = False
        for letter in self._letters():
            if isinstance(letter, DeadLetter):
                last[letter.id] = letter.mark
            if isinstance(letter, BadLine):
                fault = fault or letter
            else:
                is_ours = True
        if fault is not None and not is_ours:
            raise InputRefused(
                f"{self.name} is no file of rejected documents; name the one that 'dupdex index' "
                f"said they are kept in ({fault.origin}: {fault.message})"
            )
        return last

    def settle(self, outcome: Outcome) -> None:
        """Record the outcome of a document: one that was stored leaves the file.

        Raises InputRefused when the file cannot be written.
        """
        mark = outcome.document.mark
        if mark is None:
            return
        self._is_changed = True
        if outcome.status is Status.REJECTED:
            self._reasons[mark.position] = outcome.reason
        else:
            self._blank(mark.position)

    def _letters(self) -> Iterator[DeadLetter | Elsewhere | KeptLine | BadLine]:
        for number, (offset, line) in enumerate(self._lines(), 1):
            if not line.strip():
                continue
            letter = letter_of(line, self.name, number, offset)
            if isinstance(letter, DeadLetter) and letter.to != self._to and not self._force:
                yield Elsewhere(letter, f"{self.name}:{number}")
            else:
                yield letter

    def _lines(self) -> Iterator[tuple[int, bytes]]:
        """Each line with its offset in bytes."""
        offset = 0
        # Opened anew: an older buffer may hold lines that have been blanked since.
        with self._path.open("rb") as file:
            for line in file:
                yield offset, line
                offset += len(line)

    def _blank(self, offset: int) -> None:
        self._is_changed = True
        try:
            with self._path.open("rb") as file:  # buffered, unlike `self._file`
                file.seek(offset)
                length = len(file.readline().rstrip(b"\n"))
            self._file.seek(offset)
            while length:
                length -= self._file.write(b" " * min(length, _AT_ONCE))
        except OSError as error:
            raise self._refused(error) from error

    def _write_back(self) -> None:
        """Replace the file. Raises InputRefused when it cannot be written."""
        partial = self._path.with_name(f".{self._path.name}.{os.getpid()}.tmp")
        try:
            with partial.open("wb") as file:
                os.fchmod(file.fileno(), stat.S_IMODE(os.fstat(self._file.fileno()).st_mode))
                for offset, line in self._lines():
                    if line.strip():
                        why = self._reasons.get(offset)
                        replacement = line if why is None else rejected_again(line, why)
                        file.write(replacement.rstrip(b"\n") + b"\n")
                file.flush()
                os.fsync(file.fileno())
                is_empty = file.tell() == 0
            if is_empty:
                self._path.unlink()
                partial.unlink()
            else:
                partial.replace(self._path)
        except OSError as error:
            with suppress(OSError):
                partial.unlink()
            raise self._refused(error) from error

    def _refused(self, error: OSError) -> InputRefused:
        return InputRefused(
            f"{self.name} cannot be written back ({reason(error)}); mend that before it is "
            "replayed again, it may still hold documents that are stored by now"
        )
