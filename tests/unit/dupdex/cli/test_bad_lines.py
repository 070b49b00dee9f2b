"""Lines that cannot be read: kept to be seen, passed over by replay, never read back by the run."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.command import write_lines
from tests.unit.dupdex.cli.conftest import NEWS, RAIN, CommandLine

REJECTS = Path("dupdex-rejects.ndjson")


def kept(path: Path = REJECTS) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_every_bad_line_is_kept(dupdex: CommandLine) -> None:
    bad = [f"{{oops {number}" for number in range(50)]
    Path("in.jsonl").write_text("\n".join([*bad, json.dumps(NEWS[0])]), "utf-8")
    done = dupdex("index", "in.jsonl")
    assert done.status == 1
    assert done.out.endswith(f", 50 unreadable (kept in {REJECTS})\n")
    assert f"unreadable lines are in {REJECTS}; mend them in their source" in done.err
    assert done.err.count("not valid JSON") == 20
    assert [entry["line"] for entry in kept()] == bad
    assert [entry["origin"] for entry in kept()] == [f"in.jsonl:{n}" for n in range(1, 51)]
    assert all("not valid JSON" in entry["reason"] and entry["time"] for entry in kept())


def test_long_and_undecodable_lines_are_kept_by_their_place(dupdex: CommandLine) -> None:
    lines = [b'{"id": "' + b"x" * 10_000, b"\xff\xff", b'{"id": "' + b"x" * 9_000]
    Path("in.jsonl").write_bytes(b"\n".join(lines))
    assert dupdex("index", "in.jsonl").status == 1
    assert [entry["origin"] for entry in kept()] == ["in.jsonl:1", "in.jsonl:2", "in.jsonl:3"]
    assert [entry["line"] for entry in kept()] == [None, None, lines[2].decode()]


def test_replay_passes_them_over(indexed: CommandLine) -> None:
    write_lines(Path("more.jsonl"), [{"id": "1", "text": ""}, {"id": "2"}, {"id": "3"}])
    indexed("index", "more.jsonl")
    entries = kept()
    assert [entry.get("id") for entry in entries] == ["1", None, None] or len(entries) == 3
    mended = [
        {**entry, "body": {"id": "1", "text": RAIN}} if "body" in entry else entry
        for entry in entries
    ]
    REJECTS.write_text("".join(json.dumps(entry) + "\n" for entry in mended), "utf-8")
    done = indexed("replay", str(REJECTS))
    assert done.status == 1
    assert done.out.startswith("1 document stored")
    (said,) = done.err.splitlines()
    assert said.startswith(f"dupdex: 2 lines of {REJECTS} cannot be replayed: mend them in their")
    assert kept() == [entry for entry in mended if "line" in entry]  # where the message says
    assert indexed("replay", str(REJECTS), "--json").json()["bad_lines"] == 2


def test_a_document_without_text_stays_to_be_replayed(indexed: CommandLine) -> None:
    REJECTS.write_text('{"id": "1", "body": {"txt": "a"}, "origin": "x.jsonl:1"}\n')
    done = indexed("replay", str(REJECTS), "--force")
    assert done.status == 1
    assert "x.jsonl:1: id '1' not stored: no text" in done.err
    (entry,) = kept()
    assert (entry["id"], entry["body"]) == ("1", {"txt": "a"})
    assert "no text" in entry["reason"]


def test_what_a_run_writes_it_does_not_read(dupdex: CommandLine) -> None:
    """The file of rejected lines lies in the folder: it would grow for ever."""
    shutil.rmtree("home", ignore_errors=True)
    Path("bad.jsonl").write_text("{oops\n")
    for _ in range(2):
        done = dupdex("index", ".", "--json")
        assert done.json()["bad_lines"] == 1
    assert [entry["origin"] for entry in kept()] == ["bad.jsonl:1"] * 2
    refused = dupdex("index", str(REJECTS))
    assert refused.status == 2
    assert "cannot be read and written at once; name another --rejects file" in refused.error()


@pytest.mark.parametrize("link", ["hard", "soft"])
def test_what_a_run_writes_it_does_not_read_under_another_name(
    dupdex: CommandLine, link: str
) -> None:
    """It read what it wrote for ever, until the disk was full."""
    Path("in").mkdir()
    Path("in/bad.jsonl").write_text("{oops\n")
    make = Path.hardlink_to if link == "hard" else Path.symlink_to
    make(REJECTS, Path("in/bad.jsonl").absolute())
    refused = dupdex("index", "in/bad.jsonl")
    assert "cannot be read and written at once" in refused.error()
    assert "no document in in;" in dupdex("index", "in").error()  # the file itself is left out
    assert Path("in/bad.jsonl").read_text() == "{oops\n"


def test_a_rejects_file_that_cannot_be_written_is_told_at_once(dupdex: CommandLine) -> None:
    refused = dupdex("index", "news.jsonl", "--rejects", "no/such/folder/x.ndjson")
    assert refused.status == 2
    assert "cannot be written to no/such/folder/x.ndjson" in refused.error()
    assert "name another file with --rejects" in refused.error()
    assert not Path("dupdex-store").exists()


def test_evaluate_tells_the_store_it_takes(dupdex: CommandLine) -> None:
    said = " ".join(dupdex("evaluate", "--help").out.split())
    assert "default: an embedded store in a temporary folder" in said
    assert "dupdex-store" not in said


def test_index_tells_what_can_be_taken_up(dupdex: CommandLine) -> None:
    said = " ".join(dupdex("index", "--help").out.split())
    assert "standard input cannot be read again" in said


@pytest.mark.parametrize("command", [("index", "-"), ("rebuild",), ("check-store", "--repair")])
def test_what_was_rejected_is_not_written_into_a_store(
    indexed: CommandLine, command: tuple[str, ...]
) -> None:
    """Lines were appended to the database, and the row they were of was gone."""
    (store,) = Path().rglob("dupdex.sqlite")
    Path("link").symlink_to(store)
    for name in (str(store), "link"):
        done = indexed(*command, "--rejects", name)
        assert done.status == 2
        assert "is the file of a store; name another --rejects file" in done.error()
