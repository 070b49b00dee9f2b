"""How far an interrupted run over a file or folder came, kept beside the user's other state."""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from indexer.home import home_folder
from indexer.model import Document
from indexer.sources.files import place_of, reason, state_of
from indexer.sources.options import Place, ReadOptions

SECONDS: Final = 1.0
"""The shortest time between two writes."""


def state_folder(environment: Mapping[str, str]) -> Path:
    """`$XDG_STATE_HOME/dupdex`, else `~/.local/state/dupdex`.

    A relative XDG_STATE_HOME counts as unset: that is what its specification asks for.
    """
    named = Path(environment.get("XDG_STATE_HOME", ""))
    if named.is_absolute():
        return named / "dupdex"
    return home_folder(environment) / ".local" / "state" / "dupdex"


@dataclass(frozen=True, slots=True)
class Mark:
    """A document that the store has acknowledged, and all before it with it."""

    place: Place
    id: str


class Checkpoint:
    """The last acknowledged document of one file or folder, written into one index of one store.

    Used in a `with` block: leaving it keeps the mark, unless `finish` was called. A state that
    cannot be read counts as none, and one that cannot be written only costs the resuming:
    `problem` then says why. A mark is never kept before the store has acknowledged it, so a
    resumed run at worst writes some documents again. `changed` says that there is a state, but of
    a source or options that were others.
    """

    def __init__(
        self, path: Path, key: str, source: str, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.path = path
        self.problem = ""
        self.changed = False
        self._key, self._source = key, source
        self._clock = clock
        self.mark = self._load()
        self._latest: tuple[str, str] | None = None
        self._written = clock()

    @classmethod
    def open(
        cls,
        store: str,
        index: str,
        source: str,
        options: ReadOptions,
        folder: Path,
        clock: Callable[[], float] = time.monotonic,
        but: Path | None = None,
    ) -> Self:
        """The checkpoint of a file or folder, read with `options` and, in a folder, without `but`.

        One state is kept per store, index and source; when the size or time of a file, the names in
        the folder or the options have changed it counts as none. The state names the store by a
        digest, since its description may name a user. Raises NotFound when there is no such source.
        """
        place = (store, index, str(Path(source).resolve()))
        state = (*place, state_of(source, options.format, but), repr(options))
        return cls(folder / f"{_digest(place)[:24]}.json", _digest(state), source, clock)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.save()

    def advance(self, document: Document) -> None:
        """Every document up to this one, in the order of the source, is stored or was refused."""
        self._latest = document.origin, document.id
        if self._clock() - self._written >= SECONDS:
            self.save()

    def save(self) -> None:
        """Write the mark now, if it has moved."""
        if self._latest is None or (place := place_of(self._latest[0], self._source)) is None:
            return
        self.mark, self._latest = Mark(place, self._latest[1]), None
        self._written = self._clock()
        state = {"key": self._key, **asdict(place), "id": self.mark.id}
        partial = self.path.with_suffix(f".{os.getpid()}.tmp")
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            partial.write_text(json.dumps(state), "utf-8")
            partial.replace(self.path)
        except OSError as error:
            self.problem = f"this run cannot be resumed, {self.path}: {reason(error)}"

    def finish(self) -> None:
        """The source is done: forget it."""
        self.mark = self._latest = None
        try:
            self.path.unlink(missing_ok=True)
        except NotADirectoryError:  # no folder to keep state in, so there is none
            return
        except OSError as error:
            self.problem = f"{self.path} cannot be removed: {reason(error)}"

    def _load(self) -> Mark | None:
        try:
            state = json.loads(self.path.read_text("utf-8"))
        except (OSError, ValueError, RecursionError):
            return None
        if not isinstance(state, dict):
            return None
        file, line, name = state.get("file"), state.get("line"), state.get("id")
        if type(line) is not int or line < 1:
            return None
        if not isinstance(file, str) or not isinstance(name, str):
            return None
        self.changed = state.get("key") != self._key
        return None if self.changed else Mark(Place(file, line), name)


def _digest(parts: tuple[str, ...]) -> str:
    # The repr keeps ("ab", "c") and ("a", "bc") apart.
    return hashlib.sha256(repr(parts).encode("utf-8", "surrogatepass")).hexdigest()
