"""At most so many documents a second, for all threads together."""

from __future__ import annotations

import threading
import time
from typing import Final

_LONGEST_PAGE_SECONDS: Final = 60.0


class Pace:
    """A rate that `take` keeps to by waiting; None for no limit."""

    def __init__(self, documents_a_second: float | None) -> None:
        self._rate = documents_a_second
        self._turn = threading.Lock()
        self._free = time.monotonic()

    def take(self, documents: float, stopped: threading.Event) -> None:
        """Wait until so many more documents are due, or until it is `stopped`."""
        if self._rate is None:
            return
        with self._turn:
            now = time.monotonic()
            wait = max(0.0, self._free - now)
            self._free = max(self._free, now) + documents / self._rate
        stopped.wait(wait)

    def page(self, most: int) -> int:
        """How many documents may be taken together, so that no thread waits for minutes."""
        if self._rate is None:
            return most
        return max(1, min(most, int(self._rate * _LONGEST_PAGE_SECONDS)))
