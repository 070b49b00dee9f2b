"""Forms of the addresses of further pages, and titles without their numbers."""

from __future__ import annotations

import pytest

from dupdex.pages.numbered_pages import NEXT_WORDS, earlier_pages, predecessors, title_of_all

SITE = "https://example.com"


@pytest.mark.parametrize(
    ("url", "before"),
    [
        ("/a_2.html", "/a.html"),
        ("/a_2.html", "/a_1.html"),
        ("/a_3.html", "/a_2.html"),
        ("/t/a-2", "/t/a"),
        ("/a/2.html", "/a/1.html"),
        ("/a/2/", "/a/"),
        ("/a/page/3/", "/a/page/2/"),
        ("/a?id=7&page=2", "/a?id=7"),
        ("/a?page=4&x=1", "/a?page=3&x=1"),
    ],
)
def test_the_page_before(url: str, before: str) -> None:
    assert SITE + before in predecessors(SITE + url)


@pytest.mark.parametrize("url", ["/a.html", "/a_1.html", "/2026-1.html", "/a?id=2", "/a_999.html"])
def test_no_further_page(url: str) -> None:
    assert predecessors(SITE + url) == frozenset()


def test_all_pages_before() -> None:
    names = {"/a.html", "/a_1.html", "/a_2.html", "/a_3.html"}
    assert earlier_pages(f"{SITE}/a_4.html") == {SITE + name for name in names}


@pytest.mark.parametrize(
    ("title", "bare"),
    [
        ("桥通车了(2)", "桥通车了"),
        ("桥通车了（第3页）_云溪日报", "桥通车了_云溪日报"),
        ("桥通车了 第2页", "桥通车了"),
        ("The bridge - Page 2", "The bridge"),
        ("The bridge (2/3)", "The bridge"),
        ("桥通车了_2", "桥通车了"),
        ("第3章 风起", "第3章 风起"),
        ("iPhone 5", "iPhone 5"),
        ("2026", "2026"),
    ],
)
def test_titles_without_numbers_of_pages(title: str, bare: str) -> None:
    assert title_of_all(title) == bare


def test_words_of_links() -> None:
    assert all(map(NEXT_WORDS.fullmatch, ["下一页", "下一頁 >", "下页", "Next page »"]))
    assert not any(map(NEXT_WORDS.fullmatch, ["下一篇", "下一章", "Next", "下一页的故事", ""]))
