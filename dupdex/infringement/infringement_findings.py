"""The nouns of a report on infringements, plain data.

InfringementReport: WorkCopied -> ChapterCopied, SiteCopies -> PageCopy -> PassageCopied; CopiesIn
"""

from __future__ import annotations

from dataclasses import dataclass

from dupdex.works.work_model import State
from query.answers import Verdict


@dataclass(frozen=True, slots=True)
class ReportScope:
    """What a report is about. `works`, `sites` (with those below them): these alone, none given for
    all; `since`: copies that were first seen then or later; `least`: copies that have at least this
    share of a chapter; `standing`: only copies that are still there."""

    works: tuple[str, ...] = ()
    sites: tuple[str, ...] = ()
    since: str | None = None
    least: float = 0.0
    standing: bool = False


@dataclass(frozen=True, slots=True)
class PassageCopied:
    """A stretch that chapter and page have in common: characters [start, stop) of either. `same`:
    equal units (syllables, or words); `begins`: how it begins in the chapter."""

    chapter: tuple[int, int]
    page: tuple[int, int]
    same: int
    begins: str


@dataclass(frozen=True, slots=True)
class PageCopy:
    """A page that has a chapter, or a part of it. `share`: of the chapter; `page_share`: of the
    page; `appeared`: the date that the page gives itself, else when it was first seen. Of the
    `passages_total` passages the longest are listed, in the order of the chapter."""

    work: str
    chapter: str
    number: int | None
    chapter_title: str
    chapter_url: str
    site: str
    url: str
    title: str
    document: str
    index: str
    verdict: Verdict
    similarity: float
    share: float
    page_share: float
    state: State
    appeared: str
    first_seen: str
    last_seen: str
    gone: str | None
    published: str | None
    fetched: str | None
    passages: tuple[PassageCopied, ...]
    passages_total: int


@dataclass(frozen=True, slots=True)
class ChapterCopied:
    """A chapter with a copy. `share`: the part of it that any pages have, taken together;
    `first_site`, `first_url`: where it appeared first."""

    work: str
    chapter: str
    number: int | None
    title: str
    url: str
    share: float
    pages: int
    sites: int
    appeared: str
    first_site: str
    first_url: str


@dataclass(frozen=True, slots=True)
class SiteCopies:
    """What a site has of a work. `share`: the part of the work that its pages have, taken together;
    `standing`: pages that are still there."""

    work: str
    site: str
    chapters: int
    pages: int
    standing: int
    share: float
    appeared: str
    last_seen: str


@dataclass(frozen=True, slots=True)
class WorkCopied:
    """A work and its copies. `chapters` it has, `copied` of them; `share`: of its letters."""

    work: str
    holder: str
    chapters: int
    copied: int
    share: float
    pages: int
    sites: int
    appeared: str | None
    first_site: str
    first_url: str


@dataclass(frozen=True, slots=True)
class CopiesIn:
    """Copies that appeared in a month, of one site."""

    month: str
    site: str
    copies: int


@dataclass(frozen=True, slots=True)
class InfringementReport:
    """All of it, as of `made`. `swept`: when pages and works were last compared, None for never."""

    index: str
    made: str
    swept: str | None
    scope: ReportScope
    works: tuple[WorkCopied, ...] = ()
    chapters: tuple[ChapterCopied, ...] = ()
    sites: tuple[SiteCopies, ...] = ()
    over_time: tuple[CopiesIn, ...] = ()
    copies: tuple[PageCopy, ...] = ()
