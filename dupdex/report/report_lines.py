"""A report for a terminal: tables under headlines, aligned by the width of characters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final
from unicodedata import combining, east_asian_width

from dupdex.report.cells import shown
from dupdex.report.findings import DuplicateReport
from dupdex.report.report_tables import Table, Unit, tables_of
from dupdex.report.report_words import POLICIES, fault_words
from dupdex.wire.escapes import visible

_PERIODS: Final = 24
"""The last so many periods are shown; files have them all."""

_WIDEST: Final = 48
_BAR: Final = 20


def report_lines(report: DuplicateReport) -> Iterator[str]:
    """The whole report."""
    yield from _head(report)
    for table in tables_of(report):
        yield ""
        yield table.title.en
        if table.about:
            yield f"  ({table.about.en})"
        if table.cut:
            yield f"  ({table.cut.en})"
        yield from table_lines(table)


def _head(report: DuplicateReport) -> Iterator[str]:
    total, health = report.total, report.health
    copies = f"{total.copies:,} of them copies ({total.rate:.1%})"
    yield f"{report.index}: {total.documents:,} documents, {copies}"
    yield f"{report.groups:,} groups of two and more, the largest of {report.largest:,}"
    size = "" if health.size is None else f", {health.size:,} bytes"
    yield f"store {health.store} {health.version}".rstrip() + size
    yield f"plan {health.plan}: {', '.join(health.schemes)}"
    yield f"original of a group: {POLICIES.get(health.group_policy, POLICIES[None]).en}"
    yield f"boilerplate: {health.notices:,} sentences, of {health.learned_from:,} documents"
    for problem in health.problems:
        yield f"! {fault_words(problem.fault, problem.count).en}"


def table_lines(table: Table) -> Iterator[str]:
    """A table without its title."""
    rows = table.rows
    if table.key == "over_time" and len(rows) > _PERIODS:
        yield f"  (the last {_PERIODS} of {len(rows)})"
        rows = rows[-_PERIODS:]
    texts = [[column.name.en for column in table.columns]]
    for row in rows:
        pairs = zip(row, table.columns, strict=True)
        line = [visible(shown(value, column.unit).en) for value, column in pairs]
        texts.append([*map(_cut, line[:-1]), line[-1]])  # the last one pushes none aside
    widths = [max(map(width, column)) for column in zip(*texts, strict=True)]
    if table.columns[-1].unit is Unit.TEXT:
        widths[-1] = 0
    shares = [at for at, column in enumerate(table.columns) if column.unit is Unit.SHARE]
    for number, line in enumerate(texts):
        cells = [
            _pad(text, widths[at], table.columns[at].unit is not Unit.TEXT)
            for at, text in enumerate(line)
        ]
        bar = _bar(rows[number - 1][shares[0]]) if number and shares else ""
        yield f"  {'  '.join(cells)}  {bar}".rstrip()


def width(text: str) -> int:
    """Columns of a terminal that a text takes."""
    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text)


def _pad(text: str, wide: int, right: bool) -> str:
    space = " " * (wide - width(text))
    return f"{space}{text}" if right else f"{text}{space}"


def _cut(text: str) -> str:
    if width(text) <= _WIDEST:
        return text
    kept, taken = [], 0
    for character in text:
        taken += width(character)
        if taken >= _WIDEST:
            break
        kept.append(character)
    return f"{''.join(kept)}…"


def _bar(share: object) -> str:
    return "#" * round(share * _BAR) if isinstance(share, float) else ""
