"""Groups that several processes make at once, and that a killed one leaves half made."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from dupdex.groups.assign import Grouper
from dupdex.groups.group_store import GroupStore
from dupdex.index import Index
from dupdex.location import Location
from dupdex.session import Session
from indexer.grouping import Grouping
from mappings.records import GROUPS
from scripts.group_race import new_index, race
from tests.source_tree import ROOT
from tests.texts import chinese

LIVE = Grouping(live=True)
ROUNDS, COPIES = 2, 16

WRITER = """
import sys, json
from dupdex.groups.assign import Grouper
from dupdex.index import Index
from dupdex.location import Location
from dupdex.session import Session
from indexer.model import Document
place, index, documents = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
with Session(Location(place, index)) as session, Index.create(session) as opened:
    opened.groups._grouper = Grouper(session, opened._for_writing(), seconds=0.5)
    print("ready", flush=True)
    for start in range(0, len(documents), 2):
        opened.add([Document(name, text) for name, text in documents[start : start + 2]])
"""


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_posts_at_the_same_moment_are_one_group(es_url: str, seed: int) -> None:
    """Each by itself, from four processes; see scripts/group_race.py for more of them."""
    done = race(Location(es_url, f"race-{uuid.uuid4().hex[:8]}"), seed, COPIES, LIVE)
    assert (done.groups, done.records) == (1, 1)


@pytest.fixture(params=["embedded", "elasticsearch"])
def location(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Location]:
    name = f"killed-{uuid.uuid4().hex[:8]}"
    place = str(tmp_path) if request.param == "embedded" else request.getfixturevalue("es_url")
    yield Location(place, name)


def documents() -> list[tuple[str, str]]:
    """Six texts with four copies each, which differ a little, in a random order."""
    out = [
        (f"{family}-{copy}", chinese(200, family) + chinese(6, 1_000 + copy))
        for family in range(6)
        for copy in range(4)
    ]
    random.Random(5).shuffle(out)
    return out


def test_a_writer_that_is_killed_leaves_nothing_wrong(location: Location) -> None:
    """Killed at random moments, then run again: the groups are those of a run that was not."""
    kills = int(os.environ.get("DUPDEX_TEST_KILLS", "3"))
    chance = random.Random(location.index)
    with new_index(location, LIVE) as session:
        arguments = [location.place, location.index, json.dumps(documents())]
        for number in range(kills + 1):
            process = subprocess.Popen(
                [sys.executable, "-c", WRITER, *arguments], stdout=subprocess.PIPE, cwd=ROOT
            )
            assert process.stdout is not None
            assert process.stdout.readline() == b"ready\n"
            if number < kills:
                time.sleep(chance.uniform(0.02, 1.0))
                process.send_signal(signal.SIGKILL)
            assert process.wait() in (0, -signal.SIGKILL)
            process.stdout.close()
        check(session)


def check(session: Session) -> None:
    with Index.create(session) as index:
        grouper = Grouper(session, index._for_writing(), seconds=0.5)
        grouper.assign([])
        index.refresh()
        standings = dict(session.reader().all_standings())
        by_group: dict[str, set[str]] = {}
        for ref, standing in standings.items():
            by_group.setdefault(standing.group, set()).add(ref.id)
        expected = {frozenset(f"{family}-{copy}" for copy in range(4)) for family in range(6)}
        assert {frozenset(names) for names in by_group.values()} == expected
        records = GroupStore(session.collection(GROUPS)).everything()
        assert {name: record.size for name, record in records.items()} == dict.fromkeys(by_group, 4)
        for pair in grouper.matches.everything():
            assert {pair.first, pair.second} <= standings.keys()
