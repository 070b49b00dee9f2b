"""Pages taken in: one record a page, one document a text, whatever order they come in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import permutations

import pytest

from dupdex.index import Index
from dupdex.location import Location
from dupdex.pages.extraction import extract
from dupdex.pages.intake import PageIntake
from dupdex.pages.page_documents import open_index
from dupdex.pages.page_model import Extracted, Fetched, PageOutcome, PageState, page_id
from dupdex.pages.page_store import PageQuery, PageStore
from dupdex.session import Session
from indexer.grouping import Grouping
from indexer.model import Document

AT = datetime(2026, 3, 1, 8, tzinfo=UTC)
PARTS = [
    "云溪市北岸的白鹭大桥今天早上通车，{}号桥墩旁站满了市民，交警在现场维持秩序。",
    "据介绍，大桥全长三公里，双向六车道，{}年前开工，历时四年建成，比原计划早了两个月。",
    "住在附近的王先生说，以前过江要绕行{}公里，现在只要五分钟，孩子上学方便多了。",
]


def text_of(seed: int) -> str:
    return "\n".join(part.format(seed * 7 + at) for at, part in enumerate(PARTS * 2))


def page(path: str, text: str, at: datetime = AT, **facts: object) -> tuple[Fetched, Extracted]:
    url = f"http://news.example.com/{path}"
    fetched = Fetched(url, 200, text.encode(), at, "text/html")
    made = Extracted(
        f"https://news.example.com/{path}",
        text,
        title="白鹭大桥通车",
        site="news.example.com",
        quality=0.9,
    )
    return fetched, replace(made, **facts)  # type: ignore[arg-type]


def missing(path: str, status: int = 404) -> tuple[Fetched, Extracted]:
    fetched = Fetched(f"http://news.example.com/{path}", status, b"", AT + timedelta(days=9))
    return fetched, extract(fetched)


class Desk:
    def __init__(self, session: Session, index: Index) -> None:
        self.session, self.index = session, index
        self.store = PageStore.open(session)
        self.arrived: list[str] = []
        self.deleted: list[str] = []

    def take(self, *pages: tuple[Fetched, Extracted], **options: object) -> list[PageOutcome]:
        intake = PageIntake(self.session, self.index, self.store, arrived=self._arrived, **options)  # type: ignore[arg-type]
        return intake.take(pages)

    def documents(self) -> dict[str, str]:
        self.index.refresh()
        return {each.id: each.text for each in self.index.scan()}

    def page(self, path: str) -> tuple[str, str]:
        kept = self.store.get(page_id(f"https://news.example.com/{path}"))
        assert kept is not None
        return kept.state.value, kept.document.removeprefix("https://news.example.com/")

    def _arrived(self, documents: Sequence[Document], deleted: Sequence[str]) -> None:
        self.arrived += [each.id for each in documents]
        self.deleted += deleted


@pytest.fixture
def desk(place: Location) -> Iterator[Desk]:
    with Session(place) as session, open_index(session) as index:
        yield Desk(session, index)


def test_a_page_becomes_a_document_once(desk: Desk) -> None:
    (first,) = desk.take(page("1.html", text_of(1), published=AT, author="张三", language="zh"))
    assert (first.state, first.changed) == (PageState.INDEXED, True)
    assert first.document == first.id == "https://news.example.com/1.html"
    (again,) = desk.take(
        page(
            "1.html", text_of(1), AT + timedelta(days=1), published=AT, author="张三", language="zh"
        )
    )
    assert (again.state, again.changed, again.document) == (PageState.INDEXED, False, first.id)
    assert desk.arrived == [first.id]
    kept = desk.store.get(first.id)
    assert kept is not None
    assert (kept.fetched, kept.changed) == (AT + timedelta(days=1), AT)
    assert kept.body == text_of(1).encode()
    desk.index.refresh()
    body = desk.index.get([first.id])[first.id].body
    assert body == {
        "text": text_of(1),
        "title": "白鹭大桥通车",
        "url": "http://news.example.com/1.html",
        "site": "news.example.com",
        "author": "张三",
        "language": "zh",
        "published": "2026-03-01T08:00:00.000Z",
        "fetched": "2026-03-01T08:00:00.000Z",
    }


def test_a_changed_text_updates_the_document(desk: Desk) -> None:
    desk.take(page("1.html", text_of(1)))
    (outcome,) = desk.take(page("1.html", text_of(2), AT + timedelta(days=1)))
    assert outcome.changed
    assert desk.documents() == {outcome.id: text_of(2)}
    kept = desk.store.get(outcome.id)
    assert kept is not None and kept.changed == AT + timedelta(days=1)


def test_addresses_of_one_page_are_one_record(desk: Desk) -> None:
    one, extracted = page("1.html", text_of(1))
    ways = ["http://news.example.com/1.html?utm_source=x", "https://www.news.example.com/1.html"]
    outcomes = desk.take((one, extracted), *((replace(one, url=url), extracted) for url in ways))
    assert len({each.id for each in outcomes}) == 1
    assert [each.changed for each in outcomes] == [True, False, False]
    desk.store.refresh()
    assert desk.store.count() == 1


def test_a_page_that_becomes_an_address_of_another_one_goes(desk: Desk) -> None:
    desk.take(page("1.html", text_of(1)), page("2.html", text_of(1)))
    second = "https://news.example.com/2.html"
    desk.take(page("1.html", "", canonical=second))
    assert len(desk.documents()) == 2
    (now,) = desk.take(page("1.html", text_of(1), canonical=second))
    assert (now.id, now.state) == (second, PageState.INDEXED)
    assert set(desk.documents()) == {second}
    assert desk.deleted == ["https://news.example.com/1.html"]
    desk.store.refresh()
    assert [each.id for each in desk.store.find()] == [second]
    desk.take(page("1.html", text_of(1), canonical=second), page("1.html", text_of(1)))
    assert len(desk.documents()) == 2


def test_one_canonical_address_for_all_pages_is_not_believed(desk: Desk) -> None:
    all_one = "https://news.example.com/article.html"
    other = (
        "天气预报说明天有小雨，气温下降，请市民出门带伞。记者在气象台了解到，这场雨将持续三天。" * 4
    )
    texts = [text_of(1), other, other[::-1]]
    pages = [page(f"{at}.html", text, canonical=all_one) for at, text in enumerate(texts)]
    for _ in range(2):
        outcomes = desk.take(*pages)
        assert len({each.id for each in outcomes}) == 3
    assert sorted(desk.documents().values()) == sorted(texts)


def test_an_address_that_nobody_has_takes_no_page(desk: Desk) -> None:
    """The site begins to declare one address in all pages, which is asked only later."""
    all_one = "https://news.example.com/all.html"
    desk.take(page("1.html", text_of(1)))
    (now,) = desk.take(page("1.html", text_of(1), canonical=all_one))
    assert (now.id, now.changed) == ("https://news.example.com/1.html", False)
    other = "天气预报说明天有小雨，气温下降，请市民出门带伞。这场雨将持续三天。" * 4
    desk.take(page("all.html", other))
    for _ in range(2):
        assert sorted(desk.documents().values()) == sorted([text_of(1), other])
        desk.take(page("1.html", text_of(1), canonical=all_one))


def test_unfit_pages_are_kept_and_not_indexed(desk: Desk) -> None:
    (first,) = desk.take(page("1.html", text_of(1), quality=0.1))
    assert (first.state, first.document) == (PageState.UNFIT, "")
    (second,) = desk.take(page("1.html", text_of(1), quality=0.9))
    assert second.state is PageState.INDEXED
    (third,) = desk.take(page("1.html", "首页", quality=0.0))
    assert third.state is PageState.UNFIT
    assert desk.documents() == {}
    (fourth,) = desk.take(page("1.html", text_of(1), quality=0.1), limit=0.05)
    assert fourth.state is PageState.INDEXED


def test_a_page_that_is_gone_keeps_its_text(desk: Desk) -> None:
    desk.take(page("1.html", text_of(1)))
    (gone,) = desk.take(missing("1.html"))
    assert gone.state is PageState.GONE
    assert desk.documents() == {gone.id: text_of(1)}
    (back,) = desk.take(page("1.html", text_of(1)))
    assert back.state is PageState.INDEXED
    (gone,) = desk.take(missing("1.html", 410), delete_gone=True)
    assert (gone.state, gone.document) == (PageState.GONE, "")
    assert desk.documents() == {}
    (back,) = desk.take(page("1.html", text_of(1)))
    assert desk.documents() == {back.id: text_of(1)}
    assert desk.take(missing("never.html"))[0].state is PageState.GONE


def test_a_fault_of_the_site_changes_nothing(desk: Desk) -> None:
    desk.take(page("1.html", text_of(1)))
    (outcome,) = desk.take(missing("1.html", 503))
    assert outcome.state is PageState.FAILED
    assert desk.page("1.html") == ("indexed", "1.html")
    assert desk.take(missing("2.html", 503))[0].why == "the site answered 503"


def test_parts_become_one_document_in_any_order(desk: Desk) -> None:
    link = "https://news.example.com/"
    for number, order in enumerate(permutations(range(3))):
        first, second, third = (f"{number}{end}.html" for end in ("", "_2", "_3"))
        parts = [
            page(first, text_of(1), next_url=link + second),
            page(second, text_of(2), previous_url=link + first, next_url=link + third),
            page(third, "附近的公交线路也作了调整。", quality=0.05, title="白鹭大桥通车(3)"),
        ]
        for at in order:
            desk.take(parts[at])
        whole = "\n".join(extracted.text for _, extracted in parts)
        assert desk.documents()[link + first] == whole
        assert len(desk.documents()) == number + 1
        assert desk.page(first) == ("indexed", first)
        assert desk.page(second) == desk.page(third) == ("part", first)
        (outcome,) = desk.take(page(second, text_of(4)))  # it goes on nowhere any more
        assert outcome.document == link + first
        assert desk.documents()[link + first] == f"{text_of(1)}\n{text_of(4)}"
        assert desk.page(third) == ("unfit", "")


def test_the_same_pages_again_change_nothing(desk: Desk) -> None:
    """Also where a batch has a part of one text beside a change of another."""
    link = "https://news.example.com/"
    parts = [
        page("a.html", text_of(1), next_url=link + "a_2.html"),
        page("a_2.html", text_of(2), previous_url=link + "a.html"),
    ]
    desk.take(*parts, page("b.html", text_of(3)))
    before = desk.documents()
    desk.take(parts[1], page("b.html", text_of(4)))
    desk.take(parts[0], missing("b.html"))
    assert desk.documents() == {**before, link + "b.html": text_of(4)}
    assert desk.page("a_2.html") == ("part", "a.html")


def test_a_part_that_becomes_a_page_of_its_own(desk: Desk) -> None:
    link = "https://news.example.com/"
    both = [page("a.html", text_of(1), next_url=link + "a_2.html"), page("a_2.html", text_of(2))]
    desk.take(*both)
    desk.take(page("a.html", text_of(1)))
    assert desk.documents() == {link + "a.html": text_of(1), link + "a_2.html": text_of(2)}


def test_chapters_are_not_joined(desk: Desk) -> None:
    link = "https://news.example.com/"
    desk.take(
        page("b/1.html", text_of(1), title="第一章 风起", next_url=link + "b/2.html"),
        page("b/2.html", text_of(2), title="第二章 云涌", previous_url=link + "b/1.html"),
    )
    assert len(desk.documents()) == 2


def test_one_bad_page_costs_nothing_else(desk: Desk) -> None:
    long = "http://news.example.com/" + "x" * 2_500
    bad = [
        (Fetched(long, 200, b"", AT), page("x", text_of(3))[1]),
        (Fetched("ftp://news.example.com/1", 200, b"", AT), Extracted("", text_of(3))),
        page("2.html", "", why="no text was found in it"),
    ]
    outcomes = desk.take(*bad, page("1.html", text_of(1)))
    assert [each.state.value for each in outcomes] == ["failed", "failed", "failed", "indexed"]
    assert all(each.why for each in outcomes[:3])


@pytest.mark.parametrize("length", [900, 1_001, 1_900])
def test_a_page_with_a_long_address_is_kept(desk: Desk, length: int) -> None:
    paths = [f"a?q={'%E6%B2%B3' * (length // 9)}{at}" for at in (1, 2)]
    pages = [page(path, text_of(at)) for at, path in enumerate(paths)]
    for changed in (True, False):
        outcomes = desk.take(*pages)
        assert [each.state for each in outcomes] == [PageState.INDEXED] * 2
        assert {each.changed for each in outcomes} == {changed}
    assert len(desk.documents()) == 2
    desk.store.refresh()
    for (fetched, _), outcome in zip(pages, outcomes, strict=True):
        kept = desk.store.at(fetched.url)
        assert kept is not None
        assert (kept.id, kept.url) == (outcome.id, fetched.url)
        assert desk.index.get([outcome.document])[outcome.document].body["url"] == fetched.url


def test_a_page_whose_text_is_lost_keeps_the_earlier_one(desk: Desk) -> None:
    desk.take(page("1.html", text_of(1)))
    (outcome,) = desk.take(page("1.html", "", why="no text was found in it"))
    assert outcome.state is PageState.FAILED
    assert list(desk.documents().values()) == [text_of(1)]
    (outcome,) = desk.take(page("1.html", text_of(1)))
    assert outcome.state is PageState.INDEXED


def test_taken_in_again_after_a_kill_before_the_pages_were_written(desk: Desk) -> None:
    class Killed(Exception):
        pass

    def killed(*_: object) -> None:
        raise Killed

    link = "https://news.example.com/"
    first, second = (
        page("a.html", text_of(1), next_url=link + "a_2.html"),
        page("a_2.html", text_of(2)),
    )
    desk.take(second)
    with pytest.raises(Killed):
        PageIntake(desk.session, desk.index, desk.store, arrived=killed).take([first])
    desk.take(first)
    assert desk.documents() == {link + "a.html": f"{text_of(1)}\n{text_of(2)}"}
    assert desk.page("a_2.html") == ("part", "a.html")


def test_the_store_lists_counts_and_lets_go(desk: Desk) -> None:
    old, new = page("1.html", text_of(1)), page("2.html", text_of(2), AT + timedelta(days=30))
    desk.take(old, new, page("3.html", "", why="no text"))
    desk.store.refresh()
    assert desk.store.by_site() == {"news.example.com": {PageState.INDEXED: 2, PageState.FAILED: 1}}
    indexed = PageQuery(states=(PageState.INDEXED,))
    assert desk.store.count(indexed) == 2
    listed, after = desk.store.page(indexed, limit=1)
    assert [each.url for each in listed] == ["http://news.example.com/2.html"]
    assert [each.url for each in desk.store.page(indexed, 1, after)[0]] == [old[0].url]
    found = desk.store.at("https://www.news.example.com/1.html?spm=1")
    assert found is not None and found.text == text_of(1)
    before = AT + timedelta(days=1)
    assert desk.store.drop_bodies(before) == 2
    desk.store.refresh()
    assert [each.body is None for each in desk.store.find()] == [True, False, True]
    assert desk.store.drop(before) == 2
    desk.store.refresh()
    assert [each.url for each in desk.store.find()] == [new[0].url]
    assert len(desk.documents()) == 2


def test_it_works_live_where_groups_are_kept(place: Location) -> None:
    with Session(place) as session, open_index(session, grouping=Grouping(live=True)) as index:
        desk = Desk(session, index)
        desk.take(page("1.html", text_of(1)), page("2.html", text_of(1)))
        index.refresh()
        standings = dict(index._reader.all_standings())
        assert len(standings) == 2
        assert len({standing.group for standing in standings.values()}) == 1
