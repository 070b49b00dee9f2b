"""kill -9 of a sweep at random points: the next one goes on, and ends as if nothing had been."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from dupdex.jobs.run_store import RunStore, State
from dupdex.jobs.sweep_job import sweep
from dupdex.location import Location
from dupdex.matches.match_store import MatchStore
from dupdex.session import Session
from indexer.meta import IndexMeta
from indexer.model import Document
from indexer.pipeline import to_records
from mappings.plan import STANDARD
from tests.contract.test_sweep_job import text_of

KILLS = int(os.environ.get("DUPDEX_TEST_KILLS", "10"))

PROGRAM = """
import sys
from dupdex.jobs import sweep_job
from dupdex.location import Location
from dupdex.session import Session
sweep_job.PART, sweep_job.MARGIN = 3, 0
with Session(Location(sys.argv[1], sys.argv[2])) as session:
    sweep_job.sweep(session, sweep_job.Sweep(workers=2), seconds=1.0, wait=30)
"""


def documents() -> Iterator[Document]:
    for number in range(0, 84, 2):
        text = text_of(number)
        yield Document(f"d{number:02}", text, {"text": text})
        if number % 3 == 0:
            near = text.replace("的", "得", 2)
            yield Document(f"d{number:02}-near", near, {"text": near})


def fill(where: Location) -> None:
    with Session(where) as session, closing(session.writer(meta=IndexMeta(STANDARD))) as writer:
        for _ in writer.write(record for record in to_records(documents(), STANDARD)):  # type: ignore[misc]
            pass
        writer.refresh()


def state(where: Location) -> tuple[set[tuple[str, str, str]], dict[str, str]]:
    """All pairs and groups, by ids."""
    with Session(where) as session:
        records = MatchStore.open(session).everything()
        pairs = {(each.first.id, each.second.id, each.verdict.value) for each in records}
        groups = {ref.id: each.group for ref, each in session.reader().all_standings()}
    return pairs, groups


def test_killed_at_random_points(tmp_path: Path) -> None:
    whole, broken = Location(str(tmp_path), "whole"), Location(str(tmp_path), "broken")
    for where in (whole, broken):
        fill(where)
    with Session(whole) as session:
        sweep(session)
    expected = state(whole)
    assert expected[0]
    drawn = random.Random(8)
    killed = 0
    for _ in range(KILLS):
        program = (sys.executable, "-c", PROGRAM, broken.store, broken.index)
        with subprocess.Popen(program, stderr=subprocess.PIPE, start_new_session=True) as process:
            try:
                process.wait(0.6 + drawn.random())
            except subprocess.TimeoutExpired:
                process.kill()
                killed += 1
    with Session(broken) as session:
        time.sleep(1.1)  # what the last one held lapses
        run = sweep(session)
        assert run.state is State.DONE
        states = [each.state for each in RunStore.open(session).latest()]
    assert killed
    assert set(states) <= {State.DONE, State.FAILED}
    assert state(broken) == expected


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dupdex.jobs.sweep_job.MARGIN", 0)
