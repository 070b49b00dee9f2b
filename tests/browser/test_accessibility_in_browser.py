"""The rules of axe-core over every view: WCAG 2.2 A and AA and its good practices, in both
languages and themes, with answers on the page; and over the page of an explanation."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import orjson
import pytest

from tests.browser.conftest import Browser
from tests.browser.console_pages import until
from tests.built import cached, done
from tests.command import run
from tests.service.gateway.running import Running, gateway_before
from tests.texts import METRO

_PINNED: Final = Path(__file__).with_name("axe")
_RULES: Final = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
}


@pytest.fixture(scope="session")
def axe() -> str:
    """The program that looks for violations, of the version that is pinned."""

    def build(folder: Path) -> None:
        shutil.copytree(_PINNED, folder, dirs_exist_ok=True)
        done("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", folder=folder)

    place = cached("axe", _PINNED, build)
    return (place / "node_modules" / "axe-core" / "axe.min.js").read_text("utf-8")


@pytest.fixture(scope="module")
def texts() -> list[str]:
    sample = files("dupdex").joinpath("data", "sample.jsonl").read_bytes().splitlines()
    return [orjson.loads(line)["text"] for line in sample]


@pytest.fixture(scope="module")
def console(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("accessible")
    sample = files("dupdex").joinpath("data", "sample.jsonl").read_bytes()
    (folder / "all.jsonl").write_bytes(sample)
    assert run("index", "--group", "all.jsonl", "--store", "st", folder=folder).status == 0
    assert run("sweep", "--store", "st", folder=folder).status == 0
    store = ("--store", "st")
    assert run("banks", "create", "spam", "--kind", "deny", *store, folder=folder).status == 0
    known = orjson.loads(sample.splitlines()[0])["text"]
    added = run("banks", "add", "spam", known, "--label", "ad", *store, folder=folder)
    assert added.status == 0
    with gateway_before(str(folder / "st")) as running:
        yield running


LOOKS = pytest.mark.parametrize(
    ("language", "theme"), [("zh", "light"), ("zh", "dark"), ("en", "light"), ("en", "dark")]
)
"""Of readers and their systems."""


@pytest.fixture
def visit(browser: Browser, console: Running) -> Callable[[str], None]:
    def open_view(path: str) -> None:
        browser.page.goto(f"{console.url}/_dupdex/console/{path}")
        until(browser, "h1")

    return open_view


def look(browser: Browser) -> tuple[str, str]:
    """Language and theme of the page."""
    script = "[document.documentElement.dataset.lang, getComputedStyle(document.body).colorScheme]"
    language, theme = browser.page.evaluate(script)
    return language, theme


def violations(browser: Browser, axe: str) -> list[tuple[str, str]]:
    """The rules that are broken, and where."""
    browser.page.evaluate(axe)
    script = "async rules => (await axe.run(document, rules)).violations"
    found: list[dict[str, Any]] = browser.page.evaluate(script, _RULES)
    return [
        (each["id"], node["html"][:200] + "\n" + node["failureSummary"])
        for each in found
        for node in each["nodes"]
    ]


VIEWS = {
    "ask": "#text",
    "compare": "form",
    "groups": "tbody a",
    "groups/{group}": "svg .dot.canonical",
    "groups/no-such-group": ".state.failed",
    "matches": "tbody tr",
    "review?second=0.1": ".pair .texts",
    "report?source_field=source": "#by_source canvas",
    "report/groups?part=size": "tbody a",
    "banks": "tbody tr",
    "banks/spam": "#entries tbody tr",
    "jobs": "tbody tr",
    "health": "#fields tbody tr",
    "sign-in": "#key",
}


@pytest.mark.parametrize("view", VIEWS)
@LOOKS
def test_no_view_breaks_a_rule(
    browser: Browser,
    visit: Callable[[str], None],
    axe: str,
    view: str,
    language: str,
    theme: str,
) -> None:
    if "{group}" in view:
        visit("groups")
        until(browser, "tbody a")
        browser.locator("tbody a").first.click()
    else:
        visit(view)
    until(browser, VIEWS[view])
    assert look(browser) == (language, theme)
    browser.picture(f"{re.sub('[^a-z]+', '-', view).strip('-')}-{language}-{theme}")
    browser.open_details()
    assert violations(browser, axe) == []


@LOOKS
def test_no_answer_breaks_a_rule(
    browser: Browser,
    visit: Callable[[str], None],
    axe: str,
    texts: list[str],
    language: str,
    theme: str,
) -> None:
    visit("ask")
    browser.locator("#text").press_sequentially(texts[0][:100])
    browser.locator("#text").press("Control+Enter")
    until(browser, ".match")
    browser.open_details()
    until(browser, ".match")
    browser.picture(f"ask-answer-{language}-{theme}")
    assert violations(browser, axe) == []
    browser.locator(".match button").first.press("Enter")
    until(browser, ".texts .p")
    assert look(browser) == (language, theme)
    browser.picture(f"compare-texts-{language}-{theme}")
    assert violations(browser, axe) == []


def test_the_page_of_an_explanation_breaks_no_rule(browser: Browser, axe: str) -> None:
    browser.open(METRO, METRO.replace("十五日", "十六日"))
    assert violations(browser, axe) == []
