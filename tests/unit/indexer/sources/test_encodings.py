from __future__ import annotations

from pathlib import Path

import pytest

from indexer.sources import ReadOptions, read

CUT = "图书馆昨天开放".encode()[:-1]


def notes_of(path: Path) -> list[str]:
    notes: list[str] = []
    list(read(str(path), ReadOptions(make_ids=True), noted=notes.append))
    return notes


@pytest.mark.parametrize(
    ("name", "data", "place"),
    [
        ("a.jsonl", b'{"text": "plain"}\n{"text": "caf\xe9s"}\n{"text": "d\xe9j\xe0 vu"}\n', 2),
        ("a.txt", b"Les caf\xe9s et les th\xe9s", 1),
        ("a.csv", b"id,text\n1,caf\xe9s\n", 2),
        ("a.csv", b"id,text\n" + b"1,plain\n" * 10_000 + b"2,caf\xe9s\n", 10_002),
        ("a.jsonl", b'{"text": "' + CUT + b' x"}\n', 1),
    ],
)
def test_what_is_hardly_chinese_is_noted(
    tmp_path: Path, name: str, data: bytes, place: int
) -> None:
    """Latin letters with accents were stored as Chinese characters without a word."""
    path = tmp_path / name
    path.write_bytes(data)
    (note,) = notes_of(path)
    assert note.startswith(f"{path}:{place} is not UTF-8 and was read as GB18030, where it holds '")
    assert "name its encoding with --encoding" in note


@pytest.mark.parametrize("name", ["a.jsonl", "a.txt", "a.csv"])
def test_chinese_is_not(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    texts = ["北京市气象台今天上午发布暴雨蓝色预警信号，预计全市。", "plain", "市民步行过江 3 公里"]
    lines = {
        "a.jsonl": [f'{{"text": "{text}"}}' for text in texts],
        "a.txt": texts,
        "a.csv": ["id,text", *(f"1,{text}" for text in texts)],
    }
    for encoding in ("gb18030", "utf-8", "utf-16"):
        path.write_bytes("\n".join(lines[name]).encode(encoding))
        assert notes_of(path) == []
    path.write_bytes("caf\xe9".encode("latin-1"))
    assert list(read(str(path), ReadOptions(format="text", encoding="latin-1")))
