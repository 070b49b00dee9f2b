"""How fast a host is asked: one rate, slower when its answers are, with pauses when it fails.

The delay follows the time that answers take, so that about one request is under way at a time. A
host that is overloaded is left alone for as long as it says, or for longer each time.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

from dupdex.crawl.crawl_limits import Limits

OPEN: Final = 4
"""The most requests to one host under way at a time: one slow page does not hold up the others."""

_SLOW: Final = 5.0
_LATE: Final = 0.02
"""By so many seconds a request may follow another one sooner when that one began late."""

_LONG: Final = 8.0
_LONGEST: Final = 30.0
"""Pauses for a host that fails, and for one that is overloaded, in seconds."""

OVERLOADED: Final = (429, 503)


class Politeness:
    """When a host may be asked next. Times are those of `clock`, in seconds."""

    def __init__(self, limits: Limits, clock: Callable[[], float] = time.monotonic) -> None:
        self._limits, self._clock = limits, clock
        self._least = self._delay = limits.delay
        self._free_at = clock()
        self._slack = _LATE
        self._failed_at = -1.0
        self.failures = 0
        self.given_up = ""

    def set_crawl_delay(self, seconds: float) -> None:
        """The least delay that the robots.txt of the host asks for."""
        self._least = max(self._limits.delay, seconds)
        self._delay = max(self._delay, self._least)
        self._slack = 0.0

    def wait(self) -> float:
        """How many seconds are left until the next request may begin."""
        return max(0.0, self._free_at - self._clock())

    def begin(self) -> float:
        """A request begins now; returns the time."""
        now = self._clock()
        late = min(max(0.0, now - self._free_at), self._slack)
        self._free_at = now + self._delay - late
        return now

    def answered(self, seconds: float) -> None:
        """An answer came after so many seconds, and was one."""
        self.failures = 0
        self._delay = max(self._least, (self._delay + min(seconds, _SLOW)) / 2)

    def failed(self, begun: float, status: int | None = None, retry_after: str = "") -> None:
        """A request that began at `begun` failed; where the host says when to come back, or keeps
        failing, it is left alone until then, or given up for this run."""
        now = self._clock()
        if begun >= self._failed_at:  # those that were under way with another one say nothing new
            self.failures += 1
            self._failed_at = now
        self._delay = max(self._least, min(_SLOW, self._delay * 2))
        asked = seconds_until(retry_after)
        pause = 0.0
        if asked is not None:
            pause = asked
        elif status in OVERLOADED:
            pause = min(_LONGEST, 2.0 ** (self.failures - 1))
        elif self.failures > 1:
            pause = min(_LONG, 2.0 ** (self.failures - 2))
        if self.failures >= self._limits.failures:
            self.given_up = f"{self.failures} failures one after another"
        elif pause > self._limits.patience:
            self.given_up = f"it asks to be left alone for {pause:,.0f} seconds"
        else:
            self._free_at = max(self._free_at, now + pause)


def seconds_until(retry_after: str) -> float | None:
    """The seconds that a Retry-After header asks for; None where it does not."""
    text = retry_after.strip()
    if text.isascii() and text.isdigit():
        return float(text[:9])
    try:
        time_ = parsedate_to_datetime(text)
    except (TypeError, ValueError):
        return None
    if time_.tzinfo is None:
        time_ = time_.replace(tzinfo=UTC)
    return max(0.0, (time_ - datetime.now(UTC)).total_seconds())
