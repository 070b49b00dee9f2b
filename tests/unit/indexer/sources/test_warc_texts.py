"""WARC and WET files: broken records and cut members cost nothing but themselves."""

from __future__ import annotations

import gzip
import io
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.model import Document
from indexer.sources import FileSource, ReadOptions
from indexer.sources.warc_records import BrokenRecord, WarcRecord, read_records
from scripts.made_archives import packed, record, response
from tests.texts import LAW, chinese
from tests.unit.indexer.sources.conftest import ReadBytes, bad, documents

TEXTS = [f"标题{at}\n{chinese(200, at)}" for at in range(6)]
RECORDS = [record(f"http://site/{at}", text.encode()) for at, text in enumerate(TEXTS)]
INFO = record("", b"software: x\r\n", "warcinfo", "application/warc-fields")


def urls(data: bytes, limit: int = 1 << 20) -> list[str]:
    """What is read whole, of records of a kind."""
    found = read_records(io.BufferedReader(io.BytesIO(data)), limit, bool)
    return [each.url for each in found if isinstance(each, WarcRecord)]


@pytest.mark.parametrize("form", ["plain", "members", "one member"])
def test_a_document_a_record(read_bytes: ReadBytes, form: str) -> None:
    records = [INFO, *RECORDS]
    data = {
        "plain": b"".join(records),
        "members": packed(records),
        "one member": gzip.compress(b"".join(records)),
    }[form]
    found = documents(read_bytes(data, "a.warc.wet" + ".gz" * (form != "plain")))
    assert [each.id for each in found] == [f"http://site/{at}" for at in range(6)]
    assert [each.text for each in found] == TEXTS
    body = dict(found[0].body)
    assert (body["title"], body["site"], body["url"]) == ("标题0", "site", "http://site/0")
    assert body["fetched"] == "2026-01-02T03:04:05Z"


def test_pages_are_told_of_once(read_bytes: ReadBytes) -> None:
    data = packed([response("http://site/a", b"<p>x"), RECORDS[0], response("http://b/", b"y")])
    items = read_bytes(data, "a.warc.gz")
    assert len(documents(items)) == 1
    assert ["pages load" in each.message for each in bad(items)] == [True]


def test_a_record_that_is_too_long_is_passed_over(read_bytes: ReadBytes) -> None:
    huge = record("http://site/huge", b"x" * 50_000)
    for data in (b"".join([RECORDS[0], huge, RECORDS[1]]), packed([RECORDS[0], huge, RECORDS[1]])):
        items = read_bytes(data, "a.wet", max_line_bytes=10_000)
        assert [each.id for each in documents(items)] == ["http://site/0", "http://site/1"]
        assert "over 10,000 bytes" in bad(items)[0].message


@pytest.mark.parametrize("length", [b"", b"-5", b"99", b"99999", b"99999999999999", b"x"])
def test_a_wrong_length_costs_its_record(length: bytes) -> None:
    good = f"Content-Length: {len(TEXTS[2].encode())}".encode()
    assert good in RECORDS[2]
    wrong = RECORDS[2].replace(good, b"Content-Length: " + length)
    records = [*RECORDS[:2], wrong, *RECORDS[3:]]
    wanted = [f"http://site/{at}" for at in (0, 1, 3, 4, 5)]
    assert [url for url in urls(b"".join(records)) if url in wanted] == wanted
    assert urls(packed(records)) == wanted


def test_a_cut_record_whose_length_goes_to_an_empty_line_of_the_next_costs_itself() -> None:
    cut = RECORDS[0].partition(b"\r\n\r\n")
    header, length = len(RECORDS[1].partition(b"\r\n\r\n")[0]), len(TEXTS[0].encode())
    body = cut[2][: length - header - 1] + b"\n"
    damaged = cut[0] + cut[1] + body
    assert urls(b"".join([damaged, *RECORDS[1:]])) == [f"http://site/{at}" for at in range(1, 6)]


def test_an_archive_within_a_record_is_its_body() -> None:
    archive = record("http://site/archive", b"".join([b"kept:\n", *RECORDS[:2]]))
    records = [RECORDS[2], archive, RECORDS[3]]
    found = [f"http://site/{name}" for name in (2, "archive", 3)]
    assert urls(b"".join(records)) == urls(b"".join(records) + b"\r\n") == found


def test_a_long_address_is_an_id(read_bytes: ReadBytes) -> None:
    data = record("http://site/" + "长" * 500, TEXTS[0].encode())
    (found,) = documents(read_bytes(data, "a.wet"))
    assert len(found.id.encode()) <= 512


def test_a_run_goes_on_after_a_record(read_bytes: ReadBytes, tmp_path: Path) -> None:
    items = read_bytes(packed([RECORDS[0], b"garbage", *RECORDS[1:]]), "a.wet.gz")
    assert len(items) == 7
    source = FileSource(f"{tmp_path}/a.wet.gz", ReadOptions())
    for number, item in enumerate(items):
        assert list(source.items(item.mark)) == items[number + 1 :]


damage = st.tuples(st.integers(0, 5), st.floats(0, 1), st.binary(min_size=1, max_size=40))


@LAW
@given(damage, st.booleans(), st.sampled_from(["overwrite", "cut", "insert"]))
def test_damage_to_one_record_loses_no_other(
    where: tuple[int, float, bytes], is_packed: bool, how: str
) -> None:
    number, share, junk = where
    records = [gzip.compress(each, mtime=0) for each in RECORDS] if is_packed else list(RECORDS)
    victim = records[number]
    at = int(share * (len(victim) - 1))
    records[number] = {
        "overwrite": victim[:at] + junk + victim[at + len(junk) :],
        "cut": victim[:at],
        "insert": victim[:at] + junk + victim[at:],
    }[how]
    if how == "overwrite":
        records[number] = records[number][: len(victim)]
    if not is_packed and not records[number].endswith(b"\n"):
        records[number] += b"\n"  # where a line is cut, the next record does not begin one
    found = urls(b"".join(records))
    others = [f"http://site/{at}" for at in range(6) if at != number]
    assert [url for url in found if url in others] == others


@LAW
@given(st.binary(max_size=300), st.booleans())
def test_any_bytes_end(data: bytes, is_packed: bool) -> None:
    if is_packed:
        data = gzip.compress(data) + data
    stream = io.BufferedReader(io.BytesIO(b"WARC/1.0\r\n" + data))
    for found in read_records(stream, 100, bool):
        assert isinstance(found, WarcRecord | BrokenRecord)


@pytest.mark.parametrize(
    "piece",
    [
        b"WARC/1.0\nA: 1\n",
        b"WARC/1.0\nContent-Length: 900000\n\nx\n",
        b"WARC/1.0\nContent-Length: 99999999999\n\nx\n",
        b"\n",
        b"x",
        b"\x1f\x8b\x08",
    ],
)
@pytest.mark.parametrize("is_packed", [False, True])
def test_time_grows_with_length_alone(piece: bytes, is_packed: bool) -> None:
    taken = []
    for count in (4_000, 32_000):
        data = piece * count
        data = gzip.compress(data, 1) if is_packed else data
        begun = time.process_time()
        urls(data)
        taken.append(time.process_time() - begun)
    assert taken[1] < 30 * taken[0] + 0.2


def test_every_prefix_gives_its_whole_records() -> None:
    ends = [len(packed(RECORDS[: at + 1])) for at in range(6)]
    data = packed(RECORDS)
    for size in range(0, len(data), 37):
        whole = sum(end <= size for end in ends)
        assert urls(data[:size]) == [f"http://site/{at}" for at in range(whole)]


def test_documents_are_documents(read_bytes: ReadBytes) -> None:
    data = packed([record("http://a/", b"\xd6\xd0\xce\xc4" * 10), record("http://b/", b"")])
    items = read_bytes(data, "a.wet.gz")
    assert [each.text for each in items if isinstance(each, Document)] == ["中文" * 10]
    assert "http://b/" in bad(items)[0].message
