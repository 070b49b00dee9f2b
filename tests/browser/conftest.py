"""A real browser for the pages that dupdex writes: Chromium without a window.

It is looked for on PATH; when there is none the tests fail and never skip, because a suite that
skips its browser passes without having opened a page.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement

from dupdex.wire.page import explanation_page
from mappings.plan import STANDARD
from query.explain.explanation import Subject, explain

_BROWSERS: Final = ("chromium", "chromium-browser", "google-chrome")
_DRIVER: Final = "chromedriver"
_ARGUMENTS: Final = (
    "--headless=new",
    "--no-sandbox",  # root, as in a container, can have none
    "--disable-dev-shm-usage",
    "--window-size=1280,900",
    "--lang=en",
)


class NoBrowserError(Exception):
    """There is no browser for the tests; the text says how to get one."""


@dataclass(frozen=True)
class Browser:
    """Opens explanations and tells what it saw."""

    driver: webdriver.Chrome
    folder: Path

    def open(self, left: str, right: str) -> str:
        """Open the page about two texts; returns its address."""
        return self.show(explanation_page(explain(Subject(left), Subject(right), STANDARD)))

    def show(self, content: str) -> str:
        """Open a page; returns its address."""
        page = self.folder / "page.html"
        page.write_text(content, "utf-8")
        self.complaints()
        self.requests()
        self.driver.get(page.as_uri())
        return page.as_uri()

    def one(self, selector: str) -> WebElement:
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector: str) -> list[WebElement]:
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def point_at(self, selector: str) -> None:
        """Move the pointer to where the first line of an element begins."""
        script = """
            arguments[0].scrollIntoView({block: "nearest", behavior: "instant"});
            const line = arguments[0].getClientRects()[0];
            return [line.left + 2, line.top + line.height / 2];
        """
        x, y = self.driver.execute_script(script, self.one(selector))
        actions = ActionBuilder(self.driver)
        actions.pointer_action.move_to_location(int(x), int(y))  # type: ignore[no-untyped-call]
        actions.perform()

    def marked(self) -> set[str]:
        """The ids of the passages that are lit."""
        return {str(each.get_attribute("id")) for each in self.all(".p.on")}

    def is_in_view(self, selector: str) -> bool:
        """Whether the beginning of a passage can be seen in its box."""
        script = """
            const line = arguments[0].getClientRects()[0];
            const box = arguments[0].closest(".text").getBoundingClientRect();
            return line.top >= box.top && line.bottom <= box.bottom;
        """
        return bool(self.driver.execute_script(script, self.one(selector)))

    def complaints(self) -> list[str]:
        """Errors and warnings of the console since they were last read."""
        return [str(entry["message"]) for entry in self._log("browser")]

    def requests(self) -> list[str]:
        """The addresses asked for since they were last read."""
        events = (json.loads(entry["message"])["message"] for entry in self._log("performance"))
        return [
            str(event["params"]["request"]["url"])
            for event in events
            if event["method"] == "Network.requestWillBeSent"
        ]

    def _log(self, name: str) -> list[dict[str, Any]]:
        entries: list[dict[str, Any]] = self.driver.get_log(name)  # type: ignore[no-untyped-call]
        return entries


@pytest.fixture(scope="session")
def driver() -> Iterator[webdriver.Chrome]:
    browser = next(filter(None, map(shutil.which, _BROWSERS)), None)
    program = shutil.which(_DRIVER)
    if browser is None or program is None:
        raise NoBrowserError(
            f"no browser for the tests: PATH has no {_DRIVER if browser else _BROWSERS[0]}; on "
            "Debian: apt-get install chromium chromium-driver"
        )
    options = webdriver.ChromeOptions()
    options.binary_location = browser
    for argument in _ARGUMENTS:
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("NO_PROXY", "*")  # the driver listens on this machine
        environment.setenv("no_proxy", "*")
        running = webdriver.Chrome(options=options, service=Service(program))
        try:
            yield running
        finally:
            running.quit()


@pytest.fixture
def browser(driver: webdriver.Chrome, tmp_path: Path) -> Browser:
    return Browser(driver, tmp_path)
