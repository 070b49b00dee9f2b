"""kill -9 of a sweep at random points: the next one goes on, and ends as if nothing had been."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from dupdex.jobs import sweep_job
from dupdex.jobs.run_store import RunStore, State
from dupdex.jobs.sweep_job import Sweep, sweep
from dupdex.location import Location
from dupdex.matches.match_store import MatchStore
from dupdex.session import Session
from indexer.meta import IndexMeta
from indexer.model import Document
from indexer.pipeline import to_records
from mappings.plan import STANDARD
from tests.contract.test_sweep_job import text_of
from tests.source_tree import ROOT

KILLS = int(os.environ.get("DUPDEX_TEST_KILLS", "10"))

LEASE = 1.0

PROGRAM = """
import sys
from dupdex.jobs import sweep_job
from dupdex.location import Location
from tests.service.test_killed_sweep import swept
sweep_job.PART, sweep_job.MARGIN = 3, 0  # much to go on with
swept(Location(sys.argv[1], sys.argv[2]), lambda: print("begun", flush=True))
"""


def swept(where: Location, begun: Callable[[], None]) -> None:
    with Session(where) as session:
        begun()
        sweep(session, Sweep(workers=2), seconds=LEASE, wait=30)


def begun(where: Location) -> subprocess.Popen[bytes]:
    """The program, as it begins to sweep."""
    program = (sys.executable, "-c", PROGRAM, where.store, where.index)
    process = subprocess.Popen(program, stdout=subprocess.PIPE, start_new_session=True, cwd=ROOT)
    assert process.stdout is not None
    assert process.stdout.readline() == b"begun\n"
    return process


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
    with begun(whole) as process:
        started = time.perf_counter()
        assert process.wait() == 0
    seconds = time.perf_counter() - started
    expected = state(whole)
    assert expected[0]
    drawn = random.Random(8)
    killed, lapses = 0, 0.0
    for _ in range(KILLS):
        with begun(broken) as process:
            held = max(0.0, lapses - time.monotonic())  # by a killed one, for which it waits
            try:
                assert process.wait(held + drawn.random() * seconds) == 0
            except subprocess.TimeoutExpired:
                process.kill()
                killed += 1
                lapses = time.monotonic() + LEASE
    with Session(broken) as session:
        time.sleep(LEASE)
        run = sweep(session)
        assert run.state is State.DONE
        states = [each.state for each in RunStore.open(session).latest()]
    assert killed >= KILLS / 5
    assert set(states) <= {State.DONE, State.FAILED}
    assert state(broken) == expected


@pytest.fixture(autouse=True)
def _many_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in the program."""
    monkeypatch.setattr(sweep_job, "PART", 3)
    monkeypatch.setattr(sweep_job, "MARGIN", 0)
