"""A text that arrives again and again is told of, on both stores, by threads and by processes."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from dupdex.banks.bank_home import BankHome
from dupdex.banks.bank_model import Flood
from dupdex.banks.flood_guard import FloodGuard, FloodRule
from dupdex.location import Location
from dupdex.session import Session
from mappings.bank_records import FLOODS
from mappings.errors import TextRefused
from tests.texts import CHARACTERS, METRO, METRO_HOMOPHONES, TEA, chinese, english

ROOT = Path(__file__).parents[2]
NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
RULE = FloodRule(3, timedelta(minutes=10))


@pytest.fixture
def home(place: Location) -> Iterator[BankHome]:
    with Session(place) as session:
        yield BankHome(session)


def after(minutes: float) -> datetime:
    return NOW + timedelta(minutes=minutes)


def edited(text: str, seed: int, share: float = 0.03) -> str:
    choose = random.Random(seed)
    return "".join(choose.choice(CHARACTERS) if choose.random() < share else c for c in text)


def test_the_nth_in_a_window_is_a_flood(home: BankHome) -> None:
    guard = FloodGuard(home, RULE)
    texts = (METRO, METRO_HOMOPHONES, TEA, METRO + "。", TEA, edited(METRO, 1))
    found = [guard.arrived(text, after(place)) for place, text in enumerate(texts)]
    assert [flood.count for flood in found] == [1, 2, 1, 3, 2, 4]
    assert [flood.is_flood for flood in found] == [False, False, False, True, False, True]
    assert len({flood.id for flood in found}) == 2
    assert found[-1].first == "2026-05-01T12:00:00.000Z"
    with pytest.raises(TextRefused):
        guard.arrived(" ")


def test_the_window_moves_on(home: BankHome) -> None:
    guard = FloodGuard(home, RULE)
    counts = [guard.arrived(TEA, after(minutes)).count for minutes in (0, 4, 11, 15, 16, 40, 41)]
    assert counts == [1, 2, 2, 2, 3, 1, 2]


def test_a_long_flood_keeps_its_keys(home: BankHome) -> None:
    """Its first text began hours ago, and what has ended is removed meanwhile."""
    guard = FloodGuard(home, RULE)
    for round_ in range(20):
        guard._next_tidy = 0.0
        flood = guard.arrived(edited(METRO, round_), after(8 * round_))
    assert (flood.count, flood.first) == (2, "2026-05-01T14:24:00.000Z")
    assert home.collection(FLOODS).count() < 40


def test_what_has_ended_is_removed(home: BankHome) -> None:
    guard = FloodGuard(home, RULE)
    for number in range(30):
        guard.arrived(chinese(60, number), after(0))
    store = home.collection(FLOODS)
    store.refresh()
    assert store.count() > 200
    guard._next_tidy = 0.0
    guard.arrived(TEA, after(60))
    store.refresh()
    assert store.count() < 20


def test_rules_of_other_names_count_for_themselves(home: BankHome) -> None:
    FloodGuard(home, RULE).arrived(TEA, NOW)
    other = FloodGuard(home, FloodRule(3, timedelta(minutes=10), "forum"))
    assert other.arrived(TEA, NOW).count == 1
    again = FloodGuard(home, FloodRule(2, timedelta(minutes=10)))
    assert again.arrived(TEA, NOW).is_flood


POSTS = 500
TIMES = 20
PROCESSES = 2
THREADS = 4


@dataclass(frozen=True, slots=True)
class Post:
    is_copy: bool
    text: str


def posts(process: int) -> list[Post]:
    """Copies of one text with edits, of all processes together POSTS, among unrelated ones."""
    copies = [Post(True, edited(METRO, 10_000 * process + n)) for n in range(POSTS // PROCESSES)]
    unrelated = [Post(False, chinese(120, 10_000 * (process + 1) + n)) for n in range(40)]
    unrelated += [Post(False, english(40, 10_000 * (process + 1) + n)) for n in range(20)]
    mixed = [*copies, *unrelated]
    random.Random(process).shuffle(mixed)
    return mixed


def of_one_process(place: Location, process: int) -> list[tuple[bool, Flood]]:
    """What is said of the posts of one process, which come by several threads."""
    with Session(place) as session, ThreadPoolExecutor(THREADS) as pool:
        guard = FloodGuard(BankHome(session), FloodRule(TIMES, timedelta(minutes=30)))
        wanted = posts(process)
        said = pool.map(lambda post: guard.arrived(post.text), wanted)
        return [(post.is_copy, flood) for post, flood in zip(wanted, said, strict=True)]


ELSEWHERE = """
import json, sys
from dataclasses import asdict
from dupdex.location import Location
from tests.contract.test_flood_guard import of_one_process
store, banks, process = sys.argv[1:]
found = of_one_process(Location(store, banks=banks), int(process))
print(json.dumps([(is_copy, asdict(flood)) for is_copy, flood in found]))
"""


def test_a_flood_by_threads_of_two_processes(place: Location) -> None:
    with Session(place) as session:
        BankHome(session).collection(FLOODS)
    running = [
        subprocess.Popen(
            [sys.executable, "-c", ELSEWHERE, place.store, place.banks, str(process)],
            cwd=ROOT,
            stdout=subprocess.PIPE,
        )
        for process in range(PROCESSES)
    ]
    found: list[tuple[bool, dict[str, object]]] = []
    for each in running:
        out, _ = each.communicate(timeout=120)
        assert each.returncode == 0
        found += json.loads(out)
    told = [flood for is_copy, flood in found if is_copy]
    simultaneous = PROCESSES * THREADS
    assert len(told) == POSTS
    counts = sorted(int(str(flood["count"])) for flood in told)
    # Of the posts from the N-th on all are told of; only first ones of the same moment may lack.
    assert counts[-1] >= POSTS - simultaneous
    flagged = sum(bool(flood["is_flood"]) for flood in told)
    assert POSTS - TIMES + 1 - simultaneous <= flagged <= POSTS - TIMES + 1 + simultaneous
    assert not any(flood["is_flood"] for is_copy, flood in found if not is_copy)
