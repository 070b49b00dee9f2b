"""`dupdex pairs` works on a copy of all texts, which must not stay behind."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from tests.command import SECONDS, goes_on, halted, halting, killed, run, start, write_lines
from tests.service.test_cli import texts


@pytest.fixture
def temporary(tmp_path: Path) -> Path:
    write_lines(tmp_path / "in.jsonl", texts(1_500))
    (tmp_path / "temporary").mkdir()
    return tmp_path / "temporary"


def test_ended_by_a_signal(tmp_path: Path, temporary: Path) -> None:
    command = ("pairs", "in.jsonl", "--plan", "characters")
    process = start(*command, folder=tmp_path, program=halting(500), TMPDIR=str(temporary))
    halted(process)
    assert list(temporary.iterdir())
    os.kill(process.pid, signal.SIGTERM)
    goes_on(process)
    _, err = process.communicate(timeout=SECONDS)
    assert process.returncode == 128 + signal.SIGTERM
    assert "Traceback" not in err
    assert list(temporary.iterdir()) == []


def test_killed_outright(tmp_path: Path, temporary: Path) -> None:
    """The next run clears up, and leaves alone what still is at work and what is not its own."""
    command = ("pairs", "in.jsonl", "--plan", "characters")
    tmpdir = {"TMPDIR": str(temporary)}
    killed(halted(start(*command, folder=tmp_path, program=halting(500), **tmpdir)))
    (left,) = temporary.iterdir()
    (temporary / "dupdex-texts-mine").mkdir()
    at_work = halted(start(*command, folder=tmp_path, program=halting(500), **tmpdir))
    assert not left.exists()
    write_lines(tmp_path / "few.jsonl", texts(3))
    assert run("pairs", "few.jsonl", folder=tmp_path, **tmpdir).status == 1
    assert len(list(temporary.iterdir())) == 2
    goes_on(at_work)
    at_work.communicate(timeout=SECONDS)
    assert at_work.returncode in (0, 1)
    assert [path.name for path in temporary.iterdir()] == ["dupdex-texts-mine"]
