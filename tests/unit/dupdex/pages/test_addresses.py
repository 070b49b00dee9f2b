"""Addresses: one spelling, one name for a page, and never one name for two."""

from __future__ import annotations

from urllib.parse import quote, urlencode

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dupdex.pages.addresses import canonical_of, identity, normalised, registered, site_of
from tests.laws import EXAMPLES

SEGMENT = st.text(
    st.characters(codec="utf-8", exclude_characters="/?#;%\\", exclude_categories=["C", "Z"]),
    min_size=1,
    max_size=8,
).filter(lambda text: text not in (".", ".."))
PATH = st.lists(SEGMENT, max_size=4).map(lambda parts: "/" + "/".join(map(quote, parts)))
NAME = st.sampled_from(["id", "p", "aid", "cid", "source", "ref", "uid", "sid", "from", "title"])
VALUE = st.one_of(st.integers(0, 10**6).map(str), st.sampled_from(["beijing", "a b", "中文", ""]))
QUERY = st.dictionaries(NAME, VALUE, max_size=3)
HOST = st.sampled_from(["example.com", "news.example.com", "例子.中国", "127.0.0.1:8080"])


@pytest.mark.parametrize(
    ("url", "spelled"),
    [
        ("HTTP://Example.COM:80/a/%7euser", "http://example.com/a/~user"),
        ("https://example.com:443", "https://example.com/"),
        ("http://example.com:8080/", "http://example.com:8080/"),
        ("http://example.com./a/./b/../c", "http://example.com/a/c"),
        (
            "http://例子.中国/路径?q=中文",
            "http://xn--fsqu00a.xn--fiqs8s/%E8%B7%AF%E5%BE%84?q=%E4%B8%AD%E6%96%87",
        ),
        ("http://example.com/a?b=2&a=1#part", "http://example.com/a?a=1&b=2"),
        ("http://example.com/a?id=2&id=1", "http://example.com/a?id=2&id=1"),
        ("http://user:secret@example.com/", "http://example.com/"),
        ("http://example.com/%zz", "http://example.com/%25zz"),
        (" http://example.com/a\n b ", "http://example.com/ab"),
        ("http://[::1]:8080/", "http://[::1]:8080/"),
    ],
)
def test_one_spelling(url: str, spelled: str) -> None:
    assert normalised(url) == spelled


@pytest.mark.parametrize(
    "url",
    ["", "a", "/a", "mailto:a@b.c", "javascript:void(0)", "ftp://a.b/c", "http://", "http://a_b%/",
     "http://example.com:99999/", "http://[::1", "http://" + "a" * 3_000],
)  # fmt: skip
def test_what_is_no_address_of_a_page(url: str) -> None:
    assert normalised(url) == identity(url) == ""


@pytest.mark.parametrize(
    "part",
    [
        "utm_source=x&utm_medium=y", "spm=a1.b2", "gclid=1", "fbclid=1", "from=timeline",
        "share_token=1", "PHPSESSID=abc", "isappinstalled=0", "hmsr=x", "mc_cid=1",
        "sid=0123456789abcdef0123", "sessionid=a1b2c3d4e5f6a7b8c9",
    ],
)  # fmt: skip
def test_tracking_and_sessions_go(part: str) -> None:
    assert normalised(f"http://example.com/a?id=1&{part}") == "http://example.com/a?id=1"
    assert normalised(f"http://example.com/a?{part}") == "http://example.com/a"


@pytest.mark.parametrize(
    "part",
    ["from=beijing", "from=20", "sid=7", "source=a", "ref=main", "uid=5", "cid=3", "share=1",
     "session=2026", "page=2", "spmx=1"],
)  # fmt: skip
def test_what_may_tell_pages_apart_stays(part: str) -> None:
    assert normalised(f"http://example.com/a?{part}").endswith(f"?{part}")


def test_a_session_in_the_path_goes() -> None:
    url = "http://example.com/a;jsessionid=0A1B?id=1"
    assert normalised(url) == "http://example.com/a?id=1"
    assert normalised("http://example.com/a;v=1") == "http://example.com/a;v=1"


def test_links_are_read_from_their_page() -> None:
    assert normalised("../b?x=1#y", "http://example.com/a/c/d") == "http://example.com/a/b?x=1"
    assert normalised("//other.com/b", "https://example.com/") == "https://other.com/b"


@pytest.mark.parametrize(
    "other",
    ["http://www.example.com/a/", "https://example.com/a/index.html", "https://EXAMPLE.com:443/a/",
     "http://example.com/a/index.php?utm_source=x", "http://www.example.com/a/default.aspx#top"],
)  # fmt: skip
def test_one_page_has_one_name(other: str) -> None:
    assert identity(other) == "https://example.com/a/"


@pytest.mark.parametrize(
    "other",
    ["https://example.com/a", "https://example.com/a/index.html.bak", "http://example.com:81/a/",
     "https://m.example.com/a/", "https://example.com/A/", "https://example.com/a/?x"],
)  # fmt: skip
def test_other_pages_have_other_names(other: str) -> None:
    assert identity(other) not in ("https://example.com/a/", "")


@settings(max_examples=EXAMPLES)
@given(st.text(max_size=60))
@example("http://a/%")
@example("http://a/;sid=1/?&=&&")
@example("http://www.www.a/")
def test_names_are_stable(text: str) -> None:
    for url in (text, f"http://example.com/{text}", f"https://www.a.cn/?{text}"):
        once = normalised(url)
        assert normalised(once) == once
        name = identity(url)
        assert identity(name) == name
        assert identity(once) == name


@settings(max_examples=EXAMPLES)
@given(HOST, PATH, QUERY, PATH, QUERY)
@example("example.com", "/a", {"from": "beijing"}, "/a", {"from": "20"})
def test_two_pages_never_become_one(
    host: str, path: str, query: dict[str, str], other: str, others: dict[str, str]
) -> None:
    """What differs in the path, or in any parameter that may name a page, differs in the name."""
    one, two = (f"http://{host}{p}?{urlencode(q)}" for p, q in ((path, query), (other, others)))
    assert (identity(one) == identity(two)) == ((path, query) == (other, others))


@settings(max_examples=EXAMPLES)
@given(HOST, PATH, QUERY, st.permutations(["utm_source=1", "spm=2", "fbclid=3"]))
def test_whatever_follows_a_visitor_changes_nothing(
    host: str, path: str, query: dict[str, str], following: list[str]
) -> None:
    url = f"http://{host}{path}?{urlencode(query)}"
    assert identity("&".join([url, *following]) + "#top") == identity(url)


def test_a_declared_address_is_believed_where_it_can_be_true() -> None:
    url = "http://m.example.com/x/1.html?share=1"
    assert canonical_of(url, "https://www.example.com/x/1.html") == "https://example.com/x/1.html"
    assert canonical_of("http://example.com/x/1/amp", "/x/1") == "https://example.com/x/1"
    assert canonical_of("http://example.com/x/1/amp/", "/x/1/") == "https://example.com/x/1/"
    assert canonical_of("http://example.com/p?id=1", "/p/1") == "https://example.com/p/1"


@pytest.mark.parametrize(
    "declared",
    ["/", "http://example.com", "http://example.com/x/", "http://other.com/x/1.html",
     "http://a.github.io/x/1.html", "mailto:x", "http://[", "javascript:1"],
)  # fmt: skip
def test_a_declared_address_that_cannot_be_true(declared: str) -> None:
    own = "https://example.com/x/1.html"
    assert canonical_of("http://example.com/x/1.html", declared) == own


def test_a_part_that_declares_the_first_page_is_a_page() -> None:
    url, first = "http://example.com/x/1_2.html", "http://example.com/x/1.html"
    assert canonical_of(url, first) == identity(first)
    assert canonical_of(url, first, [first]) == identity(url)


def test_sites() -> None:
    assert site_of("http://www.example.com/a") == site_of("https://example.com/") == "example.com"
    assert site_of("http://127.0.0.2:8080/a") == "127.0.0.2:8080"
    assert registered("https://news.example.com.cn/") == "example.com.cn"
    assert registered("https://a.github.io/") != registered("https://b.github.io/")
    assert registered("http://127.0.0.1:1/") != registered("http://127.0.0.1:2/")
