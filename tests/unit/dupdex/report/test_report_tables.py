"""Tables of a report: on a terminal, in files, and what the page's charts are given."""

from __future__ import annotations

import csv
import io

import orjson
import pytest

from dupdex.report.cells import in_file, shown
from dupdex.report.charts import charts_of
from dupdex.report.csv_files import csv_files
from dupdex.report.findings import Fault, ReportOptions
from dupdex.report.report_lines import report_lines, width
from dupdex.report.report_page import report_page
from dupdex.report.report_tables import Cell, Unit, tables_of
from dupdex.report.report_words import FAULTS
from mappings.errors import InputRefused
from tests.unit.dupdex.report.samples import EMPTY, HOSTILE, REPORT


def test_every_part_has_a_table() -> None:
    assert [table.key for table in tables_of(REPORT)] == [
        "over_time",
        "by_source",
        "by_kind",
        "sizes",
        "most_copied",
        "flows",
        "fastest",
        "chains",
        "pairs",
        "schemes",
        "boilerplate",
        "runs",
    ]
    assert tables_of(EMPTY) == []
    for table in tables_of(REPORT):
        assert {len(row) for row in table.rows} == {len(table.columns)}
        words = (table.title, *(column.name for column in table.columns))
        assert all(each.zh and each.en for each in words)


def test_every_fault_has_words() -> None:
    assert set(FAULTS) == set(Fault)
    assert all(text.count("{}") == 1 for words in FAULTS.values() for text in words)


@pytest.mark.parametrize(
    ("value", "unit", "zh", "en", "filed"),
    [
        (None, Unit.COUNT, "—", "—", ""),
        (12_345, Unit.COUNT, "12,345", "12,345", 12_345),
        (0.12345, Unit.SHARE, "12.3%", "12.3%", 0.1235),
        (59.4, Unit.SECONDS, "59 秒", "59 s", 59.4),
        (90.0, Unit.SECONDS, "1.5 分钟", "1.5 min", 90.0),
        (7_200.0, Unit.SECONDS, "2.0 小时", "2.0 h", 7_200.0),
        (129_600.0, Unit.SECONDS, "1.5 天", "1.5 d", 129_600.0),
        (
            1_769_860_800_000,
            Unit.TIME,
            "2026-01-31 12:00",
            "2026-01-31 12:00",
            "2026-01-31T12:00:00Z",
        ),
        (10**18, Unit.TIME, str(10**18), str(10**18), str(10**18)),
        ("=1+1", Unit.TEXT, "=1+1", "=1+1", "'=1+1"),
        ("甲报", Unit.TEXT, "甲报", "甲报", "甲报"),
    ],
)
def test_values(value: Cell, unit: Unit, zh: str, en: str, filed: object) -> None:
    told = shown(value, unit)
    assert (told.zh[:16], told.en[:16]) == (zh[:16], en[:16])
    assert in_file(value, unit) == filed


def test_files_hold_the_tables() -> None:
    files = dict(csv_files(REPORT))
    assert sorted(files) == sorted(f"{table.key}.csv" for table in tables_of(REPORT))
    assert all(content.startswith(b"\xef\xbb\xbf") for content in files.values())
    rows = list(csv.reader(io.StringIO(files["by_source.csv"].decode("utf-8-sig"), newline="")))
    assert rows == [
        ["source", "documents", "grouped", "copies", "rate"],
        [HOSTILE, "500", "201", "200", "0.4"],
        ["乙报", "400", "51", "50", "0.125"],
        ["(none)", "300", "50", "49", "0.1633"],
    ]
    originals = csv.DictReader(
        io.StringIO(files["most_copied.csv"].decode("utf-8-sig"), newline="")
    )
    assert [(row["id"], row["time"]) for row in originals] == [
        ("d1", "2026-01-31T12:00:00Z"),
        ("'=d2", ""),
    ]


def test_lines_are_aligned() -> None:
    lines = list(report_lines(REPORT))
    assert lines[0] == "news: 1,234 documents, 300 of them copies (24.3%)"
    at = lines.index("Duplicate rate by kind")
    heads, first, second = lines[at + 1 : at + 4]
    assert heads.split() == ["kind", "documents", "in", "groups", "copies", "rate"]
    assert first.split() == ["体育", "700", "201", "200", "28.6%", "######"]
    ends = {width(line[: line.index("%") + 1]) for line in (first, second)}
    assert ends == {width(heads)}
    assert sum(line.startswith("! ") for line in lines) == len(Fault)
    at = lines.index("Duplicate rate by source")
    assert lines[at + 1] == "  (the first 3 of 5,000)"
    chain = next(line for line in lines if " → " in line)
    assert HOSTILE in chain


def test_an_empty_report_has_lines() -> None:
    assert next(report_lines(EMPTY)) == "news: 0 documents, 0 of them copies (0.0%)"


def test_charts_have_values_for_all_labels() -> None:
    assert charts_of(EMPTY) == []
    for chart in charts_of(REPORT):
        assert {len(series.values) for series in chart.series} == {len(chart.labels)}
        assert orjson.loads(orjson.dumps(chart.to_json()))["id"] == chart.id


def test_a_page_names_no_other_place() -> None:
    page = report_page(REPORT, "zh")
    assert 'data-given="zh"' in page
    assert "<script>document.title" not in page
    assert page.count("<script") == 2
    for attribute in (" src=", " href=", "url(", "@import"):
        body = page[: page.index("<script>")]
        assert attribute not in body


@pytest.mark.parametrize("name", ["date_field", "source_field", "kind_field"])
def test_a_field_that_no_document_can_have_is_refused(name: str) -> None:
    with pytest.raises(InputRefused, match=f"{name} holds half a surrogate pair"):
        ReportOptions(**{name: "\ud800"})  # type: ignore[arg-type]
