"""A crawl under way: one loop a host, one writer for all.

host loop: address -> pace -> net -> reading in a process -> batch -> stored -> more addresses

All state is of the event loop; what blocks (the store) runs in one thread, one batch at a time.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any, Final, TypeVar

from dupdex.crawl.address import Address, UrlState, shapes_of, site_of
from dupdex.crawl.asking import Asker
from dupdex.crawl.crawl_limits import Limits, Scope
from dupdex.crawl.host import HELD, Host
from dupdex.crawl.politeness import OPEN
from dupdex.crawl.storing import Got, Stored, Storing

BATCH: Final = 64
BATCH_SECONDS: Final = 0.5
OPEN_IN_ALL: Final = 96
"""Requests under way at a time, to all hosts."""

_HELD_BYTES: Final = 48 << 20
_HELD_ANSWERS: Final = 256

Made = TypeVar("Made")


@dataclass(frozen=True)
class Order:
    """What a crawl is to do. `before`: addresses that are due before this moment are asked again;
    `afresh`: all that were asked before then are, whether they are due or not."""

    starts: tuple[str, ...]
    scope: Scope
    limits: Limits
    before: str
    afresh: bool = False


class Crawl:
    """One crawl. `told` is given the counts after each batch."""

    def __init__(
        self,
        order: Order,
        asker: Asker,
        storing: Storing,
        told: Callable[[Counter[str]], None] = lambda _: None,
    ) -> None:
        self._order, self._asker, self._storing, self._told = order, asker, storing, told
        self._hosts: dict[str, Host] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._thread = ThreadPoolExecutor(1, "dupdex-crawl")
        self._batch: list[Got] = []
        self._batch_came, self._over = asyncio.Event(), asyncio.Event()
        self._slots = asyncio.Semaphore(OPEN_IN_ALL)
        self._held = 0
        self._held_bytes = 0
        self._looking = 0
        self._error: BaseException | None = None
        self.counts: Counter[str] = Counter()
        self.problems: dict[str, str] = {}
        self.ended_by = ""
        """Why it ended before all was asked; empty where it did not."""

    async def run(self) -> None:
        """Crawl until nothing waits, a limit is met, or `stop` is called; store what was fetched.

        Raises what the store raises."""
        try:
            starts = await self._in_thread(self._storing.begin, self._order.starts)
            others = await self._in_thread(self._left_by_others)
            for address in starts:
                self._host(address.site).add([address], first=True)
            for address in others:
                self._host(address.site).add([address])
            self._begin(self._write())
            await self._over.wait()
            await self._wind_up()
        finally:
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)
            self._thread.shutdown(wait=True)
        if self._error is not None:
            raise self._error

    def stop(self, why: str) -> None:
        """Take up no further address; what is under way is given a moment to end."""
        if not self._over.is_set():
            self.ended_by = why
            self._over.set()
        self._wake()

    async def _wind_up(self) -> None:
        """What was fetched is read and stored; requests under way are given up, and wait for the
        next run."""
        limit = self._order.limits.timeout if not self.ended_by else 3.0
        until = asyncio.get_running_loop().time() + limit
        while any(host.asking for host in self._hosts.values()) and self._error is None:
            if asyncio.get_running_loop().time() > until:
                break
            await asyncio.sleep(0.02)
        while self._held and self._error is None:
            await self._store_batch()
            await asyncio.sleep(0.01)

    # hosts

    def _host(self, site: str) -> Host:
        host = self._hosts.get(site)
        if host is None:
            host = self._hosts[site] = Host(site, self._order.limits)
            self._begin(self._run_host(host))
        return host

    async def _run_host(self, host: Host) -> None:
        self._looking += 1
        host.robots = await self._asker.robots(self._any_url(host))
        self._looking -= 1
        host.pace.set_crawl_delay(host.robots.delay)
        if host.robots.unreadable:
            self._give_up(host, host.robots.unreadable)
        elif host.robots.sitemaps:
            known = await self._in_thread(self._storing.meet, host.robots.sitemaps)
            self._spread(known)
        places = asyncio.Semaphore(OPEN)
        while (address := await self._next(host)) is not None:
            host.asking += 1  # from now on, as it waits nowhere else
            await places.acquire()
            await asyncio.sleep(host.pace.wait())
            while host.pace.wait() > 0:  # it failed meanwhile
                await asyncio.sleep(host.pace.wait())
            await self._slots.acquire()
            if self._over.is_set() or host.pace.given_up:
                host.settled(address.id)
                host.asking -= 1
                self._slots.release()
                break
            host.pace.begin()
            self._begin(self._ask(host, address, places))
        if host.pace.given_up:
            self._give_up(host, host.pace.given_up)
        self._look_whether_over()  # nothing may come any more that would

    def _any_url(self, host: Host) -> str:
        address = host.peek()
        return address.url if address is not None else f"https://{host.site}/"

    async def _next(self, host: Host) -> Address | None:
        """The next address of a host that is to be asked; None once there is none any more."""
        while not self._over.is_set() and not host.pace.given_up:
            if self._is_held_up() or self._is_spent():
                await self._woken(host)
            elif (address := host.next()) is not None:
                if self._may_be_asked(host, address):
                    return address
            elif host.more:
                await self._refill(host)
            else:
                self._look_whether_over()
                await self._woken(host)
        return None

    async def _woken(self, host: Host) -> None:
        if self._over.is_set():
            return
        await host.woken.wait()
        host.woken.clear()

    def _may_be_asked(self, host: Host, address: Address) -> bool:
        """Whether it is to be asked; what is not is settled at once."""
        order = self._order
        if not order.scope.passes(address.url) or address.depth > order.limits.depth:
            why = "the order of the crawl leaves it out"
            self._put(Got(replace(address, why=why), UrlState.FORBIDDEN, "left out", same=True))
            return False
        if not host.robots.allows(address.url):
            self._put(Got(address, UrlState.FORBIDDEN, "forbidden", same=True))
            return False
        is_new = address.fetched is None and address.url not in order.starts
        trap = self._storing.shapes.trap(shapes_of(address.url)) if is_new else ""
        if trap:
            self._put(Got(replace(address, why=trap), UrlState.TRAPPED))
            return False
        return True

    async def _refill(self, host: Host) -> None:
        host.more = False
        self._looking += 1
        found = await self._in_thread(self._more_of, host.site, frozenset(host.under_way))
        self._looking -= 1
        host.more = host.more or len(found) >= HELD
        host.add(found)

    def _left_by_others(self) -> list[Address]:
        """An address that is to be asked of each host that earlier runs met beside the starts."""
        own = {site_of(url) for url in self._order.starts}
        met = (site for site in self._storing.met_sites() if site not in own)
        return [address for site in met for address in self._more_of(site, frozenset(), 1)]

    def _more_of(self, site: str, without: frozenset[str], most: int = HELD) -> list[Address]:
        frontier, order = self._storing.frontier, self._order
        found = frontier.waiting(site, most, without)
        if len(found) < most:
            seen = without | {address.id for address in found}
            again = frontier.asked_before if order.afresh else frontier.due
            found += again(site, order.before, most - len(found), seen)
        return found

    def _give_up(self, host: Host, why: str) -> None:
        host.pace.given_up = host.pace.given_up or why
        host.give_up()
        self.problems[host.site] = why
        self._wake()

    # addresses

    async def _ask(self, host: Host, address: Address, places: asyncio.Semaphore) -> None:
        try:
            got = await self._asker.got(host, address)
            if got is None:  # it failed, and is tried again
                host.again(address)
            else:
                self._put(got)
        finally:
            host.asking -= 1
            places.release()
            self._slots.release()
            self._wake()

    def _put(self, got: Got) -> None:
        self._batch.append(got)
        self._held += 1
        self._held_bytes += got.weight
        self._batch_came.set()

    async def _write(self) -> None:
        """Stores batches until the crawl is over."""
        loop = asyncio.get_running_loop()
        while not self._over.is_set():
            await self._batch_came.wait()
            until = loop.time() + BATCH_SECONDS
            while len(self._batch) < BATCH and loop.time() < until and not self._is_idle():
                await asyncio.sleep(0.01)
            self._batch_came.clear()
            if not self._over.is_set():
                await self._store_batch()
                self._look_whether_over()

    async def _store_batch(self) -> None:
        batch, self._batch = self._batch[:BATCH], self._batch[BATCH:]
        if self._batch:
            self._batch_came.set()
        if not batch:
            return
        stored: Stored = await self._in_thread(self._storing.store, batch)
        for got in batch:
            self._hosts[got.site].settled(got.address.id)
            self._held -= 1
            self._held_bytes -= got.weight
        self.counts += stored.counts
        self.counts["stored"] += len(batch)
        self._spread(stored.to_ask)
        self._told(self.counts)
        self._wake()

    def _spread(self, addresses: Sequence[Address]) -> None:
        for address in addresses:
            self._host(address.site).add([address])

    # limits and ends

    def _is_held_up(self) -> bool:
        """Whether answers wait to be stored for longer than others are to be fetched."""
        return self._held_bytes > _HELD_BYTES or self._held > _HELD_ANSWERS

    def _is_spent(self) -> bool:
        """Whether what is under way may use up a limit; ends the crawl where one is used up."""
        limits, asking = self._order.limits, sum(host.asking for host in self._hosts.values())
        spent = self._asker.spent
        if limits.megabytes is not None and spent.received >= limits.megabytes << 20:
            self.stop("megabytes")
        elif limits.pages is not None and spent.pages >= limits.pages:
            self.stop("pages")
        return limits.pages is not None and spent.pages + asking >= limits.pages

    def _is_idle(self) -> bool:
        """Whether nothing further comes before the batch is stored."""
        if self._looking:
            return False
        hosts = self._hosts.values()
        return not any(host.asking or host.waits for host in hosts)

    def _look_whether_over(self) -> None:
        if self._is_idle() and not self._held:
            self._over.set()
            self._wake()

    def _wake(self) -> None:
        for host in self._hosts.values():
            host.woken.set()
        if self._over.is_set():
            self._batch_came.set()

    # tasks

    async def _in_thread(self, call: Callable[..., Made], *given: Any) -> Made:
        return await asyncio.get_running_loop().run_in_executor(self._thread, call, *given)

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self._error = self._error or error
            self._over.set()
            self._wake()
