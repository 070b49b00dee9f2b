"""The tables of a report on infringements, for the terminal, the page, and the CSV file."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator
from dataclasses import fields
from typing import Final

from dupdex.infringement.infringement_findings import InfringementReport, PageCopy
from dupdex.report.cells import in_file
from dupdex.report.charts import Chart, Series
from dupdex.report.report_lines import table_lines
from dupdex.report.report_tables import Cell, Column, Table, Unit
from dupdex.wire.vocabulary import VERDICTS, Phrase
from dupdex.works.work_model import State

STATES: Final = {
    State.STANDING: Phrase("仍在", "standing"),
    State.GONE: Phrase("已消失", "gone"),
}
MOST: Final = 30
"""Rows of a list on a terminal, and bars of a chart."""

_NONE: Final = Phrase("（未知站点）", "(no site)")
_WORK: Final = Column("work", Phrase("作品", "work"))
_SITE: Final = Column("site", Phrase("站点", "site"))
_PAGES: Final = Column("pages", Phrase("页面", "pages"), Unit.COUNT)
_SITES: Final = Column("sites", Phrase("站点", "sites"), Unit.COUNT)
_SHARE: Final = Column("share", Phrase("占比", "share"), Unit.SHARE)
_APPEARED: Final = Column("appeared", Phrase("最早出现", "appeared"))
_FIRST: Final = Column("first_site", Phrase("最早站点", "first site"))

_FIELDS: Final = [each.name for each in fields(PageCopy)]
CSV_COLUMNS: Final = (*_FIELDS[:-2], "passages", "chapter_ranges", "page_ranges")
"""The columns of the CSV file, in order: those of `PageCopy`, the number of passages, and where
those that are listed stand, as start-stop joined by spaces. Later versions may add columns at the
end."""


def tables(report: InfringementReport) -> list[Table]:
    """Every table that has rows."""
    made = [_works(report), _sites(report), _over_time(report), _chapters(report), _copies(report)]
    return [table for table in made if table.rows]


def lines(report: InfringementReport) -> Iterator[str]:
    """The report for a terminal."""
    if report.swept:
        swept = f"compared with works {day(report.swept)}"
    else:
        swept = "found while pages came in" if report.copies else "not swept yet"
    yield f"{report.index}: {len(report.copies):,} copies of works; {swept}"
    for table in tables(report):
        yield ""
        yield table.title.en
        if table.about:
            yield f"  ({table.about.en})"
        if len(table.rows) > MOST:
            yield f"  (the first {MOST} of {len(table.rows):,}; files have all)"
            table = Table(table.key, table.title, table.columns, table.rows[:MOST])
        yield from table_lines(table)


def csv_file(report: InfringementReport) -> bytes:
    """One line a copy: UTF-8 with a mark at the beginning, as spreadsheets need it."""
    stream = io.StringIO()
    writer = csv.writer(stream)
    writer.writerow(CSV_COLUMNS)
    for copy in report.copies:
        values: list[Cell] = [
            *(getattr(copy, name) for name in CSV_COLUMNS[:-3]),
            copy.passages_total,
            " ".join(f"{start}-{stop}" for start, stop in (p.chapter for p in copy.passages)),
            " ".join(f"{start}-{stop}" for start, stop in (p.page for p in copy.passages)),
        ]
        writer.writerow([in_file(value, Unit.TEXT) for value in values])
    return stream.getvalue().encode("utf-8-sig")


def charts(report: InfringementReport) -> list[Chart]:
    """Copies over time by site, and the sites with the largest shares."""
    return [chart for chart in (_time_chart(report), _site_chart(report)) if chart.labels]


def day(time: str | None) -> str | None:
    """A time as people read it in a list."""
    return time[:16].replace("T", " ") if time else None


def named(site: str) -> str | Phrase:
    """A site, also where nobody knows it."""
    return site or _NONE


def _works(report: InfringementReport) -> Table:
    columns = (
        _WORK,
        Column("chapters", Phrase("章节", "chapters"), Unit.COUNT),
        Column("copied", Phrase("被复制", "copied"), Unit.COUNT),
        _SHARE,
        _PAGES,
        _SITES,
        _APPEARED,
        _FIRST,
    )
    rows = tuple(
        (w.work, w.chapters, w.copied, w.share, w.pages, w.sites, day(w.appeared), w.first_site)
        for w in report.works
    )
    about = Phrase(
        "占比：作品文字中至少在一处被复制的部分。",
        "Share: the part of a work's letters that at least one page has.",
    )
    return Table("works", Phrase("作品", "Works"), columns, rows, about)


def _sites(report: InfringementReport) -> Table:
    columns = (
        _SITE,
        _WORK,
        Column("chapters", Phrase("章节", "chapters"), Unit.COUNT),
        _PAGES,
        Column("standing", Phrase("仍在", "standing"), Unit.COUNT),
        _SHARE,
        _APPEARED,
        Column("last_seen", Phrase("最近所见", "last seen")),
    )
    rows = tuple(
        (
            named(s.site),
            s.work,
            s.chapters,
            s.pages,
            s.standing,
            s.share,
            day(s.appeared),
            day(s.last_seen),
        )
        for s in report.sites
    )
    return Table("sites", Phrase("各站点", "By site"), columns, rows)


def _over_time(report: InfringementReport) -> Table:
    columns = (
        Column("month", Phrase("月", "month")),
        _SITE,
        Column("copies", Phrase("副本", "copies"), Unit.COUNT),
    )
    rows = tuple((each.month, named(each.site), each.copies) for each in report.over_time)
    about = Phrase(
        "按页面自标日期，无日期者按首次发现。",
        "By the date that a page gives itself, else by when it was first seen.",
    )
    return Table("over_time", Phrase("时间分布", "Over time"), columns, rows, about)


def _chapters(report: InfringementReport) -> Table:
    columns = (
        _WORK,
        Column("chapter", Phrase("章节", "chapter")),
        Column("title", Phrase("标题", "title")),
        _SHARE,
        _PAGES,
        _SITES,
        _APPEARED,
        _FIRST,
    )
    rows = tuple(
        (c.work, c.chapter, c.title, c.share, c.pages, c.sites, day(c.appeared), c.first_site)
        for c in report.chapters
    )
    return Table("chapters", Phrase("被复制的章节", "Chapters copied"), columns, rows)


def _copies(report: InfringementReport) -> Table:
    columns = (
        _WORK,
        Column("chapter", Phrase("章节", "chapter")),
        Column("verdict", Phrase("结论", "verdict")),
        _SHARE,
        Column("page_share", Phrase("占页面", "of the page"), Unit.SHARE),
        Column("state", Phrase("状态", "state")),
        _APPEARED,
        Column("url", Phrase("网址", "address")),
    )
    rows = tuple(
        (
            c.work,
            c.chapter,
            VERDICTS[c.verdict],
            c.share,
            c.page_share,
            STATES[c.state],
            day(c.appeared),
            c.url or c.document,
        )
        for c in report.copies
    )
    return Table("copies", Phrase("副本", "Copies"), columns, rows)


def _time_chart(report: InfringementReport) -> Chart:
    months = sorted({each.month for each in report.over_time})
    totals: Counter[str] = Counter()
    for each in report.over_time:
        totals[each.month] += each.copies
    values: list[float | None] = [totals[month] for month in months]
    series = Series(Phrase("副本", "copies"), values, Unit.COUNT, "copies")
    return Chart("over_time", [*months], [series])


def _site_chart(report: InfringementReport) -> Chart:
    pages: Counter[str] = Counter()
    for each in report.sites:
        pages[each.site] += each.pages
    shown = pages.most_common(MOST)
    values: list[float | None] = [number for _, number in shown]
    series = Series(Phrase("页面", "pages"), values, Unit.COUNT, "copies")
    return Chart("sites", [named(site) for site, _ in shown], [series], across=True)
