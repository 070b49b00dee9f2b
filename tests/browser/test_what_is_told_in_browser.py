"""What the other tests rest on: nothing that a page does wrong goes unnoticed."""

from __future__ import annotations

from typing import Final

import pytest

from tests.browser.conftest import Browser
from tests.browser.console_pages import wait

FOREIGN: Final = "http://127.0.0.1:9/"
"""Where nobody answers."""

WRONG: Final = {
    "an error": ("<script>throw new Error('lost')</script>", "lost"),
    "a promise that fails": ("<script>Promise.reject(new Error('lost'))</script>", "lost"),
    "words on the console": ("<script>console.warn('odd')</script>", "odd"),
    "a dialog": ("<script>alert('taken')</script>", "a dialog: taken"),
    "what the policy forbids": (
        "<meta http-equiv=Content-Security-Policy content=\"script-src 'none'\"><script>1</script>",
        "Content Security Policy",
    ),
    "what is not there": ("<img src=missing.png>", "ERR_FILE_NOT_FOUND"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_complaint_is_told_once(browser: Browser, wrong: str) -> None:
    content, told = WRONG[wrong]
    browser.show(content)
    complaints = browser.complaints()
    assert [each for each in complaints if told in each], complaints
    assert browser.complaints() == []


@pytest.mark.parametrize(
    "content",
    [
        f"<img src={FOREIGN}>",
        f"<script>fetch('{FOREIGN}').catch(() => 0)</script>",
        f"<link rel=stylesheet href={FOREIGN}>",
        f"<script>open('{FOREIGN}')</script>",
        f"<script>new WebSocket('{FOREIGN.replace('http', 'ws')}')</script>",
    ],
    ids=["picture", "script", "style", "window", "socket"],
)
def test_a_request_to_elsewhere_is_told(browser: Browser, content: str) -> None:
    address = browser.show(content)
    asked: list[str] = []

    def is_told() -> bool:
        asked.extend(browser.requests())
        return any("127.0.0.1:9/" in each for each in asked)

    wait(browser, is_told)  # a window or a socket is opened beside the page, a moment later
    assert asked[0] == address


def test_nothing_is_remembered_from_one_window_to_the_next(browser: Browser) -> None:
    browser.show("<p>a")
    browser.keep("language", "zh")
    program = browser.page.context.browser
    assert program
    with program.new_context() as other:
        page = other.new_page()
        page.goto(browser.page.url)
        assert page.evaluate("localStorage.length") == 0
