"""Arabic, Hebrew and letters beyond the first plane: each text runs its own way, ids and titles do
not turn what stands beside them, and every letter is one letter."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final
from urllib.parse import quote, urlencode

import orjson
import pytest

from tests.browser.conftest import Browser
from tests.browser.console_pages import until, visits
from tests.command import run
from tests.service.gateway.running import Running, gateway_before

ARABIC: Final = (
    "افتتح الجسر القديم فوق النهر أمام المشاة بعد تسع سنوات من أعمال الترميم، وقال رئيس البلدية "
    "إن المدينة ستضيء الجسر كل ليلة حتى نهاية الصيف، وإن الدراجات ستمر عليه ابتداء من يوم الأحد."
)
HEBREW: Final = (
    "הגשר הישן מעל הנהר נפתח שוב להולכי רגל לאחר תשע שנות שיפוצים, וראש העיר אמר כי הגשר יואר בכל "
    "לילה עד סוף הקיץ וכי אופניים יוכלו לעבור בו החל מיום ראשון הקרוב בשעות הבוקר המוקדמות."
)
ASTRAL: Final = "𠮷野家在𡶤𧒽开了新店，𝒜𝓁𝓁 welcome 👩‍👩‍👧😀。" * 6

RARE: Final = "".join(chr(0x20000 + 7 * at) for at in range(600))
"""Letters of two code units each, so many that they are shortened wherever they are shown."""

DOCUMENTS: Final[list[dict[str, Any]]] = [
    {"id": "وثيقة-1", "title": "الجسر القديم (1)", "text": ARABIC},
    {"id": "وثيقة-2", "title": "الجسر القديم (2)", "text": ARABIC.replace("تسع", "عشر")},
    {"id": "מסמך-1", "title": "הגשר הישן [א]", "text": HEBREW},
    {"id": "מסמך-2", "title": "הגשר הישן [ב]", "text": f"{HEBREW}\nOne line in English."},
    {"id": "𠮷-1", "title": "😀 𠮷野家", "text": ASTRAL},
    {"id": "𠮷-2", "title": "😀 𠮷野家", "text": ASTRAL},
    {"id": "r-1", "text": RARE},
    {"id": "r-2", "text": f"a{RARE}"},
    {"id": "r-3", "text": f"{ARABIC} a{RARE[100:400]} {HEBREW}"},
]


@pytest.fixture(scope="module")
def console(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("directions")
    (folder / "all.jsonl").write_bytes(b"\n".join(map(orjson.dumps, DOCUMENTS)))
    assert run("index", "--group", "all.jsonl", "--store", "st", folder=folder).status == 0
    with gateway_before(str(folder / "st")) as running:
        yield running


@pytest.fixture
def visit(browser: Browser, console: Running) -> Iterator[Callable[[str], None]]:
    with visits(browser, console) as opened:
        yield opened


def direction(browser: Browser, selector: str) -> str:
    script = "each => getComputedStyle(each).direction"
    return str(browser.locator(selector).first.evaluate(script))


def lines_begin(browser: Browser, selector: str) -> list[str]:
    """On which side each line of a text begins."""
    script = """text => {
        const box = text.getBoundingClientRect(), range = document.createRange();
        const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
        const sides = [];
        let start = true;
        while (walker.nextNode()) [...walker.currentNode.data].forEach((letter, at) => {
            if (start && letter.trim() && letter.length === 1) {
                range.setStart(walker.currentNode, at);
                range.setEnd(walker.currentNode, at + 1);
                const { left, right } = range.getBoundingClientRect();
                sides.push(left - box.left < box.right - right ? "left" : "right");
                start = false;
            }
            if (letter === "\\n") start = true;
        });
        return sides;
    }"""
    return [str(each) for each in browser.locator(selector).evaluate(script)]


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [("وثيقة-1", "وثيقة-2", "rtl"), ("מסמך-1", "מסמך-2", "rtl"), ("𠮷-1", "𠮷-2", "ltr")],
)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_texts_run_their_own_way_side_by_side(
    browser: Browser,
    visit: Callable[[str], None],
    first: str,
    second: str,
    expected: str,
    language: str,
) -> None:
    visit(f"compare?{urlencode({'first': first, 'second': second})}")
    until(browser, ".texts .p")
    stored = {each["id"]: each["text"] for each in DOCUMENTS}
    for side, name in (("a", first), ("b", second)):
        assert direction(browser, f"#text-{side}") == expected
        assert browser.locator(f"#text-{side}").text_content() == stored[name]
    assert browser.locator("html").get_attribute("dir") in (None, "", "ltr")
    browser.picture(f"directions-compare-{list(stored).index(first)}-{language}")


def test_each_line_of_a_text_begins_on_its_own_side(
    browser: Browser, visit: Callable[[str], None]
) -> None:
    visit(f"compare?{urlencode({'first': 'מסמך-1', 'second': 'מסמך-2'})}")
    until(browser, ".texts .p")
    assert lines_begin(browser, "#text-b") == ["right", "left"]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_ids_and_titles_turn_nothing_around(
    browser: Browser, visit: Callable[[str], None], language: str
) -> None:
    """Of a pair in one line the first id stands left of the second, whichever way they are
    written, and a title with a bracket ends with it."""
    visit("matches")
    until(browser, "tbody a bdi")
    script = """all => all.map((link) =>
        [...link.querySelectorAll("bdi")].map((each) => each.getBoundingClientRect().left))"""
    places = browser.locator("tbody a.id").evaluate_all(script)
    assert len(places) >= 3
    assert all(len(each) == 2 and each[0] < each[1] for each in places)
    browser.picture(f"directions-matches-{language}")
    visit(f"groups/{quote('מסמך-1')}")
    until(browser, "svg .dot.canonical")
    assert direction(browser, "tbody td.id") == "rtl"
    assert direction(browser, "tbody") == "ltr"
    browser.picture(f"directions-group-{language}")
    visit(f"ask?id={quote('وثيقة-1')}")
    until(browser, ".match")
    assert direction(browser, ".match p[dir=auto]") == "rtl"
    assert direction(browser, ".match") == "ltr"
    browser.locator(".match summary").first.click()
    until(browser, ".evidence mark")
    assert direction(browser, ".evidence li") == "rtl"
    browser.picture(f"directions-ask-{language}")


def test_letters_beyond_the_first_plane_are_whole(
    browser: Browser, visit: Callable[[str], None]
) -> None:
    """None is cut in half where a text is shortened."""
    visit(f"ask?id={quote('r-1')}")
    until(browser, ".match")
    for each in browser.locator(".match summary").all():
        each.click()
    until(browser, ".evidence mark")
    half = "[\\uD800-\\uDBFF](?![\\uDC00-\\uDFFF])|(?<![\\uD800-\\uDBFF])[\\uDC00-\\uDFFF]"
    assert browser.page.evaluate(f"/{half}/.test(document.body.innerText)") is False
