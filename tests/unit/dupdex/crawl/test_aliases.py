"""Pages that name another address: how many of them are held until that is asked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from dupdex.crawl import aliases as module
from dupdex.crawl.address import Address, UrlState
from dupdex.crawl.aliases import Aliases
from dupdex.crawl.answer_reading import Kind, Reading
from dupdex.crawl.frontier import Frontier
from dupdex.crawl.listings import Entry
from dupdex.crawl.storing import Got
from dupdex.location import Location
from dupdex.pages.intake import PageIntake
from dupdex.pages.page_documents import open_index
from dupdex.pages.page_model import Extracted
from dupdex.pages.page_store import PageStore
from dupdex.session import Session

HOME = "https://news.example.com/"


@pytest.fixture
def aliases(tmp_path: Path) -> Iterator[Aliases]:
    with Session(Location(str(tmp_path), "pages")) as session, open_index(session) as index:
        intake = PageIntake(session, index, PageStore.open(session))
        yield Aliases(Frontier.open(session), intake, lambda _: True)


def naming(number: int) -> Got:
    """A page that names another one, which nobody has asked."""
    other = f"{HOME}page/{number}"
    reading = Reading(Kind.PAGE, (Entry(other),), Extracted(other, "天气预报说明天有小雨。"))
    return Got(Address.met(f"{HOME}copy/{number}"), None, reading=reading)


def held(aliases: Aliases, numbers: range) -> list[int]:
    """Which of these are aliases, each in a batch of its own."""
    out = []
    for number in numbers:
        got = naming(number)
        found = aliases.found([got], [UrlState.TAKEN])
        for alias in found.values():
            aliases.written(replace(got.address, state=UrlState.ALIAS), alias)
            out.append(number)
    return out


def test_pages_that_wait_for_another_one_are_bounded(
    aliases: Aliases, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_HELD", 4)
    assert held(aliases, range(9)) == [0, 1, 2, 3]
    gone = [replace(Address.met(f"{HOME}page/{at}"), state=UrlState.GONE) for at in (1, 3)]
    back = list(aliases.of(gone))
    assert [each.id for each in back] == [f"{HOME}copy/1", f"{HOME}copy/3"]
    assert held(aliases, range(10, 19)) == [10, 11]
