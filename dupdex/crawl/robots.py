"""What the robots.txt of a site says to us (RFC 9309; Protego reads it)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

MOST_BYTES: Final = 500 << 10
"""As much as RFC 9309 (2.5) wants to be read at the least; what follows is ignored."""

_NAMED: Final = re.compile(r"(\s*user[- ]?agent\b[\s:]*)([^#]*)", re.IGNORECASE)
_NOBODY: Final = "\x01"
_SLOWEST: Final = 3_600.0


@dataclass(frozen=True)
class Robots:
    """`allows`: whether an address may be asked; `delay`: seconds between two requests, 0 for none;
    `unreadable`: why nothing of the site may be asked, empty where that is not so."""

    allows: Callable[[str], bool] = lambda _: True
    delay: float = 0.0
    sitemaps: tuple[str, ...] = ()
    unreadable: str = ""


def robots_of(status: int, body: bytes, agent: str) -> Robots:
    """Of the answer to a request for the robots.txt: none is there (400 to 499) and all is allowed;
    or it is there and cannot be had (500 and more), and nothing is."""
    if status >= 500 or status == 429:
        return Robots(lambda _: False, unreadable=f"its robots.txt cannot be read: status {status}")
    if status >= 300:
        return Robots()
    from protego import Protego

    rules = Protego.parse(_without_others(_begin_of(body), agent))
    delay = rules.crawl_delay(agent)
    rate = rules.request_rate(agent)
    if rate is not None and rate.requests:
        delay = max(delay or 0.0, rate.seconds / rate.requests)
    return Robots(
        lambda url: bool(rules.can_fetch(url, agent)),
        min(_SLOWEST, max(0.0, delay or 0.0)),
        tuple(rules.sitemaps),
    )


def _begin_of(body: bytes) -> str:
    """What is read of a file: whole lines."""
    if len(body) > MOST_BYTES:
        body = body[: max(body.rfind(end, 0, MOST_BYTES) for end in (b"\n", b"\r")) + 1]
    return body.decode("utf-8-sig", "replace")


def _without_others(text: str, agent: str) -> str:
    """The rules with one name for all crawlers that are not meant by ours: to read files with
    thousands of names and rules takes their product otherwise."""
    ours = agent.strip().lower()

    def of_one(line: str) -> str:
        found = _NAMED.match(line)
        if found is None or found[2].strip().lower().replace("*", "") in ours:
            return line
        return f"{found[1]}{_NOBODY}"

    return "\n".join(map(of_one, text.splitlines()))
