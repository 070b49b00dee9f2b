"""Lists of 10,000 rows, and a group of thousands: a page comes at once, the next one below it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from importlib.resources import files
from typing import Final

import orjson
import pytest

from dupdex.groups.group_store import GroupRecord, GroupStore
from dupdex.location import Location
from dupdex.matches.match_record import MatchRecord
from dupdex.session import Session
from indexer.model import Ref
from mappings.records import GROUPS, MATCHES
from query.answers import Verdict
from tests.browser.conftest import Browser
from tests.browser.console_pages import until
from tests.command import run
from tests.service.gateway.running import Running, gateway_before

ROWS: Final = 10_000
MEMBERS: Final = 2_000
PAGE: Final = 50
QUICK: Final = 10.0
"""Seconds until a page stands, where all of the list at once would take far longer."""

_MADE: Final = "2026-01-01T00:00:00.000Z"
_LARGE: Final = "large"


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """10,000 pairs, as many groups, and one group of 2,000 documents that are there."""
    folder = tmp_path_factory.mktemp("long")
    sample = files("dupdex").joinpath("data", "sample.jsonl").read_bytes().strip()
    more = [{"id": f"m{at}", "title": f"№ {at}", "text": f"document {at}"} for at in range(MEMBERS)]
    (folder / "all.jsonl").write_bytes(b"\n".join([sample, *map(orjson.dumps, more)]))
    assert run("index", "all.jsonl", "--store", "st", folder=folder).status == 0
    with Session(Location(store=str(folder / "st"))) as session:
        fill(session)
    with gateway_before(str(folder / "st")) as running:
        yield running


def fill(session: Session) -> None:
    """Write the records as sweeps and groups would."""
    pairs = [
        MatchRecord(
            Ref("dupdex", f"{at}a"), Ref("dupdex", f"{at}b"), Verdict.NEAR, 0.9, found=_MADE
        )
        for at in range(ROWS)
    ]
    outcomes = session.collection(MATCHES).put_all((each.id, each.values()) for each in pairs)
    assert not [each for each in outcomes if each.reason]
    refs = [Ref("dupdex", f"m{at}") for at in range(MEMBERS)]
    groups = [
        GroupRecord(f"g{at}", Ref("dupdex", f"{at}a"), 2, _MADE, _MADE) for at in range(ROWS - 1)
    ]
    large = GroupRecord(_LARGE, refs[0], MEMBERS, _MADE, _MADE)
    GroupStore(session.collection(GROUPS)).put([*groups, large])
    writer = session.writer()
    writer.set_groups(dict.fromkeys(refs, _LARGE))
    writer.close()


@pytest.mark.parametrize("view", ["matches", "groups", "groups?sort=newest"])
def test_a_long_list_comes_page_by_page(browser: Browser, long: Running, view: str) -> None:
    began = time.monotonic()
    browser.page.goto(f"{long.url}/_dupdex/console/{view}")
    until(browser, "tbody a")
    assert time.monotonic() - began < QUICK
    if view != "matches":
        assert "10,000 groups" in browser.texts("section p")[0]
    for rows in (PAGE, 2 * PAGE, 3 * PAGE):
        assert browser.count("tbody tr") == rows
        began = time.monotonic()
        browser.locator("section > button").first.press("Enter")
        until(browser, f"tbody tr:nth-child({rows + PAGE})")
        assert time.monotonic() - began < QUICK
    names = browser.locator("tbody a").all_text_contents()
    assert len(set(names)) == 4 * PAGE


def test_a_large_group_comes_page_by_page(browser: Browser, long: Running) -> None:
    began = time.monotonic()
    browser.page.goto(f"{long.url}/_dupdex/console/groups/{_LARGE}")
    until(browser, "svg .dot.canonical")
    assert time.monotonic() - began < QUICK
    assert "2,000" in browser.texts("dl")[0]
    rows = browser.count("tbody tr")
    assert rows == 2 * PAGE
    assert browser.count("svg .dot") < 1_000
    more = browser.locator("section > button:last-of-type").first
    more.press("Enter")
    until(browser, f"tbody tr:nth-child({2 * rows})")
    assert "1,800" in more.inner_text()
