"""Reports, banks and health in a real browser, over a folder's store, in both languages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.resources import files
from typing import Any

import orjson
import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Browser
from tests.browser.console_pages import HOSTILE, console_over, until, visits, wait
from tests.service.gateway.rest_client import send
from tests.service.gateway.running import Running

BAD = "Buy cheap watches today at our new shop, all of them at half price, and only until Sunday."


@pytest.fixture(scope="module")
def console(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """With two copies whose sources are markup."""

    def hostile(text: str) -> list[dict[str, Any]]:
        return [
            {"id": f"h{at}", "title": HOSTILE, "source": HOSTILE, "text": f"{text} {HOSTILE}"}
            for at in (1, 2)
        ]

    with console_over(tmp_path_factory.mktemp("desk"), hostile) as running:
        yield running


@pytest.fixture
def visit(browser: Browser, console: Running) -> Iterator[Callable[[str], None]]:
    with visits(browser, console) as opened:
        yield opened
        assert browser.count(".state.failed") == 0


def test_a_report_whose_figures_lead_to_lists(
    browser: Browser, visit: Callable[[str], None]
) -> None:
    visit("report")
    until(browser, "#over_time canvas")
    browser.locator("input[name=source_field]").press_sequentially("source")
    browser.locator("input[name=source_field]").press("Enter")
    until(browser, "#by_source canvas")
    assert "source_field=source" in browser.page.url
    wait(browser, lambda: browser.page.evaluate("Boolean(globalThis.Chart)"))
    assert browser.count("main img") == 0
    browser.locator("#by_source summary").press("Enter")
    named = browser.locator("#by_source tbody a").filter(has_text=HOSTILE).first
    documents = named.locator("xpath=../../td[5]").inner_text()
    named.press("Enter")
    until(browser, "tbody a")
    assert HOSTILE in browser.texts(".head p")[0]
    assert f"{documents} documents" in browser.texts("section p.soft")[0]
    browser.locator("tbody a").first.press("Enter")
    until(browser, "svg .dot.canonical")


UNLINKED = {"schemes", "boilerplate"}
"""Parts of a report behind whose figures there is no list of documents."""


def test_behind_every_figure_there_is_a_list(
    browser: Browser, visit: Callable[[str], None]
) -> None:
    visit("report?source_field=source&kind_field=title&date_field=date&every=month")
    until(browser, "#over_time canvas")
    script = """
        all => all.map((part) => [part.id, [...part.querySelectorAll("tbody tr")].map((row) => {
            const link = row.querySelector("a[href]");
            const cells = [...row.cells].map((each) => each.textContent);
            return [link && link.getAttribute("href"), cells];
        })])
    """
    parts = dict(browser.locator("main section[id]").evaluate_all(script))
    filled = {name for name, rows in parts.items() if rows}
    assert filled >= {"over_time", "by_source", "sizes", "most_copied", "pairs"}
    followed = 0
    for name in sorted(filled - UNLINKED):
        links = [(link, cells) for link, cells in parts[name] if link]
        assert links, name
        for link, cells in {id(each): each for each in (links[0], links[-1])}.values():
            visit(link.removeprefix("/_dupdex/console/"))
            until(browser, "tbody tr, .texts .p")
            assert browser.count(".state.failed") == 0, link
            followed += 1
            if name in ("over_time", "by_source", "by_kind"):  # its last cell: documents in groups
                assert f"{cells[-1]} documents" in browser.texts("section p.soft")[0], link
    assert followed >= 8


def test_exports_are_files(
    browser: Browser, visit: Callable[[str], None], console: Running
) -> None:
    visit("report?source_field=source")
    until(browser, ".exports a")
    links = browser.locator(".exports a").evaluate_all("all => all.map(each => each.href)")
    assert len(links) > 8
    for link in links:
        told = send(
            console.url, "GET", link.removeprefix(console.url), None, {"Accept": "text/html"}
        )
        assert told.status == 200, link
        assert "attachment" in told.headers["content-disposition"], link


def test_a_bank_is_made_filled_tried_and_looked_back(
    browser: Browser, visit: Callable[[str], None]
) -> None:
    sample = files("dupdex").joinpath("data", "sample.jsonl").read_bytes()
    known = orjson.loads(sample.splitlines()[0])["text"]
    visit("banks")
    until(browser, ".state")
    browser.locator("input[name=name]").press_sequentially("spam")
    browser.locator("input[name=name]").press("Enter")
    until(browser, "#try")
    entries = browser.locator("#entries tbody tr")
    for text, expires in ((BAD + HOSTILE, "30d"), (known, "")):
        browser.locator("textarea[name=text]").fill(text)
        browser.locator("input[name=expires]").press_sequentially(expires)
        before = entries.count()
        browser.locator("input[name=reason]").press_sequentially("<b>reported</b>")
        browser.locator("input[name=reason]").press("Enter")
        until(browser, f"#entries tbody tr:nth-child({before + 1})")
    assert browser.count("main img, main td b") == 0
    browser.locator("#try").press_sequentially(BAD)
    browser.page.keyboard.press("Tab")
    browser.page.keyboard.press("Enter")
    until(browser, ".headline.exact")
    browser.locator("#look-back").press("Enter")
    until(browser, "#hits tbody tr")
    hits = browser.locator("#entries td.number")
    expect(hits.filter(has_text="–")).to_have_count(0)
    assert sum(map(int, browser.texts("#entries td.number"))) >= 1
    entries.first.locator("button").first.press("Enter")
    browser.locator("dialog button.main").press("Enter")
    expect(entries).to_have_count(1)


@pytest.mark.parametrize(
    ("view", "chinese", "selector"),
    [("report", "报告", "#over_time"), ("banks", "样本库", "form"), ("health", "状态", "#fields")],
)
@pytest.mark.parametrize("chosen", ["light", "dark"])
def test_views_in_chinese_and_both_themes(
    browser: Browser,
    visit: Callable[[str], None],
    view: str,
    chinese: str,
    selector: str,
    chosen: str,
) -> None:
    visit(view)
    until(browser, selector)
    browser.keep("theme", chosen)
    browser.keep("language", "zh")
    visit(view)
    until(browser, selector)
    assert browser.texts("h1") == [chinese]
    expect(browser.locator("html")).to_have_attribute("data-theme", chosen)
    browser.page.keyboard.press("Tab")
    expect(browser.locator(":focus")).to_have_js_property("tagName", "A")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_theme_is_the_same_by_choice_and_by_the_system(
    browser: Browser, visit: Callable[[str], None], theme: str
) -> None:
    """What is chosen goes before what the system says, and then no colour is another one."""
    script = """() => {
        const names = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules])
            .flatMap((rule) => [...(rule.style || [])]).filter((name) => name.startsWith("--"));
        const style = getComputedStyle(document.documentElement);
        return [...new Set(["color-scheme", ...names])].map(
            (name) => [name, style.getPropertyValue(name)]);
    }"""
    colours = {}
    for system, chosen in ((theme, ""), ("light", theme), ("dark", theme), (theme, theme)):
        browser.page.emulate_media(color_scheme="dark" if system == "dark" else "light")
        visit("ask")
        browser.keep("theme", chosen)
        visit("ask")
        colours[system, chosen] = dict(browser.page.evaluate(script))
    first = colours[theme, ""]
    assert first["color-scheme"] == theme
    assert len(first) > 40
    assert all(each == first for each in colours.values()), colours
