"""The page of a report as a reader meets it: charts are drawn, in both languages, in any width."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dupdex.report.report_page import report_page
from tests.browser.conftest import Browser
from tests.unit.dupdex.report.samples import EMPTY, HOSTILE, REPORT

CHARTS = ["over_time", "by_source", "by_kind", "sizes", "flows", "fastest", "pairs"]


@pytest.fixture(autouse=True)
def clean_browser(browser: Browser) -> Iterator[None]:
    yield
    assert browser.complaints() == []


def drawn(browser: Browser, name: str) -> dict[str, Any]:
    """What a chart shows, and by how many bytes its picture is more than a blank one."""
    script = """canvas => {
        const blank = document.createElement("canvas");
        blank.width = canvas.width;
        blank.height = canvas.height;
        const chart = Chart.getChart(canvas);
        return JSON.stringify({
          names: chart.data.datasets.map(one => one.label),
          labels: chart.data.labels,
          values: chart.data.datasets.map(one => one.told),
          bytes: canvas.toDataURL().length - blank.toDataURL().length,
        });
    }"""
    return dict(json.loads(browser.locator(f"#chart-{name}").evaluate(script)))


def test_every_chart_is_drawn_in_either_language(browser: Browser) -> None:
    address = browser.show(report_page(REPORT))
    assert browser.requests() == [address]
    for name in CHARTS:
        assert drawn(browser, name)["bytes"] > 1_000, name
    over_time = drawn(browser, "over_time")
    assert sorted(over_time["names"]) == ["copies", "duplicate rate", "other documents"]
    assert over_time["labels"] == ["2025-11", "2025-12", "2026-01"]
    assert [7, 14, 21] in over_time["values"]
    assert drawn(browser, "by_source")["labels"] == [HOSTILE, "乙报", "(none)"]
    browser.locator("#language").click()
    for name in CHARTS:
        assert drawn(browser, name)["bytes"] > 1_000, name
    assert sorted(drawn(browser, "over_time")["names"]) == ["其余文档", "副本", "重复率"]
    assert drawn(browser, "by_source")["labels"][-1] == "（无）"
    assert drawn(browser, "pairs")["labels"] == ["近似重复", "完全相同", "部分重复"]
    assert browser.count(".en:visible") == 0
    assert "重复率 24.3%" in browser.texts("header")[0]


def test_names_are_shown_to_the_letter(browser: Browser) -> None:
    browser.show(report_page(REPORT))
    assert browser.locator("td").all_text_contents().count(HOSTILE) >= 5
    assert browser.page.title() == "dupdex: news"


def test_the_language_can_be_given(browser: Browser) -> None:
    for language, shown in (("zh", "重复报告：news"), ("en", "Duplicates in news")):
        browser.show(report_page(REPORT, language))
        assert browser.texts("h1") == [shown]
        assert browser.locator("#problems").is_visible()


def test_figures_stand_below_their_charts(browser: Browser) -> None:
    browser.show(report_page(REPORT))
    table = browser.locator("#flows table")
    assert not table.is_visible()
    browser.locator("#flows summary").click()
    assert table.is_visible()
    assert table.locator("tr").last.inner_text().split() == ["(none)", "乙报", "5", "5"]
    assert browser.locator("#most_copied table").is_visible()
    assert "the first 2 of 100" in browser.texts("#most_copied")[0]


def test_a_report_of_nothing(browser: Browser) -> None:
    browser.show(report_page(EMPTY))
    assert browser.count("section") == browser.count("section#health") == 1


def test_a_script_that_is_not_of_the_page_does_not_run(browser: Browser) -> None:
    address = Path(browser.show(report_page(REPORT)).removeprefix("file://"))
    foreign = "<script>document.title = 'taken'</script>"
    address.write_text(address.read_text("utf-8").replace("</body>", f"{foreign}</body>"), "utf-8")
    browser.page.reload()
    assert browser.page.title() == "dupdex: news"
    assert [each for each in browser.complaints() if "Content Security Policy" in each]


@pytest.mark.parametrize("width", [400, 800, 1600])
def test_the_page_is_never_wider_than_the_window(browser: Browser, width: int) -> None:
    browser.page.set_viewport_size({"width": width, "height": 900})
    browser.show(report_page(REPORT))
    assert browser.overflow() == 0
    for name in CHARTS:
        chart = browser.locator(f"#chart-{name}").bounding_box()
        assert chart
        assert chart["x"] >= 0
        assert chart["x"] + chart["width"] <= width
