"""A real browser for the pages that dupdex writes: Chromium without a window.

When there is none the tests fail and never skip, because a suite that skips its browser passes
without having opened a page.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

import pytest
from playwright.sync_api import Browser as Chromium
from playwright.sync_api import BrowserContext, ConsoleMessage, Dialog, Locator, Page, expect

from dupdex.wire.page import explanation_page
from mappings.plan import STANDARD
from query.explain.explanation import Subject, explain
from scripts.chromium import LOCALES, chromium

SECONDS: Final = 30
"""How long something on a page is waited for: other programs run on the machine."""

_PICTURES: Final = Path(os.environ.get("DUPDEX_TEST_PICTURES", "build/pictures"))
"""Where pictures of the views are kept: CI keeps the folder."""

_WIDTH: Final = 1_280
_HEIGHT: Final = 900
_TALLEST: Final = 4_000
"""Pixels of a window, and of a picture."""

expect.set_options(timeout=SECONDS * 1_000)


@dataclass(frozen=True)
class Browser:
    """A window of a reader who has never been here before. Opens pages and tells what it saw."""

    page: Page
    folder: Path
    _complaints: list[str] = field(default_factory=list)
    _requests: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        context = self.page.context
        context.on("console", lambda message: self._hear(message))
        context.on("weberror", lambda error: self._complaints.append(str(error.error)))
        context.on("dialog", lambda dialog: self._refuse(dialog))
        context.on("request", lambda request: self._requests.append(request.url))
        self.page.on("websocket", lambda socket: self._requests.append(socket.url))

    def _hear(self, message: ConsoleMessage) -> None:
        self._complaints.append(f"{message.text} [{message.location['url']}]")

    def _refuse(self, dialog: Dialog) -> None:
        self._complaints.append(f"a dialog: {dialog.message}")  # no page of ours opens one
        dialog.dismiss()

    def open(self, left: str, right: str) -> str:
        """Open the page about two texts; returns its address."""
        return self.show(explanation_page(explain(Subject(left), Subject(right), STANDARD)))

    def show(self, content: str) -> str:
        """Open a page; returns its address."""
        page = self.folder / "page.html"
        page.write_text(content, "utf-8")
        self.complaints()
        self.requests()
        self.page.goto(page.as_uri())
        return page.as_uri()

    def picture(self, name: str) -> None:
        """Keep a picture of the whole page, for people to look at."""
        script = "[document.documentElement.scrollWidth, document.body.scrollHeight]"
        width, height = self.page.evaluate(script)
        self.page.screenshot(
            path=_PICTURES / f"{name}.png",
            full_page=True,
            clip={"x": 0, "y": 0, "width": width, "height": min(height, _TALLEST)},
        )

    def locator(self, selector: str) -> Locator:
        return self.page.locator(selector)

    def count(self, selector: str) -> int:
        """How many there are at this moment."""
        return self.page.locator(selector).count()

    def texts(self, selector: str) -> list[str]:
        """What each element shows at this moment."""
        return [each.strip() for each in self.page.locator(selector).all_inner_texts()]

    def keep(self, name: str, value: str) -> None:
        """Have the page remember what the reader chose before, a language or a theme."""
        script = "([name, value]) => localStorage.setItem(`dupdex-${name}`, value)"
        self.page.evaluate(script, [name, value])

    def open_details(self) -> None:
        """Show all that is folded up."""
        self.locator("details").evaluate_all("all => all.forEach(each => { each.open = true; })")

    def point_at(self, selector: str) -> None:
        """Move the pointer to where the first line of an element begins."""
        script = """each => {
            each.scrollIntoView({block: "nearest"});
            const line = each.getClientRects()[0];
            return [line.left + 2, line.top + line.height / 2];
        }"""
        x, y = self.locator(selector).first.evaluate(script)
        self.page.mouse.move(x, y)

    def marked(self) -> set[str]:
        """The ids of the passages that are lit."""
        return set(self.locator(".p.on").evaluate_all("all => all.map(each => each.id)"))

    def is_in_view(self, selector: str) -> bool:
        """Whether the beginning of a passage can be seen in its box."""
        return bool(self.locator(selector).evaluate(_IN_VIEW))

    def overflow(self, selector: str = "html") -> int:
        """Pixels by which what is in an element is wider than it."""
        return int(self.locator(selector).evaluate("each => each.scrollWidth - each.clientWidth"))

    def complaints(self) -> list[str]:
        """What the console has said, errors and warnings as well, since it was last read."""
        return self._told(self._complaints)

    def requests(self) -> list[str]:
        """The addresses asked for since they were last read; those of windows and sockets that the
        page has just opened may come later."""
        return self._told(self._requests)

    def _told(self, found: list[str]) -> list[str]:
        self.page.evaluate("0")  # what happened before has been told by the time of this answer
        told = found.copy()
        found.clear()
        return told


_IN_VIEW: Final = """each => {
    const line = each.getClientRects()[0];
    const box = each.closest(".text").getBoundingClientRect();
    return line.top >= box.top && line.bottom <= box.bottom;
}"""


@pytest.fixture(scope="package")
def program() -> Iterator[Chromium]:
    """One for all tests of this folder that a process runs. It ends before tests of other folders,
    which run loops of their own: as long as it is there, so is its event loop."""
    with chromium(scrollbars=True) as running:
        yield running
    with pytest.raises(RuntimeError, match="no running event loop"):
        asyncio.get_running_loop()


@pytest.fixture
def language() -> str:
    """Of the reader; tests that have a parameter of this name choose."""
    return "en"


@pytest.fixture
def theme() -> Literal["light", "dark"]:
    """Of the reader's system; tests that have a parameter of this name choose."""
    return "light"


@pytest.fixture
def context(program: Chromium, language: str, theme: Any) -> Iterator[BrowserContext]:
    opened = program.new_context(
        locale=LOCALES[language],
        color_scheme=theme,
        viewport={"width": _WIDTH, "height": _HEIGHT},
    )
    opened.set_default_timeout(SECONDS * 1_000)
    yield opened
    opened.close()


@pytest.fixture
def browser(context: BrowserContext, tmp_path: Path) -> Browser:
    return Browser(context.new_page(), tmp_path)
