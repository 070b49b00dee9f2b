"""Threads that share one Index: nothing that was acknowledged is lost, and nothing fails."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from dupdex import Document, Index, Outcome, Status
from mappings.plan import CHARACTERS
from tests.contract.stores import Store
from tests.texts import chinese

THREADS, EACH = 6, 40


def text(thread: int, number: int) -> str:
    return chinese(60, 1_000 * thread + number)


def together(work: Callable[[int], list[Outcome]]) -> list[Outcome]:
    """What `work` returns in threads that begin at once."""
    begin = threading.Barrier(THREADS)

    def run(thread: int) -> list[Outcome]:
        begin.wait()
        return work(thread)

    with ThreadPoolExecutor(THREADS) as pool:
        return [outcome for done in pool.map(run, range(THREADS)) for outcome in done]


def test_adding(store: Store) -> None:
    with Index.create(store.opener.location, plan=CHARACTERS) as index:

        def work(thread: int) -> list[Outcome]:
            return [
                outcome
                for number in range(EACH)
                for outcome in index.add([Document(f"{thread}-{number}", text(thread, number))])
            ]

        outcomes = together(work)
        index.refresh()
        assert [each.status for each in outcomes] == [Status.CREATED] * THREADS * EACH
        names = {f"{thread}-{number}" for thread in range(THREADS) for number in range(EACH)}
        assert {stored.id for stored in index.scan()} == names == set(index.get(names))
        for thread in range(THREADS):
            asked = index.lookup(text(thread, EACH - 1))
            assert [match.id for match in asked.matches] == [f"{thread}-{EACH - 1}"]


def test_lookups_and_deletions_beside_writes(store: Store) -> None:
    with Index.create(store.opener.location, plan=CHARACTERS) as index:
        index.add([Document(f"kept-{n}", text(99, n)) for n in range(5)])
        index.add([Document(f"gone-{n}", text(98, n)) for n in range(EACH)])
        index.refresh()

        def work(thread: int) -> list[Outcome]:
            outcomes: list[Outcome] = []
            for number in range(EACH // 2):
                if thread == 0:
                    assert index.delete([f"gone-{number}"]) == [f"gone-{number}"]
                elif thread % 2:
                    outcomes += index.add([Document(f"{thread}-{number}", text(thread, number))])
                else:
                    found = index.lookup(text(99, number % 5)).matches
                    assert [match.id for match in found] == [f"kept-{number % 5}"]
                    assert index.count() >= EACH // 2
            return outcomes

        outcomes = together(work)
        index.refresh()
        stored = {each.id for each in index.scan()}
    assert {each.document.id for each in outcomes} <= stored
    assert len(stored) == len(outcomes) + 5 + EACH - EACH // 2
