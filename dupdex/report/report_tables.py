"""The tables of a report, once for the terminal, for files and for the page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from enum import StrEnum

from dupdex.report.findings import CopyRate, DuplicateReport, ListLengths, SizeClass
from dupdex.report.report_words import (
    DECISIONS,
    DIFFERENCES,
    NO,
    NOBODY,
    PERIODS,
    STATES,
    YES,
    verdict_words,
)
from dupdex.wire.vocabulary import Phrase
from query.tally import Every

Cell = str | int | float | Phrase | None


class Unit(StrEnum):
    """What the values of a column are."""

    TEXT = "text"
    COUNT = "count"
    SHARE = "share"  # 0 to 1
    SECONDS = "seconds"
    TIME = "time"  # milliseconds since 1970


@dataclass(frozen=True, slots=True)
class Column:
    """`key`: its name in files."""

    key: str
    name: Phrase
    unit: Unit = Unit.TEXT


@dataclass(frozen=True, slots=True)
class Table:
    """`key`: the name of its file; `about`: what its figures mean, where that needs a word; `of`:
    how many rows it would have without a limit, where that is known."""

    key: str
    title: Phrase
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    about: Phrase | None = None
    of: int = 0

    @property
    def cut(self) -> Phrase | None:
        """That it is not all, and how much is not shown; None when it is."""
        if len(self.rows) >= self.of:
            return None
        return Phrase(
            f"共 {self.of:,} 项，列出前 {len(self.rows):,} 项",
            f"the first {len(self.rows):,} of {self.of:,}",
        )


def tables_of(report: DuplicateReport) -> list[Table]:
    """Every table that has rows."""
    tables = [
        _over_time(report),
        _rates("by_source", _BY_SOURCE, _SOURCE, report.by_source),
        _rates("by_kind", _BY_KIND, _KIND, report.by_kind),
        _sizes(report.sizes),
        _most_copied(report),
        _flows(report),
        _fastest(report),
        _chains(report),
        _pairs(report),
        _schemes(report),
        _boilerplate(report),
        _runs(report),
    ]
    lengths = {field.name: getattr(report.lengths, field.name) for field in fields(ListLengths)}
    return [replace(table, of=lengths.get(table.key, 0)) for table in tables if table.rows]


def size_name(size: SizeClass) -> str:
    """`2`, `6–10`, `101+`."""
    if size.most is None:
        return f"{size.least}+"
    return f"{size.least}" if size.least == size.most else f"{size.least}–{size.most}"


def period_name(rate: CopyRate, every: Every) -> str | None:
    """`2026-01-31`, or `2026-01` and `2026` for a month and a year."""
    lengths = {Every.MONTH: 7, Every.YEAR: 4}
    return None if rate.name is None else rate.name[: lengths.get(every, 10)]


def _column(key: str, zh: str, en: str, unit: Unit = Unit.TEXT) -> Column:
    return Column(key, Phrase(zh, en), unit)


_SOURCE = _column("source", "来源", "source")
_KIND = _column("kind", "类别", "kind")
_DOCUMENTS = _column("documents", "文档", "documents", Unit.COUNT)
_COPIES = _column("copies", "副本", "copies", Unit.COUNT)
_GROUPS = _column("groups", "组", "groups", Unit.COUNT)
_PAIRS = _column("pairs", "对", "pairs", Unit.COUNT)


_OVER_TIME = Phrase("重复率走势", "Duplicate rate over time")
_BY_SOURCE = Phrase("各来源重复率", "Duplicate rate by source")
_BY_KIND = Phrase("各类别重复率", "Duplicate rate by kind")


def _over_time(report: DuplicateReport) -> Table:
    column = Column("period", PERIODS[report.every])
    rates = (replace(rate, name=period_name(rate, report.every)) for rate in report.over_time)
    return _rates("over_time", _OVER_TIME, column, rates)


def _named(name: str | None) -> Cell:
    return NOBODY if name is None else name


def _rates(key: str, title: Phrase, name: Column, rates: Iterable[CopyRate]) -> Table:
    grouped = _column("grouped", "组内文档", "in groups", Unit.COUNT)
    rate = _column("rate", "重复率", "rate", Unit.SHARE)
    rows = tuple((_named(r.name), r.documents, r.grouped, r.copies, r.rate) for r in rates)
    return Table(key, title, (name, _DOCUMENTS, grouped, _COPIES, rate), rows)


def _sizes(sizes: Sequence[SizeClass]) -> Table:
    name = _column("members", "成员数", "members")
    rows = tuple((size_name(size), size.groups, size.documents) for size in sizes)
    return Table("sizes", Phrase("组的大小", "Sizes of groups"), (name, _GROUPS, _DOCUMENTS), rows)


def _most_copied(report: DuplicateReport) -> Table:
    columns = [
        _column("id", "原文", "original"),
        _column("title", "标题", "title"),
        _COPIES,
    ]
    if report.options.source_field:
        columns += [_SOURCE, _column("sources", "来源数", "sources", Unit.COUNT)]
    if report.options.date_field:
        columns.append(_column("time", "时间", "time", Unit.TIME))
    rows = []
    for each in report.most_copied:
        row: list[Cell] = [each.document.id, each.title, each.copies]
        if report.options.source_field:
            row += [_named(each.source), each.sources]
        if report.options.date_field:
            row.append(each.time)
        rows.append(tuple(row))
    title = Phrase("被复制最多的原文", "Most copied originals")
    return Table("most_copied", title, tuple(columns), tuple(rows))


def _flows(report: DuplicateReport) -> Table:
    columns = (
        _column("copier", "复制者", "copier"),
        _column("original", "原文来源", "source of the original"),
        _COPIES,
        _GROUPS,
    )
    rows = tuple((_named(f.copier), _named(f.original), f.copies, f.groups) for f in report.flows)
    about = Phrase("甲 ← 乙：甲有乙的原文的副本。", "A ← B: A has copies of originals of B.")
    return Table("flows", Phrase("谁复制谁", "Who copies whom"), columns, rows, about)


def _fastest(report: DuplicateReport) -> Table:
    columns = (
        _SOURCE,
        _column("median", "延迟中位数", "median delay", Unit.SECONDS),
        _column("least", "最短延迟", "least delay", Unit.SECONDS),
        _column("originals", "复制的原文", "originals copied", Unit.COUNT),
        _column("earlier", "早于原文", "earlier than the original", Unit.COUNT),
    )
    rows = tuple((s.source, s.median, s.least, s.originals, s.earlier) for s in report.fastest)
    about = Phrase(
        "从他人原文发表到该来源首份副本的时间。复制不足三篇者列后。",
        "From the original of another source to the first copy. Sources with fewer than three "
        "copied originals come last.",
    )
    return Table("fastest", Phrase("复制最快的来源", "Fastest copiers"), columns, rows, about)


def _chains(report: DuplicateReport) -> Table:
    columns = (
        _column("steps", "步数", "steps", Unit.COUNT),
        _column("texts", "相连文本", "connected texts", Unit.COUNT),
        _GROUPS,
        _column("documents", "文档", "documents"),
    )
    rows = tuple(
        (len(c.documents) - 1, c.texts, c.groups, " → ".join(ref.id for ref in c.documents))
        for c in report.chains
    )
    about = Phrase(
        "相邻两篇互为重复，首尾之间没有更短的路。",
        "Each document is a duplicate of the next, and no way from the first to the last is "
        "shorter.",
    )
    return Table("chains", Phrase("最长的传播链", "Longest chains"), columns, rows, about)


def _pairs(report: DuplicateReport) -> Table:
    columns = (
        _column("verdict", "结论", "verdict"),
        _column("decision", "人工判定", "decision"),
        _column("facts", "事实", "facts"),
        _column("template", "模板", "template"),
        _PAIRS,
    )
    rows = tuple(
        (
            verdict_words(each.verdict),
            DECISIONS.get(each.decision, each.decision),
            DIFFERENCES.get(each.facts, each.facts),
            YES if each.template else NO,
            each.pairs,
        )
        for each in report.pairs
    )
    return Table("pairs", Phrase("核实过的重复对", "Verified pairs"), columns, rows)


def _schemes(report: DuplicateReport) -> Table:
    columns = (
        _column("scheme", "算法", "scheme"),
        _column("pairs", "找到的对", "pairs found", Unit.COUNT),
        _column("alone", "仅由它找到", "by it alone", Unit.COUNT),
    )
    rows = tuple((each.scheme, each.pairs, each.alone) for each in report.schemes)
    return Table("schemes", Phrase("各算法的贡献", "What each scheme found"), columns, rows)


def _boilerplate(report: DuplicateReport) -> Table:
    columns = (_column("sentence", "句子", "sentence"), _DOCUMENTS)
    rows = tuple((each.text or None, each.documents) for each in report.boilerplate)
    return Table("boilerplate", Phrase("套话", "Boilerplate"), columns, rows)


def _runs(report: DuplicateReport) -> Table:
    columns = (
        _column("job", "任务", "job"),
        _column("state", "状态", "state"),
        _column("started", "开始", "started"),
        _column("ended", "结束", "ended"),
        _column("error", "错误", "error"),
    )
    rows = tuple(
        (run.job, STATES.get(run.state, run.state), run.started, run.ended, run.error)
        for run in report.health.runs
    )
    return Table("runs", Phrase("最近的任务", "Recent jobs"), columns, rows)
