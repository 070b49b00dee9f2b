"""A report as one HTML page with charts, in two languages, that needs no other file."""

from __future__ import annotations

from dataclasses import dataclass

import orjson

from dupdex.report.cells import shown
from dupdex.report.charts import charts_of
from dupdex.report.findings import DuplicateReport
from dupdex.report.report_tables import Table, Unit, tables_of
from dupdex.report.report_words import POLICIES, fault_words
from dupdex.wire.page import render
from dupdex.wire.vocabulary import Phrase


@dataclass(frozen=True, slots=True)
class ShownTable:
    """A table as the page shows it; `heads`: Chinese, English, and whether it holds numbers."""

    key: str
    title: Phrase
    about: Phrase | None
    cut: Phrase | None
    heads: list[tuple[str, str, bool]]
    rows: list[list[Phrase]]


def report_page(report: DuplicateReport, language: str | None = None) -> str:
    """The page; `language` is "zh" or "en", None for the reader's. All names are escaped."""
    from markupsafe import Markup  # with the templates, which no other command needs

    charts = [chart.to_json() for chart in charts_of(report)]
    data = orjson.dumps(charts).decode().replace("<", "\\u003c")
    return render(
        "report.html",
        language=language or "",
        report=report,
        rate=f"{report.total.rate:.1%}",
        tiles=_tiles(report),
        problems=[fault_words(each.fault, each.count) for each in report.health.problems],
        tables=[shown_table(table) for table in tables_of(report)],
        charted={chart["id"] for chart in charts},
        charts=Markup(data),
        facts=_facts(report),
    )


def shown_table(table: Table) -> ShownTable:
    """A table with its values as people read them."""
    heads = [(c.name.zh, c.name.en, c.unit is not Unit.TEXT) for c in table.columns]
    rows = [
        [shown(value, column.unit) for value, column in zip(row, table.columns, strict=True)]
        for row in table.rows
    ]
    return ShownTable(table.key, table.title, table.about, table.cut, heads, rows)


def _tiles(report: DuplicateReport) -> list[tuple[Phrase, int]]:
    return [
        (Phrase("篇文档", "documents"), report.total.documents),
        (Phrase("篇副本", "copies"), report.total.copies),
        (Phrase("个重复组", "groups"), report.groups),
        (Phrase("最大组的成员", "in the largest group"), report.largest),
        (Phrase("对已核实", "verified pairs"), sum(each.pairs for each in report.pairs)),
    ]


def _facts(report: DuplicateReport) -> list[tuple[Phrase, Phrase]]:
    health, options = report.health, report.options
    learned = Phrase(
        f"{health.notices:,} 句，学自 {health.learned_from:,} 篇文档",
        f"{health.notices:,} sentences, learned from {health.learned_from:,} documents",
    )
    size = shown(health.size, Unit.COUNT)
    if health.size is not None:
        size = Phrase(f"{size.zh} 字节", f"{size.en} bytes")
    policy = POLICIES.get(health.group_policy, POLICIES[None])
    return [
        (Phrase("存储", "store"), _same(f"{health.store} {health.version}")),
        (Phrase("大小", "size"), size),
        (Phrase("方案", "plan"), _same(health.plan)),
        (Phrase("算法", "schemes"), _same(", ".join(health.schemes))),
        (Phrase("组的原文", "original of a group"), policy),
        (Phrase("套话", "boilerplate"), learned),
        (Phrase("日期字段", "date field"), _field(options.date_field, "入库时间", "when written")),
        (Phrase("来源字段", "source field"), _field(options.source_field, "未指定", "none")),
        (Phrase("类别字段", "kind field"), _field(options.kind_field, "未指定", "none")),
    ]


def _same(text: str) -> Phrase:
    return Phrase(text, text)


def _field(path: str, zh: str, en: str) -> Phrase:
    return _same(path) if path else Phrase(zh, en)
