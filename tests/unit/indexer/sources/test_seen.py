from __future__ import annotations

import time
import tracemalloc

from hypothesis import given, settings
from hypothesis import strategies as st

from indexer.sources import seen
from indexer.sources.seen import SeenIds


def test_within_a_call_and_between_calls() -> None:
    ids = SeenIds()
    assert ids.add(["a", "b", "a"]) == [False, False, True]
    assert ids.add([]) == []
    assert ids.add(["c", "b", "c", "c", "\ud800"]) == [False, True, True, True, False]
    assert ids.repeats == 4


@settings(deadline=None)
@given(calls=st.lists(st.lists(st.integers(0, 200).map(str))))
def test_the_same_answers_as_a_set(calls: list[list[str]]) -> None:
    ids, known = SeenIds(), set[str]()
    whole = seen._RECENT
    seen._RECENT = 16  # type: ignore[misc]  # so that small inputs are merged too
    try:
        for call in calls:
            expected = []
            for name in call:
                expected.append(name in known)
                known.add(name)
            assert ids.add(call) == expected
    finally:
        seen._RECENT = whole  # type: ignore[misc]


def test_ids_cost_microseconds_and_about_eight_bytes_each() -> None:
    names = [f"doc-{number}" for number in range(200_000)]
    ids = SeenIds()
    started = time.process_time()
    for start in range(0, len(names), 500):
        assert not any(ids.add(names[start : start + 500]))
    assert all(ids.add(names))
    assert time.process_time() - started < 12  # about 0.4 s on an idle core
    assert ids.repeats == len(names)
    assert sum(run.nbytes for run in ids._runs) <= 8 * len(names)


def test_memory_at_its_peak() -> None:
    count = 100_000
    ids = SeenIds()
    tracemalloc.start()
    try:
        for start in range(0, count, 500):
            ids.add([f"doc-{number}" for number in range(start, start + 500)])
        kept, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept < 8 * count + (2 << 20)
    assert peak < 24 * count + (2 << 20)
