"""A budget for hosts below one name: names of a domain can be without end, each with pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

from dupdex.crawl.address import site_of
from dupdex.crawl.crawl_limits import Scope

_NAMED: Final = 10_000
"""Hosts left out that are told apart; further ones are not counted."""


class HostBudget:
    """Which hosts a crawl asks of those that `*.example.com` lets in: as many as were met first, in
    this run or before. Hosts that are named by themselves always are."""

    def __init__(self, scope: Scope, most: int, met: Iterable[str] = ()) -> None:
        """`most`: hosts of each such name; `met`: sites that earlier runs met."""
        self._scope, self._most = scope, most
        self._met: set[str] = set()
        self._counts: Counter[str] = Counter()
        self._left_out: dict[str, str] = {}
        for site in met:
            self._count(site.removeprefix("www."), scope.wildcard_of(site))

    @property
    def left_out(self) -> dict[str, int]:
        """How many hosts of each name were left out."""
        return dict(sorted(Counter(self._left_out.values()).items()))

    def lets_ask(self, url: str) -> bool:
        """Whether an address that the crawl may follow is of a host that it asks."""
        return not self._scope.has_wildcards or self.lets(site_of(url))

    def lets(self, site: str) -> bool:
        """The same for all of a site."""
        wildcard = self._scope.wildcard_of(site)
        name = site.removeprefix("www.")
        if not wildcard or name in self._met:
            return True
        if self._counts[wildcard] >= self._most:
            if len(self._left_out) < _NAMED:
                self._left_out.setdefault(name, wildcard)
            return False
        self._count(name, wildcard)
        return True

    def _count(self, name: str, wildcard: str) -> None:
        if wildcard and name not in self._met:
            self._met.add(name)
            self._counts[wildcard] += 1
