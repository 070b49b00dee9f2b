"""No search for garbage while much is made of which nothing refers to itself.

Python searches whenever some hundred objects more have been made than let go of, and now and then
goes through all there are: in a lookup these are the server's answers, again and again.
"""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock
from typing import Final

_LONGEST: Final = 1.0
"""Seconds after which a pause is not made longer by others that begin within it, and for which
none begins after such a one: what else the program makes may be garbage."""


@dataclass(slots=True)
class _Pause:
    """How many threads want none, since when, and whether Python looked for garbage before;
    `until`: when the next one may begin.
    """

    lock: Lock = field(default_factory=Lock)
    wanted: int = 0
    since: float = 0.0
    until: float = 0.0
    was_enabled: bool = False
    all_is_old: bool = False

    def begins(self, all_is_old: bool) -> bool:
        """Whether the pause is for this thread as well."""
        with self.lock:
            now = time.monotonic()
            if now < self.until:
                return False
            if not self.wanted:
                self.since, self.was_enabled = now, gc.isenabled()
                self.all_is_old = False
                gc.disable()
            elif now - self.since > _LONGEST:
                self.until = now + _LONGEST
                return False
            self.wanted += 1
            self.all_is_old |= all_is_old
            return True

    def end(self) -> None:
        with self.lock:
            self.wanted -= 1
            if self.wanted or not self.was_enabled:
                return
            if self.all_is_old and not gc.get_freeze_count():  # somebody else's would be let go of
                gc.freeze()
                gc.unfreeze()
            gc.enable()

    def forget(self) -> None:
        """In a process that was forked the threads that wanted it are not there."""
        self.lock = Lock()
        if self.wanted and self.was_enabled:
            gc.enable()
        self.wanted = 0


_pause = _Pause()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pause.forget)


@contextmanager
def no_collections(all_is_old: bool = False) -> Iterator[None]:
    """Inside, on all threads, no garbage is looked for, unless some thread or other has wanted that
    for long. With `all_is_old` what was made is not gone through by the next search either, which
    would find nothing."""
    if not _pause.begins(all_is_old):
        yield
        return
    try:
        yield
    finally:
        _pause.end()
