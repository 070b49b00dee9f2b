"""Runs to be killed: one that fails by itself is told, and never taken for one that was killed."""

from __future__ import annotations

import select
from pathlib import Path

import pytest

from tests.forked import Forked

PROGRAM = """
import time

def run(seconds, fails):
    time.sleep(float(seconds))
    if fails:
        raise SystemExit(fails)
"""


def test_how_runs_end(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with Forked(PROGRAM, tmp_path) as program:
        program.start("60", "")
        assert not program.ends(0.01)
        assert program.kill()
        program.start("0", "")
        assert program.ends(60)
        program.start("0", "broken")
        with pytest.raises(AssertionError, match="the run ended with 1"):
            program.ends(60)
        program.start("60", "")  # the next one is as good as any
        assert program.kill()
    assert "SystemExit: broken" in capfd.readouterr().err


def test_a_kill_that_comes_too_late(tmp_path: Path) -> None:
    with Forked(PROGRAM, tmp_path) as program:
        program.start("0", "")
        ended(program)
        assert not program.kill()
        program.start("0", "broken")
        ended(program)
        with pytest.raises(AssertionError, match="the run ended with 1"):
            program.kill()


def ended(program: Forked) -> None:
    """Wait until a run has ended, without telling the program that it has."""
    told = program._process.stdout
    assert told is not None and select.select([told], [], [], 60)[0]
