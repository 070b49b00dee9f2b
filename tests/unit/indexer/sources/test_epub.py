"""Books in EPUB: a document a chapter; what is broken or hostile costs itself alone."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from indexer.model import Document
from indexer.sources import BadLine, FileSource, ReadOptions
from scripts.made_archives import book, page, zipped
from tests.texts import chinese
from tests.unit.indexer.sources.conftest import ReadBytes, bad, documents

TEXTS = [chinese(150, seed) for seed in range(4)]
NAMES = [f"第{digit}章 {name}" for digit, name in zip("一二三四", "甲乙丙丁", strict=True)]
FILES = {f"c{at}.xhtml": page(NAMES[at], TEXTS[at]) for at in range(4)}
POINTS = [(f"c{at}.xhtml", NAMES[at]) for at in range(4)]


@pytest.mark.parametrize("nav", [True, False])
def test_chapters_by_the_table_of_contents(read_bytes: ReadBytes, nav: bool) -> None:
    found = documents(read_bytes(book(FILES, POINTS, nav=nav), "夜渡.epub"))
    assert [each.id for each in found] == [f"夜渡#{number}" for number in range(1, 5)]
    assert [each.text for each in found] == TEXTS
    body = dict(found[2].body)
    assert (body["work"], body["chapter"], body["number"]) == ("夜渡", NAMES[2], 3)
    assert (body["title"], body["author"]) == (f"夜渡 {NAMES[2]}", "某人")


def test_chapters_by_files_where_there_is_no_table(read_bytes: ReadBytes) -> None:
    found = documents(read_bytes(book(FILES), "a.epub"))
    assert [each.text for each in found] == TEXTS
    plain = {name: f"<html><body><p>{TEXTS[at]}</p></body></html>" for at, name in enumerate(FILES)}
    assert [each.text for each in documents(read_bytes(book(plain), "a.epub"))] == TEXTS


def test_a_chapter_over_several_files(read_bytes: ReadBytes) -> None:
    files = {"a.xhtml": page(NAMES[0], TEXTS[0]), "b.xhtml": f"<p>{TEXTS[1]}</p>"}
    files |= {"c.xhtml": page(NAMES[1], TEXTS[2])}
    for points in ([("a.xhtml", NAMES[0]), ("c.xhtml", NAMES[1])], []):
        found = documents(read_bytes(book(files, points), "a.epub"))
        assert [each.text for each in found] == [f"{TEXTS[0]}\n{TEXTS[1]}", TEXTS[2]]


def test_several_chapters_in_a_file(read_bytes: ReadBytes) -> None:
    one = "".join(page(NAMES[at], TEXTS[at], f"p{at}") for at in range(4))
    points = [(f"all.xhtml#p{at}", NAMES[at]) for at in range(4)]
    found = documents(read_bytes(book({"all.xhtml": one}, points), "a.epub"))
    assert [each.text for each in found] == TEXTS
    found = documents(read_bytes(book({"all.xhtml": one}, [("all.xhtml", "正文")]), "a.epub"))
    assert [each.text for each in found] == TEXTS  # by the headings in it


def test_contents_volumes_and_covers_are_no_chapters(read_bytes: ReadBytes) -> None:
    links = "".join(f'<p><a href="{file}">{name}</a></p>' for file, name in POINTS)
    first = {"cover.xhtml": "<svg><text>x</text></svg>", "toc.xhtml": f"<body>{links}</body>"}
    volume = {"v.xhtml": page("第一卷 上", "")}
    points = [("v.xhtml", "第一卷 上"), *POINTS]
    found = documents(read_bytes(book({**first, **volume, **FILES}, points), "a.epub"))
    assert [each.text for each in found] == TEXTS
    assert {each.body["volume"] for each in found} == {"第一卷 上"}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "gb18030"])
def test_encodings(read_bytes: ReadBytes, encoding: str) -> None:
    data = page(NAMES[0], TEXTS[0]).replace("utf-8", encoding).encode(encoding)
    (found,) = documents(read_bytes(book({"a.xhtml": data}, POINTS[:1]), "a.epub"))
    assert found.text.endswith(TEXTS[0])


def test_a_broken_file_costs_itself(read_bytes: ReadBytes) -> None:
    order = ["c0.xhtml", "gone.xhtml", "c1.xhtml"]
    items = read_bytes(book(FILES, POINTS[:2], spine=order), "a.epub")
    assert [each.text for each in documents(items)] == TEXTS[:2]
    assert "gone.xhtml" in bad(items)[0].message


BOMB = zipped({"META-INF/container.xml": b" " * 5_000_000})
ENTITY = '<!DOCTYPE a [<!ENTITY b "ccc">]><container>&b;</container>'
ENCRYPTED = (
    '<encryption><EncryptedData><CipherData><CipherReference URI="OEBPS/c0.xhtml"/>'
    "</CipherData></EncryptedData></encryption>"
)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"no zip", "not an EPUB file"),
        (b"PK\x03\x04" + b"\0" * 40, "not an EPUB file"),
        (zipped({"a.txt": "b"}), "container.xml is missing"),
        (BOMB, "over 1,000,000 bytes when it is unpacked"),
        (zipped({"META-INF/container.xml": ENTITY}), "declares entities"),
        (zipped({"META-INF/container.xml": "<a>" * 300}), "nested more than"),
        (zipped({"META-INF/container.xml": "<a"}), "not valid XML"),
        (
            zipped({"META-INF/container.xml": '<c><rootfile full-path="/etc/passwd"/></c>'}),
            "names no package",
        ),
        (book(FILES, POINTS, extra={"META-INF/encryption.xml": ENCRYPTED}), "encrypted"),
    ],
)
def test_what_is_no_book(read_bytes: ReadBytes, data: bytes, said: str) -> None:
    (item,) = bad(read_bytes(data, "a.epub", max_line_bytes=1_000_000))
    assert said in item.message


def test_a_name_outside_of_the_book_is_not_followed(read_bytes: ReadBytes) -> None:
    items = read_bytes(
        book(FILES, spine=["../../../etc/passwd", "/etc/passwd", "c0.xhtml"]), "a.epub"
    )
    assert len(documents(items)) == 1
    assert all("not in it" in each.message for each in bad(items))


def test_a_book_from_a_pipe_or_compressed(read_bytes: ReadBytes) -> None:
    import gzip

    items = read_bytes(gzip.compress(book(FILES, POINTS)), "a.epub.gz")
    assert [each.id for each in documents(items)] == [f"a#{number}" for number in range(1, 5)]


def test_a_run_goes_on_after_a_chapter(read_bytes: ReadBytes, tmp_path: Path) -> None:
    order = ["c0.xhtml", "gone.xhtml", "c1.xhtml", "c2.xhtml"]
    items = read_bytes(book(FILES, POINTS, spine=order), "a.epub")
    source = FileSource(f"{tmp_path}/a.epub", ReadOptions())
    for number, item in enumerate(items):
        assert list(source.items(item.mark)) == items[number + 1 :]


def test_random_damage_is_told_and_loses_no_other_chapter(read_bytes: ReadBytes) -> None:
    data = book(FILES, POINTS)
    chance = random.Random(1)
    for _ in range(200):
        at = chance.randrange(len(data))
        broken = data[:at] + chance.randbytes(chance.randrange(1, 30)) + data[at + 5 :]
        items = read_bytes(broken if chance.random() < 0.7 else data[:at], "a.epub")
        assert items
        for item in items:
            assert isinstance(item, Document | BadLine)
            assert "\n" not in (item.message if isinstance(item, BadLine) else "")
