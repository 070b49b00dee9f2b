"""What the bodies of all requests may take of memory together: large ones wait for each other."""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import suppress
from typing import Final

from dupdex.gateway.guard.limits import MEGABYTE, STREAMED, Limits, last_segment
from dupdex.gateway.headers import Headers, value_of

FREE: Final = MEGABYTE
"""Bytes of each body that count for nothing: small requests never wait."""

STREAM: Final = 32 * MEGABYTE
"""What is held of a body that streams, at most; but for a longer line."""

_UNPACKED: Final = 8
"""How many times as long JSON is once it is unpacked."""


class BodyBudget:
    """For one loop. Whoever waits longest is next, so that a large body is not passed over."""

    def __init__(self, limits: Limits) -> None:
        self._limits, self._left = limits, limits.buffered
        self._queue: deque[tuple[int, asyncio.Future[None]]] = deque()

    def share(self, raw_path: bytes, headers: Headers, most: int) -> Share:
        """What the body of a request with these headers will take, which has `most` bytes."""
        return Share(self, raw_path, headers, most)

    @property
    def left(self) -> int:
        return self._left

    async def take(self, amount: int) -> int:
        """What was taken: the amount, or all there is where that is less; 0 after too long."""
        amount = min(amount, self._limits.buffered)
        if not self._queue and amount <= self._left:
            self._left -= amount
            return amount
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        entry = (amount, turn)
        self._queue.append(entry)
        try:
            async with asyncio.timeout(self._limits.turn_seconds):
                await turn
        except BaseException as error:
            if turn.done() and not turn.cancelled():  # its turn came in the same moment
                self.give_back(amount)
            else:
                with suppress(ValueError):  # passed over by whoever gave something back
                    self._queue.remove(entry)
                self._wake()
            if isinstance(error, TimeoutError):
                return 0
            raise
        return amount

    def give_back(self, amount: int) -> None:
        self._left += amount
        self._wake()

    def _wake(self) -> None:
        while self._queue and self._queue[0][0] <= self._left:
            amount, turn = self._queue.popleft()
            if not turn.done():
                self._left -= amount
                turn.set_result(None)


class Share:
    """What one request takes: nothing until its body has more than FREE bytes."""

    __slots__ = ("_budget", "_headers", "_most", "_raw_path", "taken")

    def __init__(self, budget: BodyBudget, raw_path: bytes, headers: Headers, most: int) -> None:
        self._budget, self._raw_path, self._headers, self._most = budget, raw_path, headers, most
        self.taken = 0

    async def take(self) -> bool:
        """Whether there is room; it may take a while."""
        self.taken = await self._budget.take(self._amount())
        return self.taken > 0

    def give_back(self) -> None:
        if self.taken:
            self._budget.give_back(self.taken)
            self.taken = 0

    def _amount(self) -> int:
        announced = value_of(self._headers, b"content-length")
        most = STREAM if last_segment(self._raw_path) in STREAMED else self._most
        if announced is None:
            return most
        is_packed = value_of(self._headers, b"content-encoding") is not None
        return min(most, int(announced) * (_UNPACKED if is_packed else 1))
