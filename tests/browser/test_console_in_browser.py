"""The console as its readers meet it: every view, in both languages, over both stores."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import orjson
import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Browser
from tests.browser.console_pages import HOSTILE, STORES, console_over, place_of, until, visits, wait
from tests.service.gateway.running import Running

VIEWS = {
    "ask": ("查重", "Ask"),
    "compare": ("对比", "Compare"),
    "groups": ("重复组", "Groups"),
    "matches": ("匹配", "Matches"),
    "jobs": ("任务", "Jobs"),
    "health": ("状态", "Health"),
}


@pytest.fixture(scope="module", params=STORES)
def console(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Running]:
    """With two copies whose ids and titles are markup."""

    def hostile(text: str) -> list[dict[str, Any]]:
        return [{"id": f"{HOSTILE}{at}", "title": HOSTILE, "text": text + HOSTILE} for at in (1, 2)]

    folder = tmp_path_factory.mktemp("console")
    with place_of(request) as place, console_over(folder, hostile, place) as running:
        yield running


@pytest.fixture
def visit(browser: Browser, console: Running) -> Iterator[Callable[[str], None]]:
    with visits(browser, console) as opened:
        yield opened


@pytest.mark.parametrize("view", VIEWS)
def test_every_view_in_either_language(
    browser: Browser, visit: Callable[[str], None], view: str
) -> None:
    visit(view)
    until(browser, "h1")
    chinese, english = VIEWS[view]
    assert browser.texts("h1") == [english]
    assert browser.texts("nav [aria-current]") == [english]
    browser.locator("#language").click()
    expect(browser.locator("h1")).to_have_text(chinese)
    expect(browser.locator("html")).to_have_attribute("lang", "zh-Hans")
    expect(browser.page).to_have_title(f"{chinese} · dupdex")
    assert browser.texts(".state.failed") == []


def test_a_text_is_asked_and_compared_by_keyboard(
    browser: Browser, visit: Callable[[str], None]
) -> None:
    visit("ask")
    sample = files("dupdex").joinpath("data", "sample.jsonl").read_bytes().splitlines()
    document = orjson.loads(sample[0])
    browser.locator("#text").press_sequentially(document["text"][:100])
    browser.page.keyboard.press("Control+Enter")
    until(browser, ".match")
    assert document["id"] in browser.texts(".match .id")
    browser.locator(".match button").first.press("Enter")
    until(browser, ".texts .p")
    assert browser.count(".texts .side .text") == 2
    expect(browser.locator("h1")).to_be_focused()
    browser.page.go_back()
    until(browser, "#text")


def test_a_group_is_shown_and_parted(browser: Browser, visit: Callable[[str], None]) -> None:
    visit("groups")
    until(browser, "tbody a")
    assert len([each for each in browser.texts("tbody a") if HOSTILE in each]) <= 1
    browser.locator("tbody a").first.click()
    until(browser, "svg .dot.canonical")
    boxes = browser.locator("tbody input[type=checkbox]")
    before = boxes.count()
    boxes.first.press("Space")
    browser.locator("button").filter(has_text="Take the chosen").click()
    browser.locator("dialog button.main").click()
    expect(boxes).to_have_count(before - 1)


def members_before_a_merge(browser: Browser, visit: Callable[[str], None]) -> list[str]:
    """Merge the last but one of the groups into the last, whose page is left open."""
    shown = browser.locator("tbody td.id")
    visit("groups")
    until(browser, "tbody a")
    names = browser.locator("tbody a").evaluate_all("all => all.map(each => each.href)")
    browser.page.goto(names[-2])
    until(browser, "svg .dot.canonical")
    other = browser.locator("h1 .id").inner_text()
    visit("groups")  # else what stands there still is taken for the other page
    until(browser, "tbody a")
    browser.page.goto(names[-1])
    until(browser, "svg .dot.canonical")
    before = shown.all_text_contents()
    browser.locator("input[name=other]").press_sequentially(other)
    browser.locator("input[name=other]").press("Enter")
    wait(browser, lambda: shown.count() > len(before))
    return before


@pytest.mark.parametrize("language", ["en", "zh"])
def test_corrections_of_a_group_are_undone_by_keyboard(
    browser: Browser, visit: Callable[[str], None], language: str
) -> None:
    shown, undo = browser.locator("tbody td.id"), browser.locator("#undo")

    def members() -> list[str]:
        return shown.all_text_contents()

    before = members_before_a_merge(browser, visit)
    merged = members()
    browser.locator("tbody tr:nth-child(2) button").first.press("Enter")
    wait(browser, lambda: members()[:1] == [merged[1]])
    until(browser, "#undo")
    expect(undo).to_contain_text({"en": "choice of the canonical", "zh": "设为代表"}[language])
    undo.press("Enter")
    wait(browser, lambda: members() == merged)
    until(browser, "#undo")
    expect(undo).to_contain_text({"en": "merge", "zh": "合并"}[language])
    undo.press("Enter")
    wait(browser, lambda: members() == before)
    until(browser, "svg .dot.canonical")
    assert browser.count("#undo") == 0


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_release_is_undone_by_keyboard(
    browser: Browser, visit: Callable[[str], None], language: str
) -> None:
    shown, undo = browser.locator("tbody td.id"), browser.locator("#undo")
    before = members_before_a_merge(browser, visit)
    merged = set(shown.all_text_contents())
    words = {"en": "Release all corrections", "zh": "取消全部人工改动"}[language]
    browser.locator("button").filter(has_text=words).press("Enter")
    wait(browser, lambda: 0 < shown.count() < len(merged))
    until(browser, "#undo")
    expect(undo).to_contain_text({"en": "Undo: release", "zh": "撤销：取消人工改动"}[language])
    undo.press("Enter")
    wait(browser, lambda: set(shown.all_text_contents()) == merged)
    until(browser, "#undo")
    expect(undo).to_contain_text({"en": "merge", "zh": "合并"}[language])
    undo.press("Enter")
    wait(browser, lambda: shown.all_text_contents() == before)


def test_what_cannot_be_merged_is_told_and_the_group_stays(
    browser: Browser, visit: Callable[[str], None]
) -> None:
    visit("groups")
    until(browser, "tbody a")
    browser.locator("tbody a").first.click()
    until(browser, "svg .dot.canonical")
    browser.locator("input[name=other]").press_sequentially("no-such-group")
    with browser.page.expect_console_message(lambda told: "404" in told.text):
        browser.locator("input[name=other]").press("Enter")
    expect(browser.locator("#said")).to_contain_text("no-such-group")
    assert browser.count("tbody tr")
    # the browser tells of it, too
    assert all("status of 404" in each for each in browser.complaints())


def test_markup_in_ids_and_titles_stays_text(
    browser: Browser, visit: Callable[[str], None]
) -> None:
    visit("ask")
    browser.locator("#id").press_sequentially(f"{HOSTILE}1")
    browser.locator("button.main").click()
    until(browser, ".match")
    assert any(f"{HOSTILE}2" in each for each in browser.texts(".match .id"))
    assert browser.count("main img") == 0
    browser.locator(".match button").first.click()
    until(browser, ".texts .p")
    assert browser.count("main img") == 0


def test_what_is_not_there_is_said(browser: Browser, visit: Callable[[str], None]) -> None:
    with browser.page.expect_console_message(lambda told: "404" in told.text):
        visit("groups/no-such-group")
    until(browser, ".state.failed")
    expect(browser.locator(".state.failed")).to_contain_text("Not found")
    # the browser tells of it, too
    assert all("status of 404" in each for each in browser.complaints())


def test_what_is_sent_is_small() -> None:
    folder = Path(str(files("dupdex.console").joinpath("assets")))
    sizes = {each.name: each.stat().st_size for each in folder.rglob("*.*")}
    assert sum(sizes.values()) < 200_000, sizes


def test_why_a_document_is_canonical_is_said_in_chinese(
    browser: Browser, visit: Callable[[str], None]
) -> None:
    visit("groups")
    until(browser, "tbody a")
    browser.locator("tbody a").first.click()
    until(browser, "svg .dot.canonical")
    assert "similar to all others" in browser.texts("dl dd")[0]
    browser.locator("#language").click()
    expect(browser.locator("dl").first).to_contain_text("与其他成员都相似")
    assert "similar" not in browser.texts("main")[0]
