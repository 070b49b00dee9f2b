"""Every view in every state: while it is asked for, when that takes long, when nothing is there,
when nobody answers or with an error, and without the right; in both languages."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Route, expect

from tests.browser.conftest import SECONDS, Browser
from tests.browser.console_pages import until
from tests.command import run
from tests.service.gateway.running import Running, gateway_before

SELECTORS: Final = {
    "ask?id=zh-01": ".match",
    "compare?first=zh-06&second=zh-31": ".texts .p",
    "groups": "tbody a",
    "groups/zh-06": "svg .dot",
    "review": ".pair .texts",
    "matches": "tbody tr",
    "report": "#over_time",
    "banks": ".state, tbody tr",
    "jobs": "tbody tr",
    "health": "#fields",
}
"""Views, and what stands in each when it is there."""

EMPTY: Final = ("groups", "matches", "review", "jobs")
"""Views that an index without duplicates leaves empty."""

WORDS: Final = {
    "en": {
        "loading": "Asking…",
        "slow": "still waiting",
        "error": "Something went wrong",
        "silent": "does not answer",
        "refused": "Not allowed",
    },
    "zh": {
        "loading": "正在查询",
        "slow": "仍在等待",
        "error": "出错了",
        "silent": "没有应答",
        "refused": "没有权限",
    },
}

_ANSWERS: Final = re.compile(r"/_dupdex/v1/(?!session|indices)")
"""Answers of the interface that views wait for."""

_FASTER: Final = """
    const later = window.setTimeout;
    window.setTimeout = (action, time, ...more) => later(action, time / 10, ...more);
"""
"""Three seconds are a third of one."""

_FAILED: Final = {"title": "Unavailable", "detail": "the store <b>rests</b>"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample, grouped and swept, and an index of one document."""
    folder = tmp_path_factory.mktemp("states")
    sample = files("dupdex").joinpath("data", "sample.jsonl").read_bytes()
    for name, content in (("news", sample), ("other", sample.splitlines()[0])):
        (folder / f"{name}.jsonl").write_bytes(content)
        place = ("--store", "st", "--index", name)
        assert run("index", "--group", f"{name}.jsonl", *place, folder=folder).status == 0
    place = ("--store", "st", "--index", "news")
    assert run("sweep", *place, folder=folder).status == 0
    return folder


@pytest.fixture(scope="module")
def key(folder: Path) -> str:
    """Of one who may read the index of one document, and nothing else."""
    wanted = ("--right", "read", "--index", "other", "--keys", "k.json")
    return run("keys", "create", "reader", *wanted, folder=folder).out.strip()


@pytest.fixture(scope="module")
def guarded(folder: Path, key: str) -> Iterator[Running]:
    assert key
    with gateway_before(str(folder / "st"), "--keys", str(folder / "k.json")) as running:
        yield running


@pytest.fixture(scope="module")
def console(folder: Path) -> Iterator[Running]:
    with gateway_before(str(folder / "st")) as running:
        yield running


@contextmanager
def held(browser: Browser) -> Iterator[Callable[[], None]]:
    """Answers of the interface come when what it gives is called, not before."""
    waiting: list[Route] = []
    free = False

    def meet(route: Route) -> None:
        if free:
            route.continue_()
        else:
            waiting.append(route)

    def answer() -> None:
        nonlocal free
        free = True
        while waiting:
            waiting.pop().continue_()

    browser.page.route(_ANSWERS, meet)
    yield answer
    answer()
    browser.page.unroute(_ANSWERS)


@contextmanager
def failing(browser: Browser, mode: str) -> Iterator[None]:
    """Answers of the interface are errors, or there are none."""

    def answer(route: Route) -> None:
        if mode == "silent":
            route.abort()
        else:
            route.fulfill(
                status=503, json=_FAILED, headers={"Content-Type": "application/problem+json"}
            )

    browser.page.route(_ANSWERS, answer)
    yield
    browser.page.unroute(_ANSWERS)


def opened(browser: Browser, gateway: Running, view: str, index: str) -> None:
    mark = "&" if "?" in view else "?"
    browser.page.goto(f"{gateway.url}/_dupdex/console/{view}{mark}index={index}")


def told(browser: Browser) -> str:
    return " ".join(browser.texts(".state"))


def until_told(browser: Browser, words: str) -> None:
    expect(browser.locator(".state").filter(has_text=words).first).to_be_visible()


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("view", SELECTORS)
def test_a_view_that_has_to_wait_says_so_and_then_is_there(
    browser: Browser, console: Running, view: str, language: str
) -> None:
    browser.page.add_init_script(_FASTER)
    with held(browser) as answer:
        opened(browser, console, view, "news")
        until_told(browser, WORDS[language]["slow"])
        assert browser.count("[aria-busy] .state[role=status]")
        assert browser.locator("h1").is_visible()
        answer()
        until(browser, SELECTORS[view])
    assert browser.count(".state.failed") == 0


def test_a_view_waits_three_seconds_before_it_calls_that_slow(
    browser: Browser, console: Running
) -> None:
    with held(browser):
        opened(browser, console, "jobs", "news")
        until_told(browser, WORDS["en"]["loading"])
        began = browser.page.evaluate("performance.now()")
        until_told(browser, WORDS["en"]["slow"])
        assert 2_000 < browser.page.evaluate("performance.now()") - began < SECONDS * 1_000


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("view", SELECTORS)
def test_a_view_tells_of_errors(
    browser: Browser, console: Running, view: str, language: str
) -> None:
    for mode in ("error", "silent"):
        with failing(browser, mode):
            opened(browser, console, view, "news")
            until(browser, ".state.failed[role=alert]")
        assert WORDS[language][mode] in told(browser)
        assert browser.count("main b") == 0  # what an error says is no markup
    assert browser.locator("h1").is_visible()


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("view", EMPTY)
def test_a_view_without_anything_says_what_to_do(
    browser: Browser, console: Running, view: str, language: str
) -> None:
    opened(browser, console, view, "other")
    until(browser, ".state:not(.failed)")
    assert browser.count(".state.failed, tbody tr") == 0
    assert len(told(browser)) > 5
    assert ("。" in told(browser)) is (language == "zh")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_view_without_the_right(
    browser: Browser, guarded: Running, key: str, language: str
) -> None:
    opened(browser, guarded, "ask", "other")
    until(browser, "#key")
    browser.locator("#key").press_sequentially(key)
    browser.locator("#key").press("Enter")
    until(browser, "#sign-out")
    for view in [each for each in SELECTORS if each != "banks"]:  # these are of no index
        opened(browser, guarded, view, "news")
        until(browser, ".state.failed[role=alert]")
        assert WORDS[language]["refused"] in told(browser), view
        assert browser.count("main tbody tr, .match, .texts .p") == 0, view
