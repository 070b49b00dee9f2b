"""Asking: evidence of a match in place, options in the address, files of every kind."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import orjson
import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Browser
from tests.browser.console_pages import until, visits
from tests.command import run
from tests.service.gateway.running import Running, gateway_before

HOSTILE = "<img src=x onerror=alert(1)>\u202e"


@pytest.fixture(scope="module")
def sample() -> list[dict[str, Any]]:
    lines = files("dupdex").joinpath("data", "sample.jsonl").read_bytes().splitlines()
    return [orjson.loads(line) for line in lines]


@pytest.fixture(scope="module")
def console(
    tmp_path_factory: pytest.TempPathFactory, sample: list[dict[str, Any]]
) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("ask")
    hostile = {"id": "h", "source": "x", "text": f"{sample[0]['text'][:120]}{HOSTILE}"}
    lines = [{"source": "y", **each} for each in sample]
    (folder / "all.jsonl").write_bytes(b"\n".join(map(orjson.dumps, [*lines, hostile])))
    assert run("index", "all.jsonl", "--store", "st", folder=folder).status == 0
    with gateway_before(str(folder / "st")) as running:
        yield running


@pytest.fixture
def visit(browser: Browser, console: Running) -> Iterator[Callable[[str], None]]:
    with visits(browser, console) as opened:
        yield opened


def test_a_match_shows_what_it_shares_in_place_and_how_rare_the_keys_are(
    browser: Browser, visit: Callable[[str], None], sample: list[dict[str, Any]]
) -> None:
    visit("ask")
    text = sample[0]["text"][:100]
    browser.locator("#text").press_sequentially(text)
    browser.locator("#text").press("Control+Enter")
    until(browser, ".match")
    own = browser.locator(".match").filter(has_text=sample[0]["id"]).first
    own.locator("summary").first.press("Enter")
    until(browser, ".evidence mark")
    mark = browser.texts(".evidence mark")[0]
    assert mark and mark in sample[0]["text"]
    assert browser.texts(".evidence li")[0].startswith(sample[0]["text"][:4])
    rows = browser.texts(".evidence .keys tbody tr")
    assert 0 < len(rows) <= 20
    assert all(row.split()[-1].isdecimal() for row in rows)  # in how many documents
    assert browser.count("main img") == 0


def test_markup_in_a_match_stays_text_in_its_evidence(
    browser: Browser, visit: Callable[[str], None]
) -> None:
    visit("ask?id=h")
    until(browser, ".match")
    for each in browser.locator(".match summary").all():
        each.press("Enter")
    until(browser, ".evidence mark")
    assert browser.count("main img") == 0


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_an_answer_does_not_cover_is_said(
    browser: Browser, visit: Callable[[str], None], sample: list[dict[str, Any]], language: str
) -> None:
    visit(f"ask?id={sample[0]['id']}")
    until(browser, "details.card")
    browser.open_details()
    told = browser.texts("details.card")[0]
    for word in {"en": ("Covered", "Not covered"), "zh": ("已涵盖", "未涵盖")}[language]:
        assert word in told


def test_options_narrow_the_answer_and_stand_in_the_address(
    browser: Browser, visit: Callable[[str], None], sample: list[dict[str, Any]]
) -> None:
    visit("ask")
    narrowed = browser.locator("form input[placeholder='source=news']")
    browser.locator("#text").press_sequentially(sample[0]["text"][:100])
    narrowed.press_sequentially("source=x")
    narrowed.press("Enter")
    until(browser, ".match")
    assert set(browser.texts(".match .links + *, .match .row > .id")) == {"h"}
    browser.locator("form select").first.select_option("exact")
    browser.locator("button.main").press("Enter")
    until(browser, ".headline.none")
    query = parse_qs(urlsplit(browser.page.url).query)
    assert (query["filter"], query["verdicts"]) == (["source=x"], ["exact"])
    browser.page.reload()
    until(browser, "#text")
    expect(narrowed).to_have_value("source=x")


def lines_of(sample: list[dict[str, Any]]) -> bytes:
    some = [{"id": f"x{at}", "text": each["text"]} for at, each in enumerate(sample[:3])]
    other = {"id": "y", "text": "Nothing stored is like this line about a bakery and its bread."}
    return b"\n".join([*map(orjson.dumps, [*some, other]), b"{broken", b'{"id": "no text"}'])


def table_of(sample: list[dict[str, Any]]) -> bytes:
    quoted = (each["text"].replace('"', '""') for each in sample[:3])
    rows = [f'x{at},"{text}"' for at, text in enumerate(quoted)]
    rows.append('y,"Nothing stored is like this line, about a bakery."')
    return "\r\n".join(["id,text", *rows, "z,"]).encode()


@pytest.mark.parametrize("name", ["a.jsonl", "a.ndjson.gz", "a.csv", "a-gb.csv"])
def test_a_file_of_documents_is_answered_line_by_line(
    browser: Browser,
    visit: Callable[[str], None],
    sample: list[dict[str, Any]],
    tmp_path: Path,
    name: str,
) -> None:
    content = table_of(sample) if name.endswith(".csv") else lines_of(sample)
    if "gb" in name:
        content = content.decode().encode("gb18030")
    (tmp_path / name).write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    visit("ask")
    browser.locator("#file").set_input_files(tmp_path / name)
    expect(browser.locator("tbody tr")).to_have_count(4)
    expect(browser.locator("section [role=status]").first).to_contain_text("4 of 4")
    assert browser.texts("tbody .verdict") == ["exact", "exact", "exact", "no duplicate"]
    assert "lines hold no text" in browser.texts("section")[0]
    browser.locator("tbody button").first.press("Enter")
    until(browser, ".match")
    expect(browser.locator("#text")).to_have_value(sample[0]["text"])


def test_a_text_file_fills_the_text_and_other_kinds_are_refused(
    browser: Browser, visit: Callable[[str], None], tmp_path: Path
) -> None:
    (tmp_path / "a.txt").write_bytes("白鹭大桥\n通车".encode("utf-16"))
    (tmp_path / "a.pdf").write_bytes(b"%PDF")
    visit("ask")
    browser.locator("#file").set_input_files(tmp_path / "a.txt")
    expect(browser.locator("#text")).to_have_value("白鹭大桥\n通车")
    browser.locator("#file").set_input_files(tmp_path / "a.pdf")
    until(browser, ".state.failed")
    assert "a.pdf" in browser.texts(".state.failed")[0]
