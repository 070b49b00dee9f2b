"""Which machines a crawl may ask: those of the public net, and those that it was told of.

A page can link to anything, also to services of the machine or the company that the crawler runs
in. What a name stands for is looked at when it is resolved, so that no second answer of a name
server can lead a request elsewhere than where it was looked at.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from dupdex.crawl.address import host_and_port

_TRANSLATED: Final = ipaddress.ip_network("64:ff9b::/96")


@dataclass(frozen=True)
class NetworkGuard:
    """`told`: hosts and ports that may be asked wherever they are; `all_private`: any may."""

    told: frozenset[tuple[str, int]] = frozenset()
    all_private: bool = False

    @classmethod
    def of(cls, starts: Iterable[str], all_private: bool) -> NetworkGuard:
        """For a crawl that begins at these addresses: those that are private are meant so."""
        places = {host_and_port(start) for start in starts}
        return cls(frozenset(place for place in places if _is_private(*place)), all_private)

    def lets_ask(self, url: str) -> bool:
        """Whether an address may be asked, by what it says itself; the name of its host is looked
        at when it is resolved."""
        host, port = host_and_port(url)
        if self.all_private or (host, port) in self.told:
            return True
        return not self.knows(host) and (not _is_number(host) or is_public(host))

    def lets_connect(self, host: str, address: str) -> bool:
        """Whether the address that a host was resolved to may be asked."""
        return self.all_private or self.knows(host) or is_public(address)

    def knows(self, host: str) -> bool:
        """Whether a port of this host may be asked although it is private."""
        return any(host == told for told, _ in self.told)


def is_public(address: str) -> bool:
    """Whether an IP address is one of the public net."""
    try:
        ip = ipaddress.ip_address(address.partition("%")[0].strip("[]"))
    except ValueError:
        return False
    if isinstance(ip, ipaddress.IPv6Address):
        inner = ip.ipv4_mapped or ip.sixtofour or (ip.teredo[1] if ip.teredo else None)
        if ip in _TRANSLATED:
            inner = ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(str(inner))
    return ip.is_global and not ip.is_multicast


def _is_number(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _is_private(host: str, port: int) -> bool:
    try:
        found = socket.getaddrinfo(host, port, proto=socket.IPPROTO_TCP)
    except (OSError, UnicodeError):
        return False
    return any(not is_public(str(place[4][0])) for place in found)
