"""Links of Kibana into the console: a kept pair by its record, documents by their keys."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from urllib.parse import urlencode

import pytest

from dupdex.kibana.console_links import ConsoleLinks
from dupdex.matches.match_record import key, pair_id
from indexer.model import Ref
from tests.browser.conftest import Browser
from tests.browser.console_pages import until
from tests.command import run
from tests.service.gateway.running import Running, gateway_before

FIRST, SECOND = Ref("dupdex", "en-03"), Ref("dupdex", "en-09")


@pytest.fixture(scope="module")
def console(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("links")
    sample = files("dupdex").joinpath("data", "sample.jsonl").read_bytes()
    (folder / "all.jsonl").write_bytes(sample)
    assert run("index", "--group", "all.jsonl", "--store", "st", folder=folder).status == 0
    with gateway_before(str(folder / "st")) as running:
        yield running


def test_a_pair_opens_both_documents(browser: Browser, console: Running) -> None:
    link = ConsoleLinks(console.url).pair.replace("{{value}}", pair_id(SECOND, FIRST))
    browser.page.goto(link)
    until(browser, ".texts .p")
    assert browser.texts("h1") == ["Compare"]
    shown = " ".join(browser.texts(".texts .side"))
    assert FIRST.id in shown and SECOND.id in shown
    browser.page.reload()  # the address names the documents now
    until(browser, ".texts .p")


def test_keys_name_documents(browser: Browser, console: Running) -> None:
    query = urlencode({"first": key(FIRST), "second": key(SECOND)})
    browser.page.goto(f"{console.url}/_dupdex/console/compare?{query}")
    until(browser, ".texts .p")
    assert browser.count(".texts .side .text") == 2


def test_a_pair_that_is_gone_is_said(browser: Browser, console: Running) -> None:
    browser.page.goto(ConsoleLinks(console.url).pair.replace("{{value}}", "<b>no</b>"))
    until(browser, ".state.failed")
    assert "<b>no</b>" in browser.texts(".state.failed")[0]
    assert browser.count("main b") == 0
