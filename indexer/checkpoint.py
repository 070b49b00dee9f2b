"""How far an interrupted run over a file came, kept beside the user's other state."""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from indexer.readers.files import reason, stat_of

SECONDS: Final = 1.0
"""The shortest time between two writes."""


def state_folder(environment: Mapping[str, str]) -> Path:
    """`$XDG_STATE_HOME/dupdex`, else `~/.local/state/dupdex`.

    A relative XDG_STATE_HOME counts as unset: that is what its specification asks for.
    """
    named = Path(environment.get("XDG_STATE_HOME", ""))
    if named.is_absolute():
        return named / "dupdex"
    return Path(environment.get("HOME") or "/") / ".local" / "state" / "dupdex"


class Checkpoint:
    """The last acknowledged line of one file, written into one index of one store.

    Used in a `with` block: leaving it keeps the line, unless `finish` was called. A state that
    cannot be read counts as none, and one that cannot be written only costs the resuming:
    `problem` then says why. A line is never kept before the store has acknowledged it, so a
    resumed run at worst writes some documents again.
    """

    def __init__(self, path: Path, key: str, clock: Callable[[], float] = time.monotonic) -> None:
        self.path = path
        self.problem = ""
        self._key = key
        self._clock = clock
        self.line = self._kept = self._load()
        self._written = clock()

    @classmethod
    def open(
        cls,
        store: str,
        index: str,
        source: str,
        options: str,
        folder: Path,
        clock: Callable[[], float] = time.monotonic,
    ) -> Self:
        """The checkpoint of a file; `options` is a digest of all that changes its documents.

        One state is kept per store, index and file; when the file's size or time or the options
        have changed it counts as none. The state file holds digests only, since a store's
        description may name a user. Raises NotFound when there is no such file.
        """
        status = stat_of(source)
        place = (store, index, str(Path(source).resolve()))
        state = (*place, str(status.st_size), str(status.st_mtime_ns), options)
        return cls(folder / f"{_digest(place)[:24]}.json", _digest(state), clock)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.save()

    def advance(self, line: int) -> None:
        """Every document up to this line is stored. Lines that go back are left out."""
        self.line = max(self.line, line)
        if self._clock() - self._written >= SECONDS:
            self.save()

    def save(self) -> None:
        """Write the line now, if it has moved."""
        if self.line == self._kept:
            return
        self._written = self._clock()
        self._kept = self.line
        partial = self.path.with_suffix(f".{os.getpid()}.tmp")
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            partial.write_text(json.dumps({"key": self._key, "line": self.line}), "utf-8")
            partial.replace(self.path)
        except OSError as error:
            self.problem = f"this run cannot be resumed, {self.path}: {reason(error)}"

    def finish(self) -> None:
        """The file is done: forget it."""
        self._kept = self.line
        try:
            self.path.unlink(missing_ok=True)
        except OSError as error:
            self.problem = f"{self.path} cannot be removed: {reason(error)}"

    def _load(self) -> int:
        try:
            state = json.loads(self.path.read_text("utf-8"))
        except (OSError, ValueError, RecursionError):
            return 0
        if not isinstance(state, dict) or state.get("key") != self._key:
            return 0
        line = state.get("line")
        return line if type(line) is int and line > 0 else 0


def _digest(parts: tuple[str, ...]) -> str:
    # The repr keeps ("ab", "c") and ("a", "bc") apart.
    return hashlib.sha256(repr(parts).encode("utf-8", "surrogatepass")).hexdigest()
