from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indexer.meta import IndexMeta
from indexer.model import Document
from indexer.sources import BadLine
from indexer.sources.dead_letters import (
    DeadLetter,
    DeadLetters,
    KeptLine,
    Target,
    letter_of,
    opened,
)
from mappings.errors import InputRefused, NotFound


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "rejects.ndjson"


def read_dead_letters(path: Path) -> Iterator[DeadLetter | KeptLine | BadLine]:
    with opened(path) as file:
        for number, line in enumerate(file, 1):
            if line.strip():
                yield letter_of(line, str(path), number, 0)


def restored(path: Path) -> list[DeadLetter]:
    items = list(read_dead_letters(path))
    assert all(isinstance(item, DeadLetter) for item in items)
    return [item for item in items if isinstance(item, DeadLetter)]


def test_no_rejection_no_file(path: Path) -> None:
    with DeadLetters(path):
        pass
    assert not path.exists()


def test_what_is_kept_can_be_indexed_again(path: Path) -> None:
    document = Document("a", "桥", {"id": "a", "text": "桥", "n": [1, None]}, "news.jsonl:7")
    with DeadLetters(path, Target("/store", "news")) as letters:
        letters.add(document, "mapper_parsing_exception")
        assert len(restored(path)) == letters.count == 1  # readable while the run goes on
    (line,) = path.read_text("utf-8").splitlines()
    assert list(json.loads(line)) == ["id", "reason", "origin", "time", "to", "body"]
    (letter,) = restored(path)
    assert letter.to == Target("/store", "news")
    assert letter.document(IndexMeta()) == document
    assert letter.reason == "mapper_parsing_exception"
    assert letter.time.endswith("+00:00")


@pytest.mark.parametrize("line", ['{"id": "桥", oops', None, "\ud800"])
def test_a_line_is_kept_to_be_read(path: Path, line: str | None) -> None:
    with DeadLetters(path) as letters:
        letters.add_line(BadLine("news.jsonl:7", "not valid JSON", line))
        letters.add(Document("a", "t", {"text": "t"}), "x")
    first, second = read_dead_letters(path)
    assert isinstance(second, DeadLetter)
    assert first == KeptLine("news.jsonl:7", "not valid JSON", line)
    assert json.loads(path.read_text("utf-8").splitlines()[0])["time"].endswith("+00:00")


def test_an_integer_that_would_be_rounded_is_not_sent(path: Path) -> None:
    path.write_text('{"id": "a", "body": {"text": "t", "n": 123456789012345678901234}}\n')
    (item,) = read_dead_letters(path)
    assert isinstance(item, BadLine)
    assert "field 'body.n' holds an integer beyond 64 bits" in item.message


def test_a_second_run_appends_even_after_an_unfinished_line(path: Path) -> None:
    path.write_bytes(b'{"id": "old", "bo')
    with DeadLetters(path) as letters:
        letters.add(Document("new", "t", {"text": "t"}), "x")
    broken, kept = read_dead_letters(path)
    assert isinstance(broken, BadLine)
    assert broken.origin == f"{path}:1"
    assert isinstance(kept, DeadLetter)
    assert kept.id == "new"


def test_a_run_that_goes_on_keeps_nothing_twice(path: Path) -> None:
    to = Target("/store", "news")
    documents = [Document(f"d{n}", "t", {"n": math.inf}, f"news.jsonl:{n}") for n in range(9)]
    lines = [BadLine(f"news.jsonl:{n}", "bad", "\ud800") for n in range(10, 19)]

    def keep(target: Target, some: slice, resumed: bool) -> None:
        with DeadLetters(path, target, resumed) as letters:
            for document in documents[some]:
                letters.add(document, "x")
            for line in lines[some]:
                letters.add_line(line)

    keep(to, slice(0, 6), False)
    keep(to, slice(4, 9), True)
    assert len(path.read_bytes().splitlines()) == len(documents) + len(lines)
    keep(Target("/store", "other"), slice(4, 9), True)
    assert len(path.read_bytes().splitlines()) == len(documents) + len(lines) + 10


def test_what_is_nested_deeper_than_python_walks_is_kept_somehow(path: Path) -> None:
    body: Any = {}
    for _ in range(100_000):
        body = {"a": body}
    with DeadLetters(path) as letters:
        letters.add(Document("a", "t", body), "too deep")
    (item,) = read_dead_letters(path)
    assert isinstance(item, BadLine)
    while body:
        body = body["a"]  # taken apart by hand, so that Python need not


@pytest.mark.parametrize("value", ["\ud800", [{"x": "\udcff"}], 2**80, (math.inf, -math.inf)])
def test_values_json_cannot_hold_come_back(path: Path, value: object) -> None:
    with DeadLetters(path) as letters:
        letters.add(Document("a", "t", {"text": "t", "v": value}), "x")
    assert b'"body_repr"' in path.read_bytes()
    path.read_bytes().decode("utf-8")
    back = restored(path)[0].body["v"]
    assert back == (list(value) if isinstance(value, tuple) else value)


def test_nan_and_ids_that_are_no_text(path: Path) -> None:
    with DeadLetters(path) as letters:
        letters.add(Document("\ud800", "t", {"v": math.nan}, "\udcff.txt:1"), "bad \ud800")
    (letter,) = restored(path)
    assert math.isnan(letter.body["v"])
    assert (letter.id, letter.origin, letter.reason) == ("\ud800", "\udcff.txt:1", "bad \ud800")
    with pytest.raises(
        InputRefused, match="no text: none of the fields text is present; write one"
    ):
        letter.document(IndexMeta())


def test_what_no_form_of_json_holds_is_kept_to_be_read(path: Path) -> None:
    body: dict[str, Any] = {"text": "t", "raw": b"\xff"}
    with DeadLetters(path) as letters:
        letters.add(Document("a", "t", body), "x")
    assert b"\\\\xff" in path.read_bytes()
    (item,) = read_dead_letters(path)
    assert isinstance(item, BadLine)


@pytest.mark.parametrize(
    "line",
    [
        b"7",
        b"[]",
        b"{",
        b'{"id": "a"}',
        b'{"id": 1, "body": {}}',
        b'{"id": "a", "body": []}',
        b"\xff",
    ],
)
def test_lines_that_are_no_letters(path: Path, line: bytes) -> None:
    path.write_bytes(b"\n" + line + b"\n")
    (item,) = read_dead_letters(path)
    assert isinstance(item, BadLine)
    assert item.origin == f"{path}:2"


def test_files_that_cannot_be_opened(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        list(read_dead_letters(tmp_path / "no"))
    with pytest.raises(InputRefused):
        list(read_dead_letters(tmp_path))
    with pytest.raises(InputRefused, match=r"no/x \(No such file.*--rejects"):  # noqa: SIM117
        with DeadLetters(tmp_path / "no" / "x"):  # before anything is rejected
            raise AssertionError


def test_a_full_disk() -> None:
    with DeadLetters("/dev/full") as letters, pytest.raises(InputRefused, match="No space"):
        letters.add(Document("a", "t"), "x")


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(st.characters(), max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)


@settings(deadline=None)  # files and a busy machine
@given(
    body=st.dictionaries(st.text(max_size=9), json_values, max_size=4),
    name=st.text(),
    why=st.text(),
)
def test_round_trip(
    tmp_path_factory: pytest.TempPathFactory, body: dict[str, Any], name: str, why: str
) -> None:
    path = tmp_path_factory.mktemp("letters") / "x"
    with DeadLetters(path) as letters:
        letters.add(Document(name, "", body, "o:1"), why)
    (letter,) = restored(path)
    assert (letter.id, letter.body, letter.origin, letter.reason) == (name, body, "o:1", why)
