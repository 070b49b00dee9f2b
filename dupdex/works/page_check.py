"""Which chapters of works a page has, or parts of them: bank -> page.

blocks and sections of the page -> lookups in the bank -> chapters -> compared as wholes -> findings

What is found of a page depends on the page and on the bank alone, so that it is the same on
arrival, in a sweep, and in another order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from dupdex.index import Index
from dupdex.retention import time_of
from dupdex.works.passages_between import Range, compared, union
from dupdex.works.text_sections import blocks, pieces
from dupdex.works.work_model import (
    Chapter,
    Finding,
    Page,
    Passage,
    Work,
    chapter_of_section,
    is_own,
    parts_of_chapter,
    site_of,
)
from dupdex.works.work_store import WORK_FIELD, Works
from indexer.model import Body
from mappings.collections import LONGEST_KEYWORD, moment
from mappings.errors import NotFound, TextRefused
from mappings.plan import Plan
from mappings.records import key_of
from query.answers import Answer, Filter
from query.questions import Options, Question

_LOOKUP: Final = Options(
    size=None,
    candidates=200,
    verify=None,
    facts=False,
    located=False,
    as_meant=False,
    bodies=False,
)
_AT_ONCE: Final = 100
"""Texts that are looked up together."""

_WHOLE: Final = 24_000
"""A page of up to so many characters is compared as a whole; of a longer one the part that lookups
found the chapter in."""

_AROUND: Final = 500


@dataclass(frozen=True, slots=True)
class _Asked:
    """A part of a page, looked up; `page`: the number of the page."""

    page: int
    start: int
    stop: int
    text: str


class PageCheck:
    """Compares pages of one index with the works that are for it, as they are when it is made."""

    def __init__(self, works: Works, index: str, only: Sequence[str] = ()) -> None:
        """`only`: nothing but these works. `urls`: of the chapters that were found so far. Raises
        NotFound for a work that is not there."""
        self._works = works
        named = [works.get(name) for name in dict.fromkeys(only)]
        wanted = named or works.all()
        self.works: Mapping[str, Work] = {each.name: each for each in wanted if each.is_for(index)}
        self._only = bool(only)
        self.urls: dict[str, str] = {}
        self._texts: Index | None = None
        if self.works:
            try:
                self._texts = works.home.texts()
            except NotFound:  # there is a work, and no chapter yet
                self._texts = None

    @property
    def plan(self) -> Plan | None:
        """The plan of the bank; None while it has no chapters."""
        return None if self._texts is None else self._texts.plan

    def is_own(self, chapter: str, site: str, chapters: Mapping[str, Chapter]) -> bool:
        """Whether pages of the site are no copies of the chapter."""
        work = self.works[parts_of_chapter(chapter)[0]]
        return is_own(site, (*work.sites, site_of(chapters[chapter].url)))

    def check(self, pages: Sequence[Page]) -> list[tuple[Finding, ...]]:
        """The findings of each page. A page that cannot be compared has none."""
        texts = self._texts
        if texts is None:
            return [()] * len(pages)
        candidates = self._candidates(pages, texts)
        names = {name for found in candidates for name in found}
        chapters = self._works.these(sorted(names))
        self.urls |= {key: chapter.url for key, chapter in chapters.items()}
        return [
            self._findings(page, found, chapters, texts.plan)
            for page, found in zip(pages, candidates, strict=True)
        ]

    def _candidates(self, pages: Sequence[Page], texts: Index) -> list[dict[str, list[Range]]]:
        """For each page the chapters that lookups found, and in which of its parts."""
        out: list[dict[str, list[Range]]] = [{} for _ in pages]
        asked = [
            part for at, page in enumerate(pages) for part in _parts(at, page.text, texts.plan)
        ]
        for first in range(0, len(asked), _AT_ONCE):
            together = asked[first : first + _AT_ONCE]
            for part, answer in zip(together, self._answers(together, texts), strict=True):
                for match in answer.matches if answer else ():
                    key = chapter_of_section(match.id)
                    if parts_of_chapter(key)[0] in self.works:
                        out[part.page].setdefault(key, []).append((part.start, part.stop))
        return out

    def _answers(self, asked: Sequence[_Asked], texts: Index) -> list[Answer | None]:
        """One answer each, None for a text that cannot be compared."""
        options = _LOOKUP
        if self._only and len(self.works) == 1:
            only: Filter = {"term": {WORK_FIELD: next(iter(self.works))}}
            options = replace(_LOOKUP, filters=(only,))
        try:
            return [*texts.lookup_all([Question(part.text) for part in asked], options)]
        except TextRefused:
            if len(asked) == 1:
                return [None]
            return [answer for part in asked for answer in self._answers([part], texts)]

    def _findings(
        self,
        page: Page,
        found: Mapping[str, list[Range]],
        chapters: Mapping[str, Chapter],
        plan: Plan,
    ) -> tuple[Finding, ...]:
        """What of the candidates counts. Chapters of one work share no stretch of a page: what
        several of them have, such as a note of the author, is of the one that has most there. Of
        chapters with one text, all that the page has of it is of each."""
        by_text: dict[str, list[str]] = {}
        for key in sorted(found.keys() & chapters.keys()):
            if not self.is_own(key, page.site, chapters):
                by_text.setdefault(chapters[key].text, []).append(key)
        pairs = []
        for text, keys in by_text.items():
            low, high = _region(page.text, [each for key in keys for each in found[key]])
            try:
                pair = compared(keys[0], text, page.text[low:high], plan)
            except TextRefused:
                continue
            pairs += [(replace(pair, key=key), low) for key in keys]
        pairs.sort(key=lambda pair: (-pair[0].weight, pair[0].key))
        taken: dict[str, list[Range]] = {}
        same: dict[tuple[str, str], tuple[Passage, ...]] = {}
        out = []
        for pair, low in pairs:
            work, text = parts_of_chapter(pair.key)[0], chapters[pair.key].text
            passages = same.get((work, text))
            if passages is None:
                passages = pair.passages(_moved(taken.get(work, ()), -low))
                here = _moved([each.page for each in passages], low)
                taken[work] = union([*taken.get(work, ()), *here])
                same[work, text] = passages
            if passages:
                out.append(pair.finding(passages, page.text, low))
        return tuple(sorted(out, key=lambda finding: finding.chapter))


def page_of(index: str, name: str, text: str, body: Body) -> Page:
    """A document as a page: its fields url, site, title, published and fetched."""
    url = _string(body.get("url"))
    site = _string(body.get("site")).lower().removeprefix("www.") or site_of(url)
    return Page(
        key_of(index, name),
        text,
        site.encode("utf-8", "replace")[:LONGEST_KEYWORD].decode("utf-8", "ignore"),
        url,
        _string(body.get("title")),
        _time(body.get("published")),
        _time(body.get("fetched")),
    )


def _parts(at: int, text: str, plan: Plan) -> Iterable[_Asked]:
    for part in (*blocks(text), *pieces(text, plan)):
        yield _Asked(at, part.start, part.stop, part.text)


def _region(text: str, ranges: Sequence[Range]) -> Range:
    """The part of a page that a chapter is compared with."""
    if len(text) <= _WHOLE:
        return 0, len(text)
    low, high = min(start for start, _ in ranges), max(stop for _, stop in ranges)
    return max(0, low - _AROUND), min(len(text), high + _AROUND)


def _moved(ranges: Iterable[Range], by: int) -> list[Range]:
    return [(start + by, stop + by) for start, stop in ranges]


def _string(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _time(value: Any) -> str | None:
    time = time_of(value) if value is not None else None
    return None if time is None else moment(time)
