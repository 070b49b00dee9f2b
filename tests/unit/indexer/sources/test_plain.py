from __future__ import annotations

import codecs
from pathlib import Path

import pytest

from indexer.meta import IndexMeta
from indexer.model import Document
from tests.unit.indexer.sources.conftest import ReadBytes, bad, documents


def test_a_text_file_is_one_document(read_bytes: ReadBytes, tmp_path: Path) -> None:
    items = read_bytes("第一行\r\n第二行\n".encode(), "新闻.txt")
    path = f"{tmp_path}/新闻.txt"
    text = "第一行\r\n第二行\n"
    body = {"id": "新闻.txt", "text": text, "path": path}
    assert items == [Document("新闻.txt", text, body, f"{path}:1")]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "gbk", "utf-16"])
def test_encodings_are_found(read_bytes: ReadBytes, encoding: str) -> None:
    text = "plain " * 20_000 + "新桥昨日通车，市民步行过江。"
    assert documents(read_bytes(text.encode(encoding), "a.md"))[0].text == text


def test_a_named_encoding(read_bytes: ReadBytes) -> None:
    data = "新橋昨日通車".encode("big5")
    assert documents(read_bytes(data, "a.txt", encoding="big5"))[0].text == "新橋昨日通車"
    data = codecs.BOM_UTF8 + b"abc"
    assert documents(read_bytes(data, "a.txt", encoding="utf-8-sig"))[0].text == "abc"


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"abc\0def", "NUL"),
        (b"\xff\xfe\xfd", "cannot be read further"),
        (b"abc \x80\xff\xff", "not valid UTF-8 at byte 5"),
        (b"x" * 101, "over 100 bytes"),
    ],
)
def test_files_that_give_no_document(read_bytes: ReadBytes, data: bytes, said: str) -> None:
    (item,) = bad(read_bytes(data, "a.txt", max_line_bytes=100))
    assert said in item.message
    assert item.origin.endswith("a.txt:1")


def test_a_few_broken_bytes_do_not_make_utf8_lines_gb18030(read_bytes: ReadBytes) -> None:
    data = "新桥通车\n".encode() * 3 + "新桥通车".encode()[:-1] + b"\n"
    assert "UTF-8" in bad(read_bytes(data, "a.txt"))[0].message


def test_the_text_goes_where_the_index_expects_it(read_bytes: ReadBytes) -> None:
    meta = IndexMeta(text_fields=("content", "summary"))
    (document,) = documents(read_bytes(b"abc", "a.txt", meta=meta, id_field="key"))
    assert document.body["content"] == document.text == "abc"
    assert document.body["key"] == document.id == "a.txt"
