"""What the screen is told: progress on a terminal, and messages without bound."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dupdex.cli import screen
from dupdex.cli.screen import MOST_CHARACTERS
from tests.command import write_lines
from tests.unit.dupdex.cli.conftest import RAIN, CommandLine


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
