"""Checks that wait at the same time are looked up together: fewer round trips, and texts that are
prepared in one go. A check that comes alone does not wait for others.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Final
from weakref import WeakKeyDictionary

from dupdex.gateway.rest.operations import Asked, Reply
from dupdex.gateway.services import Services
from mappings.errors import DupdexError

TOGETHER: Final = 8
"""Checks of one lookup, at most."""

CHARACTERS: Final = 60_000
"""Characters of their texts, about, so that long texts do not hold up short ones."""

SLOTS: Final = 2
"""Lookups at the same time: one computes while the other waits for the store."""

Several = Callable[[Sequence[Asked]], list[Reply | DupdexError]]


@dataclass(frozen=True, slots=True)
class _One:
    asked: Asked
    weight: int
    told: asyncio.Future[Reply]


class Gathering:
    """The checks that wait in this process; used by its loop alone."""

    def __init__(self, several: Several) -> None:
        self._several = several
        self._waiting: dict[Hashable, deque[_One]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def answer(self, asked: Asked, kind: Hashable, weight: int) -> Reply:
        """The answer to one check. `kind`: those of the same are answered together; `weight`: the
        characters of its text."""
        told: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(kind, deque()).append(_One(asked, weight, told))
        self._begin()
        return await told

    def _begin(self) -> None:
        while self._waiting and len(self._tasks) < SLOTS:
            kind = next(iter(self._waiting))  # the one that waits longest
            queue = self._waiting.pop(kind)
            batch, weight = [queue.popleft()], 0
            while queue and len(batch) < TOGETHER and weight + queue[0].weight <= CHARACTERS:
                weight += queue[0].weight
                batch.append(queue.popleft())
            if queue:
                self._waiting[kind] = queue  # behind the others
            task = asyncio.create_task(self._answer(batch))
            self._tasks.add(task)
            task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        self._begin()

    async def _answer(self, batch: Sequence[_One]) -> None:
        batch = [each for each in batch if not each.told.done()]  # some clients have gone
        if not batch:
            return
        try:
            blocking = batch[0].asked.services.blocking
            replies = await blocking(self._several, [each.asked for each in batch])
        except BaseException as error:  # not swallowed: everyone who waits is told
            for each in batch:
                if not each.told.done():
                    each.told.set_exception(error)
            return
        for each, reply in zip(batch, replies, strict=True):
            if each.told.done():
                continue
            if isinstance(reply, DupdexError):
                each.told.set_exception(reply)
            else:
                each.told.set_result(reply)


_EVERY: Final[WeakKeyDictionary[Services, Gathering]] = WeakKeyDictionary()


def gathering_of(services: Services, several: Several) -> Gathering:
    """That of a process."""
    found = _EVERY.get(services)
    if found is None:
        found = _EVERY[services] = Gathering(several)
    return found
