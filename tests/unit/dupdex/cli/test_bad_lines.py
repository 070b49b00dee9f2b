"""Lines that cannot be read: kept to be seen, passed over by replay, never read back by the run."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

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
    assert done.out.startswith("1 documents stored")
    (said,) = done.err.splitlines()
    assert said.startswith(f"dupdex: 2 lines of {REJECTS} cannot be replayed: mend them in their")
    assert not Path("dupdex-rejects-again.ndjson").exists()
    assert indexed("replay", str(REJECTS), "--json").json()["bad_lines"] == 2


def test_a_document_without_text_stays_to_be_replayed(indexed: CommandLine) -> None:
    REJECTS.write_text('{"id": "1", "body": {"txt": "a"}, "origin": "x.jsonl:1"}\n')
    done = indexed("replay", str(REJECTS))
    assert done.status == 1
    assert "x.jsonl:1: id '1' not stored: no text" in done.err
    (entry,) = kept(Path("dupdex-rejects-again.ndjson"))
    assert (entry["id"], entry["body"]) == ("1", {"txt": "a"})


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


def test_evaluate_tells_the_store_it_takes(dupdex: CommandLine) -> None:
    said = " ".join(dupdex("evaluate", "--help").out.split())
    assert "default: an embedded store in a temporary folder" in said
    assert "dupdex-store" not in said


def test_index_tells_what_can_be_taken_up(dupdex: CommandLine) -> None:
    said = " ".join(dupdex("index", "--help").out.split())
    assert "standard input cannot be read again" in said
