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
    browser.driver.execute_script("localStorage.clear()")


def drawn(browser: Browser, name: str) -> dict[str, Any]:
    """What a chart shows, and by how many bytes its picture is more than a blank one."""
    script = """
        const canvas = document.getElementById(`chart-${arguments[0]}`);
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
    """
    return dict(json.loads(browser.driver.execute_script(script, name)))


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
    browser.one("#language").click()
    for name in CHARTS:
        assert drawn(browser, name)["bytes"] > 1_000, name
    assert sorted(drawn(browser, "over_time")["names"]) == ["其余文档", "副本", "重复率"]
    assert drawn(browser, "by_source")["labels"][-1] == "（无）"
    assert drawn(browser, "pairs")["labels"] == ["近似重复", "完全相同", "部分重复"]
    assert not [each for each in browser.all(".en") if each.is_displayed()]
    assert "重复率 24.3%" in browser.one("header").text


def test_names_are_shown_to_the_letter(browser: Browser) -> None:
    browser.show(report_page(REPORT))
    cells = [each.get_attribute("textContent") for each in browser.all("td")]
    assert cells.count(HOSTILE) >= 5
    assert browser.driver.title == "dupdex: news"


def test_the_language_can_be_given(browser: Browser) -> None:
    for language, shown in (("zh", "重复报告：news"), ("en", "Duplicates in news")):
        browser.show(report_page(REPORT, language))
        assert browser.one("h1").text == shown
        assert browser.one("#problems").is_displayed()


def test_figures_stand_below_their_charts(browser: Browser) -> None:
    browser.show(report_page(REPORT))
    table = browser.one("#flows table")
    assert not table.is_displayed()
    browser.one("#flows summary").click()
    assert table.is_displayed()
    assert table.text.splitlines()[-1].split() == ["(none)", "乙报", "5", "5"]
    assert browser.one("#most_copied table").is_displayed()
    assert "the first 2 of 100" in browser.one("#most_copied").text


def test_a_report_of_nothing(browser: Browser) -> None:
    browser.show(report_page(EMPTY))
    assert [each.get_attribute("id") for each in browser.all("section")] == ["health"]


def test_a_script_that_is_not_of_the_page_does_not_run(browser: Browser) -> None:
    address = Path(browser.show(report_page(REPORT)).removeprefix("file://"))
    foreign = "<script>document.title = 'taken'</script>"
    address.write_text(address.read_text("utf-8").replace("</body>", f"{foreign}</body>"), "utf-8")
    browser.driver.refresh()
    assert browser.driver.title == "dupdex: news"
    assert [each for each in browser.complaints() if "Content Security Policy" in each]


@pytest.mark.parametrize("width", [400, 800, 1600])
def test_the_page_is_never_wider_than_the_window(browser: Browser, width: int) -> None:
    size = browser.driver.get_window_size()
    try:
        browser.driver.set_window_size(width, 900)
        browser.show(report_page(REPORT))
        box = browser.one("html")
        assert box.get_property("scrollWidth") == box.get_property("clientWidth")
        for name in CHARTS:
            chart = browser.one(f"#chart-{name}").rect
            assert chart["x"] >= 0
            assert chart["x"] + chart["width"] <= width
    finally:
        browser.driver.set_window_size(size["width"], size["height"])
