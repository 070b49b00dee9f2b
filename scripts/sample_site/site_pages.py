"""The nouns of the sample site: a page, what it is a copy of, and what is true of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

HOSTS: Final = {
    "news": "127.0.0.1",
    "mirror": "127.0.0.2",
    "rewrites": "127.0.0.3",
    "books": "127.0.0.4",
    "press": "127.0.0.5",
    "maze": "127.0.0.6",
}
"""Names of the sites and their addresses: the originals, three that copy, one of unrelated pages
with a crawl delay, one of traps."""


@dataclass(frozen=True, slots=True)
class Copied:
    """What a page has of an original. `kind`: how it was changed; `share`: of the original that is
    there, before changes; `degree`: exact, light or heavy."""

    work: str
    kind: str
    share: float = 1.0
    degree: str = "exact"


@dataclass(frozen=True, slots=True)
class PageTruth:
    """What is true of one page.

    `found_by`: links, sitemap, feed, or "" where nothing leads to it; `allowed`: by robots.txt;
    `canonical`: the address of the page that this one is a version of, its own where it is none;
    `part_of`: the first page of a text that is cut over several; `role`: article, chapter, copy,
    quote, index, or the kind of trap; `text`: what a reader would call its text ("" of lists).
    """

    url: str
    role: str
    found_by: str
    allowed: bool
    canonical: str
    text: str
    title: str = ""
    status: int = 200
    indexable: bool = True
    part_of: str = ""
    copies: tuple[Copied, ...] = ()

    @property
    def is_document(self) -> bool:
        """Whether a crawl that obeys makes a document of it, or a part of one."""
        own = self.canonical == self.url
        return own and self.allowed and self.indexable and bool(self.text and self.found_by)


@dataclass(slots=True)
class Page:
    """A page as it is served. Addresses (`canonical`, `next_page`, `links`) are paths on the same
    site, or whole ones. `encoding`: of the bytes; `header_charset`, `meta_charset`: what is said of
    it, "" for nothing."""

    host: str
    path: str
    title: str
    text: str = ""
    role: str = "article"
    links: list[tuple[str, str]] = field(default_factory=list)
    copies: tuple[Copied, ...] = ()
    canonical: str = ""
    declares_canonical: bool = False
    next_page: str = ""
    previous_page: str = ""
    part_of: str = ""
    found_by: str = "links"
    status: int = 200
    location: str = ""
    robots: str = ""
    encoding: str = "utf-8"
    header_charset: str = "utf-8"
    meta_charset: str = "utf-8"
    language: str = "zh"
    fails: int = 0
    """How many requests get an error before the page comes."""
    version: int = 1
