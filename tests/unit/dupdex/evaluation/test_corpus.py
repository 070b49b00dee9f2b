"""Reading a labelled corpus: what is taken, and what a bad line is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dupdex.evaluation.corpus import Corpus
from dupdex.evaluation.truth import Label
from mappings.errors import DupdexError, InputRefused, NotFound

HEADER = "id_a\tid_b\tlabel\tkind\tstrength"


def write(folder: Path, rows: list[object], truth: str) -> Path:
    lines = (row if isinstance(row, str) else json.dumps(row) for row in rows)
    (folder / "corpus.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    (folder / "truth.tsv").write_text(truth, "utf-8")
    return folder


def rows(*names: str) -> list[object]:
    return [{"id": name, "text": f"text of {name}"} for name in names]


def test_other_fields_and_columns_are_passed_over(tmp_path: Path) -> None:
    folder = write(
        tmp_path,
        [{"id": "a", "text": "甲", "role": "base", "n": 1}, "", *rows("b")],
        "\ufeffjac5\tid_b\tid_a\tlabel\tkind\tstrength\r\n1.0\tb\ta\t1\texact\t\r\n\r\n",
    )
    corpus = Corpus.read(folder)
    assert corpus.ids == ("a", "b")
    (only,) = corpus.truth.listed
    assert (only.pair, only.label, only.kind, only.strength) == (
        ("a", "b"),
        Label.DUPLICATE,
        "exact",
        "",
    )
    documents = list(corpus.documents())
    assert [dict(document.body) for document in documents] == [
        {"text": "甲"},
        {"text": "text of b"},
    ]
    assert documents[1].origin.endswith("corpus.jsonl:3")


def test_swapped_facts_are_known_by_row_or_by_truth(tmp_path: Path) -> None:
    kinds: list[object] = [{"id": "f", "text": "甲", "kind": "hardneg_facts"}]
    truth = f"{HEADER}\na\tg\t0\thardneg_facts\t3\nb\ta\t0\thardneg_template\t1\n"
    assert Corpus.read(write(tmp_path, kinds + rows("a", "b", "g"), truth)).truth.facts == {
        "f",
        "g",
    }


@pytest.mark.parametrize("missing", ["corpus.jsonl", "truth.tsv"])
def test_missing_file(tmp_path: Path, missing: str) -> None:
    write(tmp_path, rows("a"), HEADER + "\n")
    (tmp_path / missing).unlink()
    with pytest.raises(NotFound, match=missing):
        Corpus.read(tmp_path)


def test_missing_folder(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="absent"):
        Corpus.read(tmp_path / "absent")


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ("{", r"corpus\.jsonl:2: not valid JSON"),
        ("[1]", r"corpus\.jsonl:2: not an object"),
        ({"text": "b"}, r"corpus\.jsonl:2: field 'id' is missing"),
        ({"id": "", "text": "b"}, r"corpus\.jsonl:2: the id is empty"),
        ({"id": 7, "text": "b"}, r"corpus\.jsonl:2: field 'id' is not a string"),
        ({"id": "b", "text": ["b"]}, r"corpus\.jsonl:2: field 'text' is not a string"),
        ({"id": "a", "text": "b"}, r"corpus\.jsonl:2: id 'a' was there before"),
    ],
)
def test_bad_corpus_rows(tmp_path: Path, bad: object, message: str) -> None:
    refused(write(tmp_path, [*rows("a"), bad], HEADER + "\n"), message)


@pytest.mark.parametrize(
    ("truth", "message"),
    [
        ("", r"truth\.tsv is empty"),
        ("id_a\tid_b\tlabel\n", r"truth\.tsv:1: no column kind, strength"),
        (f"{HEADER}\na\tb\t3\texact\t0\n", r"truth\.tsv:2: label '3' is not known"),
        (f"{HEADER}\na\tb\t1\texact\t0\na\tz\t1\texact\t0\n", r"truth\.tsv:3: no document 'z'"),
        (f"{HEADER}\na\ta\t1\texact\t0\n", r"truth\.tsv:2: 'a' is paired with itself"),
        (f"{HEADER}\na\tb\t1\n", r"truth\.tsv:2: 3 columns, fewer"),
    ],
)
def test_bad_truth(tmp_path: Path, truth: str, message: str) -> None:
    refused(write(tmp_path, rows("a", "b"), truth), message)


def test_bytes_that_are_not_utf8(tmp_path: Path) -> None:
    write(tmp_path, rows("a"), "")
    (tmp_path / "truth.tsv").write_bytes(HEADER.encode() + b"\n\xff\tb\t1\tx\t0\n")
    refused(tmp_path, r"truth\.tsv:2: not UTF-8")
    (tmp_path / "corpus.jsonl").write_bytes(b'{"id": "\xff", "text": "a"}\n')
    refused(tmp_path, r"corpus\.jsonl:1: not valid JSON")


def test_empty_corpus(tmp_path: Path) -> None:
    refused(write(tmp_path, [], HEADER + "\n"), "holds no document")


def refused(folder: Path, message: str) -> None:
    with pytest.raises(InputRefused, match=message) as caught:
        Corpus.read(folder)
    assert isinstance(caught.value, DupdexError)
    assert "\n" not in str(caught.value)
