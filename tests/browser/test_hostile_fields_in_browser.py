"""Every field that a user fills, with markup in it and writing from right to left, in each view."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import quote

import orjson
import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Browser
from tests.browser.console_pages import HOSTILE, until
from tests.command import run
from tests.service.gateway.rest_client import ROOT, send
from tests.service.gateway.running import Running, gateway_before


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """Two copies whose every field is markup, decided about and in a bank with such words."""
    folder = tmp_path_factory.mktemp("hostile")
    text = "The old railway bridge at Eastmere is open to walkers again after nine years of work. "
    lines = [
        {"id": f"{HOSTILE}{at}", "title": HOSTILE, "source": HOSTILE, "text": text + HOSTILE}
        for at in (1, 2)
    ]
    (folder / "all.jsonl").write_bytes(b"\n".join(map(orjson.dumps, lines)))
    assert run("index", "--group", "all.jsonl", "--store", "st", folder=folder).status == 0
    ids, store = (f"{HOSTILE}1", f"{HOSTILE}2"), ("--store", "st")
    said = ("duplicate", "--why", HOSTILE, "--by", HOSTILE)
    assert run("decide", *ids, *said, *store, folder=folder).status == 0
    with gateway_before(str(folder / "st")) as running:
        yield running


@pytest.mark.parametrize(
    ("view", "selector"),
    [
        ("matches", "tbody a"),
        ("groups", "tbody a"),
        ("groups/{id}", "svg .dot.canonical"),
        ("compare?first={id}&second={id}", ".texts .p"),
        ("report?source_field=source", "#by_source canvas"),
        ("banks", "tbody tr"),
        ("banks/words", "#entries tbody tr"),
        ("review", "h1"),
    ],
)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_markup_of_users_stays_text_in_every_view(
    browser: Browser, hostile: Running, view: str, selector: str, language: str
) -> None:
    fill_bank(hostile)
    name = quote(f"{HOSTILE}1", safe="")
    browser.page.goto(f"{hostile.url}/_dupdex/console/{view.replace('{id}', name)}")
    until(browser, selector)
    browser.open_details()
    until(browser, selector)
    expect(browser.locator("html")).to_have_attribute("data-lang", language)
    browser.page.evaluate("document.documentElement.dir = 'rtl'")
    assert browser.overflow() <= 0
    assert browser.count("main img, main td b, main script, dialog img") == 0
    assert browser.complaints() == []
    if view not in ("review", "banks"):
        assert "<img src=x" in str(browser.locator("main").text_content())


def fill_bank(gateway: Running) -> None:
    """A bank of hostile words; the same one, if it is there."""
    json = {"Content-Type": "application/json"}
    about = {"name": "words", "kind": "deny", "about": HOSTILE, "by": HOSTILE}
    made = send(gateway.url, "POST", f"{ROOT}/banks", orjson.dumps(about), json)
    assert made.status < 300, made.content
    entry = {"id": "x", "text": f"Buy our cheap watches today. {HOSTILE}", "labels": [HOSTILE]}
    body = orjson.dumps({"entries": [{**entry, "reason": HOSTILE, "by": HOSTILE}]})
    added = send(gateway.url, "POST", f"{ROOT}/banks/words/entries", body, json)
    assert added.status < 300, added.content
