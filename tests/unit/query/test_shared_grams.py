"""What texts have in common, counted: compiled and in NumPy, against plain Python."""

from __future__ import annotations

import time
from collections import Counter
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.text.hashing import Hashes
from indexer.text.kernels import compiled
from indexer.text.ragged import Positions, ragged
from query import shared_grams
from query.shared_grams import (
    PlainGramSet,
    plain_common_in_bags,
    plain_common_in_halves,
    plain_covered,
    plain_covered_from,
    plain_densest,
    plain_distinct_counts,
    plain_in_stretches,
)
from tests.texts import LAW

# few values, some of them alike in the bits that tables of marks and bags go by
values = st.builds(
    lambda low, high, shift: low | high << shift,
    st.integers(0, 12),
    st.integers(0, 3),
    st.sampled_from((9, 10, 16)),
)
some_values = st.lists(values, max_size=30)
rows_of_values = st.lists(st.lists(values, max_size=20), min_size=1, max_size=12)
some_starts = st.sets(st.integers(0, 60)).map(sorted)
widths = st.integers(1, 8)

WAYS = pytest.mark.parametrize("way", ["compiled", "numpy"])
PLAIN = SimpleNamespace(
    GramSet=PlainGramSet,
    common_in_bags=plain_common_in_bags,
    common_in_halves=plain_common_in_halves,
    covered=plain_covered,
    covered_from=plain_covered_from,
    densest=plain_densest,
    distinct_counts=plain_distinct_counts,
    in_stretches=plain_in_stretches,
)


def of(way: str) -> Any:
    return compiled if way == "compiled" else PLAIN


def numbers(chosen: list[int]) -> Hashes:
    return np.array(chosen, np.uint64)


def places(chosen: list[int]) -> Positions:
    return np.array(chosen, np.int64)


@WAYS
@given(some_values, rows_of_values, st.sampled_from((1, 50, 1 << 22)), st.data())
@LAW
def test_each_row_is_counted_as_alone(
    way: str, wanted: list[int], rows: list[list[int]], cells: int, data: Any
) -> None:
    chosen = data.draw(st.lists(st.integers(0, len(rows) - 1), unique=True))
    made, out = ragged([numbers(row) for row in rows]), np.empty(2 * len(chosen), np.int64)
    found = of(way).GramSet(numbers(wanted))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shared_grams, "_CELLS", cells)
        for _ in range(2):  # a set can be asked again
            found.common(made.values, made.bounds, places(chosen), out)
    assert len(found) == len({*wanted})
    assert out[: len(chosen)].tolist() == [len({*wanted} & {*rows[row]}) for row in chosen]
    in_places = [sum(value in {*wanted} for value in rows[row]) for row in chosen]
    assert out[len(chosen) :].tolist() == in_places


@WAYS
@given(some_values, some_values)
@LAW
def test_places_are_those_of_members(way: str, wanted: list[int], asked: list[int]) -> None:
    out = np.empty(len(asked), np.int64)
    size = of(way).GramSet(numbers(wanted)).places(numbers(asked), out)
    assert out[:size].tolist() == [at for at, value in enumerate(asked) if value in wanted]


@WAYS
@given(some_values, some_values)
@LAW
def test_places_in_both_of_two_rows(way: str, left: list[int], right: list[int]) -> None:
    outs = np.empty(len(left), np.int64), np.empty(len(right), np.int64)
    made = of(way).GramSet(numbers(left))
    for _ in range(2):  # a set can be asked again
        here, there = made.places_in_both(numbers(left), numbers(right), *outs)
        assert outs[0][:here].tolist() == [at for at, value in enumerate(left) if value in right]
        assert outs[1][:there].tolist() == [at for at, value in enumerate(right) if value in left]


@WAYS
@given(rows_of_values, st.data())
@LAW
def test_different_values_of_each_row(way: str, rows: list[list[int]], data: Any) -> None:
    chosen = data.draw(st.lists(st.integers(0, len(rows) - 1)))
    made, out = ragged([numbers(row) for row in rows]), np.empty(len(chosen), np.int64)
    of(way).distinct_counts(made.values, made.bounds, places(chosen), out)
    assert out.tolist() == [len({*rows[row]}) for row in chosen]


@WAYS
@given(some_values, rows_of_values, st.sampled_from((9, 10, 13)), st.data())
@LAW
def test_bags_have_in_common_what_both_hold(
    way: str, wanted: list[int], rows: list[list[int]], bits: int, data: Any
) -> None:
    chosen = data.draw(st.lists(st.integers(0, len(rows) - 1), unique=True))
    made, out = ragged([numbers(row) for row in rows]), np.empty(len(chosen), np.int64)
    of(way).common_in_bags(numbers(wanted), made.values, made.bounds, places(chosen), bits, out)
    low = [value % (1 << bits) for value in wanted]
    expected = []
    for row in chosen:
        there = [value % (1 << bits) for value in rows[row]]
        expected.append(sum(min(low.count(value), there.count(value)) for value in {*low}))
    assert out.tolist() == expected


@WAYS
@given(some_values, rows_of_values, st.sampled_from((9, 10, 13)), st.data())
@LAW
def test_halves_have_in_common_what_the_best_cut_leaves(
    way: str, wanted: list[int], rows: list[list[int]], bits: int, data: Any
) -> None:
    chosen = data.draw(st.lists(st.integers(0, len(rows) - 1)))
    made, out = ragged([numbers(row) for row in rows]), np.empty(len(chosen), np.int64)
    of(way).common_in_halves(numbers(wanted), made.values, made.bounds, places(chosen), bits, out)
    low = [value % (1 << bits) for value in wanted]
    first, second = Counter(low[: len(low) // 2]), Counter(low[len(low) // 2 :])
    expected = []
    for row in chosen:
        there = [value % (1 << bits) for value in rows[row]]
        cuts = ((Counter(there[:at]), Counter(there[at:])) for at in range(len(there) + 1))
        expected.append(
            max((first & one).total() + (second & other).total() for one, other in cuts)
        )
    assert out.tolist() == expected


@WAYS
@given(some_starts, widths)
@LAW
def test_runs_of_grams(way: str, starts: list[int], width: int) -> None:
    units = {at for start in starts for at in range(start, start + width)}
    runs: list[int] = []
    for at, start in enumerate(starts):
        if at and start == starts[at - 1] + 1:
            runs[-1] += 1
        else:
            runs.append(1)
    longest = max(runs) + width - 1 if runs else 0
    assert of(way).covered(places(starts), width) == (len(units), len(runs), longest)


@WAYS
@given(some_starts, widths, st.lists(st.integers(0, 9), max_size=70), st.integers(0, 10))
@LAW
def test_units_covered_from_a_value_on(
    way: str, starts: list[int], width: int, units: list[int], least: int
) -> None:
    starts = [start for start in starts if start < len(units)]  # the last gram may be short
    inside = {at for start in starts for at in range(start, min(start + width, len(units)))}
    found = of(way).covered_from(places(starts), width, numbers(units), least)
    assert found == sum(units[at] >= least for at in inside)


@WAYS
@given(some_starts.filter(bool), st.integers(0, 5))
@LAW
def test_the_densest_part_is_the_first_longest(way: str, starts: list[int], gap: int) -> None:
    parts = [[starts[0]]]
    for before, start in pairwise(starts):
        if start - before > gap:
            parts.append([])
        parts[-1].append(start)
    first, last = of(way).densest(places(starts), gap)
    assert starts[first:last] == max(parts, key=len)


def test_gram_sets_of_many_values() -> None:
    """Grams that differ in high bits alone, or in low ones, as if somebody had chosen them: all in
    one slot they would take minutes."""
    began = time.process_time()
    for shift in (0, 20, 40):
        chosen, out = np.arange(100_000, dtype=np.uint64) << np.uint64(shift), np.empty(1, np.int64)
        found = compiled.GramSet(chosen)
        others = np.arange(100_000, 150_000, dtype=np.uint64) << np.uint64(shift)
        both = np.concatenate((chosen[::2], others))
        common = np.empty(2, np.int64)
        found.common(both, places([0, len(both)]), places([0]), common)
        assert (len(found), common.tolist()) == (100_000, [50_000, 50_000])
        compiled.distinct_counts(both, places([0, len(both)]), places([0]), out)
        assert out.tolist() == [100_000]
    assert time.process_time() - began < 5


@WAYS
@pytest.mark.parametrize(
    ("other", "inside"),
    [
        ([], (0, 0)),
        ([10, 11, 12], (0, 0)),  # too few
        ([10, 11, 12, 13], (4, 4)),
        ([10, 11, 0, 0, 0, 0, 16, 17], (8, 8)),  # two edits side by side
        ([10, 11, 12, 13, 0, 0, 0, 0, 0, 0, 20, 21, 22, 23], (8, 8)),  # more than edits take out
        ([10, 11, 0, 0, 14, 0, 15, 16], (7, 8)),  # one text is longer there
        ([10, 11, 12, 13, 0, 0, 30, 31, 32, 33], (8, 8)),  # not from there on
        ([13, 12, 11, 10], (0, 0)),
        ([10, 20, 30, 40, 15, 25, 35], (0, 0)),
        ([*range(10, 14), *range(10, 14), *range(10, 14)], (4, 12)),
        ([10, 11, 12, 13] * 5, (0, 0)),  # too often
    ],
)
def test_what_edits_take_out_counts_between_grams_that_follow_each_other(
    way: str, other: list[int], inside: tuple[int, int]
) -> None:
    left, right, rules = numbers([*range(1, 50)]), numbers(other), (6, 2, 4, 4)
    assert of(way).in_stretches(left, right, *rules) == inside
    assert of(way).in_stretches(right, left, *rules) == inside[::-1]


@given(some_values, some_values, st.integers(0, 9), widths, st.integers(0, 5), widths)
@LAW
def test_stretches_are_the_same_in_both_ways(
    left: list[int], right: list[int], reach: int, drift: int, most: int, least: int
) -> None:
    made, rules = (numbers(left), numbers(right)), (reach, drift, most, least)
    assert compiled.in_stretches(*made, *rules) == plain_in_stretches(*made, *rules)


def test_stretches_of_one_value_that_comes_again_and_again_take_no_long_time() -> None:
    same, began = np.ones(200_000, np.uint64), time.process_time()
    assert compiled.in_stretches(same, same, 6, 2, 4, 4) == (0, 0)
    assert time.process_time() - began < 1
