"""Pages that are kept: lines of a site learned, texts extracted anew, on both stores."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from dupdex.index import Index
from dupdex.location import Location
from dupdex.pages.extraction import extract
from dupdex.pages.intake import PageIntake
from dupdex.pages.line_store import LineStore
from dupdex.pages.page_documents import open_index
from dupdex.pages.page_model import Fetched, PageState
from dupdex.pages.page_store import PageQuery, PageStore
from dupdex.pages.re_extraction import re_extract
from dupdex.session import Session
from mappings.errors import NotFound
from tests.unit.dupdex.pages.test_site_lines import CALL, article

AT = datetime(2026, 3, 1, 8, tzinfo=UTC)
SITE = "news.example.com"


def fetched(seed: int) -> Fetched:
    lines = "".join(f"<p>{line}</p>" for line in [*article(seed), CALL])
    body = f"<html><head><title>桥{seed}</title></head><body><article>{lines}</article></body>"
    return Fetched(f"http://{SITE}/{seed}.html", 200, body.encode(), AT, "text/html")


@pytest.fixture
def opened(place: Location) -> Iterator[tuple[Session, Index, PageStore]]:
    with Session(place) as session, open_index(session) as index:
        store = PageStore.open(session)
        intake = PageIntake(session, index, store)
        intake.take([(each, extract(each)) for each in map(fetched, range(8))])
        store.refresh()
        yield session, index, store


def texts(index: Index) -> dict[str, str]:
    index.refresh()
    return {each.id.rpartition("/")[2]: each.text for each in index.scan()}


def test_learned_lines_leave_documents_and_stay_in_pages(
    opened: tuple[Session, Index, PageStore],
) -> None:
    session, index, store = opened
    names = [page.id for page in store.find()]
    assert all(CALL in text for text in texts(index).values())
    learned = LineStore(session).learn(SITE, store)
    assert learned.pages == 8
    told: list[str] = []
    intake = PageIntake(
        session, index, store, arrived=lambda stored, _: told.extend(each.id for each in stored)
    )
    for _ in range(2):  # the second time there is nothing to write
        intake.settle(names)
        assert sorted(told) == sorted(names)
    assert texts(index) == {f"{seed}.html": "\n".join(article(seed)) for seed in range(8)}
    kept = store.at(f"https://{SITE}/3.html")
    assert kept is not None and CALL in kept.text
    new = fetched(20)
    PageIntake(session, index, store).take([(new, extract(new))])
    assert texts(index)["20.html"] == "\n".join(article(20))
    LineStore(session).keep(SITE, replace(learned, lines=frozenset(), labels=frozenset()))
    PageIntake(session, index, store).settle(names)
    assert texts(index)["3.html"] == "\n".join([*article(3), CALL])


def test_pages_are_extracted_anew(opened: tuple[Session, Index, PageStore]) -> None:
    session, index, store = opened
    intake = PageIntake(session, index, store)
    old = store.at(f"https://{SITE}/1.html")
    bare = store.at(f"https://{SITE}/2.html")
    gone = store.at(f"https://{SITE}/3.html")
    assert old is not None and bare is not None and gone is not None
    store.put(replace(old, extraction=0, text="an older text", title="older"))
    store.put(replace(bare, extraction=0, body=None))
    store.put(replace(gone, extraction=0, state=PageState.GONE, status=410))
    moved = replace(old, id=f"https://{SITE}/moved", document="", extraction=0)
    store.put(moved)
    done = re_extract(store, intake)
    assert (done.pages, done.changed, done.failed, done.without_body) == (3, 1, 0, 1)
    now = store.at(old.id)
    assert now is not None
    assert (now.text, now.title, now.extraction) == (old.text, "桥1", old.extraction)
    assert now.fetched == AT
    assert store.get(moved.id) is None
    kept = store.get(gone.id)
    assert kept is not None
    assert (kept.state, kept.status, kept.document) == (PageState.GONE, 410, gone.id)
    assert len(texts(index)) == 8
    assert re_extract(store, intake).pages == 0
    assert re_extract(store, intake, SITE, every=True).pages == 7
    assert re_extract(store, intake, "other.com", every=True).pages == 0


def test_pages_are_removed_with_their_documents(opened: tuple[Session, Index, PageStore]) -> None:
    session, index, store = opened
    PageIntake(session, index, store).remove([f"https://{SITE}/{at}.html" for at in (1, 2, 99)])
    store.refresh()
    assert store.count() == 6
    assert sorted(texts(index)) == ["0.html", *(f"{at}.html" for at in range(3, 8))]


def test_a_forgotten_document_takes_its_pages_along(
    opened: tuple[Session, Index, PageStore],
) -> None:
    _, index, store = opened
    name = f"https://{SITE}/1.html"
    part, other = store.at(f"https://{SITE}/2.html"), store.at(f"https://{SITE}/3.html")
    assert part is not None and other is not None
    store.put(replace(part, document=name))
    store.put(replace(other, previous_page=name))
    store.refresh()
    assert f"pages: item {name!r}" in index.left_of(name)
    receipt = index.forget_document(name)
    assert (receipt.pages, receipt.left) == (2, ())
    assert store.get(name) is None and store.get(part.id) is None
    kept = store.get(other.id)
    assert kept is not None and kept.previous_page == ""
    assert len(texts(index)) == 7


def test_where_no_pages_are_kept(place: Location) -> None:
    with Session(place) as session:
        with pytest.raises(NotFound, match="no index"):
            PageStore.stored(session)
        with open_index(session), pytest.raises(NotFound, match="no pages are kept"):
            PageStore.stored(session)


def test_queries(opened: tuple[Session, Index, PageStore]) -> None:
    _, _, store = opened
    assert store.count(PageQuery(site=SITE, states=(PageState.INDEXED,), since=AT)) == 8
    assert store.count(PageQuery(before=AT)) == store.count(PageQuery(site="x")) == 0
    assert store.count(PageQuery(language="zh", extraction_below=99)) == 8
