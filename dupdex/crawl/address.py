"""The noun of a crawl: an address, what became of it, and when it is to be asked again."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any, Final, Self
from urllib.parse import SplitResult, urlsplit

from dupdex.pages.addresses import identity, normalised
from dupdex.pages.page_model import page_id
from indexer.stores.collection_store import Item
from mappings.collections import LONGEST_KEYWORD, moment

SOONEST: Final = timedelta(hours=1)
LATEST: Final = timedelta(days=30)
"""An address that says nothing of its changes is asked again when it has stayed as it was for as
long again, but not before the first and not after the second."""

_PORTS: Final = {"http": 80, "https": 443}
_LONGEST_WHY: Final = 500
_DIGITS: Final = re.compile(r"\d+")
_TOKEN: Final = re.compile(r"(?=[^/]*\d)[0-9a-zA-Z_~-]{16,}")
_TITLE: Final = re.compile(r"[^/]*(?:[-_][^/]*[-_]|%[0-9A-F]{2})[^/]*")


class UrlState(StrEnum):
    """What became of an address."""

    WAITING = "waiting"
    """It was met and is still to be asked."""
    TAKEN = "taken"
    """The page that is there was taken in."""
    LISTING = "listing"
    """A sitemap or a feed is there."""
    MOVED = "moved"
    """It leads to another address."""
    ALIAS = "alias"
    """What is there names another address as its own, which is asked instead."""
    UNWANTED = "unwanted"
    """What is there is no text, or does not want to be indexed."""
    FORBIDDEN = "forbidden"
    """The robots.txt of the site, or the order of the crawl, keeps crawlers away from it."""
    GONE = "gone"
    """The site says that nothing is there."""
    FAILED = "failed"
    """There was no answer that could be used."""
    TRAPPED = "trapped"
    """Many addresses of its shape, which is why it is so, led to nothing new: it is not asked."""


@dataclass(frozen=True, slots=True)
class Address:
    """An address that a crawl has met; the attributes are those of the collection CRAWL_URLS."""

    id: str
    url: str
    site: str
    seen: str
    due: str
    state: UrlState = UrlState.WAITING
    depth: int = 0
    hops: int = 0
    page: str = ""
    fetched: str | None = None
    changed: str | None = None
    modified: str | None = None
    status: int | None = None
    etag: str = ""
    last_modified: str = ""
    why: str = ""

    @classmethod
    def met(cls, url: str, depth: int = 0, hops: int = 0, modified: str | None = None) -> Self:
        """A new one, met now."""
        now = moment(datetime.now(UTC))
        return cls(
            id_of(url),
            normalised(url),
            site_of(url),
            now,
            now,
            depth=depth,
            hops=hops,
            modified=modified,
        )

    @classmethod
    def from_item(cls, item: Item) -> Self:
        """The address that an item of CRAWL_URLS holds."""
        values = {name: value for name, value in item.values.items() if name in cls.__slots__}
        return cls(id=item.id, **(values | {"state": UrlState(values["state"])}))

    def values(self) -> dict[str, Any]:
        """As the collection CRAWL_URLS holds it."""
        out = {name: getattr(self, name) for name in self.__slots__ if name != "id"}
        out |= {"state": self.state.value, "why": self.why[:_LONGEST_WHY]}
        return {name: value for name, value in out.items() if value != ""}


def id_of(url: str) -> str:
    """The id of an address: that of the page that is there, http or https, with www. or without.
    "" for what is no address of a page."""
    return page_id(identity(url))


def site_of(url: str) -> str:
    """The site of an address: the host, with the port unless it is the usual one."""
    parts = urlsplit(url)
    host = _host_of(parts)
    port = parts.port or _PORTS.get(parts.scheme)
    name = f"[{host}]" if ":" in host else host
    usual = port == _PORTS.get(parts.scheme)
    return (name if usual else f"{name}:{port}")[:LONGEST_KEYWORD]


def host_and_port(url: str) -> tuple[str, int]:
    """Where a request for an address goes to. Raises ValueError for one that goes nowhere."""
    parts = urlsplit(url)
    host = _host_of(parts)
    port = parts.port or _PORTS.get(parts.scheme)
    if not host or port is None:
        raise ValueError(f"{url!r} names no host")
    return host, port


def _host_of(parts: SplitResult) -> str:
    """The host as it is asked for: of other scripts in the form of name servers."""
    host = (parts.hostname or "").lower().rstrip(".")
    return host if host.isascii() else host.encode("idna").decode()


def shapes_of(url: str) -> tuple[str, ...]:
    """What the addresses of one kind of page have in common, from near to far: the path without its
    numbers, titles and long tokens, with the names of its parameters; the same without them; the
    folder at the top, where there is one."""
    parts = urlsplit(url)
    path = _DIGITS.sub("0", _TITLE.sub("~", _TOKEN.sub("~", parts.path)))
    names = sorted({pair.partition("=")[0] for pair in parts.query.split("&") if pair})
    whole = f"{site_of(url)}{path}"
    near = f"{whole}?{'&'.join(_DIGITS.sub('0', name) for name in names)}"
    folder = path.split("/")[1:2] if path.count("/") > 1 else []
    return (near, whole, *(f"{site_of(url)}/{name}/…" for name in folder))


def next_due(address: Address, now: datetime) -> str:
    """When an address that was asked now is to be asked again: in the next run where it tells what
    is new for nothing (validators), hardly ever where a sitemap tells it, else by its age."""
    if address.state in (UrlState.FAILED, UrlState.FORBIDDEN, UrlState.LISTING):
        return moment(now)
    if address.modified is not None and address.state is UrlState.TAKEN:
        return moment(now if address.modified > moment(now) else now + LATEST)
    if address.etag or address.last_modified:
        return moment(now)
    changed = datetime.fromisoformat(address.changed) if address.changed else now
    return moment(now + min(max(now - changed, SOONEST), LATEST))
