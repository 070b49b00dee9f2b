"""Signing in, by keyboard: to where one was going, with the rights of the key, in both languages
and themes; and the index that is chosen, in every address."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Browser
from tests.browser.console_pages import until, wait
from tests.command import run
from tests.service.gateway.running import Running, gateway_before

CONSOLE = "/_dupdex/console/"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two indices, the second of them empty but for one document, and two keys."""
    folder = tmp_path_factory.mktemp("sign-in")
    sample = files("dupdex").joinpath("data", "sample.jsonl").read_bytes()
    for name, content in (("news", sample), ("other", sample.splitlines()[0])):
        (folder / f"{name}.jsonl").write_bytes(content)
        done = run(
            "index", "--group", f"{name}.jsonl", "--store", "st", "--index", name, folder=folder
        )
        assert done.status == 0, done.err
    assert run("sweep", "--store", "st", "--index", "news", folder=folder).status == 0
    return folder


@pytest.fixture(scope="module")
def keys(folder: Path) -> dict[str, str]:
    wanted = {"admin": ("--right", "admin"), "reader": ("--right", "read", "--index", "news")}
    return {
        name: run("keys", "create", name, *more, "--keys", "k.json", folder=folder).out.strip()
        for name, more in wanted.items()
    }


@pytest.fixture(scope="module")
def guarded(folder: Path, keys: dict[str, str]) -> Iterator[Running]:
    assert keys
    with gateway_before(str(folder / "st"), "--keys", str(folder / "k.json")) as running:
        yield running


@pytest.fixture
def visit(browser: Browser, guarded: Running) -> Iterator[Callable[[str], None]]:
    def open_view(path: str) -> None:
        browser.page.goto(guarded.url + CONSOLE + path)
        until(browser, "h1")

    yield open_view
    # The browser itself notes what was answered with 401 or 403, and nothing else may be there.
    said = [each for each in browser.complaints() if "status of 40" not in each]
    assert said == []


def address(browser: Browser) -> tuple[str, dict[str, list[str]]]:
    """View and query of where the browser is."""
    parts = urlsplit(browser.page.url)
    return parts.path.removeprefix(CONSOLE), parse_qs(parts.query)


def sign_in(browser: Browser, key: str) -> None:
    until(browser, "#key")
    browser.locator("#key").press_sequentially(key)
    browser.locator("#key").press("Enter")
    expect(browser.locator("#sign-out")).to_be_attached()


def test_who_is_not_signed_in_signs_in_and_goes_on(
    browser: Browser, visit: Callable[[str], None], keys: dict[str, str]
) -> None:
    visit("groups?index=other&sort=newest")
    until(browser, "#key")
    assert address(browser)[0] == "sign-in"
    expect(browser.locator("#key")).to_be_focused()
    assert browser.count("nav, #index") == 0
    sign_in(browser, f" {keys['admin']}")
    until(browser, "main .state, main table")
    view, query = address(browser)
    assert (view, query) == ("groups", {"index": ["other"], "sort": ["newest"]})
    assert browser.texts("h1") == ["Groups"]
    assert browser.page.evaluate("document.cookie") == ""  # no script reads it


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_wrong_key_is_told_and_can_be_corrected(
    browser: Browser, visit: Callable[[str], None], keys: dict[str, str], language: str, theme: str
) -> None:
    visit("ask")
    until(browser, "#key")
    expect(browser.locator("html")).to_have_css("color-scheme", theme)
    browser.locator("#key").press_sequentially("nonsense")
    browser.locator("#key").press("Enter")
    until(browser, "[role=alert]")
    told = {"en": "The key is unknown", "zh": "密钥不存在"}[language]
    assert told in browser.texts("[role=alert]")[0]
    expect(browser.locator("#key")).to_have_attribute("aria-invalid", "true")
    expect(browser.locator("#key")).to_be_focused()
    sign_in(browser, keys["reader"])
    expect(browser.locator("h1")).to_have_text({"en": "Ask", "zh": "查重"}[language])


def test_only_what_the_key_may_do_is_offered(
    browser: Browser, visit: Callable[[str], None], keys: dict[str, str]
) -> None:
    for name, offered in (("reader", False), ("admin", True)):
        visit("jobs")
        sign_in(browser, keys[name])
        until(browser, "section")
        assert bool(browser.count("button.main")) is offered
        visit("matches")
        until(browser, "tbody tr")
        assert bool(browser.count("tbody button")) is offered
        indices = browser.locator("#index option").all_text_contents()
        assert indices == (["news", "other"] if offered else ["news"])
        browser.locator("#sign-out").click()
        until(browser, "#key")


def test_an_action_after_the_session_is_over_leads_to_the_sign_in_and_back(
    browser: Browser, visit: Callable[[str], None], keys: dict[str, str]
) -> None:
    visit("matches?index=news")
    sign_in(browser, keys["admin"])
    until(browser, "tbody button")
    browser.page.context.clear_cookies()
    browser.locator("tbody button").first.press("Enter")
    until(browser, "#key")
    sign_in(browser, keys["admin"])
    assert address(browser) == ("matches", {"index": ["news"]})


def test_a_decision_by_a_session_carries_its_token_and_the_name_of_the_key(
    browser: Browser, visit: Callable[[str], None], keys: dict[str, str]
) -> None:
    visit("matches?index=news")
    sign_in(browser, keys["admin"])
    until(browser, "tbody button")
    browser.locator("tbody button").first.press("Enter")
    expect(browser.locator("tbody tr").first).to_contain_text("duplicate", use_inner_text=True)
    visit("matches?index=news&decision=duplicate")
    until(browser, "tbody tr")


def test_the_index_is_in_every_address_and_is_remembered(
    browser: Browser, visit: Callable[[str], None], keys: dict[str, str]
) -> None:
    visit("ask")
    sign_in(browser, keys["admin"])
    until(browser, "#text")
    assert address(browser)[1]["index"] == ["news"]
    browser.locator("#index").select_option("other")
    wait(browser, lambda: address(browser)[1] == {"index": ["other"]})
    links = browser.locator("nav a").evaluate_all("all => all.map(each => each.href)")
    assert links and all("index=other" in each for each in links)
    visit("health")  # without an index: the one that was used last
    until(browser, "dl")
    assert address(browser) == ("health", {"index": ["other"]})
    assert "other" in browser.texts("dl")[0]
    visit("health?index=news")
    until(browser, "dl")
    expect(browser.locator("#index")).to_have_value("news")


def test_a_way_back_leads_nowhere_else(
    browser: Browser, visit: Callable[[str], None], keys: dict[str, str], guarded: Running
) -> None:
    for to in ("https://example.org/", "//example.org", "javascript:alert(1)", "/news/_search"):
        visit(f"sign-in?to={to}")
        sign_in(browser, keys["reader"])
        until(browser, "#text")
        assert browser.page.url.startswith(f"{guarded.url}{CONSOLE}")
        browser.locator("#sign-out").click()
        until(browser, "#key")
