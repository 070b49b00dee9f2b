"""The queue of reviews as reviewers meet it: by keyboard, in both languages, two at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Browser
from tests.browser.console_pages import HOSTILE, console_over, until, visits, wait
from tests.service.gateway.rest_client import send
from tests.service.gateway.running import Running

ROOT = "/_dupdex/v1"


@pytest.fixture
def console(tmp_path: Path) -> Iterator[Running]:
    """With two copies whose ids and titles are markup."""

    def hostile(text: str) -> list[dict[str, Any]]:
        return [
            {"id": f"{HOSTILE}{at}", "title": HOSTILE, "text": f"{text}{HOSTILE} {at}"}
            for at in (1, 2)
        ]

    with console_over(tmp_path, hostile) as running:
        yield running


@pytest.fixture
def visit(browser: Browser, console: Running) -> Iterator[Callable[[str], None]]:
    with visits(browser, console) as opened:
        yield opened


def asked(console: Running, path: str, body: Any = None) -> Any:
    """What the REST interface answers."""
    method, content = ("GET", None) if body is None else ("POST", orjson.dumps(body))
    told = send(console.url, method, ROOT + path, content, {"Content-Type": "application/json"})
    assert told.status == 200, told.content
    return told.value


def press(browser: Browser, key: str) -> None:
    browser.page.keyboard.press(key)


def shown(browser: Browser) -> list[str]:
    """The ids of the pair that is to be reviewed."""
    return browser.locator("#pair .id").all_text_contents()


def until_other(browser: Browser, before: list[str]) -> list[str]:
    """Wait for the next pair, or the end of the queue; a key that comes while the next one is asked
    for decides nothing."""

    def is_other() -> bool:
        now = shown(browser)
        return now != before and bool(now or browser.count(".pair .state a"))

    wait(browser, is_other)
    until(browser, "h1")
    return shown(browser)


def test_pairs_are_decided_by_one_key_each(
    browser: Browser, visit: Callable[[str], None], console: Running
) -> None:
    left = asked(console, "/review/figures")["left"]
    assert left >= 4
    visit("review")
    until(browser, ".pair .texts .p")
    browser.locator("#who").press_sequentially("ann")
    press(browser, "Tab")
    first = shown(browser)
    browser.locator("h1").click()
    press(browser, "w")
    expect(browser.locator("#why")).to_be_focused()
    browser.page.keyboard.type("dns because")  # letters of a reason decide nothing
    press(browser, "Enter")
    assert shown(browser) == first
    press(browser, "n")
    second = until_other(browser, first)
    press(browser, "d")
    third = until_other(browser, second)
    press(browser, "u")
    assert until_other(browser, third) == second
    press(browser, "s")
    until_other(browser, second)
    wait(browser, lambda: asked(console, "/review/figures")["left"] == left - 1)
    (kept,) = asked(console, "/matches?decision=not-duplicate")["matches"]
    assert sorted(first) == sorted(kept[side]["id"] for side in ("first", "second"))
    figures = asked(console, "/review/figures")
    assert [(each["reviewer"], each["decisions"]) for each in figures["reviewers"]] == [("ann", 1)]


def test_the_queue_ends_and_pairs_go_back(
    browser: Browser, visit: Callable[[str], None], console: Running
) -> None:
    left = asked(console, "/review/figures")["left"]
    size = min(20, left - 4)
    other = asked(console, "/review/next", {"seat": "elsewhere", "by": "ben", "size": size})[
        "pairs"
    ]
    elsewhere = [sorted((p["record"]["first"]["id"], p["record"]["second"]["id"])) for p in other]
    visit("review")
    until(browser, ".pair .texts")
    for _ in range(left - size):
        before = shown(browser)
        assert sorted(before) not in elsewhere
        assert browser.count("main img") == 0
        press(browser, "d")
        until_other(browser, before)
    until(browser, ".pair .state a")
    assert "No pair waits" in browser.texts(".pair .state")[0]
    browser.locator("nav a[href*='console/ask']").click()
    until(browser, "#text")
    wait(browser, lambda: asked(console, "/review/figures")["held"] == size)  # only theirs


def test_keys_and_words_in_chinese(browser: Browser, visit: Callable[[str], None]) -> None:
    visit("review?second=0.1")
    browser.locator("#language").click()
    expect(browser.locator("h1")).to_have_text("复核")
    until(browser, ".pair .texts")
    press(browser, "?")
    until(browser, "dialog[open] dl")
    assert "不重复" in browser.texts("dialog dl")[0]
    press(browser, "Escape")
    expect(browser.locator("dialog")).to_have_count(0)
    before = shown(browser)
    browser.locator("button[data-key=s]").click()
    until_other(browser, before)
    assert browser.texts(".state.failed") == []
