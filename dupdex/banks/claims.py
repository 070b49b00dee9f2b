"""Turns of threads that have something in common."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from threading import Condition


class Claims:
    """Lets threads with a common key go one after the other."""

    def __init__(self) -> None:
        self._claimed: set[str] = set()
        self._changed = Condition()

    @contextmanager
    def of(self, keys: Iterable[str]) -> Iterator[None]:
        """Claim keys while the block runs, once no other thread has any of them."""
        wanted = set(keys)
        with self._changed:
            self._changed.wait_for(lambda: not wanted & self._claimed)
            self._claimed |= wanted
        try:
            yield
        finally:
            with self._changed:
                self._claimed -= wanted
                self._changed.notify_all()
