"""The nouns of works.

Work -> Chapter, a text of it -> Passage of a page, in both -> Finding -> Infringement, kept
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import Any, Final, Self
from urllib.parse import urlsplit

from indexer.stores.collection_store import Item
from mappings.errors import InputRefused
from query.answers import Verdict

LONGEST_WORK: Final = 120
LONGEST_CHAPTER: Final = 360
"""Bytes of a name, and of an id."""

_SEPARATOR: Final = "/"
_SECTION: Final = "|"
_PORTS: Final = {"http": 80, "https": 443}
_PORT: Final = re.compile(r":\d+$")


class State(StrEnum):
    """Whether a copy still stands where it was found."""

    STANDING = "standing"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class Work:
    """A novel, or the articles of an outlet. `holder`: of the rights; `sites`: hosts whose pages
    are no copies; `indices`: patterns of the names of the indices whose pages are compared. Times:
    see `mappings.collections.moment`."""

    name: str
    holder: str = ""
    outlet: str = ""
    sites: tuple[str, ...] = ()
    indices: tuple[str, ...] = ("*",)
    made: str = ""
    changed: str = ""

    def __post_init__(self) -> None:
        size = len(self.name.encode("utf-8", "replace"))
        if not self.name.strip() or size > LONGEST_WORK or _SEPARATOR in self.name:
            raise InputRefused(
                f"{self.name[:80]!r} cannot name a work; use up to {LONGEST_WORK} bytes without "
                f"{_SEPARATOR!r}"
            )

    def is_for(self, index: str) -> bool:
        """Whether pages of the index are compared with it."""
        return any(fnmatchcase(index, pattern) for pattern in self.indices)

    def values(self) -> dict[str, Any]:
        """As the collection WORKS holds it."""
        return {
            "holder": self.holder or None,
            "outlet": self.outlet or None,
            "sites": list(self.sites) or None,
            "indices": list(self.indices),
            "made": self.made,
            "changed": self.changed,
        }

    @classmethod
    def from_item(cls, item: Item) -> Self:
        """The work that an item of WORKS holds."""
        values = item.values
        return cls(
            item.id,
            values.get("holder", ""),
            values.get("outlet", ""),
            tuple(values.get("sites", ())),
            tuple(values["indices"]),
            values["made"],
            values["changed"],
        )


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter of a novel, or an article. `id` is unique within its work; `number`: its place;
    `letters`: letters and digits of its text."""

    work: str
    id: str
    text: str = field(repr=False)
    title: str = ""
    number: int | None = None
    url: str = ""
    published: str | None = None
    hash: str = ""
    letters: int = 0
    sections: int = 0
    added: str = ""
    changed: str = ""

    def __post_init__(self) -> None:
        if not self.id or len(self.id.encode("utf-8", "replace")) > LONGEST_CHAPTER:
            raise InputRefused(f"the id of a chapter has 1 to {LONGEST_CHAPTER} bytes; shorten it")

    @property
    def key(self) -> str:
        """The id of its item."""
        return chapter_key(self.work, self.id)

    @property
    def order(self) -> tuple[float, str]:
        """Its place in the work: by number, then by id."""
        return (float("inf") if self.number is None else self.number, self.id)

    def values(self) -> dict[str, Any]:
        """As the collection CHAPTERS holds it."""
        return {
            "work": self.work,
            "hash": self.hash,
            "letters": self.letters,
            "sections": self.sections,
            "added": self.added,
            "changed": self.changed,
            "number": self.number,
            "published": self.published,
            "site": site_of(self.url) or None,
            "title": self.title or None,
            "url": self.url or None,
            "text": self.text,
        }

    @classmethod
    def from_item(cls, item: Item) -> Self:
        """The chapter that an item of CHAPTERS holds."""
        values = item.values
        return cls(
            *parts_of_chapter(item.id),
            values.get("text", ""),
            values.get("title", ""),
            values.get("number"),
            values.get("url", ""),
            values.get("published"),
            values["hash"],
            values["letters"],
            values["sections"],
            values["added"],
            values["changed"],
        )


@dataclass(frozen=True, slots=True, order=True)
class Passage:
    """A stretch that a chapter and a page have in common, small edits included: characters
    [start, stop) of either. `same`: units in it (syllables, or words) that are equal."""

    chapter: tuple[int, int]
    page: tuple[int, int]
    same: int


@dataclass(frozen=True, slots=True)
class Finding:
    """A chapter that a page has, or a part of it. `share`: the part of the chapter that the page
    has, `page_share` the part of the page that is the chapter's, both by letters and digits."""

    chapter: str
    verdict: Verdict
    similarity: float
    share: float
    page_share: float
    passages: tuple[Passage, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """A document of an index, as it is compared with works. `key`: as `mappings.records.key_of`
    names it; `site`: its host, or what its field of that name says."""

    key: str
    text: str = field(repr=False)
    site: str = ""
    url: str = ""
    title: str = ""
    published: str | None = None
    fetched: str | None = None


@dataclass(frozen=True, slots=True)
class Infringement:
    """A finding as it is kept. `document`: the key of the page; `first_seen`, `last_seen`: when a
    comparison first and last found it; `gone`: since when it is there no more."""

    id: str
    work: str
    document: str
    site: str
    url: str
    title: str
    finding: Finding
    first_seen: str
    last_seen: str
    gone: str | None = None
    published: str | None = None
    fetched: str | None = None
    chapter_url: str = ""

    @property
    def chapter(self) -> str:
        """The key of the chapter."""
        return self.finding.chapter

    @property
    def state(self) -> State:
        return State.STANDING if self.gone is None else State.GONE

    def values(self) -> dict[str, Any]:
        """As the collection INFRINGEMENTS holds it."""
        finding = self.finding
        return {
            "work": self.work,
            "chapter": finding.chapter,
            "document": self.document,
            "site": self.site,
            "verdict": finding.verdict.value,
            "state": self.state.value,
            "similarity": finding.similarity,
            "share": finding.share,
            "page_share": finding.page_share,
            "first_seen": self.first_seen,
            "last_seen": self.last_seen,
            "gone": self.gone,
            "published": self.published,
            "fetched": self.fetched,
            "passages": [[*p.chapter, *p.page, p.same] for p in finding.passages],
            "title": self.title or None,
            "url": self.url or None,
            "chapter_url": self.chapter_url or None,
        }

    @classmethod
    def from_item(cls, item: Item) -> Self:
        """The infringement that an item of INFRINGEMENTS holds."""
        values = item.values
        return cls(
            item.id,
            values["work"],
            values["document"],
            values["site"],
            values.get("url", ""),
            values.get("title", ""),
            _finding(values),
            values["first_seen"],
            values["last_seen"],
            values.get("gone"),
            values.get("published"),
            values.get("fetched"),
            values.get("chapter_url", ""),
        )


def _finding(values: Mapping[str, Any]) -> Finding:
    passages = tuple(Passage((a, b), (c, d), same) for a, b, c, d, same in values["passages"])
    return Finding(
        values["chapter"],
        Verdict(values["verdict"]),
        values["similarity"],
        values["share"],
        values["page_share"],
        passages,
    )


def chapter_key(work: str, chapter: str) -> str:
    """The id of the item of a chapter."""
    return f"{work}{_SEPARATOR}{chapter}"


def parts_of_chapter(key: str) -> tuple[str, str]:
    """The work and the chapter in such an id; no name of a work has the separator."""
    work, _, chapter = key.partition(_SEPARATOR)
    return work, chapter


def section_id(key: str, number: int) -> str:
    """The id of the document that holds a section of a chapter; 0 is the whole chapter."""
    return f"{number}{_SECTION}{key}"


def chapter_of_section(name: str) -> str:
    """The key of the chapter that such a document is of."""
    return name.partition(_SECTION)[2]


def site_of(url: str) -> str:
    """The host of an address in ASCII, without "www." and with a port that is not the usual one; ""
    for none."""
    try:
        parts = urlsplit(url)
        host, port = ascii_of(parts.hostname or ""), parts.port
    except ValueError:
        return ""
    host = host.removeprefix("www.").rstrip(".")
    usual = port is None or port == _PORTS.get(parts.scheme)
    return host if usual or not host else f"{host}:{port}"


def is_own(site: str, own: tuple[str, ...]) -> bool:
    """Whether a site is one of these, or below one; one without a port stands for all of them."""
    site = ascii_of(site)
    host = _PORT.sub("", site)
    return any(
        name == each or name.endswith(f".{each}")
        for each in map(ascii_of, own)
        for name in (site, host)
        if each
    )


@lru_cache(maxsize=1 << 12)
def ascii_of(host: str) -> str:
    """A host as addresses may spell it as well: that of 例子.中国 begins with xn--."""
    try:
        return host if host.isascii() else host.encode("idna").decode()
    except UnicodeError:  # a site that is called what no host is
        return host
