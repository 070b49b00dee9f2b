"""A gateway that is to stop says so before it does: /readyz answers 503, and requests go on."""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import Callable
from types import FrameType
from typing import Any

_log = logging.getLogger("dupdex.gateway")


class Draining:
    """`begun`: whether this process is about to stop. For the loop of the main thread."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self.begun = False

    def listen(self) -> None:
        """Stand before the handlers of the HTTP server, which close its sockets at once."""
        for number in (signal.SIGTERM, signal.SIGINT):
            following = signal.getsignal(number)
            if callable(following):
                self._stand_before(number, following, asyncio.get_running_loop())

    def _stand_before(
        self, number: int, following: Callable[..., Any], loop: asyncio.AbstractEventLoop
    ) -> None:
        def stop(heard: int, frame: FrameType | None) -> None:
            if self.begun or not self._seconds or number == signal.SIGINT:
                self.begun = True
                following(heard, frame)
                return
            self.begun = True
            loop.call_soon_threadsafe(loop.call_later, self._seconds, following, heard, None)

        try:
            signal.signal(number, stop)
        except ValueError:  # not the main thread: whoever runs us there stops us another way
            _log.debug("no signals are heard here")
