"""The page of an explanation as a reader meets it: in a browser, by pointer and by keyboard."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Browser
from tests.browser.console_pages import wait
from tests.texts import (
    LIBRARY,
    METRO,
    METRO_HOMOPHONES,
    METRO_TRADITIONAL,
    ORCHARD,
    TEA,
    chinese,
)

HOSTILE = (
    "<script>document.title = 'taken'</script></div>&amp; &lt;b&gt; <img src=x onerror=alert(1)> "
    "\" ' {{title}} 😀👩‍👩‍👧 軌道交通集團 𠮷野家\n第二行\t完"
)
PAIRS = {
    "完全相同": ("exact", METRO, METRO_TRADITIONAL),
    "近似重复": ("near", METRO + HOSTILE, METRO_HOMOPHONES + HOSTILE),
    "部分重复": ("partial", METRO, chinese(900, 1) + METRO),
    "不重复": ("no duplicate", METRO, TEA),
}
LONG = chinese(3_000, 1)
MOVED = (LONG + METRO, METRO_TRADITIONAL + chinese(3_000, 2) + LONG[:400])
"""Two passages, each at the beginning of one text and at the end of the other."""


@pytest.fixture(autouse=True)
def clean_browser(browser: Browser) -> Iterator[None]:
    """No test leaves an error on the console."""
    yield
    assert browser.complaints() == []


def until_in_view(browser: Browser, selector: str) -> None:
    wait(browser, lambda: browser.is_in_view(selector))


@pytest.mark.parametrize("chinese_name", PAIRS)
def test_every_verdict_is_shown_in_either_language(browser: Browser, chinese_name: str) -> None:
    english_name, left, right = PAIRS[chinese_name]
    address = browser.open(left, right)
    assert browser.requests() == [address]
    assert browser.complaints() == []
    button = browser.locator("#language")

    def shown() -> tuple[str, str]:
        return browser.texts(".verdict")[0], browser.texts("#language")[0]

    assert (shown()[0].split(" 0.")[0].split(" 1.")[0], shown()[1]) == (english_name, "中文")
    assert browser.texts("#name-a") == ["first text"]
    button.click()
    assert (shown()[0].split()[0], shown()[1]) == (chinese_name, "English")
    assert browser.texts("#name-a") == ["前者"]
    expect(browser.locator("html")).to_have_attribute("lang", "zh-Hans")
    assert browser.count(".en:visible") == 0
    button.click()
    assert browser.count(".zh:visible") == 0


def test_the_language_is_kept(browser: Browser, tmp_path: Path) -> None:
    """The first page stays open: Chromium writes what a page keeps a little later, and not at all
    where its process goes before that."""
    browser.open(METRO, TEA)
    browser.locator("#language").click()
    next_page = Browser(browser.page.context.new_page(), tmp_path)

    def is_kept() -> bool:
        next_page.open(METRO, METRO)
        return next_page.texts("#name-a") == ["前者"]

    wait(next_page, is_kept)


def test_texts_are_shown_to_the_letter(browser: Browser) -> None:
    browser.open(HOSTILE + METRO, METRO_TRADITIONAL + HOSTILE)
    for side, text in (("a", HOSTILE + METRO), ("b", METRO_TRADITIONAL + HOSTILE)):
        assert browser.locator(f"#text-{side}").text_content() == text
    assert browser.page.title().startswith("dupdex: ")
    assert browser.count("img") == 0


def test_a_script_that_is_not_of_the_page_does_not_run(browser: Browser) -> None:
    """Were a text ever to get through unescaped, the policy still stops it."""
    address = Path(browser.open(METRO, TEA).removeprefix("file://"))
    page = address.read_text("utf-8")
    foreign = (
        "<script>document.title = 'taken'</script><img src=x onerror=\"document.title='taken'\">"
    )
    address.write_text(page.replace("</body>", f"{foreign}</body>"), "utf-8")
    browser.page.reload()
    assert browser.page.title().startswith("dupdex: ")
    assert len([each for each in browser.complaints() if "Content Security Policy" in each]) >= 2


def test_facts_stand_before_the_texts(browser: Browser) -> None:
    browser.open(METRO, METRO.replace("十五日", "十六日").replace("十七座", "十九座"))
    facts, text = browser.locator(".differ"), browser.locator("#text-a")
    lines = [line.split() for line in facts.inner_text().splitlines()]
    assert [" ".join(each) for each in lines if each] == [
        "Facts that differ (2)",
        "date 十五日 十六日",
        "number 十七 十九",
    ]
    top = "each => each.getBoundingClientRect().top"
    assert facts.evaluate(top) < text.evaluate(top)


def test_pointing_at_a_passage_marks_both_and_finds_the_other(browser: Browser) -> None:
    browser.open(*MOVED)
    assert browser.marked() == set()
    assert not browser.is_in_view("#b1")
    browser.point_at("#a1")
    assert browser.marked() == {"a1", "b1"}
    until_in_view(browser, "#b1")
    browser.point_at("h1")
    assert browser.marked() == set()
    browser.point_at('td a[data-n="2"]')
    assert browser.marked() == {"a2", "b2"}


@pytest.mark.parametrize("by_key", [False, True], ids=["click", "enter"])
@pytest.mark.parametrize(("here", "there"), [("a1", "b1"), ("b1", "a1"), ("a2", "b2")])
def test_a_passage_leads_to_its_counterpart(
    browser: Browser, here: str, there: str, by_key: bool
) -> None:
    browser.open(*MOVED)
    link = browser.locator(f"#{here}")
    if by_key:
        link.press("Enter")
    else:
        link.dispatch_event("click")
    until_in_view(browser, f"#{there}")
    expect(browser.locator(f"#{there}")).to_be_focused()
    assert browser.marked() == {here, there}


def test_the_table_leads_into_the_text(browser: Browser) -> None:
    browser.open(*MOVED)
    browser.locator('td a[href="#a2"]').first.click()
    until_in_view(browser, "#a2")
    assert {"a2", "b2"} <= browser.marked()


@pytest.mark.parametrize("width", [400, 800, 1600])
def test_the_page_is_never_wider_than_the_window(browser: Browser, width: int) -> None:
    browser.page.set_viewport_size({"width": width, "height": 900})
    browser.open(LIBRARY + "x" * 500, ORCHARD + LIBRARY + "字" * 500)
    for name in ("html", "#text-a", "#text-b"):
        assert browser.overflow(name) == 0
    tops = browser.locator(".texts .text").evaluate_all(
        "all => all.map(each => each.getBoundingClientRect().top)"
    )
    assert len(tops) == 2
    assert (tops[0] == tops[1]) is (width > 736)
