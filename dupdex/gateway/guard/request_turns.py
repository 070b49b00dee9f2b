"""Requests at once: so many are answered, some wait, the others are told to come back."""

from __future__ import annotations

import asyncio
from collections import deque

from dupdex.gateway.guard.limits import Limits


class Turns:
    """For one loop. A turn that is given back goes to the one that waits longest."""

    def __init__(self, limits: Limits) -> None:
        self._free = limits.requests
        self._most_waiting, self._seconds = limits.waiting, limits.turn_seconds
        self._queue: deque[asyncio.Future[None]] = deque()

    @property
    def waiting(self) -> int:
        return len(self._queue)

    async def take(self) -> bool:
        """Whether it is this one's turn now; False when too many wait, or for too long."""
        if self._free:
            self._free -= 1
            return True
        if len(self._queue) >= self._most_waiting:
            return False
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queue.append(turn)
        try:
            async with asyncio.timeout(self._seconds):
                await turn
        except TimeoutError:
            return self._leave(turn)
        except BaseException:
            if self._leave(turn):
                self.give_back()
            raise
        return True

    def give_back(self) -> None:
        while self._queue:
            turn = self._queue.popleft()
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1

    def _leave(self, turn: asyncio.Future[None]) -> bool:
        """Whether the turn came in the moment that nobody waited for it any more."""
        if turn.done() and not turn.cancelled():
            return True
        if turn in self._queue:
            self._queue.remove(turn)
        return False
