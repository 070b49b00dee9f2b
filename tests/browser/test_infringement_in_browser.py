"""The page of a report on infringements in a browser: charts, languages, and hostile pages."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from dupdex.infringement.infringement_page import infringement_page
from tests.browser.conftest import Browser
from tests.unit.dupdex.infringement.samples import EMPTY, HOSTILE, REPORT


@pytest.fixture(autouse=True)
def clean_browser(browser: Browser) -> Iterator[None]:
    yield
    assert browser.complaints() == []


def test_charts_are_drawn_and_nothing_else_is_loaded(browser: Browser) -> None:
    address = browser.show(infringement_page(REPORT))
    assert browser.requests() == [address]
    script = "name => Chart.getChart(`chart-${name}`).data.labels"
    assert browser.page.evaluate(script, "over_time") == ["2026-01", "2026-02"]
    assert browser.page.evaluate(script, "sites")[0] == "a.example"
    browser.locator("#language").click()
    assert "侵权报告：pages" in browser.texts("header")[0]
    assert browser.count(".en:visible") == 0


def test_hostile_titles_are_text(browser: Browser) -> None:
    browser.show(infringement_page(REPORT, "en"))
    assert browser.page.title() == "dupdex: pages"
    cells = browser.locator("td, dd").all_text_contents()
    assert len([cell for cell in cells if HOSTILE in cell]) >= 5
    links = browser.locator("a").evaluate_all("all => all.map(each => each.href)")
    assert links
    assert all(link.startswith("https://") for link in links)


def test_passages_open(browser: Browser) -> None:
    browser.show(infringement_page(REPORT, "en"))
    table = browser.locator("#copies table").first
    assert not table.is_visible()
    browser.locator("#copies summary").first.click()
    assert table.is_visible()
    assert "1,500–1,900" in table.inner_text()


@pytest.mark.parametrize("width", [400, 1200])
def test_the_page_is_never_wider_than_the_window(browser: Browser, width: int) -> None:
    browser.page.set_viewport_size({"width": width, "height": 900})
    browser.show(infringement_page(REPORT))
    assert browser.overflow() == 0


def test_a_report_of_nothing(browser: Browser) -> None:
    browser.show(infringement_page(EMPTY))
    assert browser.count("section") == 0
