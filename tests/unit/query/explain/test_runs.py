"""Common runs against all there are, counted one by one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.text.hashing import shingle_hashes
from query.explain import runs
from query.explain.runs import Run, common_runs
from tests.texts import LAW

SEQUENCES = st.lists(st.integers(0, 3), min_size=3, max_size=40)


def found(left: list[int], right: list[int], width: int) -> tuple[set[Run], bool]:
    units = np.array(left, np.uint64), np.array(right, np.uint64)
    grams = shingle_hashes(units[0], width, 0), shingle_hashes(units[1], width, 0)
    listed, complete = common_runs(units, grams, width)
    assert len(set(listed)) == len(listed)
    return set(listed), complete


def all_runs(left: list[int], right: list[int], width: int) -> set[Run]:
    """Every pair of places that begins a run which cannot be lengthened."""
    out = set()
    for i in range(len(left)):
        for j in range(len(right)):
            if i and j and left[i - 1] == right[j - 1]:
                continue
            length = 0
            for mine, theirs in zip(left[i:], right[j:], strict=False):
                if mine != theirs:
                    break
                length += 1
            if length >= width:
                out.add(Run(i, j, length))
    return out


@LAW
@given(SEQUENCES, SEQUENCES, st.integers(1, 3))
def test_with_every_meeting_paired_all_runs_are_found(
    left: list[int], right: list[int], width: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runs, "_CROSSED", 10_000)
        assert found(left, right, width) == (all_runs(left, right, width), True)


@LAW
@given(SEQUENCES, SEQUENCES, st.integers(1, 3))
def test_what_is_found_is_a_whole_run(left: list[int], right: list[int], width: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runs, "_CROSSED", 2)
        assert found(left, right, width)[0] <= all_runs(left, right, width)


@LAW
@given(SEQUENCES, st.integers(1, 3))
def test_equal_sequences_are_one_run(units: list[int], width: int) -> None:
    whole = Run(0, 0, len(units))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runs, "_CROSSED", 1)
        assert whole in found(units, units, width)[0]


def test_a_run_through_a_frequent_gram_is_whole() -> None:
    """The gram 7 7 7 comes so often that it is paired in order only, and not on this diagonal."""
    frequent = [7, 7, 7]
    passage = [1, 2, 3, *frequent, 4, 5, 6]
    left = [*frequent, 8, *frequent, 9, *frequent, 10, *frequent, 11, *passage]
    right = [*passage, 12, *frequent, 13, *frequent, 14, *frequent, 15, *frequent]
    assert Run(16, 0, 9) in found(left, right, 3)[0]


def test_repeating_sequences_take_no_time() -> None:
    left, right = [1] * 50_000, [1] * 40_000
    listed, complete = found(left, right, 6)
    assert complete
    assert {run.length for run in listed} == {40_000}


def test_the_longest_runs_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "_KEPT", 2)
    left = [1, 2, 3, 100, 4, 5, 6, 7, 101, 8, 9, 10, 11, 12]
    right = [8, 9, 10, 11, 12, 102, 1, 2, 3, 103, 4, 5, 6, 7]
    assert found(left, right, 3) == ({Run(9, 0, 5), Run(4, 10, 4)}, False)
