"""What answers hold: pages with links, sitemaps, feeds, bombs."""

from __future__ import annotations

import gzip
from datetime import UTC, datetime
from urllib.parse import urlsplit

from hypothesis import given
from hypothesis import strategies as st

from dupdex.crawl.answer_reading import Asked, Kind, Reading, read_answer, sentence_hashes
from dupdex.crawl.listings import is_same_day, w3c_moment
from dupdex.pages.page_model import Fetched

URL = "https://news.example.com/a/1.html"


def read(body: bytes, kind: str = "text/html", url: str = URL, header: str = "") -> Reading:
    fetched = Fetched(url, 200, body, datetime.now(UTC), kind)
    return read_answer(Asked(fetched, header, "dupdex", 1 << 20))


def links(reading: Reading) -> list[str]:
    return [entry.url for entry in reading.entries]


def test_links_of_a_page() -> None:
    html = """<html><head><base href="/b/"><link rel=next href=2.html><link rel=stylesheet href=s>
    </head><body><a href="x?q=值#part">x</a> <a href="//other.org/y">y</a> <a href="x?q=值">x</a>
    <a rel="ugc nofollow" href="z">z</a> <a href="javascript:go()">j</a>
    <a href="mailto:a@b.c">m</a>
    <a href="http://[bad">b</a></body></html>"""
    assert links(read(html.encode())) == [
        "https://news.example.com/b/2.html",
        "https://news.example.com/b/x?q=%E5%80%BC",
        "https://other.org/y",
    ]


def test_what_a_page_asks_of_crawlers() -> None:
    page = '<html><head><meta name="{}" content="{}"></head><body><a href="/x">x</a></body></html>'
    both = read(page.format("robots", "NoIndex, NoFollow").encode())
    assert both.no_index and links(both) == []
    assert read(page.format("dupdex", "none").encode()).no_index
    assert not read(page.format("googlebot", "noindex").encode()).no_index
    plain = page.format("x", "x").encode()
    assert read(plain, header="noindex").no_index
    assert read(plain, header="otherbot: noindex\nall").no_index is False
    assert links(read(plain, header="dupdex: nofollow")) == []
    assert links(read(plain)) == ["https://news.example.com/x"]


def test_a_page_that_sends_its_reader_on() -> None:
    page = '<meta http-equiv="Refresh" content="0; URL=\'/new\'"><p>moved</p>'
    assert read(page.encode()).forward == "https://news.example.com/new"


SITEMAP = """<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc> https://news.example.com/1 </loc><lastmod>2026-05-01</lastmod></url>
<url><loc>/2</loc><lastmod>2026-05-01T10:00:00+08:00</lastmod></url>
<url><loc>mailto:x</loc></url><url><loc>/3</loc><lastmod>soon</lastmod></url></urlset>"""


def test_sitemaps_plain_packed_and_cut() -> None:
    whole = read(SITEMAP.encode(), "application/xml")
    assert whole.kind is Kind.LISTING
    assert [(each.url[-1], each.modified) for each in whole.entries] == [
        ("1", "2026-05-01T23:59:59.999Z"),
        ("2", "2026-05-01T02:00:00.000Z"),
        ("3", None),
    ]
    packed = gzip.compress(SITEMAP.encode())
    assert read(packed, "application/gzip").entries == whole.entries
    cut = read(SITEMAP.encode()[:200], "application/xml")
    assert cut.kind is Kind.LISTING and len(cut.entries) <= 2


def test_a_bomb_is_not_unpacked() -> None:
    bomb = gzip.compress(b"<urlset>" + b" " * (5 << 20))
    assert read(bomb, "application/gzip").kind is Kind.OTHER


def test_entities_are_not_followed() -> None:
    evil = '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><urlset><url><loc>&e;</loc></url>'
    assert links(read(f"{evil}</urlset>".encode(), "application/xml")) == []


def test_feeds() -> None:
    rss = """<rss version="2.0"><channel><title>t</title><item><link>https://a.org/1</link>
    <pubDate>Fri, 01 May 2026 10:00:00 +0800</pubDate></item></channel></rss>"""
    atom = """<feed xmlns="http://www.w3.org/2005/Atom"><link rel="next" href="https://a.org/2"/>
    <entry><link href="https://a.org/1"/><updated>2026-05-01T02:00:00Z</updated></entry></feed>"""
    json = '{"version": "https://jsonfeed.org/version/1.1", "items": [{"url": "/1"}]}'
    for body, kind in ((rss, "application/rss+xml"), (atom, "application/atom+xml")):
        reading = read(body.encode(), kind)
        assert reading.kind is Kind.LISTING
        assert reading.entries[0].modified == "2026-05-01T02:00:00.000Z"
    assert links(read(atom.encode())) == ["https://a.org/1", "https://a.org/2"]
    reading = read(json.encode(), "application/feed+json")
    assert reading.kind is Kind.LISTING and links(reading) == ["https://news.example.com/1"]


@given(st.binary(max_size=300), st.sampled_from(["text/html", "", "application/xml", "text/plain"]))
def test_no_bytes_break_it(body: bytes, kind: str) -> None:
    for beginning in (b"", b"<urlset>", b"<rss>", b"\x1f\x8b\x08", b"<html><a href='"):
        read(beginning + body, kind)


def test_times() -> None:
    assert w3c_moment("2026") is None
    assert w3c_moment("2026-05-01T10:00Z") == "2026-05-01T10:00:00.000Z"
    assert is_same_day("2026-05-01T23:59:59.999Z", "2026-05-01T10:00:00.000Z")
    assert not is_same_day("2026-05-01T12:00:00.000Z", "2026-05-01T10:00:00.000Z")
    assert not is_same_day("2026-05-02T23:59:59.999Z", "2026-05-01T10:00:00.000Z")


def test_pages_that_differ_in_numbers_have_the_same_sentences() -> None:
    first = sentence_hashes("本月共有 3 场活动在市民中心举行。下一场在 5 日。")
    assert first == sentence_hashes("本月共有 12 场活动在市民中心举行。下一场在 30 日。")
    assert first != sentence_hashes("图书馆昨天下午重新开放了。")


def test_directives_with_values_neither_hide_others_nor_speak() -> None:
    page = '<head><meta name="robots" content="{}"></head><body><a href="/x">x</a></body>'
    plain = page.format("x").encode()
    assert read(plain, header="max-image-preview:large, noindex").no_index
    assert read(page.format("max-video-preview:-1,NoIndex").encode()).no_index
    for value in ("max-image-preview:none", "max-image-preview: none, max-snippet: 0"):
        assert not read(plain, header=value).no_index
        assert not read(page.format(value).encode()).no_index
        assert links(read(page.format(value).encode())) == ["https://news.example.com/x"]


def test_an_archive_of_many_links_is_followed_to_the_end() -> None:
    anchors = "".join(f'<a href="/p{number}.html">x</a>' for number in range(12_000))
    assert len(links(read(f"<body>{anchors}</body>".encode()))) == 12_000


def test_addresses_without_a_host_are_none() -> None:
    anchors = "".join(f'<a href="{url}">x</a>' for url in ("https://", "http:///", "http://:80/"))
    found = links(read(f"<body>{anchors}</body>".encode()))
    assert all(urlsplit(url).hostname for url in found)


def test_a_feed_with_an_impossible_encoding_has_no_entries() -> None:
    reading = read(b"<?xml version='1.0' encoding='a\0b'?><rss></rss>", "application/rss+xml")
    assert reading.kind is Kind.LISTING and links(reading) == []


def test_a_page_about_feeds_is_a_page() -> None:
    head = '<link href="https://jsonfeed.org/version/1.1">'
    told = read(f"<html><head>{head}</head><body>x</body></html>".encode())
    assert told.kind is Kind.PAGE
