"""What is shown on a real (pseudo) terminal, and only there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dupdex.cli import screen
from dupdex.cli.screen import MOST_CHARACTERS
from tests.command import on_a_terminal, run, write_lines
from tests.unit.dupdex.cli.conftest import RAIN, CommandLine

BAR = "indexing  ---"


@pytest.mark.usefixtures("dupdex")
def test_a_bar_on_the_terminal_that_leaves_nothing_behind(tmp_path: Path) -> None:
    shown = on_a_terminal("index", "news.jsonl", folder=tmp_path)
    assert shown.status == 0
    assert BAR in shown.err
    *_, last = shown.err.split("\r\x1b[K")
    assert last.startswith("4 documents stored")


@pytest.mark.usefixtures("dupdex")
def test_the_bar_goes_to_standard_error(tmp_path: Path) -> None:
    output = tmp_path / "output"
    shown = on_a_terminal("index", "news.jsonl", "--json", folder=tmp_path, output=output)
    assert BAR in shown.err
    assert shown.json()["created"] == 4


@pytest.mark.usefixtures("dupdex")
def test_no_bar_without_a_terminal(tmp_path: Path) -> None:
    for command in (["index", "news.jsonl"], ["check", "--file", "news.jsonl"]):
        done = run(*command, folder=tmp_path)
        assert (done.status, done.err) == (0, "")
        assert "\r" not in done.out
    assert run("pairs", "news.jsonl", folder=tmp_path).err == "dupdex: 4 documents, 1 pairs\n"


def test_delete_asks(indexed: CommandLine, tmp_path: Path) -> None:
    asked = on_a_terminal("delete", "fox", "nobody", folder=tmp_path, typed=b"n\n")
    assert asked.status == 1
    assert "fox  A fox" in asked.err
    assert "Delete 1 documents from dupdex-store (index dupdex)? [y/N]" in asked.err
    assert "nothing was deleted" in asked.err
    assert indexed("get", "fox").status == 0

    agreed = on_a_terminal("delete", "fox", folder=tmp_path, typed=b"y\n")
    assert agreed.status == 0
    assert "1 deleted, 0 not found" in agreed.err


@pytest.mark.usefixtures("indexed")
def test_delete_does_not_ask_with_yes(tmp_path: Path) -> None:
    done = on_a_terminal("delete", "fox", "--yes", folder=tmp_path)
    assert done.status == 0
    assert "[y/N]" not in done.err


@pytest.mark.parametrize("typed", [b"\x03", b"\x04"], ids=["Ctrl-C", "Ctrl-D"])
def test_leaving_the_question(indexed: CommandLine, tmp_path: Path, typed: bytes) -> None:
    left = on_a_terminal("delete", "fox", folder=tmp_path, typed=typed)
    assert left.status == 130
    assert left.err.splitlines()[-1].endswith("dupdex: interrupted")
    assert indexed("get", "fox").status == 0


class Terminal:
    """Standard error as a terminal that keeps what is written."""

    def __init__(self) -> None:
        self.written = ""

    def write(self, text: str) -> None:
        self.written += text

    def flush(self) -> None:
        """Nothing is held back."""

    def isatty(self) -> bool:
        return True


def test_shares_and_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    now = 100.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    with screen.progress(200, "indexing") as step:
        now += 10
        step(50)
        step(1)  # too soon to be drawn
        assert terminal.written.endswith("indexing  ########----------------------   25%  00:30")
        now += 7200
        step(49)
        assert terminal.written.endswith("50%  2:00:10")
    assert terminal.written.endswith("\r\x1b[K")
    with screen.progress(None, "documents") as step:
        now += 1
        step(1234)
        assert terminal.written.endswith("documents  1,234")
        now += 1
        step(0, 2468)
        assert "50%" in terminal.written


def test_messages_have_an_end(dupdex: CommandLine, tmp_path: Path) -> None:
    long = "x" * 1_000_000
    write_lines(tmp_path / "long.jsonl", [{"id": long, "text": RAIN}, {"id": "a", long: 1}])
    (tmp_path / "plan.json").write_text(json.dumps({long: 1}))
    for arguments in (
        ["index", "long.jsonl"],
        ["check", "--file", "long.jsonl"],
        ["index", "news.jsonl", "--plan", "plan.json"],
        ["get", long[:100_000]],
        ["delete", long[:100_000], "--yes"],
        ["check", "x", "--filter", long[:100_000]],
        ["index", "news.jsonl", "--store", "/".join(["deep"] * 700)],
    ):
        said = dupdex(*arguments)
        assert said.status not in (0, 70)
        for line in (said.out + said.err).splitlines():
            assert len(line) < MOST_CHARACTERS + 200
        if len(said.err) > MOST_CHARACTERS:
            assert " characters) … " in said.err
