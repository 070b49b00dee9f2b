"""What the tests of the console have in common: a filled store behind a gateway, and visits."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import orjson
import pytest
from playwright.sync_api import expect

from tests.browser.conftest import SECONDS, Browser
from tests.command import run
from tests.servers import remove_all
from tests.service.gateway.running import Running, gateway_before

HOSTILE: Final = "<img src=x onerror=alert(1)>\u202e\U0001f600 العربية"

Made = Callable[[str], list[dict[str, Any]]]


STORES: Final = ("folder", "server")


@contextmanager
def place_of(request: pytest.FixtureRequest) -> Iterator[tuple[str, ...]]:
    """The options of one of STORES, the parameter of a fixture: a folder `st`, or an index of its
    own on the server."""
    if request.param == "folder":
        yield ("--store", "st")
        return
    name = f"console-{uuid.uuid4().hex[:12]}"
    url = request.getfixturevalue("es_url")
    try:
        yield ("--store", url, "--index", name)
    finally:
        remove_all(url, name)


@contextmanager
def console_over(
    folder: Path, made: Made, place: tuple[str, ...] = ("--store", "st")
) -> Iterator[Running]:
    """A gateway before a store with the sample, grouped and swept, and what `made` makes of the
    first text of it. `place`: options that name the store."""
    sample = files("dupdex").joinpath("data", "sample.jsonl").read_bytes()
    more = made(orjson.loads(sample.splitlines()[0])["text"])
    (folder / "all.jsonl").write_bytes(sample + b"\n".join(map(orjson.dumps, more)))
    assert run("index", "--group", "all.jsonl", *place, folder=folder).status == 0
    assert run("sweep", *place, folder=folder).status == 0
    store = place[1] if "://" in place[1] else str(folder / place[1])
    index = place[3] if len(place) > 2 else "dupdex"
    with gateway_before(store, DUPDEX_INDEX=index) as running:
        yield running


@contextmanager
def visits(browser: Browser, console: Running) -> Iterator[Callable[[str], None]]:
    """Opens views and waits until each is there. Nothing is asked of another origin, and the
    browser has nothing to complain about."""

    def open_view(path: str) -> None:
        browser.page.goto(f"{console.url}/_dupdex/console/{path}")
        until(browser, "h1")

    yield open_view
    assert browser.complaints() == []
    assert [each for each in browser.requests() if not each.startswith(console.url)] == []


def until(browser: Browser, selector: str) -> None:
    """Wait for an element, and until nothing is waited for in the page, both at once."""
    there = browser.locator(f"html:not(:has([aria-busy])) :is({selector})")
    expect(there.first).to_be_attached()


def wait(browser: Browser, condition: Callable[[], object]) -> None:
    """Wait for something to be so that no one element shows."""
    deadline = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < deadline, "it never was so"
        browser.page.wait_for_timeout(50)
