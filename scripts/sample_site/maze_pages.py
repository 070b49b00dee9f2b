"""The traps: what never ends, what is too large, too slow, broken or angry."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from html import escape
from typing import Final

from scripts.sample_site.prose import article
from scripts.sample_site.site_pages import Page

_HOST: Final = "maze"
STORMS: Final = 5
"""Pages that come after some errors."""

ENTRIES: Final = {
    "calendar": "/calendar/2026/1/",
    "deep": "/deep/1/",
    "facets": "/facets/?colour=1",
    "circle": "/circle/a",
    "chain": "/chain/1",
    "abroad": "/abroad",
    "huge": "/huge.html",
    "bomb": "/bomb.html",
    "slow": "/slow.html",
    "cut": "/cut.html",
    "empty": "/empty.html",
    "broken": "/broken/1.html",
    "picture": "/files/logo.png",
    "session": "/room;jsessionid={session}",
}
"""The way into each trap, by its kind."""

_BLOCK: Final = ("<p>" + "水声" * 500 + "</p>\n").encode() * 300
_MEGABYTE: Final = 1 << 20


def maze_pages(seed: int) -> Iterator[Page]:
    """Good pages among the traps, and a home page that leads into all of them."""
    storms = []
    for number in range(1, STORMS + 1):
        text = article(number, seed, "storm")
        storms.append(Page(_HOST, f"/storm/{number}.html", text.title, text.text, "storm", fails=2))
    goods = []
    for number in range(1, 11):
        text = article(number, seed, "maze")
        goods.append(Page(_HOST, f"/good/{number}.html", text.title, text.text, "unrelated"))
    yield from (*storms, *goods)
    # The good pages come last, so that a crawl must get out of the traps to reach them.
    links = [(path, kind) for kind, path in ENTRIES.items()]
    links += [(page.path, page.title) for page in (*storms, *goods)]
    yield Page(_HOST, "/", "迷宫论坛", role="index", links=links)


def endless(path: str, query: str, session: str) -> list[tuple[str, str]] | None:
    """The links of a page that leads to ever new ones of its kind; None for any other page."""
    parts = path.strip("/").split("/")
    if parts[0] == "calendar" and len(parts) == 3 and parts[1].isdigit() and parts[2].isdigit():
        month = int(parts[1]) * 12 + int(parts[2]) - 1
        around = (month - 1, month + 1)
        return [
            (f"/calendar/{each // 12}/{each % 12 + 1}/", f"{each % 12 + 1}月") for each in around
        ]
    if parts[0] == "deep" and len(parts) > 1:
        return [(f"{path}{len(parts)}/", "更深一层"), (f"/deep/{len(parts)}/", "另一条路")]
    if parts[0] == "facets":
        names = ("colour", "size", "sort", "page", "view")
        return [(f"?{query}&{name}={len(query) % 7}", name) for name in names]
    if parts[0].startswith("room"):
        return [(f"/room;jsessionid={session}", "换个房间"), ("/", "离开")]
    return None


def list_html(title: str, links: list[tuple[str, str]]) -> bytes:
    """A page of links with a little text, the same for all of its kind."""
    items = "".join(f'<li><a href="{escape(path)}">{escape(text)}</a></li>' for path, text in links)
    return (
        f'<!DOCTYPE html><html lang="zh-CN"><head><meta charset="utf-8"><title>{escape(title)}'
        f"</title></head><body><h1>{escape(title)}</h1><ul>{items}</ul></body></html>"
    ).encode()


def huge_body(size: int) -> Iterator[bytes]:
    """A page of `size` bytes, made while it is sent."""
    head = '<html><head><meta charset="utf-8"><title>无尽</title></head><body>'.encode()
    yield head
    left = size - len(head)
    while left > 0:
        yield _BLOCK[:left]
        left -= len(_BLOCK)


def bomb(megabytes: int) -> bytes:
    """A gzip stream that is a thousandth of the page it holds."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    block = b" " * _MEGABYTE
    parts = [packer.compress(b"<html><body><p>")]
    parts += [packer.compress(block) for _ in range(megabytes)]
    return b"".join((*parts, packer.flush()))
