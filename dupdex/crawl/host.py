"""A host of a crawl: what waits for it, how fast it is asked, what it allows."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterable
from typing import Final

from dupdex.crawl.address import Address
from dupdex.crawl.crawl_limits import Limits
from dupdex.crawl.politeness import Politeness
from dupdex.crawl.robots import Robots

HELD: Final = 500
"""Addresses of one host in memory; the others wait in the store."""


class Host:
    """The queue of one site; the event loop alone uses it."""

    def __init__(self, site: str, limits: Limits) -> None:
        self.site = site
        self.pace = Politeness(limits)
        self.robots = Robots()
        self.woken = asyncio.Event()
        self.under_way: set[str] = set()
        """Ids of what waits here, is asked, or is to be stored."""
        self.asking = 0
        self.more = True
        """Whether the store may have addresses that are not here."""
        self.tries: dict[str, int] = {}
        self._queue: deque[Address] = deque()

    def add(self, addresses: Iterable[Address], first: bool = False) -> None:
        """Have addresses wait here, as long as there is room; the others are in the store."""
        for address in addresses:
            if address.id in self.under_way or self.pace.given_up:
                continue
            if len(self._queue) >= HELD:
                self.more = True
                continue
            self.under_way.add(address.id)
            if first:
                self._queue.appendleft(address)
            else:
                self._queue.append(address)
        self.woken.set()

    def again(self, address: Address) -> int:
        """Have an address wait once more; how many times that was so."""
        self.tries[address.id] = self.tries.get(address.id, 0) + 1
        self._queue.append(address)
        self.woken.set()
        return self.tries[address.id]

    def next(self) -> Address | None:
        """The next address, None where none is here."""
        return self._queue.popleft() if self._queue else None

    def peek(self) -> Address | None:
        """The same, which stays."""
        return self._queue[0] if self._queue else None

    def settled(self, name: str) -> None:
        """What came of an address is stored."""
        self.under_way.discard(name)
        self.tries.pop(name, None)

    def give_up(self) -> None:
        """Ask nothing more in this run; what waits stays in the store."""
        for address in self._queue:
            self.under_way.discard(address.id)
        self._queue.clear()
        self.more = False
        self.woken.set()

    @property
    def waits(self) -> bool:
        """Whether something waits here, as far as is known."""
        return bool(self._queue) or self.more
