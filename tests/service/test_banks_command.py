"""The commands around banks, as people run them: in a folder, on a server, and side by side."""

from __future__ import annotations

import json
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.command import Result, run, write_lines
from tests.servers import remove_all
from tests.texts import LIBRARY, METRO, METRO_HOMOPHONES, METRO_TRADITIONAL, ORCHARD, TEA

ENTRIES: list[dict[str, object]] = [
    {"id": "metro", "text": METRO, "labels": ["traffic", "old"], "reason": "an advertisement"},
    {"id": "tea", "text": TEA, "by": "ann", "expires": "4w"},
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A store with documents, and a bank with two entries."""
    documents: list[dict[str, object]] = [
        {"id": "m", "text": METRO_TRADITIONAL},
        {"id": "o", "text": ORCHARD},
    ]
    write_lines(tmp_path / "news.jsonl", documents)
    assert run("index", "news.jsonl", folder=tmp_path).status == 0
    write_lines(tmp_path / "spam.jsonl", ENTRIES)
    assert run("banks", "create", "spam", "--kind", "deny", folder=tmp_path).status == 0
    done = run("banks", "add", "spam", "--file", "spam.jsonl", "--by", "bob", folder=tmp_path)
    assert (done.status, done.out) == (0, "")
    assert "2 entries read, 0 lines could not be" in done.err
    return tmp_path


def banks(*arguments: str, folder: Path) -> Result:
    return run("banks", *arguments, folder=folder)


def test_lines_of_a_file_that_are_no_entries_cost_no_others(folder: Path) -> None:
    lines = ['{"id": "n", "body": "x"}', '{"id": "m", "text": 5}', '{"id": [1], "text": "x"}', "[]"]
    (folder / "more.jsonl").write_text(
        "\n".join([*lines, json.dumps({"id": "o", "text": ORCHARD})])
    )
    told = banks("add", "spam", "--file", "more.jsonl", folder=folder)
    assert told.status == 1
    for line, said in enumerate(("write one of them", "not a string", "holds a list", "an object")):
        assert f"more.jsonl:{line + 1}: " in told.err
        assert said in told.err.splitlines()[line]
    assert "field with --" not in told.err  # there are no such options
    assert "1 entry read, 4 lines could not be" in told.err


def test_without_banks(tmp_path: Path) -> None:
    assert banks("list", folder=tmp_path).status == 1
    missing = banks("add", "spam", METRO, folder=tmp_path)
    assert (missing.status, missing.out) == (3, "")
    assert missing.error() == "no bank 'spam'; 'dupdex banks list' names those there are"
    assert not (tmp_path / "dupdex-store").exists()
    assert banks("create", "Spam", "--kind", "deny", folder=tmp_path).status == 2


def test_banks_are_listed_and_shown(folder: Path) -> None:
    (line,) = banks("list", "--json", folder=folder).json()["banks"]
    assert (line["name"], line["kind"], line["entries"]) == ("spam", "deny", 2)
    assert banks("list", folder=folder).out == "spam\tdeny\t2 entries\tfor *\n"
    page = banks("show", "spam", "--size", "1", "--json", folder=folder).json()
    rest = banks("show", "spam", "--after", page["next"], "--json", folder=folder).json()
    entries = {each["id"]: each for each in (*page["entries"], *rest["entries"])}
    assert entries["metro"]["labels"] == ["traffic", "old"]
    assert [entries[name]["by"] for name in ("metro", "tea")] == ["bob", "ann"]
    assert entries["metro"]["expires"] is None
    assert entries["tea"]["expires"] > entries["tea"]["added"]
    shown = banks("show", "spam", "metro", folder=folder).out
    assert "reason   an advertisement" in shown
    assert METRO in shown
    assert banks("show", "spam", "none", folder=folder).status == 3


def test_an_export_is_an_import(folder: Path) -> None:
    exported = banks("export", "spam", folder=folder).out
    lines = [json.loads(line) for line in exported.splitlines()]
    assert {line["id"]: line["text"] for line in lines} == {"metro": METRO, "tea": TEA}
    (folder / "again.jsonl").write_text(exported, "utf-8")
    assert banks("create", "copy", "--kind", "deny", folder=folder).status == 0
    assert banks("add", "copy", "--file", "again.jsonl", folder=folder).status == 0
    copied = banks("export", "copy", folder=folder).out
    for one, other in zip(lines, copied.splitlines(), strict=True):
        assert {**one, "added": ""} == {**json.loads(other), "added": ""}


def test_a_bad_line_costs_only_itself(folder: Path) -> None:
    bad: list[dict[str, object]] = [{"id": "x", "text": ORCHARD}, {"id": "y", "text": 5}]
    bad += [{"text": "z", "expires": "soon"}, {"id": "e", "text": " "}]
    bad += [{"text": "u", "expire": "1d", "url": "x"}, {"text": "v", "Labels": "ad", "season": 1}]
    write_lines(folder / "bad.jsonl", bad)
    done = banks("add", "spam", "--file", "bad.jsonl", "--json", folder=folder)
    assert done.status == 1
    statuses = {line["id"]: line["status"] for line in map(json.loads, done.out.splitlines())}
    assert statuses["x"] == "created"
    assert list(statuses.values()).count("created") == 1
    assert "bad.jsonl:2" in done.err
    assert "bad.jsonl:5: field 'expire' is unknown; did you mean 'expires'?" in done.err
    assert "bad.jsonl:6: field 'Labels' is unknown; did you mean 'labels'?" in done.err
    assert "bad.jsonl:3: 'expires': 'soon' is no time" in done.err


def test_a_text_is_checked(folder: Path) -> None:
    found = banks("check", METRO_HOMOPHONES, folder=folder)
    assert found.status == 0
    assert found.out.splitlines()[0] == "banks: denied as traffic, old"
    assert "deny  spam/metro  near" in found.out
    assert banks("check", ORCHARD, folder=folder).status == 1
    assert banks("create", "fine", "--kind", "allow", folder=folder).status == 0
    assert banks("add", "fine", METRO, folder=folder).status == 0
    allowed = banks("check", METRO, "--json", folder=folder).json()
    assert (allowed["ruling"], allowed["hits"][1]["overruled"]) == ("allowed", True)
    assert banks("check", METRO, "--bank", "spam", folder=folder).status == 0
    assert banks("remove", "spam", "metro", "none", folder=folder).status == 1
    assert banks("check", METRO, "--bank", "spam", folder=folder).status == 1
    assert banks("remove", "spam", "--expired", "--json", folder=folder).json()["removed"] == 0


def test_floods_are_told_of(folder: Path) -> None:
    for number in (1, 2):
        told = banks("check", LIBRARY + "!" * number, "--flood", "2/1h", "--json", folder=folder)
        assert (told.status, told.json()["flood"]["count"]) == (2 - number, number)
    assert banks("check", LIBRARY, "--flood", "often", folder=folder).status == 2


def test_lookups_name_banks(folder: Path) -> None:
    found = run("check", METRO, "--banks", "--json", folder=folder).json()
    assert found["duplicate"] is True
    assert found["banks"]["ruling"] == "denied"
    only = run("check", TEA, "--banks", folder=folder)
    assert only.status == 0
    assert "no duplicate found" in only.out
    assert "deny  spam/tea  exact 1.00" in only.out
    lines = run("check", "--file", "news.jsonl", "--banks", folder=folder).out.splitlines()
    assert [line.split("\t")[-1] for line in lines] == ["denied by spam/metro", "banks: none"]
    stored = run("check", "--id", "m", "--banks", "--json", folder=folder)
    assert stored.json()["banks"]["hits"][0]["entry"] == "metro"
    assert run("check", LIBRARY, "--banks", folder=folder).status == 1


def test_looking_back(folder: Path) -> None:
    done = banks("retro", "spam", "--json", folder=folder).json()
    assert (done["state"], done["counts"]["hits"]) == ("done", 1)
    (hit,) = banks("hits", done["id"], "--json", folder=folder).json()["hits"]
    assert (hit["entry"], hit["index"], hit["document"]) == ("metro", "dupdex", "m")
    assert "dupdex/m\tmetro\texact 1.00" in banks("hits", done["id"], folder=folder).out
    assert banks("retro", "spam", "tea", folder=folder).status == 1
    assert banks("hits", "none", folder=folder).status == 3


def test_a_bank_is_dropped(folder: Path) -> None:
    assert banks("drop", "spam", "--yes", "--json", folder=folder).json()["entries"] == 2
    assert banks("list", folder=folder).status == 1
    assert banks("drop", "spam", "--yes", folder=folder).status == 3


ASKING = """
import sys, time
from dupdex.banks.bank_check import check_banks
from dupdex.banks.bank_store import Banks
from dupdex.location import Location
from dupdex.session import Session
from tests.texts import METRO_HOMOPHONES
store, name = sys.argv[1:]
with Session(Location(store, banks=name)) as session:
    banks = Banks(session)
    for wanted in ("none", "denied", "none"):
        end = time.monotonic() + 60
        while check_banks(banks, [METRO_HOMOPHONES])[0].ruling.value != wanted:
            assert time.monotonic() < end
            time.sleep(0.02)
        print(wanted, time.time(), flush=True)
"""


WITHIN = 5.0
"""Seconds from the end of a command, which is known before the other process is heard."""


@dataclass(frozen=True, slots=True)
class Place:
    store: str
    name: str


@pytest.fixture(params=["embedded", "elasticsearch"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    if request.param == "embedded":
        yield Place(str(tmp_path / "store"), "dupdex-banks")
        return
    name = f"banks-{uuid.uuid4().hex[:12]}"
    url = request.getfixturevalue("es_url")
    yield Place(url, name)
    remove_all(url, name)


def test_an_entry_acts_in_another_process_within_five_seconds(place: Place, tmp_path: Path) -> None:
    command = [sys.executable, "-c", ASKING, place.store, place.name]
    process = subprocess.Popen(
        command, cwd=Path(__file__).parents[2], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    said = process.stdout

    def told(wanted: str) -> float:
        word, _, moment = said.readline().partition(" ")
        assert word == wanted
        return float(moment)

    def banks_there(*arguments: str) -> float:
        options = ("--store", place.store)
        done = run("banks", *arguments, *options, folder=tmp_path, DUPDEX_BANKS=place.name)
        assert done.status == 0, done.err
        return time.time()

    try:
        told("none")
        banks_there("create", "spam", "--kind", "deny")
        added = banks_there("add", "spam", METRO, "--id", "m")
        assert told("denied") - added < WITHIN
        removed = banks_there("remove", "spam", "m")
        assert told("none") - removed < WITHIN
        assert process.wait(30) == 0
    finally:
        process.kill()
        process.communicate()
