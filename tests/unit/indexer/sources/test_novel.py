"""Text files that are novels: a document a chapter."""

from __future__ import annotations

from pathlib import Path

import pytest

from indexer.sources import FileSource, ReadOptions
from tests.texts import chinese
from tests.unit.indexer.sources.conftest import ReadBytes, bad, documents

ONE, TWO = chinese(80, 1), chinese(90, 2)
NOVEL = f"书名：夜渡\n作者：林某\n\n第一章 雨夜\n{ONE}\n\n第二章 旧信\n{TWO}\n"


@pytest.mark.parametrize("encoding", ["utf-8", "gb18030", "utf-16"])
def test_a_document_a_chapter(read_bytes: ReadBytes, encoding: str) -> None:
    found = documents(read_bytes(NOVEL.encode(encoding), "book.txt", format="novel"))
    assert [each.id for each in found] == ["book#1", "book#2"]
    assert [each.text for each in found] == [ONE, TWO]
    body = dict(found[1].body)
    assert body["title"] == "夜渡 第二章 旧信"
    assert (body["work"], body["chapter"], body["number"]) == ("夜渡", "第二章 旧信", 2)
    assert body["author"] == "林某"
    assert found[1].origin.endswith("book.txt:7")


def test_lines_that_end_as_on_other_systems(read_bytes: ReadBytes) -> None:
    for end in ("\r\n", "\r"):
        data = NOVEL.replace("\n", end).encode()
        assert len(documents(read_bytes(data, "a.txt", format="novel"))) == 2


def test_a_title_from_the_name_of_the_file(read_bytes: ReadBytes) -> None:
    data = f"第一章 甲\n{ONE}".encode()
    (found,) = documents(read_bytes(data, "《夜渡》作者：林某.txt", format="novel"))
    assert (found.body["work"], found.body["author"]) == ("夜渡", "林某")


def test_without_headings_one_document_or_pieces(read_bytes: ReadBytes) -> None:
    text = "\n".join([ONE, TWO] * 5)
    (whole,) = documents(read_bytes(text.encode(), "a.txt", format="novel"))
    assert whole.text == text
    pieces = documents(read_bytes(text.encode(), "a.txt", format="novel", split=200))
    assert len(pieces) > 2
    assert "\n".join(each.text for each in pieces) == text
    assert [each.id for each in pieces] == [f"a#{n}" for n in range(1, len(pieces) + 1)]


def test_a_plain_text_file_stays_one_document(read_bytes: ReadBytes) -> None:
    (whole,) = documents(read_bytes(NOVEL.encode(), "book.txt"))
    assert whole.text == NOVEL


def test_a_run_goes_on_after_a_chapter(read_bytes: ReadBytes, tmp_path: Path) -> None:
    items = read_bytes(NOVEL.encode(), "book.txt", format="novel")
    source = FileSource(f"{tmp_path}/book.txt", ReadOptions(format="novel"))
    assert list(source.items(items[0].mark)) == items[1:]
    assert items[0].mark is not None
    assert source.describe(items[0].mark) == f"item 1 of {tmp_path}/book.txt"


def test_a_folder_of_novels(tmp_path: Path) -> None:
    folder = tmp_path
    (folder / "sub").mkdir()
    for name in ("a.txt", "sub/b.txt"):
        (folder / name).write_text(NOVEL, "utf-8")
    (folder / "c.jsonl").write_text("{}", "utf-8")
    items = list(FileSource(str(folder), ReadOptions(format="novel")).items())
    assert [each.id for each in documents(items)] == ["a#1", "a#2", "sub/b#1", "sub/b#2"]
    assert not bad(items)


@pytest.mark.parametrize(
    ("data", "said"), [(b"a\0b", "NUL"), (b"\xff" * 5, "not valid UTF-8"), (b"x" * 99, "over 50")]
)
def test_what_is_no_novel(read_bytes: ReadBytes, data: bytes, said: str) -> None:
    (item,) = bad(read_bytes(data, "a.txt", format="novel", max_line_bytes=50))
    assert said in item.message
