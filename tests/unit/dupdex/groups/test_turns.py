"""Threads of one program take each other's documents along."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Barrier, Event, Lock

import pytest

from dupdex.groups.turns import Turns
from indexer.model import Ref
from mappings.errors import StoreRefused, StoreUnavailable

Take = Callable[[], list[Ref]]
MOST = 10


class Steps:
    """Settles what it is asked for, and keeps the steps. The first one waits until it is let go;
    the second one may fail."""

    def __init__(self, failure: Exception | None = None) -> None:
        self.steps: list[list[str]] = []
        self.begun, self.go = Event(), Event()
        self.failure = failure

    def settle(self, take: Take) -> None:
        names = [ref.id for ref in take()]
        self.steps.append(names)
        self.begun.set()
        assert self.go.wait(10)
        if len(self.steps) == 2 and self.failure is not None:
            raise self.failure


def refs(*names: str) -> list[Ref]:
    return [Ref("", name) for name in names]


def race(steps: Steps, *asked: list[Ref]) -> list[Future[None]]:
    """One caller whose turn it is, and then all others, which come while it lasts."""
    turns = Turns()
    with ThreadPoolExecutor(len(asked)) as pool:
        out = [pool.submit(turns.together, asked[0], MOST, 10.0, steps.settle)]
        assert steps.begun.wait(10)
        for each in asked[1:]:
            out.append(pool.submit(turns.together, each, MOST, 10.0, steps.settle))
            until = time.monotonic() + 10
            while len(turns._waiting) < len(out) and time.monotonic() < until:
                time.sleep(0.001)
        steps.go.set()
    assert turns._waiting == []
    return out


def test_those_that_wait_are_settled_together() -> None:
    steps = Steps()
    done = race(steps, refs("a"), refs("b"), refs("c", "b"), refs("d"))
    assert [each.result() for each in done] == [None] * 4
    assert steps.steps[0] == ["a"]
    assert len(steps.steps) == 2
    assert sorted(steps.steps[1]) == ["b", "c", "d"]


def test_a_step_is_bounded() -> None:
    steps = Steps()
    asked = [refs(*(f"{caller}-{number}" for number in range(4))) for caller in range(6)]
    for each in race(steps, *asked):
        each.result()
    assert max(map(len, steps.steps)) <= MOST
    assert sorted(name for step in steps.steps for name in step) == sorted(
        ref.id for each in asked for ref in each
    )


def test_who_has_more_than_a_step_gets_one_alone() -> None:
    steps = Steps()
    large = refs(*map(str, range(MOST + 5)))
    for each in race(steps, refs("a"), large, refs("b")):
        each.result()
    assert max(map(len, steps.steps)) == len(large)


def test_a_store_that_fails_is_told_to_all_it_failed() -> None:
    steps = Steps(StoreUnavailable("the server is gone"))
    first, *others = race(steps, refs("a"), refs("b"), refs("c"))
    assert first.exception() is None
    assert [str(each.exception()) for each in others] == ["the server is gone"] * 2


def test_any_other_failure_is_of_one_caller_alone() -> None:
    steps = Steps(StoreRefused("a pair cannot be kept"))
    first, *others = race(steps, refs("a"), refs("b"), refs("c"))
    assert first.exception() is None
    failed = [type(each.exception()) for each in others]
    assert sorted(failed, key=str) == sorted([StoreRefused, type(None)], key=str)
    assert len(steps.steps) == 3


def test_who_waits_too_long_is_told() -> None:
    turns, steps = Turns(), Steps()
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(turns.together, refs("a"), MOST, 10.0, steps.settle)
        assert steps.begun.wait(10)
        with pytest.raises(StoreUnavailable, match="other threads"):
            turns.together(refs("b"), MOST, 0.01, steps.settle)
        steps.go.set()
        first.result()
    assert steps.steps == [["a"]]


def test_nobody_is_forgotten() -> None:
    """Many threads, over and over: each name is settled before its caller goes on."""
    turns, settled, lock, barrier = Turns(), set[str](), Lock(), Barrier(8)
    inside = 0

    def settle(take: Take) -> None:
        nonlocal inside
        inside += 1
        assert inside == 1
        time.sleep(0.0005)
        with lock:
            settled.update(ref.id for ref in take())
        inside -= 1

    def work(number: int) -> int:
        barrier.wait()
        for at in range(50):
            name = f"{number}-{at}"
            turns.together(refs(name), MOST, 10.0, settle)
            with lock:
                assert name in settled
        return 50

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(work, range(8))) == len(settled) == 400
