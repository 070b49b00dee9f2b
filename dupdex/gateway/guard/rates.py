"""How many requests a key may send: a token bucket each."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from dupdex.gateway.callers import Caller


@dataclass(slots=True)
class _Bucket:
    tokens: float
    at: float


class Rates:
    """Up to a second's requests may come at once. For one thread, and one process: each worker
    counts what comes to it."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._buckets: dict[tuple[str, float], _Bucket] = {}

    def wait_for(self, caller: Caller) -> float:
        """Seconds until this caller may ask again; 0 for now, which takes a token."""
        rate = caller.rate
        if rate is None:
            return 0.0
        now, most = self._clock(), max(rate, 1.0)
        bucket = self._buckets.setdefault((caller.seal or caller.name, rate), _Bucket(most, now))
        bucket.tokens = min(most, bucket.tokens + (now - bucket.at) * rate)
        bucket.at = now
        if bucket.tokens >= 1:
            bucket.tokens -= 1
            return 0.0
        return (1 - bucket.tokens) / rate
