"""RSS and Atom: a document an entry."""

from __future__ import annotations

from pathlib import Path

import pytest

from indexer.sources import FileSource, ReadOptions
from mappings.errors import InputRefused
from scripts.sample_site.site_lists import atom, rss
from scripts.sample_site.site_pages import Page
from tests.texts import chinese
from tests.unit.indexer.sources.conftest import ReadBytes, bad, documents

PAGES = [Page("news", f"/{at}", f"标题{at} & 甲", f"{chinese(80, at)}\n第二段") for at in range(3)]
HOME = "http://site.example"


def test_rss(read_bytes: ReadBytes) -> None:
    found = documents(read_bytes(rss(PAGES, HOME), "feed.xml"))
    assert [each.id for each in found] == [f"{HOME}/{at}" for at in range(3)]
    assert [each.text for each in found] == [page.text.partition("\n")[0] for page in PAGES]
    body = dict(found[1].body)
    assert (body["title"], body["url"], body["site"]) == ("标题1 & 甲", f"{HOME}/1", "site.example")
    assert str(body["published"]).startswith("2026-")


def test_atom(read_bytes: ReadBytes) -> None:
    found = documents(read_bytes(atom(PAGES, HOME), "a.atom"))
    assert [each.text for each in found] == [page.text for page in PAGES]


def test_content_before_summary_and_html_as_text(read_bytes: ReadBytes) -> None:
    data = """<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel>
    <item><guid>a</guid><title>T</title><description>short</description>
    <content:encoded><![CDATA[<p>One &amp; two.</p><script>x()</script><p>Three.</p>]]>
    </content:encoded></item></channel></rss>"""
    (found,) = documents(read_bytes(data.encode(), "a.rss"))
    assert found.text == "One & two.\nThree."


def test_an_entry_without_text_or_id(read_bytes: ReadBytes) -> None:
    data = "<rss><channel><item><guid>a</guid></item><item><description>text</description></item>"
    items = read_bytes((data + "</channel></rss>").encode(), "a.rss")
    assert len(bad(items)) == 2
    (made,) = documents(read_bytes((data + "</channel></rss>").encode(), "a.rss", make_ids=True))
    assert made.text == "text"


def test_a_date_that_is_none_is_left_out(read_bytes: ReadBytes) -> None:
    data = "<rss><channel><item><guid>a</guid><description>text</description>"
    data += "<pubDate>soon</pubDate></item></channel></rss>"
    (found,) = documents(read_bytes(data.encode(), "a.rss"))
    assert "published" not in found.body


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"<html><body>no feed</body></html>",
        b"<rss><chan",
        b"\0\1",
        b"<?xml version='1.0' encoding='a\0b'?><rss>",
    ],
)
def test_what_is_no_feed(read_bytes: ReadBytes, data: bytes) -> None:
    (item,) = bad(read_bytes(data, "a.rss"))
    assert "not a feed" in item.message
    assert "\n" not in item.message


def test_a_feed_that_is_cut_off_gives_what_is_there(read_bytes: ReadBytes) -> None:
    data = rss(PAGES, HOME)
    found = documents(read_bytes(data[: data.rindex(b"<item>") + 20], "a.rss"))
    assert [each.id for each in found][:2] == [f"{HOME}/0", f"{HOME}/1"]


def test_entities_of_the_file_are_not_expanded(read_bytes: ReadBytes) -> None:
    data = b"""<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/hostname">
    <!ENTITY l "lol"><!ENTITY m "&l;&l;&l;&l;&l;&l;&l;&l;">]>
    <rss><channel><item><guid>a</guid><description>a &x; &m;</description></item></channel></rss>"""
    for item in documents(read_bytes(data, "a.rss")):
        assert Path("/etc/hostname").read_text().strip() not in item.text


def test_an_xml_file_that_is_none_is_told(tmp_path: Path) -> None:
    path = tmp_path / "a.xml"
    path.write_text("<catalog></catalog>")
    with pytest.raises(InputRefused, match="--format"):
        list(FileSource(str(path), ReadOptions()).items())


def test_a_run_goes_on_after_an_entry(read_bytes: ReadBytes, tmp_path: Path) -> None:
    items = read_bytes(rss(PAGES, HOME), "a.rss")
    source = FileSource(f"{tmp_path}/a.rss", ReadOptions())
    for number, item in enumerate(items):
        assert list(source.items(item.mark)) == items[number + 1 :]
