"""Works and chapters as they are named, read, cut, and kept."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupdex.works.page_check import page_of
from dupdex.works.text_sections import blocks, pieces, sections
from dupdex.works.work_model import (
    Chapter,
    Finding,
    Infringement,
    Passage,
    Work,
    chapter_key,
    chapter_of_section,
    is_own,
    parts_of_chapter,
    section_id,
    site_of,
)
from dupdex.works.work_reading import WorkDefaults, chapter_of, host_given
from indexer.model import Document
from indexer.stores.collection_store import Item
from mappings.errors import InputRefused
from mappings.plan import STANDARD
from mappings.work_records import CHAPTERS, INFRINGEMENTS, WORKS
from query.answers import Verdict
from tests.texts import LAW, LIBRARY, chinese

NOW = "2026-01-31T00:00:00.000Z"


@LAW
@given(st.text(min_size=1).filter(lambda text: "/" not in text), st.text(min_size=1))
def test_keys_are_taken_apart(work: str, chapter: str) -> None:
    key = chapter_key(work, chapter)
    assert parts_of_chapter(key) == (work, chapter)
    assert chapter_of_section(section_id(key, 12)) == key


@pytest.mark.parametrize("name", ["", " ", "a/b", "长" * 41])
def test_a_work_needs_a_name(name: str) -> None:
    with pytest.raises(InputRefused, match="cannot name a work"):
        Work(name)


def test_they_are_kept_as_they_are() -> None:
    work = Work("夜渡", "holder", "outlet", ("a.example",), ("news-*",), NOW, NOW)
    assert Work.from_item(Item(work.name, WORKS.item(work.values()), "1")) == work
    assert (work.is_for("news-1"), work.is_for("mail")) == (True, False)
    chapter = Chapter(
        "夜渡", "a/3", "text", "third", 3, "http://a.example/3", NOW, "h", 4, 0, NOW, NOW
    )
    kept = CHAPTERS.item(chapter.values())
    assert (Chapter.from_item(Item(chapter.key, kept, "1")), kept["site"]) == (chapter, "a.example")
    passages = (Passage((0, 9), (3, 12), 8), Passage((20, 30), (40, 50), 10))
    finding = Finding("夜渡/a/3", Verdict.PARTIAL, 0.25, 0.5, 0.125, passages)
    page = ("pages|x", "b.example", "http://b.example/x", "title")
    one = Infringement(
        "id", "夜渡", *page, finding, NOW, NOW, None, NOW, None, "http://a.example/3"
    )
    for each in (one, Infringement("id", "夜渡", *page, finding, NOW, NOW, NOW)):
        assert Infringement.from_item(Item("id", INFRINGEMENTS.item(each.values()), "1")) == each


@pytest.mark.parametrize(
    ("url", "site"),
    [
        ("https://www.Example.org/a", "example.org"),
        ("http://127.0.0.1:8080/a", "127.0.0.1:8080"),
        ("https://m.example.org.", "m.example.org"),
        ("https://example.org:443/a", "example.org"),
        ("http://example.org:443/a", "example.org:443"),
        ("http://例子.中国/a", "xn--fsqu00a.xn--fiqs8s"),
        ("javascript:alert(1)", ""),
        ("http://[", ""),
        ("http://a:b", ""),
        ("", ""),
    ],
)
def test_sites(url: str, site: str) -> None:
    assert site_of(url) == site


def test_own_sites() -> None:
    own = ("example.org", "127.0.0.1:80")
    assert is_own("example.org", own)
    assert is_own("news.example.org", own)
    assert is_own("example.org:8080", own)
    assert not is_own("notexample.org", own)
    assert not is_own("127.0.0.1:8080", own)
    assert is_own("127.0.0.1:8080", ("127.0.0.1",))
    assert is_own("[::1]:8080", ("[::1]",))
    assert not is_own("", ("",))
    assert is_own("xn--fsqu00a.xn--fiqs8s", ("例子.中国",))
    assert is_own("m.例子.中国", ("xn--fsqu00a.xn--fiqs8s",))
    assert is_own("." * 70 + "站", ("." * 70 + "站",))  # what no host is called
    assert host_given(" HTTPS://www.Example.org/x ") == host_given("example.org") == "example.org"
    assert host_given("example.org:80") == host_given("https://example.org:443") == "example.org"
    with pytest.raises(InputRefused, match="is no site"):
        host_given("http://")
    for several in ("not a host/", "http://a b/", "example.org:99999"):
        with pytest.raises(InputRefused, match="is no site"):
            host_given(several)
    assert host_given("http://例子.中国/") == "xn--fsqu00a.xn--fiqs8s"
    assert host_given("localhost:8000") == "localhost:8000"
    with pytest.raises(InputRefused, match=r"leave out the '\*'"):
        host_given("*.example.org")


@LAW
@given(st.integers(0, 8_000))
def test_sections_cover_a_text_and_overlap(length: int) -> None:
    text = chinese(max(length, 1), 3)[:length]
    for cut in (sections, pieces):
        parts = cut(text, STANDARD)
        if not parts:
            assert length <= 1_100
            continue
        assert (parts[0].start, parts[-1].stop) == (0, length)
        assert all(part.text == text[part.start : part.stop] for part in parts)
        for one, other in pairwise(parts):
            assert one.stop - other.start >= 160


def test_sections_of_words_are_longer() -> None:
    chinese_parts, words = sections(chinese(9_000, 1), STANDARD), sections(LIBRARY * 15, STANDARD)
    assert len(words) < len(chinese_parts) / 3
    (whole,) = blocks("text")
    assert whole.text == "text"
    assert [part.start for part in blocks("x" * 20_000)] == [0, 6_000, 8_000]


def document(**body: Any) -> Document:
    return Document("1", "text", {"text": "text", **body}, "file.jsonl:1")


def test_what_a_document_says() -> None:
    given = {"work": "夜渡", "number": "3", "chapter": "third", "url": "http://a.example/"}
    chapter, work = chapter_of(
        document(**given, holder="H", published="2026-01-31"), WorkDefaults()
    )
    assert chapter == Chapter("夜渡", "1", "text", "third", 3, "http://a.example/", NOW)
    assert work == Work("夜渡", "H")
    _, work = chapter_of(document(outlet="daily"), WorkDefaults(holder="H", sites=("x.example",)))
    assert work == Work("daily", "H", "daily", ("x.example",))
    assert chapter_of(document(outlet="daily"), WorkDefaults("all"))[1].name == "all"


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({}, "names no work; add a field 'work' or 'outlet', or give --work"),
        ({"work": "w", "number": "one"}, "'number' holds 'one'; give a whole number"),
        ({"work": ["w"]}, "'work' holds a list, not a string"),
        ({"work": "w", "published": "soon"}, "'published' holds 'soon'; write it like 2026-01-31"),
        ({"work": "a/b"}, "cannot name a work"),
    ],
)
def test_what_is_refused(body: dict[str, Any], said: str) -> None:
    with pytest.raises(InputRefused, match=said):
        chapter_of(document(**body), WorkDefaults())


def test_a_document_as_a_page() -> None:
    body = {"url": "http://www.a.example/1", "title": 7, "published": "2026-01-31", "fetched": "?"}
    page = page_of("pages", "1", "text", body)
    assert (page.key, page.site, page.title) == ("pages|1", "a.example", "")
    assert (page.published, page.fetched) == (NOW, None)
    assert page_of("pages", "1", "", {"site": "WWW.B.example", **body}).site == "b.example"
    assert page_of("pages", "1", "", {}).site == ""
