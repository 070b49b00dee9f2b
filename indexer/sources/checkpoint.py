"""How far a run over a source came, kept in the user's state folder for resuming it."""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Self

from indexer.home import home_folder
from indexer.model import Document, Mark
from indexer.sources.files import reason
from indexer.sources.source import Source
from mappings.errors import InputRefused

SECONDS: Final = 1.0
"""The shortest time between two writes."""


def state_folder(environment: Mapping[str, str]) -> Path:
    """`$XDG_STATE_HOME/dupdex`, else `~/.local/state/dupdex`.

    A relative XDG_STATE_HOME counts as unset, as its specification requires.
    """
    named = Path(environment.get("XDG_STATE_HOME", ""))
    if named.is_absolute():
        return named / "dupdex"
    return home_folder(environment) / ".local" / "state" / "dupdex"


@dataclass(frozen=True, slots=True)
class Reached:
    """The last of the acknowledged documents; `tally` holds the counts up to it, by name."""

    mark: Mark
    id: str
    tally: Mapping[str, int] = field(default_factory=dict)


class Checkpoint:
    """The last acknowledged document of one source, written into one index of one store.

    Used in a `with` block: leaving it saves the progress, unless `finish` was called. A state that
    cannot be read counts as absent; if it cannot be written, the run cannot be resumed and
    `problem` says why. Only acknowledged documents are recorded, so a resumed run at worst writes
    some documents again. `changed`: there is a state, but of another version of the source or
    other options.
    """

    def __init__(self, path: Path, key: str, clock: Callable[[], float] = time.monotonic) -> None:
        self.path = path
        self.problem = ""
        self.changed = False
        self._key = key
        self._clock = clock
        self.reached = self._load()
        self._latest: Reached | None = None
        self._written = clock()

    @classmethod
    def open(
        cls,
        store: str,
        index: str,
        source: Source,
        folder: Path,
        clock: Callable[[], float] = time.monotonic,
    ) -> Self:
        """The checkpoint of a source that can be read again, kept in `folder`.

        There is one per store, index and source; when the source has changed, it counts as absent.
        It names the store by a digest, since the description of a store may name a user. Raises
        what `Source.state` raises, and InputRefused for a source that cannot be read again.
        """
        state = source.state()
        if state is None:
            raise InputRefused(f"{source.identity} cannot be read again, so no run can be taken up")
        place = (store, index, source.identity)
        return cls(folder / f"{_digest(place)[:24]}.json", _digest((*place, state)), clock)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.save()

    def advance(self, document: Document, tally: Mapping[str, int] | None = None) -> None:
        """Record that every item up to this document, in the order of the source, was stored or
        rejected, with the counts so far.
        """
        if document.mark is None:  # its source cannot resume after it
            return
        self._latest = Reached(document.mark, document.id, dict(tally or {}))
        if self._clock() - self._written >= SECONDS:
            self.save()

    def save(self) -> None:
        """Write the progress now, if there is any."""
        if self._latest is None:
            return
        self.reached, self._latest = self._latest, None
        self._written = self._clock()
        mark, tally = self.reached.mark._asdict(), self.reached.tally
        state = {"key": self._key, **mark, "id": self.reached.id, "tally": tally}
        partial = self.path.with_suffix(f".{os.getpid()}.tmp")
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            partial.write_text(json.dumps(state), "utf-8")
            partial.replace(self.path)
        except OSError as error:
            self.problem = f"this run cannot be resumed, {self.path}: {reason(error)}"

    def finish(self) -> None:
        """The source is done: remove the state."""
        self.reached = self._latest = None
        try:
            self.path.unlink(missing_ok=True)
        except NotADirectoryError:  # the state folder does not exist, so there is no state
            return
        except OSError as error:
            self.problem = f"{self.path} cannot be removed: {reason(error)}"

    def _load(self) -> Reached | None:
        try:
            state = json.loads(self.path.read_text("utf-8"))
        except (OSError, ValueError, RecursionError):
            return None
        if not isinstance(state, dict):
            return None
        part, position, name = state.get("part"), state.get("position"), state.get("id")
        if type(position) is not int or position < 0:
            return None
        if not isinstance(part, str) or not isinstance(name, str):
            return None
        self.changed = state.get("key") != self._key
        return None if self.changed else Reached(Mark(part, position), name, _tally(state))


def _tally(state: Mapping[str, object]) -> dict[str, int]:
    counts = state.get("tally")
    if not isinstance(counts, dict):
        return {}
    return {name: count for name, count in counts.items() if type(count) is int and count >= 0}


def _digest(parts: tuple[str, ...]) -> str:
    # The repr keeps ("ab", "c") and ("a", "bc") apart.
    return hashlib.sha256(repr(parts).encode("utf-8", "surrogatepass")).hexdigest()
