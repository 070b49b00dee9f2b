"""`dupdex group`: groups, what is left without copies, a report."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.command import write_lines
from tests.unit.dupdex.cli.conftest import FILM, NEWS, RAIN, CommandLine


def lines(path: str) -> list[Any]:
    return [json.loads(line) for line in Path(path).read_text("utf-8").splitlines()]


def test_groups_and_what_is_left_are_written(dupdex: CommandLine) -> None:
    done = dupdex("group", "news.jsonl", "--write", "groups.jsonl", "--keep", "kept.jsonl")
    assert done.status == 0
    assert done.out.splitlines()[0] == "4 documents in 1 group of two and more"
    (group,) = lines("groups.jsonl")
    rain, again = group.pop("members")
    assert group == {"group": "again", "canonical": "rain", "size": 2}
    assert rain == {"id": "rain", "similarity": 1.0, "verdict": "exact"}
    assert (again["id"], again["verdict"]) == ("again", "near")
    assert lines("kept.jsonl") == [each for each in NEWS if each["id"] != "again"]
    names = sorted(path.name for path in Path().iterdir())
    assert names == ["groups.jsonl", "kept.jsonl", "news.jsonl"]


def test_the_report_as_json(dupdex: CommandLine) -> None:
    report = dupdex("group", "news.jsonl", "--json").json()
    assert (report["documents"], report["groups"], report["copies"]) == (4, 1, 1)
    assert report["largest"] == [["again", 2]]
    assert report["bytes_saved"] == len(str(NEWS[1]["text"]).encode())
    assert (report["rejected"], report["bad_lines"]) == (0, 0)


def test_several_files_are_one_corpus(dupdex: CommandLine) -> None:
    write_lines(Path("more.jsonl"), [{"id": "more", "text": RAIN}])
    report = dupdex("group", "news.jsonl", "more.jsonl", "-", "--json", stdin=json.dumps(NEWS[2]))
    assert report.status == 0
    assert (report.json()["documents"], report.json()["exact"]) == (6, 2)


def test_bad_lines_are_told_and_cost_nothing_else(dupdex: CommandLine) -> None:
    text = "\n".join(["{}", json.dumps(NEWS[0]), '{"id": "empty", "text": " "}', "oops"])
    Path("bad.jsonl").write_text(text, "utf-8")
    done = dupdex("group", "bad.jsonl", "news.jsonl", "--write", "groups.jsonl")
    assert done.status == 1
    assert done.out.startswith("5 documents in 1 group of two and more, 1 rejected, 2 unreadable")
    assert "bad.jsonl:3" in done.err
    assert "bad.jsonl:4" in done.err
    assert lines("groups.jsonl")[0]["size"] == 3


def test_the_canonical_member_by_a_field(dupdex: CommandLine) -> None:
    options = ("--canonical", "authority", "--canonical-field", "city", "--authority", "天津,北京")
    dupdex("group", "news.jsonl", *options, "--write", "groups.jsonl")
    assert lines("groups.jsonl")[0]["canonical"] == "again"


def test_keys_alone(dupdex: CommandLine) -> None:
    report = dupdex("group", "news.jsonl", "--schemes", "sentences", "--trust-keys", "1", "--json")
    assert report.json()["judged"] == 0


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--schemes", "exact"), "'exact' has no keys that bring candidates"),
        (("--schemes", "dna"), "the plan does not store dna"),
        (("--schemes", ","), "--schemes names nothing"),
        (("--canonical", "earliest"), "needs the name of a field; see --canonical-field"),
        (("--canonical-field", "city"), "reads no field"),
        (("--write", "news.jsonl"), "'news.jsonl' is read from"),
        (("--keep", "."), "'.' cannot be written"),
        (("--trust-keys", "0"), "--trust-keys"),
        (("none.jsonl",), "none.jsonl"),
    ],
)
def test_what_cannot_be_done_is_one_line(
    dupdex: CommandLine, options: tuple[str, ...], said: str
) -> None:
    failed = dupdex("group", "news.jsonl", *options)
    assert failed.status in (2, 3)
    assert said in failed.error()
    assert FILM in Path("news.jsonl").read_text("utf-8")


def test_keys_past_memory_are_joined_on_disk(
    dupdex: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep = ("--write", "groups.jsonl", "--keep", "kept.jsonl")
    in_memory = dupdex("group", "news.jsonl", *keep, "--json").json()
    before = (lines("groups.jsonl"), lines("kept.jsonl"))
    monkeypatch.setattr("dupdex.corpus.gathering.JOINED", 1 << 40)  # nothing fits
    on_disk = dupdex("group", "news.jsonl", *keep, "--json", "--memory", "64m").json()
    assert on_disk == in_memory
    assert (lines("groups.jsonl"), lines("kept.jsonl")) == before


@pytest.mark.parametrize("value", ["0m", "2", "much", "-1g", "2t"])
def test_a_size_that_is_none(dupdex: CommandLine, value: str) -> None:
    done = dupdex("group", "news.jsonl", "--memory", value)
    assert done.status == 2
    assert "write one like 500m or 2g" in done.err


@pytest.mark.parametrize("option", ["--keep", "--write"])
def test_a_file_that_cannot_be_written_is_told_before_the_work(
    dupdex: CommandLine, option: str
) -> None:
    Path("folder").mkdir()
    for name, said in (("nosuch/k.jsonl", "there is no folder"), ("folder", "it is a folder")):
        refused = dupdex("group", "no such input.jsonl", option, name)
        assert refused.status == 2
        assert f"{name!r} cannot be written: {said}" in refused.error()
        assert option in refused.error()
