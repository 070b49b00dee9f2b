"""The frontier of a crawl on both stores: met once, asked in order, again when due."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from dupdex.crawl.address import Address, UrlState, next_due
from dupdex.crawl.frontier import Frontier
from dupdex.session import Session
from mappings.collections import moment
from mappings.page_records import CRAWL_URLS
from tests.contract.stores import Store, real

HOME = "https://news.example.com"
SITE = "news.example.com"
NOW = datetime.now(UTC)


@pytest.fixture
def frontier(store: Store) -> Frontier:
    store.write(real("a", "今天天气很好"))
    store.close_writer()
    session = store.opened.enter_context(Session(store.opener.location))
    store.opened.callback(session.collection(CRAWL_URLS).drop)
    return Frontier.open(session)


def met(path: str, modified: str | None = None, depth: int = 0) -> Address:
    return Address.met(HOME + path, depth, modified=modified)


def asked(address: Address, **more: object) -> Address:
    now = datetime.now(UTC)
    taken = replace(address, state=UrlState.TAKEN, fetched=moment(now), changed=moment(now))
    taken = replace(taken, status=200, **more)  # type: ignore[arg-type]
    return replace(taken, due=next_due(taken, now))


def test_an_address_is_met_once_by_whatever_name(frontier: Frontier) -> None:
    names = ["/a#part", "/a?utm_source=feed", "/a", "/index.html", "/"]
    known = frontier.meet(map(met, names))
    assert len(known.fresh) == 2
    assert frontier.meet([met("/a"), Address.met("http://www.news.example.com/a")]).fresh == []
    assert frontier.count() == 2


def test_what_was_met_first_is_asked_first(frontier: Frontier) -> None:
    for number in range(30):
        frontier.meet([replace(met(f"/{number}"), seen=moment(NOW + timedelta(seconds=number)))])
    frontier.meet([Address.met("https://other.example.org/")])
    first = frontier.waiting(SITE, 10, ())
    assert [each.url for each in first] == [f"{HOME}/{number}" for number in range(10)]
    rest = frontier.waiting(SITE, 100, {each.id for each in first})
    assert [each.url for each in rest] == [f"{HOME}/{number}" for number in range(10, 30)]


def test_it_comes_back_as_it_was(frontier: Frontier) -> None:
    address = asked(met("/a", "2026-05-01T10:00:00.000Z", 3), etag='"x"', why="知道" * 10)
    frontier.write([address])
    assert frontier.stored([address.id]) == {address.id: address}


def test_each_is_due_by_what_it_tells_of_itself(frontier: Frontier) -> None:
    later = moment(datetime.now(UTC) + timedelta(minutes=1))
    much_later = moment(datetime.now(UTC) + timedelta(hours=2))
    old = moment(datetime.now(UTC) - timedelta(days=400))
    frontier.write(
        [
            asked(met("/validated"), etag='"x"'),
            asked(met("/listed", old)),
            asked(met("/silent")),
            replace(asked(met("/failed")), state=UrlState.FAILED, due=moment(NOW)),
            replace(met("/trap"), state=UrlState.TRAPPED),
        ]
    )

    def due(before: str) -> set[str]:
        return {each.url.rpartition("/")[2] for each in frontier.due(SITE, before, 100, ())}

    assert due(later) == {"validated", "failed"}
    assert due(much_later) == {"validated", "failed", "silent"}
    everything = frontier.asked_before(SITE, later, 100, ())
    assert len(everything) == 3 + 1  # a trap is never asked
    assert [each.url for each in frontier.trapped()] == [f"{HOME}/trap"]


def test_a_later_time_in_a_list_is_news(frontier: Frontier) -> None:
    frontier.write([asked(met("/a", "2026-05-01T10:00:00.000Z")), asked(met("/b"))])
    for same in ("2026-05-01T10:00:00.000Z", "2026-05-01T23:59:59.999Z", None):
        assert frontier.meet([met("/a", same)]).renewed == []
    assert frontier.meet([met("/b", "2026-05-01T10:00:00.000Z")]).renewed == []
    known = frontier.meet([met("/a", "2026-05-03T10:00:00.000Z")])
    assert [each.url for each in known.renewed] == [f"{HOME}/a"]
    assert [each.url for each in frontier.waiting(SITE, 9, ())] == [f"{HOME}/a"]
    soon = moment(datetime.now(UTC) + timedelta(days=1))
    assert len(frontier.meet([met("/b", soon)]).renewed) == 1


def test_what_is_no_page_any_more_is_asked_as_a_whole(frontier: Frontier) -> None:
    """Of an alias that a list renews nothing is left that "not modified" could mean."""
    old, new = "2026-05-01T10:00:00.000Z", "2026-05-03T10:00:00.000Z"
    told = [(UrlState.ALIAS, ""), (UrlState.TAKEN, '"x"'), (UrlState.LISTING, '"x"')]
    for state, etag in told:
        stored = asked(met("/a", old), etag='"x"', last_modified="Fri, 01 May 2026 10:00:00 GMT")
        frontier.write([replace(stored, state=state)])
        (again,) = frontier.meet([met("/a", new)]).renewed
        assert (again.state, again.etag) == (UrlState.WAITING, etag)
        assert bool(again.last_modified) == bool(etag)


def test_a_shorter_way_is_kept(frontier: Frontier) -> None:
    frontier.meet([met("/a", depth=7)])
    fresh = Frontier(frontier._store)
    fresh.meet([met("/a", depth=2)])
    assert fresh.waiting(SITE, 1, ())[0].depth == 2
