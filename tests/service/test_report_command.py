"""`dupdex report` as its users call it."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest

from tests.command import run, write_lines
from tests.texts import METRO, METRO_TRADITIONAL, TEA

FIELDS = ("--date-field", "at", "--source-field", "site", "--kind-field", "kind")
DOCUMENTS: list[dict[str, Any]] = [
    {"id": "1", "text": METRO, "site": "甲报", "kind": "news", "at": "2026-01-30"},
    {"id": "2", "text": METRO_TRADITIONAL, "site": "乙报", "kind": "news", "at": "2026-01-31"},
    {"id": "3", "text": TEA, "site": "乙报", "kind": "tea", "at": "2026-02-01"},
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_lines(tmp_path / "news.jsonl", DOCUMENTS)
    stored = run("index", "news.jsonl", "--group", folder=tmp_path)
    assert stored.status == 0, stored.err
    return tmp_path


def test_a_report_of_an_index(folder: Path) -> None:
    printed = run("report", *FIELDS, folder=folder)
    assert printed.status == 0, printed.err
    lines = printed.out.splitlines()
    assert lines[0] == "dupdex: 3 documents, 1 of them copies (33.3%)"
    flow = lines[lines.index("Who copies whom") + 3]
    assert flow.split() == ["乙报", "甲报", "1", "1"]
    fastest = lines[lines.index("Fastest copiers") + 3]
    assert fastest.split() == ["乙报", "1.0", "d", "1.0", "d", "1", "0"]


def test_json_files_and_page(folder: Path) -> None:
    made = run("report", *FIELDS, "--json", "--csv", "out/csv", "--html", "out.html", folder=folder)
    assert made.status == 0, made.err
    report = made.json()
    assert report["format"] == 1
    assert report["total"] == {
        "name": "",
        "documents": 3,
        "grouped": 2,
        "copies": 1,
        "rate": 0.3333,
    }
    assert report["flows"] == [{"copier": "乙报", "original": "甲报", "copies": 1, "groups": 1}]
    with (folder / "out/csv/by_source.csv").open(encoding="utf-8-sig", newline="") as stream:
        assert [row["source"] for row in csv.DictReader(stream)] == ["乙报", "甲报"]
    assert "</html>" in (folder / "out.html").read_text("utf-8")
    assert made.err.splitlines()[-1] == "dupdex: wrote out.html"


def test_what_cannot_be_done_is_said(folder: Path) -> None:
    absent = run("report", "--source-field", "paper", folder=folder)
    assert (absent.status, absent.out) == (2, "")
    assert absent.error() == (
        "no document has a value in the field 'paper'; name another one with --source-field"
    )
    (folder / "file").write_text("x")
    refused = run("report", "--csv", "file", folder=folder)
    assert (refused.status, refused.out) == (2, "")
    assert "name another with --csv" in refused.error()
    over = run("report", "--html", "dupdex-store/dupdex.sqlite", folder=folder)
    assert (over.status, over.out) == (2, "")
    assert "is read from" in over.error()
    unknown = run("report", "--index", "other", folder=folder)
    assert unknown.status == 3
    assert "there is no index" in unknown.error()
