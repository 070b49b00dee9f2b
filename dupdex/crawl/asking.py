"""One address asked: a conditional request, and what its answer means for it and its host."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final
from urllib.parse import urljoin

from dupdex.crawl.address import Address, UrlState, id_of
from dupdex.crawl.answer_reading import Asked, Kind, is_textual
from dupdex.crawl.crawl_limits import Limits, Scope
from dupdex.crawl.host import Host
from dupdex.crawl.net import Net, NetAnswer, Unanswered
from dupdex.crawl.page_links import absolute
from dupdex.crawl.politeness import OVERLOADED
from dupdex.crawl.private_network import NetworkGuard
from dupdex.crawl.reading_pool import ReadingPool
from dupdex.crawl.robots import MOST_BYTES, Robots, robots_of
from dupdex.crawl.storing import Got
from dupdex.pages.addresses import normalised
from dupdex.pages.page_model import Fetched

_MOVED: Final = (301, 302, 303, 307, 308)
_FOR_EVER: Final = (301, 308)
_GONE: Final = (404, 410)
_UNCHANGED: Final = 304
_ROBOTS_HOPS: Final = 5
_ROBOTS_TRIES: Final = 2
_LONGEST_VALIDATOR: Final = 1_000
_WHY: Final = "its machine is in a private network; --private lets a crawl ask such machines"


@dataclass(slots=True)
class Spent:
    """`pages`: answers with a body; `received`: bytes."""

    pages: int = 0
    received: int = 0
    requests: int = 0


class Asker:
    """Asks the net for addresses, one at a time each."""

    def __init__(
        self,
        net: Net,
        pool: ReadingPool,
        guard: NetworkGuard,
        scope: Scope,
        limits: Limits,
        agent: str,
        afresh: bool = False,
    ) -> None:
        """`agent`: the name that robots.txt files call us by; `afresh`: ask for whole answers."""
        self._net, self._pool, self._guard, self._scope = net, pool, guard, scope
        self._limits, self._agent, self._afresh = limits, agent, afresh
        self.spent = Spent()

    async def robots(self, any_url: str) -> Robots:
        """What the robots.txt of the site of an address says."""
        url = urljoin(any_url, "/robots.txt")
        tries = hops = 0
        while True:
            if not self._guard.lets_ask(url):
                return robots_of(404, b"", self._agent) if hops else Robots(_never, unreadable=_WHY)
            try:
                # rules are rules, whatever type a server says they are of
                answer = await self._net.ask(url, {}, MOST_BYTES, beginning=True)
            except Unanswered as error:
                tries += 1
                if tries < _ROBOTS_TRIES and error.kind != "private":
                    continue
                return Robots(_never, unreadable=f"its robots.txt cannot be had: {error}")
            if answer.status in _MOVED and hops < _ROBOTS_HOPS:
                hops += 1
                url = absolute(url, answer.headers.get("location", "")) or url
                continue
            # a large file takes its time, in which other hosts are asked
            return await asyncio.to_thread(robots_of, answer.status, answer.body, self._agent)

    async def got(self, host: Host, address: Address) -> Got | None:
        """What came of an address; None when it is to be tried again."""
        if not self._guard.lets_ask(address.url):
            return _failed(address, "private", _WHY)
        begun = time.monotonic()
        self.spent.requests += 1
        try:
            most = self._limits.page_bytes
            answer = await self._net.ask(address.url, self._conditions(address), most)
        except Unanswered as error:
            self.spent.received += error.received
            if not error.of_host:
                return _failed(address, error.kind, str(error))
            host.pace.failed(begun)
            return self._later(host, address, error.kind, str(error))
        self.spent.received += answer.received
        if answer.status >= 500 or answer.status in OVERLOADED:
            host.pace.failed(begun, answer.status, answer.headers.get("retry-after", ""))
            kind = f"status {answer.status}"
            return self._later(host, address, kind, f"the site answers with {kind}", answer.status)
        host.pace.answered(answer.seconds)
        return await self._meant(address, answer)

    def _conditions(self, address: Address) -> dict[str, str]:
        headers = {}
        if not self._afresh and address.status is not None:
            if address.etag:
                headers["If-None-Match"] = address.etag
            if address.last_modified:
                headers["If-Modified-Since"] = address.last_modified
        return headers

    def _later(
        self, host: Host, address: Address, kind: str, why: str, status: int | None = None
    ) -> Got | None:
        if host.tries.get(address.id, 0) + 1 < self._limits.tries:
            return None
        return _failed(replace(address, status=status or address.status), kind, why)

    async def _meant(self, address: Address, answer: NetAnswer) -> Got:
        status = answer.status
        if status == _UNCHANGED and self._conditions(address):
            return Got(address, _state_before(address), "unchanged", same=True)
        if status in _MOVED and answer.headers.get("location"):
            return self._moved(address, answer)
        address = replace(address, status=status, why="", etag=_validator(answer, "etag"),
                          last_modified=_validator(answer, "last-modified"))  # fmt: skip
        if status in _GONE:
            return Got(address, UrlState.GONE, "gone", _fetched(answer))
        if status != 200:
            return _failed(address, f"status {status}", f"the site answers with status {status}")
        self.spent.pages += 1
        kind = answer.headers.get("content-type", "").partition(";")[0]
        if not is_textual(kind):
            why = f"it is of type {kind}"
            return Got(replace(address, why=why), UrlState.UNWANTED, "other kind", _fetched(answer))
        return await self._read(address, answer)

    async def _read(self, address: Address, answer: NetAnswer) -> Got:
        fetched = _fetched(answer)
        header = answer.headers.get("x-robots-tag", "")
        asked = Asked(fetched, header, self._agent, self._limits.page_bytes)
        reading = await self._pool.read(asked)
        count = ""
        if reading.kind is Kind.OTHER:
            count = "other kind"
        elif reading.no_index:
            count = "noindex"
        elif reading.kind is Kind.LISTING:
            count = "listing"
        return Got(replace(address, why=reading.why), None, count, fetched, reading)

    def _moved(self, address: Address, answer: NetAnswer) -> Got:
        target = absolute(answer.url, answer.headers["location"])
        hops = address.hops + 1
        moved = replace(address, status=answer.status, etag="", last_modified="", why=target)
        if not target:
            return _failed(moved, "redirects", "it leads to what is no address")
        if hops > self._limits.hops:
            return _failed(moved, "redirects", f"{self._limits.hops} redirects led to it")
        if normalised(target) == address.url:
            return _failed(moved, "redirects", "it leads to itself")
        if id_of(target) == address.id:  # such as http to https: one address, asked elsewhere
            if not self._scope.has(target):
                return _failed(moved, "redirects", "it leads out of the sites of this crawl")
            onward = Address.met(target, address.depth, hops)
            there = replace(moved, url=onward.url, site=onward.site, hops=hops)
            return Got(there, UrlState.WAITING, "moved", asked_at=address.site)
        onward = Address.met(target, address.depth, hops)
        page_gone = _fetched(answer) if answer.status in _FOR_EVER else None
        return Got(moved, UrlState.MOVED, "moved", page_gone, leads_to=(onward,))


def _never(_url: str) -> bool:
    return False


def _failed(address: Address, kind: str, why: str) -> Got:
    return Got(replace(address, why=why), UrlState.FAILED, f"failed: {kind}", same=True)


def _state_before(address: Address) -> UrlState:
    """What an address was before a sitemap said that it changed, which was not so."""
    if address.state is not UrlState.WAITING:
        return address.state
    return UrlState.TAKEN if address.page else UrlState.LISTING


def _validator(answer: NetAnswer, name: str) -> str:
    value = answer.headers.get(name, "")
    return value if len(value) <= _LONGEST_VALIDATOR and value.isprintable() else ""


def _fetched(answer: NetAnswer) -> Fetched:
    return Fetched(
        answer.url,
        answer.status,
        answer.body,
        datetime.now(UTC),
        answer.headers.get("content-type", ""),
        _validator(answer, "etag"),
        _validator(answer, "last-modified"),
    )
