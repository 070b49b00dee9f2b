"""No search for garbage while much is made of which nothing refers to itself.

Python searches whenever some hundred objects more have been made than let go of, and now and then
goes through all there are: in a batch of lookups that takes a sixth of the time.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock


@dataclass(slots=True)
class _Pause:
    """How many threads want none, and whether Python looked for garbage before the first did."""

    lock: Lock = field(default_factory=Lock)
    wanted: int = 0
    was_enabled: bool = False

    def begin(self) -> None:
        with self.lock:
            if not self.wanted:
                self.was_enabled = gc.isenabled()
                gc.disable()
            self.wanted += 1

    def end(self, all_is_old: bool) -> None:
        with self.lock:
            self.wanted -= 1
            if self.wanted or not self.was_enabled:
                return
            if all_is_old and not gc.get_freeze_count():  # somebody else's would be let go of
                gc.freeze()
                gc.unfreeze()
            gc.enable()


_pause = _Pause()


@contextmanager
def no_collections(all_is_old: bool = False) -> Iterator[None]:
    """Inside, on all threads, no garbage is looked for. With `all_is_old` what was made is not gone
    through by the next search either, which would find nothing."""
    _pause.begin()
    try:
        yield
    finally:
        _pause.end(all_is_old)
