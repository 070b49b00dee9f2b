"""What was asked of the sites."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass


@dataclass(slots=True)
class Request:
    """One request. `path`: with its query; `agent`: the User-Agent; `at`: seconds of a steady
    clock; `sent`: bytes of the body, so far."""

    host: str
    method: str
    path: str
    status: int
    agent: str
    at: float
    sent: int = 0


class RequestLog:
    """Requests, each noted before its answer is sent: who has an answer finds it here."""

    def __init__(self) -> None:
        self._requests: list[Request] = []
        self._failures: dict[tuple[str, str], int] = {}
        self._lock = threading.Lock()

    def add(self, host: str, method: str, path: str, status: int, agent: str) -> Request:
        """Note a request."""
        request = Request(host, method, path, status, agent, time.monotonic())
        with self._lock:
            self._requests.append(request)
        return request

    def all(self) -> list[Request]:
        """All so far."""
        with self._lock:
            return list(self._requests)

    def clear(self) -> None:
        """Forget them; what a page failed before stays counted."""
        with self._lock:
            self._requests.clear()

    def failed(self, host: str, path: str) -> int:
        """How often a page was to fail before, this time not counted."""
        with self._lock:
            count = self._failures.get((host, path), 0)
            self._failures[host, path] = count + 1
            return count
