"""Makes the report on infringements of what is kept beside an index."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from dupdex.infringement.infringement_findings import (
    ChapterCopied,
    CopiesIn,
    InfringementReport,
    PageCopy,
    PassageCopied,
    ReportScope,
    SiteCopies,
    WorkCopied,
)
from dupdex.jobs.run_store import RunStore, State
from dupdex.works.infringement_store import InfringementStore
from dupdex.works.passages_between import Range, letters_of, union
from dupdex.works.work_model import Chapter, Infringement, Work, is_own
from dupdex.works.work_store import Works
from dupdex.works.works_sweep import JOB
from indexer.stores.collection_store import Between, Condition, Equals
from mappings.collections import moment
from mappings.records import parts_of_key

PASSAGES: Final = 20
"""Passages listed of one copy."""

_BEGINS: Final = 60
"""Characters shown of a passage."""


@dataclass(frozen=True, slots=True)
class _Copy:
    """A record with the chapter that it is about, and the letters of that."""

    record: Infringement
    chapter: Chapter

    @property
    def appeared(self) -> str:
        return min(filter(None, (self.record.published, self.record.first_seen)))

    @property
    def ranges(self) -> list[Range]:
        return [passage.chapter for passage in self.record.finding.passages]


def infringement_report(
    works: Works, index: str | None = None, scope: ReportScope | None = None
) -> InfringementReport:
    """What is kept of an index, as of now; nothing is compared or changed.

    Raises NotFound for an index, or a work of the scope, that is not there.
    """
    scope = scope or ReportScope()
    session = works.home.session
    name = index or session.location.index
    session.reader(name)
    named = [works.get(each) for each in scope.works] or works.all()
    chapters = {each.key: each for work in named for each in works.chapters(work.name)}
    copies = _copies(InfringementStore.stored(session, name), chapters, scope)
    letters = {copy.chapter.key: letters_of(copy.chapter.text) for copy in copies}
    runs = RunStore.stored(session, name)
    done = runs.latest(JOB, State.DONE, 1) if runs is not None else []
    return InfringementReport(
        name,
        moment(datetime.now(UTC)),
        done[0].started if done else None,
        scope,
        tuple(_work(work, chapters.values(), copies, letters) for work in named),
        tuple(_chapters(copies, letters)),
        tuple(_sites(copies, chapters.values(), letters)),
        tuple(_over_time(copies)),
        tuple(map(_page_copy, copies)),
    )


def _copies(
    store: InfringementStore | None, chapters: Mapping[str, Chapter], scope: ReportScope
) -> list[_Copy]:
    """The records that the report is about, by work, chapter, and when they appeared."""
    if store is None:
        return []
    store.refresh()
    conditions: list[Condition] = []
    if scope.works:
        conditions.append(Equals("work", scope.works))
    if scope.since is not None:
        conditions.append(Between("first_seen", scope.since))
    if scope.least:
        conditions.append(Between("share", scope.least))
    found = [
        _Copy(record, chapters[record.chapter])
        for record in store.all(conditions)
        if record.chapter in chapters
        and not (scope.standing and record.gone)
        and (not scope.sites or is_own(record.site, scope.sites))
    ]
    found.sort(key=lambda c: (c.chapter.work, c.chapter.order, c.appeared, c.record.document))
    return found


def _share(copies: Iterable[_Copy], letters: Mapping[str, Sequence[int]], total: int) -> float:
    """The part of so many letters that any of the copies have."""
    ranges: dict[str, list[Range]] = defaultdict(list)
    for copy in copies:
        ranges[copy.chapter.key] += copy.ranges
    found = 0
    for key, places in ranges.items():
        sums = letters[key]
        last = len(sums) - 1  # the chapter may have become shorter since
        found += sum(
            sums[min(stop, last)] - sums[min(start, last)] for start, stop in union(places)
        )
    return found / max(1, total)


def _work(
    work: Work,
    chapters: Iterable[Chapter],
    copies: Sequence[_Copy],
    letters: Mapping[str, Sequence[int]],
) -> WorkCopied:
    own = [chapter for chapter in chapters if chapter.work == work.name]
    mine = [copy for copy in copies if copy.chapter.work == work.name]
    first = min(mine, key=lambda copy: copy.appeared, default=None)
    return WorkCopied(
        work.name,
        work.holder,
        len(own),
        len({copy.chapter.key for copy in mine}),
        _share(mine, letters, sum(chapter.letters for chapter in own)),
        len({copy.record.document for copy in mine}),
        len({copy.record.site for copy in mine}),
        first.appeared if first else None,
        first.record.site if first else "",
        first.record.url if first else "",
    )


def _chapters(
    copies: Sequence[_Copy], letters: Mapping[str, Sequence[int]]
) -> Iterable[ChapterCopied]:
    by_chapter: dict[str, list[_Copy]] = defaultdict(list)
    for copy in copies:
        by_chapter[copy.chapter.key].append(copy)
    for mine in by_chapter.values():
        chapter, first = mine[0].chapter, min(mine, key=lambda copy: copy.appeared)
        yield ChapterCopied(
            chapter.work,
            chapter.id,
            chapter.number,
            chapter.title,
            chapter.url,
            _share(mine, letters, chapter.letters),
            len(mine),
            len({copy.record.site for copy in mine}),
            first.appeared,
            first.record.site,
            first.record.url,
        )


def _sites(
    copies: Sequence[_Copy],
    chapters: Iterable[Chapter],
    letters: Mapping[str, Sequence[int]],
) -> list[SiteCopies]:
    totals: Counter[str] = Counter()
    for chapter in chapters:
        totals[chapter.work] += chapter.letters
    by_site: dict[tuple[str, str], list[_Copy]] = defaultdict(list)
    for copy in copies:
        by_site[copy.chapter.work, copy.record.site].append(copy)
    out = [
        SiteCopies(
            work,
            site,
            len({copy.chapter.key for copy in mine}),
            len({copy.record.document for copy in mine}),
            len({copy.record.document for copy in mine if copy.record.gone is None}),
            _share(mine, letters, totals[work]),
            min(copy.appeared for copy in mine),
            max(copy.record.last_seen for copy in mine),
        )
        for (work, site), mine in by_site.items()
    ]
    return sorted(out, key=lambda each: (each.work, -each.share, each.site))


def _over_time(copies: Sequence[_Copy]) -> Iterable[CopiesIn]:
    counts = Counter((copy.appeared[:7], copy.record.site) for copy in copies)
    for (month, site), number in sorted(counts.items()):
        yield CopiesIn(month, site, number)


def _page_copy(copy: _Copy) -> PageCopy:
    record, chapter, finding = copy.record, copy.chapter, copy.record.finding
    index, document = parts_of_key(record.document)
    longest = sorted(finding.passages, key=lambda passage: -passage.same)[:PASSAGES]
    passages = tuple(
        PassageCopied(
            each.chapter, each.page, each.same, _begins(chapter.text[slice(*each.chapter)])
        )
        for each in sorted(longest)
    )
    return PageCopy(
        chapter.work,
        chapter.id,
        chapter.number,
        chapter.title,
        chapter.url,
        record.site,
        record.url,
        record.title,
        document,
        index,
        finding.verdict,
        finding.similarity,
        finding.share,
        finding.page_share,
        record.state,
        copy.appeared,
        record.first_seen,
        record.last_seen,
        record.gone,
        record.published,
        record.fetched,
        passages,
        len(finding.passages),
    )


def _begins(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= _BEGINS else f"{words[: _BEGINS - 1]}…"


def of_site(report: InfringementReport, site: str) -> list[PageCopy]:
    """The copies of a site, and of those below it."""
    return [copy for copy in report.copies if is_own(copy.site, (site,))]
