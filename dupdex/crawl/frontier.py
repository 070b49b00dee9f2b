"""The frontier: the addresses that a crawl has met, kept beside the index.

An address is written as waiting before anything else is done with it, and with what became of it
once its page is stored: after a kill it is asked again, and storing a page again changes nothing.
"""

from __future__ import annotations

from collections.abc import Collection as Several
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from dupdex.crawl.address import Address, UrlState
from dupdex.crawl.listings import is_same_day
from dupdex.session import Session
from indexer.stores.collection_store import Between, CollectionStore, Condition, Equals, Query
from mappings.errors import StoreRefused
from mappings.page_records import CRAWL_URLS

_ASKED_AGAIN: Final = tuple(
    state.value for state in UrlState if state not in (UrlState.WAITING, UrlState.TRAPPED)
)
_KNOWN: Final = 50_000
"""Addresses that are known to be in the store without asking it; by their hashes, some 4 MB."""
_TRAPS: Final = 10_000


@dataclass(frozen=True, slots=True)
class Known:
    """What was met: `fresh` are those that nobody had met before, `renewed` those that a sitemap or
    a feed says to have changed since they were asked."""

    fresh: list[Address]
    renewed: list[Address]


class Frontier:
    """The addresses of all crawls of an index. One thread uses it."""

    def __init__(self, store: CollectionStore) -> None:
        """For a collection that is there; everybody calls `open`."""
        self._store = store
        self._met: set[int] = set()

    @classmethod
    def open(cls, session: Session, index: str | None = None) -> Frontier:
        """The frontier beside an index. Raises NotFound when there is no such index."""
        return cls(session.collection(CRAWL_URLS, index))

    def meet(self, found: Iterable[Address]) -> Known:
        """Write those of these addresses that are new, or that are to be asked again."""
        wanted: dict[str, Address] = {}
        for address in found:
            earlier = wanted.get(address.id)
            if address.modified is None and (earlier is not None or hash(address.id) in self._met):
                continue
            wanted[address.id] = address
        stored = self.stored(wanted)
        fresh = [address for name, address in wanted.items() if name not in stored]
        renewed = [
            again
            for name, address in stored.items()
            if (again := _renewed(address, wanted[name])) is not None
        ]
        self.write([*fresh, *renewed])
        if len(self._met) > _KNOWN:
            self._met.clear()
        self._met.update(map(hash, wanted))
        return Known(fresh, [each for each in renewed if each.state is UrlState.WAITING])

    def stored(self, names: Iterable[str]) -> dict[str, Address]:
        """The addresses of these ids that were met before."""
        items = self._store.get_all(names)
        return {name: Address.from_item(item) for name, item in items.items()}

    def write(self, addresses: Iterable[Address]) -> None:
        """Record addresses as they are. Raises StoreRefused for one that cannot be stored."""
        items = [(address.id, address.values()) for address in addresses]
        for outcome in self._store.put_all(items):
            if outcome.reason:
                raise StoreRefused(f"the address {outcome.id} is not stored: {outcome.reason}")

    def waiting(self, site: str, limit: int, without: Several[str]) -> list[Address]:
        """Some addresses of a site that wait, those that were met first."""
        state = Equals("state", (UrlState.WAITING.value,))
        return self._some([_of_site(site), state], "seen", limit, without)

    def due(self, site: str, before: str, limit: int, without: Several[str]) -> list[Address]:
        """Some addresses of a site that were asked, and are to be asked again by then."""
        time = Between("due", below=before)
        return self._some(
            [_of_site(site), Equals("state", _ASKED_AGAIN), time], "due", limit, without
        )

    def asked_before(
        self, site: str, before: str, limit: int, without: Several[str]
    ) -> list[Address]:
        """Some addresses of a site that were asked, but not since then."""
        time = Between("fetched", below=before)
        return self._some(
            [_of_site(site), Equals("state", _ASKED_AGAIN), time], "due", limit, without
        )

    def sites(self) -> set[str]:
        """All sites of which addresses were met."""
        self._store.refresh()
        return {str(values[0]) for values, _ in self._store.tally(["site"])}

    def trapped(self) -> list[Address]:
        """Addresses that earlier runs took for a trap, up to a number."""
        self._store.refresh()
        state = Equals("state", (UrlState.TRAPPED.value,))
        out: list[Address] = []
        page = self._store.query(Query((state,), limit=1_000))
        while True:
            out += [Address.from_item(item) for item in page.items]
            if page.next is None or len(out) >= _TRAPS:
                return out
            page = self._store.query(Query((state,), limit=1_000, after=page.next))

    def count(self, *states: UrlState) -> int:
        """How many addresses are in one of these states, or how many there are."""
        self._store.refresh()
        values = tuple(state.value for state in states)
        return self._store.count([Equals("state", values)] if states else [])

    def _some(
        self, conditions: list[Condition], sort: str, limit: int, without: Several[str]
    ) -> list[Address]:
        """The first ones that are not under way already."""
        self._store.refresh()
        out: list[Address] = []
        after = None
        while True:
            page = self._store.query(Query(tuple(conditions), sort, limit=500, after=after))
            out += [Address.from_item(each) for each in page.items if each.id not in without]
            after = page.next
            if after is None or len(out) >= limit:
                return out[:limit]


def _of_site(site: str) -> Condition:
    return Equals("site", (site,))


def _renewed(stored: Address, met: Address) -> Address | None:
    """A stored address as what was met changes it; None where it does not."""
    if stored.state is UrlState.WAITING:
        return replace(stored, depth=met.depth) if met.depth < stored.depth else None
    if met.modified is None or (stored.modified is not None and met.modified <= stored.modified):
        return None
    newer = replace(stored, modified=met.modified)
    known = stored.modified is None or is_same_day(met.modified, stored.modified)
    # clocks of sites are wrong: a later time than the last one is news, whenever it is
    if known and stored.fetched is not None and met.modified <= stored.fetched:
        return newer
    again = replace(newer, state=UrlState.WAITING, seen=met.seen)
    # what it is now is all that is left of it: an answer that nothing changed would not tell it
    is_told = stored.state in (UrlState.TAKEN, UrlState.LISTING)
    return again if is_told else replace(again, etag="", last_modified="")
