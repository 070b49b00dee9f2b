"""From bytes to text: encodings, hostile markup, addresses, quality."""

from __future__ import annotations

import pickle
import sys
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dupdex.pages.extraction import LARGEST, extract
from dupdex.pages.page_encoding import decoded
from dupdex.pages.page_model import Extracted, Fetched
from dupdex.pages.page_quality import LIMIT, quality_of
from mappings.errors import InputRefused
from tests.laws import EXAMPLES

AT = datetime(2026, 3, 1, tzinfo=UTC)
SENTENCE = "第{}段说的是大桥早上八点开放，市民纷纷前来观看，交警在现场维持秩序。"
JAPANESE = "今日の天気は晴れで、多くの人が公園を散歩しました。とても楽しい一日でした。" * 6
KOREAN = "오늘은 날씨가 맑아서 많은 사람들이 공원에서 산책을 했습니다. 즐거운 하루였습니다. " * 6
TRADITIONAL = "這是臺灣的新聞內容，今天天氣晴朗，許多民眾到公園散步，享受難得的陽光與微風。" * 6
FRENCH = "L'été dernier, la fête a été annulée à cause de la pluie. Où étiez-vous, chère amie? " * 6


def html(body: str, head: str = "", title: str = "白鹭大桥通车") -> str:
    menu = "".join(f"<li><a href='/c{at}'>栏目{at}</a></li>" for at in range(20))
    return (
        f"<!doctype html><html><head><title>{title}</title>{head}</head><body><nav><ul>{menu}</ul>"
        f"</nav><div class='content'><h1>{title}</h1>{body}</div><footer>版权所有</footer></body>"
    )


ARTICLE = "".join(f"<p>{SENTENCE.format(at)}</p>" for at in range(10))


def read(
    body: str | bytes, url: str = "http://www.example.com/n/1.html", kind: str = "text/html"
) -> Extracted:
    data = body.encode() if isinstance(body, str) else body
    return extract(Fetched(url, 200, data, AT, kind))


def test_an_article() -> None:
    head = (
        "<meta property='article:published_time' content='2026-02-03T08:00:00+08:00'>"
        "<meta name='author' content='张三'><link rel='canonical' href='/n/1'>"
    )
    found = read(html(ARTICLE, head).replace("<html>", "<html lang='zh-CN'>"))
    assert (found.title, found.author, found.language) == ("白鹭大桥通车", "张三", "zh")
    assert found.published == datetime(2026, 2, 3, tzinfo=UTC)
    assert (found.canonical, found.site) == ("https://example.com/n/1", "example.com")
    assert all(SENTENCE.format(at) in found.text for at in range(10))
    assert "栏目" not in found.text
    assert "版权" not in found.text
    assert found.quality > 0.9
    assert pickle.loads(pickle.dumps(found)) == found


@pytest.mark.parametrize("declared", ["", "utf-8", "gb2312", "gbk", "big5", "iso-8859-1", "bogus"])
@pytest.mark.parametrize("by", ["meta", "header"])
@pytest.mark.parametrize("encoding", ["utf-8", "gb18030", "utf-8-sig", "utf-16"])
def test_whatever_a_page_says_of_its_encoding(encoding: str, by: str, declared: str) -> None:
    named = bool(declared)
    head = f"<meta charset='{declared}'>" if named and by == "meta" else ""
    kind = f"text/html; charset={declared}" if named and by == "header" else "text/html"
    assert SENTENCE.format(3) in read(html(ARTICLE, head).encode(encoding), kind=kind).text


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (TRADITIONAL, "big5"),
        (JAPANESE, "shift_jis"),
        (JAPANESE, "euc_jp"),
        (KOREAN, "euc_kr"),
        (FRENCH, "cp1252"),
    ],
)
@pytest.mark.parametrize("declared", ["", "right", "gb2312", "utf-8"])
def test_other_encodings(text: str, encoding: str, declared: str) -> None:
    name = encoding if declared == "right" else declared
    kind = f"text/html; charset={name}" if name else "text/html"
    assert (
        decoded(html(f"<p>{text}</p>", title="x").encode(encoding, "replace"), kind).count(text)
        == 1
    )


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-16"])
@pytest.mark.parametrize("declared", ["", "utf-16", "utf-16le", "utf-8", "gbk"])
def test_utf_16_with_and_without_a_mark(encoding: str, declared: str) -> None:
    page = html(ARTICLE)
    assert decoded(page.encode(encoding), f"text/html; charset={declared}") == page


@settings(max_examples=EXAMPLES)
@given(
    st.binary(max_size=300),
    st.sampled_from(["text/html", "text/plain", "", "text/html; charset=x"]),
)
def test_no_bytes_raise(body: bytes, kind: str) -> None:
    for data in (body, b"<html><body><p>" + body, html(ARTICLE).encode()[: len(body) * 9]):
        found = read(data, kind=kind)
        assert found.canonical == "https://example.com/n/1.html"
        assert bool(found.text) != bool(found.why)
        found.text.encode()
        assert 0 <= found.quality <= 1


def test_markup_that_goes_on_for_ever() -> None:
    assert read("<html><body>" + "<div>" * 50_000).why
    assert read(b"x" * (LARGEST + 1)).why == f"it has more than {LARGEST:,} bytes"
    assert read("<!--" + "x" * 10_000).why


@pytest.mark.parametrize("kind", ["application/pdf", "image/png", "application/json"])
def test_what_is_no_page_of_text(kind: str) -> None:
    assert read("{}", kind=kind).why == f"{kind} is no page of text"


def test_a_type_that_is_not_told_is_looked_at() -> None:
    assert SENTENCE.format(1) in read(html(ARTICLE), kind="").text
    assert SENTENCE.format(1) in read(html(ARTICLE), kind="text/plain").text
    assert read(b"%PDF-1.7", kind="").why


def test_plain_text() -> None:
    found = read("第一章\r\n\r\n" + SENTENCE.format(1) * 9, kind="text/plain")
    assert (found.title, found.text.count("\n"), found.language) == ("第一章", 1, "zh")
    assert found.quality > LIMIT


def test_an_answer_that_is_an_error() -> None:
    found = extract(Fetched("http://example.com/a", 404, html(ARTICLE).encode(), AT, "text/html"))
    assert (found.text, found.why) == ("", "the site answered 404")
    assert found.canonical == "https://example.com/a"


def test_where_a_text_goes_on() -> None:
    links = "<a href='1.html'>上一页</a> <a href='1_2.html'>2</a> <a href='1_3.html'>下一页</a>"
    first = read(html(ARTICLE + "<a href='1_2.html'>下一页</a>"))
    assert (first.previous_url, first.next_url) == ("", "http://www.example.com/n/1_2.html")
    head = "<link rel='canonical' href='1.html'>"
    second = read(html(ARTICLE + links, head), "http://www.example.com/n/1_2.html")
    assert second.previous_url == "http://www.example.com/n/1.html"
    assert second.next_url == "http://www.example.com/n/1_3.html"
    assert second.canonical == "https://example.com/n/1_2.html"
    assert read(html(ARTICLE + "<a href='2.html'>下一篇</a>")).next_url == ""
    assert read(html(ARTICLE + "<a href='http://other.com/1_2.html'>下一页</a>")).next_url == ""


def test_a_list_of_links_goes_on_over_no_pages() -> None:
    rows = "".join(f"<p><a href='/n/{at}.html'>{SENTENCE.format(at)}</a></p>" for at in range(30))
    found = read(html(rows + "<a href='?page=2'>下一页</a>"))
    assert found.next_url == ""
    assert found.quality < LIMIT


def test_quality() -> None:
    prose = "\n".join(SENTENCE.format(at) for at in range(10))
    assert quality_of(prose).value > 0.95
    assert quality_of("").value == quality_of("白鹭大桥通车").value == 0
    assert quality_of(prose, set(prose.splitlines())).value == 0
    assert quality_of("\n".join(["首页", "新闻", "体育", "财经", "娱乐"] * 30)).value < 0.5
    assert quality_of("* - | " * 200).value == 0
    assert quality_of("A plain English text, with its sentences. " * 30).value > 0.8


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "trafilatura", None)
    with pytest.raises(InputRefused, match=r"^pages need more packages; run: pip install"):
        read(html(ARTICLE))
