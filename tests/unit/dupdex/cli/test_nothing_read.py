"""A source in which nothing is: told with the next step, and a fault unless it is a pipe."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from indexer.sources.checkpoint import Checkpoint
from scripts.made_archives import packed, response
from tests.unit.dupdex.cli.conftest import NEWS, CommandLine

READING = (
    ("index", "{}"),
    ("group", "{}"),
    ("works", "add", "{}", "--work", "x"),
)
"""Commands that read any source; `{}` is its name."""


@pytest.fixture
def nothing(dupdex: CommandLine) -> CommandLine:
    """With a file, a folder and a table in which nothing is, and a bank."""
    Path("empty.jsonl").touch()
    Path("header.csv").write_text("id,text\n")
    Path("folder").mkdir()
    assert dupdex("banks", "create", "spam", "--kind", "deny").status == 0
    return dupdex


@pytest.mark.parametrize("command", READING, ids=" ".join)
@pytest.mark.parametrize("source", ["empty.jsonl", "header.csv", "folder"])
def test_a_file_or_a_folder_is_refused(
    nothing: CommandLine, command: tuple[str, ...], source: str
) -> None:
    refused = nothing(*(part.format(source) for part in command))
    assert (refused.status, refused.out) == (2, "")
    hint = "that end in .txt, " if source == "folder" else "or say with --format how it is read"
    assert f"no document in {source}; " in refused.error()
    assert hint in refused.error()


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (("banks", "add", "spam", "--file", "empty.jsonl"), "no entry in empty.jsonl; write one"),
        (("pages", "load", "empty.jsonl"), "no page in empty.jsonl; name WARC files"),
    ],
)
def test_what_reads_files_of_one_kind(
    nothing: CommandLine, command: tuple[str, ...], said: str
) -> None:
    refused = nothing(*command)
    assert (refused.status, refused.out) == (2, "")
    assert said in refused.error()
    assert not Path("dupdex-store/dupdex.sqlite").exists()  # no index was made for it


def test_archives_without_pages_make_no_index(nothing: CommandLine) -> None:
    picture = response("http://example.org/a.png", b"PNG", "image/png")
    Path("pictures.warc.gz").write_bytes(packed([picture]))
    refused = nothing("pages", "load", "pictures.warc.gz", "empty.jsonl")
    assert (refused.status, refused.out) == (2, "")
    assert "no page in pictures.warc.gz, empty.jsonl; name WARC files" in refused.error()
    assert not Path("dupdex-store/dupdex.sqlite").exists()


@pytest.mark.parametrize(
    "command", [*READING, ("banks", "add", "spam", "--file", "{}")], ids=" ".join
)
@pytest.mark.parametrize("pipe", ["-", "/dev/null"])
def test_a_pipe_may_have_nothing_to_say(
    nothing: CommandLine, command: tuple[str, ...], pipe: str
) -> None:
    done = nothing(*(part.format(pipe) for part in command))
    assert done.status == 0
    name = "standard input" if pipe == "-" else pipe
    assert f"came from {name}; nothing was done" in done.err
    assert not Path("dupdex-store/dupdex.sqlite").exists()


def test_no_index_is_named_that_is_not_there(nothing: CommandLine) -> None:
    """It was said that none was made, and then how many documents are stored in it."""
    assert nothing("index", "-").out == "0 documents stored\n"
    assert nothing("index", "-", "--json").json()["created"] == 0
    bad = nothing("index", "-", stdin="{oops\n")
    assert bad.status == 1
    assert "no document could be read from -, so no index was made" in bad.err
    assert bad.out == "0 documents stored, 1 unreadable (kept in dupdex-rejects.ndjson)\n"
    assert nothing("index", "news.jsonl").status == 0
    assert nothing("index", "-").out.startswith("0 documents stored in dupdex-store (index dupdex)")


def test_one_of_several_files_may_be_empty(nothing: CommandLine) -> None:
    assert nothing("group", "empty.jsonl", "news.jsonl", "--json").json()["documents"] == 4
    refused = nothing("group", "empty.jsonl", "header.csv", "--write", "groups.jsonl")
    assert "no document in empty.jsonl, header.csv; check" in refused.error()
    assert not Path("groups.jsonl").exists()
    assert nothing("group", "empty.jsonl", "-").status == 0


@pytest.mark.parametrize("source", ["empty.jsonl", "folder"])
def test_a_check_and_pairs_say_why_there_is_none(nothing: CommandLine, source: str) -> None:
    assert nothing("index", "news.jsonl").status == 0
    for command in (("check", "--file", source), ("pairs", source)):
        none = nothing(*command)
        assert (none.status, none.out) == (1, "")
        assert f"dupdex: no document in {source}; " in none.err
    assert "came from standard input" in nothing("check", "--file", "-").err


def test_what_is_stored_already_is_read_again(dupdex: CommandLine) -> None:
    """A job of every night over a folder in which nothing is new."""
    Path("folder").mkdir()
    Path("news.jsonl").rename("folder/news.jsonl")
    for _ in range(2):
        assert dupdex("index", "folder").status == 0


def test_a_run_that_has_nothing_to_go_on_with_is_done(
    dupdex: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was killed after its last document, and before it said so."""
    page = "http://example.org/1"
    body = f"<p>{NEWS[0]['text']}</p>" * 3
    Path("a.warc.gz").write_bytes(packed([response(page, body.encode())]))
    commands = ("index", "news.jsonl"), ("pages", "load", "a.warc.gz", "--quality", "0")
    for command in commands:
        with monkeypatch.context() as patched:
            patched.setattr(Checkpoint, "finish", lambda _: None)
            assert dupdex(*command).status == 0
        again = dupdex(*command)
        assert again.status == 0
        assert "going on after" in again.err
        assert again.out.startswith("0 ")


def test_nothing_to_replay(indexed: CommandLine) -> None:
    Path("rejects.ndjson").touch()
    refused = indexed("replay", "rejects.ndjson")
    assert refused.status == 2
    assert "no document in rejects.ndjson; name the file that 'dupdex index'" in refused.error()


def test_a_file_of_rejects_with_one_entry_is_one(indexed: CommandLine) -> None:
    """The other lines are told one by one, as before."""
    letter = {"id": "1", "body": {"text": "x"}, "origin": "x:1"}
    Path("rejects.ndjson").write_text(f"oops\n{json.dumps(letter)}\n{{}}\n")
    done = indexed("replay", "rejects.ndjson", "--force")
    assert done.status == 1
    assert "rejects.ndjson:1: not a rejected document that can be restored" in done.err
    assert "rejects.ndjson:3: not a rejected document: it needs an id and a body" in done.err
    assert indexed("get", "1").status == 0
