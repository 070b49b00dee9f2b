"""Long texts side by side: in step, on their maps, with facts marked, and without a wait."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from functools import partial
from typing import Final

import pytest
from playwright.sync_api import Position, expect

from tests.browser.conftest import Browser
from tests.browser.console_pages import wait
from tests.texts import METRO, chinese

FRAME = 100.0
"""Milliseconds that an interaction may take (what a reader feels as at once)."""

SERIES, ENOUGH = 5, 2
"""How many series of an interaction may be tried, and how many of them have to be in time: other
programs make one slower, never faster, and what is slow by itself is in time twice by no chance."""

PARTS = [chinese(700, seed) + "\n" for seed in range(30)]
LEFT = "".join(PARTS[:20])
RIGHT = "".join([*PARTS[20:24], *PARTS[:10], *PARTS[24:28], *PARTS[10:20]])
"""The second text has what the first has, with other parts before it and in its middle."""


@pytest.fixture(autouse=True)
def clean_browser(browser: Browser) -> Iterator[None]:
    yield
    assert browser.complaints() == []


def until_step(browser: Browser, left: str, right: str) -> None:
    """Wait until the same words stand at the line to go by."""
    script = """(all, part) => all.map(box => {
        const frame = box.getBoundingClientRect();
        const here = part * frame.height;
        const at = document.caretPositionFromPoint(frame.left + 20, frame.top + here);
        return at.offsetNode.data.slice(at.offset, at.offset + 8);
    })"""

    def same() -> bool:
        part = at_top(browser, "#text-a") / (size(browser, "scrollHeight") or 1)
        words = browser.locator(".texts .text").evaluate_all(script, part)
        places = left.find(words[0]), right.find(words[1])
        there = right.find(words[0])
        return min(places) >= 0 and abs(there - places[1]) < 100  # some lines of 30 letters

    wait(browser, same)


def size(browser: Browser, name: str, selector: str = "#text-a") -> float:
    return float(browser.locator(selector).evaluate("(each, name) => each[name]", name))


EDGE: Final = Position(x=3, y=3)
"""Of a text: no passage is below the pointer."""


END: Final = Position(x=60, y=400)
"""Of a text that is scrolled to its end: some of the last 400 letters."""


def scroll(browser: Browser, selector: str, part: float, at: Position | None = EDGE) -> None:
    """Turn the wheel over a text until so much of it lies above. `at`: where the pointer rests,
    None for the middle."""
    rests = """each => new Promise(done => {
        let [last, same] = [each.scrollTop, 0];
        const look = () => {
            same = each.scrollTop === last ? same + 1 : 0;
            last = each.scrollTop;
            if (same < 6) requestAnimationFrame(look);
            else done();
        };
        look();
    })"""
    box = browser.locator(selector)
    box.hover(position=at)
    for _ in range(6):  # what comes into view is as high as it turns out to be
        most = size(browser, "scrollHeight", selector) - size(browser, "clientHeight", selector)
        by = int(part * most - at_top(browser, selector))
        if abs(by) > 1:
            browser.page.mouse.wheel(0, by)
            box.evaluate(rests)


def at_top(browser: Browser, selector: str) -> float:
    return size(browser, "scrollTop", selector)


@pytest.mark.parametrize("at", [EDGE, None], ids=["beside", "over passages"])
def test_texts_scroll_in_step_by_what_they_share(browser: Browser, at: Position | None) -> None:
    """What comes below a pointer that rests is not pointed at: the other text stays in step."""
    browser.open(LEFT, RIGHT)
    assert browser.count("#text-a .chunk") > 3
    for part in (0.75, 0.3):
        scroll(browser, "#text-a", part, at)
        browser.page.wait_for_timeout(400)
        until_step(browser, LEFT, RIGHT)
    scroll(browser, "#text-b", 1, at)
    browser.page.wait_for_timeout(400)
    script = "each => each.scrollTop + each.clientHeight > 0.9 * each.scrollHeight"
    wait(browser, lambda: browser.locator("#text-a").evaluate(script))
    scroll(browser, "#text-b", 0, at)
    expect(browser.locator("#text-a")).to_have_js_property("scrollTop", 0)


def test_the_step_is_switched_off_by_key_and_stays_off(browser: Browser) -> None:
    browser.open(LEFT, RIGHT)
    in_step = browser.locator("#in-step")
    in_step.press("Space")
    scroll(browser, "#text-a", 0.5)
    assert at_top(browser, "#text-a") > 1_000
    assert at_top(browser, "#text-b") < 300  # but that it shows what was pointed at
    browser.page.reload()
    assert not in_step.is_checked()
    in_step.press("Space")
    assert in_step.is_checked()


def test_what_was_scrolled_below_the_pointer_is_pointed_at_once_it_moves(browser: Browser) -> None:
    """The end of one text is the beginning of the other, which lies far above its end."""
    browser.open(LEFT[:3_000] + METRO, METRO + chinese(3_000, 70) + LEFT[:400])
    browser.locator("#in-step").press("Space")
    scroll(browser, "#text-a", 1)
    scroll(browser, "#text-b", 1, END)
    browser.page.wait_for_timeout(400)
    passage = browser.locator("#text-b .p:hover")
    expect(passage).to_have_attribute("data-n", "1")
    assert not browser.is_in_view("#a1")
    frame = browser.locator("#text-b").bounding_box()
    assert frame
    browser.page.mouse.move(frame["x"] + END["x"] + 2, frame["y"] + END["y"])
    expect(passage).to_have_attribute("data-n", "1")
    wait(browser, lambda: browser.is_in_view("#a1"))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (METRO + chinese(13_600, 1), chinese(13_600, 2) + METRO),
        ("\n".join(PARTS[:16]), "\n\n\n".join(PARTS[15::-1])),
    ],
    ids=["at the end", "turned around"],
)
def test_a_counterpart_that_is_far_away_comes_into_view(
    browser: Browser, left: str, right: str
) -> None:
    """What lies between was never laid out, and is not as high as it was taken for."""
    browser.open(left, right)
    browser.locator("#in-step").press("Space")
    for number in range(1, browser.count("#text-a .p[id]") + 1, 2):
        browser.page.mouse.move(0, 0)
        browser.point_at(f'#text-a .p[id][data-n="{number}"]')
        other = f'#text-b .p[id][data-n="{number}"]'
        wait(browser, partial(browser.is_in_view, other))


def test_a_map_shows_passages_and_leads_to_them(browser: Browser) -> None:
    browser.open(LEFT, RIGHT)
    marks = browser.count("#map-a .m")
    assert marks == browser.count("#map-b .m") == browser.count("td a[data-n]")
    view = browser.locator("#map-a .view")
    before = float(view.get_attribute("y") or "")
    box = browser.locator("#map-a").bounding_box()
    assert box
    browser.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] * 0.8)
    wait(browser, lambda: float(view.get_attribute("y") or "") > before + 300)
    assert browser.count("#map-a .m.on")
    assert browser.count("#text-a .p.on")


def test_facts_that_differ_are_marked_in_both_texts(browser: Browser) -> None:
    other = METRO.replace("十五日", "十六日").replace("十七座", "十九座")
    browser.open(METRO, other)
    for side, wanted in (("a", {"十五日", "十七"}), ("b", {"十六日", "十九"})):
        texts: dict[str, str] = {}
        for each in browser.locator(f"#text-{side} mark.f").all():  # cut where a passage ends
            number = str(each.get_attribute("data-f"))
            texts[number] = texts.get(number, "") + each.inner_text()
        assert set(texts.values()) == wanted
        assert browser.count(f"#map-{side} .f") == 2


def test_the_formula_is_steps_that_say_whether_they_hold(browser: Browser) -> None:
    browser.open(METRO, METRO[:100] + chinese(300, 5))
    steps = browser.locator("ol.formula li").all()
    assert len(steps) > 1
    assert browser.count("ol.formula li b")
    assert all(
        ("does not hold" in each.inner_text()) == (each.get_attribute("class") == "fails")
        for each in steps
        if each.get_attribute("class")
    )


@pytest.mark.parametrize("lines", [True, False], ids=["lines", "one line"])
def test_a_hundred_thousand_characters_a_side_are_smooth(browser: Browser, lines: bool) -> None:
    """The middle of nine turns, in at least two of at most five series."""
    parts = [chinese(400, seed) + ("\n" if lines else "") for seed in range(250)]
    left, right = "".join(parts), "".join(reversed([p.replace("的", "地") for p in parts]))
    assert len(left) >= 100_000
    browser.open(left, right)
    script = """name => new Promise(done => {
        const box = document.querySelector("#text-a");
        const links = [...document.querySelectorAll("#text-a .p")];
        box.dispatchEvent(new PointerEvent("pointerover", {bubbles: true}));
        let turn = 0;
        const some = () => links[turn * 31 % links.length];
        const actions = {
            scroll: () => { box.scrollTop = box.scrollHeight * turn / 10; },
            point: () => some().dispatchEvent(new MouseEvent("mouseover", {bubbles: true})),
            lead: () => some().click(),
            wider: () => document.body.style.setProperty("padding-inline", `${turn}px`),
        };
        const times = [];
        const once = () => {
            turn += 1;
            const start = performance.now();
            actions[name]();
            document.body.getBoundingClientRect();
            requestAnimationFrame(() => requestAnimationFrame(() => {
                times.push(performance.now() - start);
                if (times.length < 9) setTimeout(once, 30);
                else done(times);
            }));
        };
        once();
    })"""
    for name in ("scroll", "point", "lead", "wider"):
        middles: list[float] = []
        while len(middles) < SERIES and in_time(middles) < ENOUGH:
            middles.append(statistics.median(browser.page.evaluate(script, name)))
        assert in_time(middles) >= ENOUGH, (name, middles)


def in_time(middles: list[float]) -> int:
    return sum(each < FRAME for each in middles)
