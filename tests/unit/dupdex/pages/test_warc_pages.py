"""From records of an archive to pages."""

from __future__ import annotations

import gzip
import random
from pathlib import Path

import pytest

from dupdex.pages.warc_pages import ArchivedPage, WarcPages
from indexer.model import Mark
from indexer.sources.options import BadLine
from mappings.errors import NotFound
from scripts.made_archives import packed, record, response

HTML = [f"<html><body><p>第{at}篇文章，很长的一段话。</p></body></html>" for at in range(5)]
RECORDS = [response(f"http://site/{at}", html.encode()) for at, html in enumerate(HTML)]


def read(path: Path, data: bytes, after: Mark | None = None) -> list[ArchivedPage | BadLine]:
    path.write_bytes(data)
    return list(WarcPages(str(path)).pages(after))


def http(status: str, headers: str, body: bytes, url: str = "http://site/x") -> bytes:
    return record(
        url, f"HTTP/1.1 {status}\r\n{headers}\r\n\r\n".encode() + body, "response",
        "application/http; msgtype=response",
    )  # fmt: skip


def test_pages_as_they_were_fetched(tmp_path: Path) -> None:
    found = read(tmp_path / "a.warc.gz", packed(RECORDS))
    pages = [each for each in found if isinstance(each, ArchivedPage)]
    assert [each.fetched.url for each in pages] == [f"http://site/{at}" for at in range(5)]
    assert [each.fetched.body.decode() for each in pages] == HTML
    first = pages[0].fetched
    assert (first.status, first.content_type) == (200, "text/html; charset=utf-8")
    assert first.at.isoformat() == "2026-01-02T03:04:05+00:00"


@pytest.mark.parametrize(
    ("headers", "body"),
    [
        ("Content-Encoding: gzip", gzip.compress(b"<p>text</p>", mtime=0)),
        ("Transfer-Encoding: chunked", b"4\r\n<p>t\r\n7\r\next</p>\r\n0\r\n\r\n"),
        ("X-None: 1", b"<p>text</p>"),
    ],
)
def test_encodings_of_the_transfer_are_undone(tmp_path: Path, headers: str, body: bytes) -> None:
    data = http("200 OK", f"Content-Type: text/html\r\n{headers}", body)
    (page,) = read(tmp_path / "a.warc", data)
    assert isinstance(page, ArchivedPage)
    assert page.fetched.body == b"<p>text</p>"


def test_what_is_no_page_is_passed_over(tmp_path: Path) -> None:
    records = [
        record("", b"software: x", "warcinfo", "application/warc-fields"),
        http("301 Moved", "Location: /y", b""),
        http("200 OK", "Content-Type: image/png", b"\x89PNG"),
        record("http://site/x", b"GET / HTTP/1.1\r\n\r\n", "request", "application/http"),
        http("404 Not Found", "Content-Type: text/html", b"gone"),
    ]
    (gone,) = read(tmp_path / "a.warc", b"".join(records))
    assert isinstance(gone, ArchivedPage)
    assert gone.fetched.status == 404


def test_what_cannot_be_read_is_told(tmp_path: Path) -> None:
    records = [
        RECORDS[0],
        record("http://site/x", b"no http", "response", "application/http; msgtype=response"),
        RECORDS[1].replace(b"WARC-Date: 2026-01-02T03:04:05Z", b"WARC-Date: yesterday 0000000"),
        RECORDS[2][:-40],
        RECORDS[3],
    ]
    found = read(tmp_path / "a.warc.gz", packed(records))
    urls = [each.fetched.url for each in found if isinstance(each, ArchivedPage)]
    assert urls == ["http://site/0", "http://site/3"]
    assert all("\n" not in each.message for each in found if isinstance(each, BadLine))
    assert len(found) == 5


def test_it_goes_on_after_a_mark(tmp_path: Path) -> None:
    data = packed([*RECORDS[:2], b"garbage", *RECORDS[2:]])
    found = read(tmp_path / "a.warc.gz", data)
    for number, each in enumerate(found):
        assert read(tmp_path / "a.warc.gz", data, each.mark) == found[number + 1 :]
    with pytest.raises(NotFound):
        list(WarcPages(str(tmp_path / "no.warc")).pages())


def test_random_damage_ends_and_raises_nothing(tmp_path: Path) -> None:
    chance = random.Random(3)
    for case in range(150):
        data = b"".join(RECORDS) if case % 2 else packed(RECORDS)
        at = chance.randrange(len(data))
        data = data[:at] + chance.randbytes(chance.randrange(9)) + data[at + chance.randrange(9) :]
        for each in read(tmp_path / "a.warc", data):
            assert isinstance(each, ArchivedPage | BadLine)
