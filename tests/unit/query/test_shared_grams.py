"""Shared grams of one text with many, counted in one pass."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.text.hashing import Hashes
from indexer.text.ragged import ragged
from query import shared_grams
from query.shared_grams import shared_by_rows, which_are_in
from tests.texts import LAW

# few values, some of them alike in the bits that the table of marks goes by
values = st.builds(lambda low, high: low | high << 16, st.integers(0, 12), st.integers(0, 3))
rows_of_values = st.lists(st.lists(values, max_size=20), min_size=1, max_size=12)


def numbers(chosen: list[int]) -> Hashes:
    return np.array(chosen, np.uint64)


@given(st.sets(values, max_size=30), rows_of_values, st.sampled_from((1, 50, 1 << 22)))
@LAW
def test_each_row_is_counted_as_alone(wanted: set[int], rows: list[list[int]], cells: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shared_grams, "_CELLS", cells)
        counts = shared_by_rows(numbers(sorted(wanted)), ragged([numbers(row) for row in rows]))
    assert counts.tolist() == [len(wanted & {*row}) for row in rows]


@given(st.sets(values, max_size=30), st.lists(values, max_size=30))
@LAW
def test_which_are_in_is_membership(wanted: set[int], asked: list[int]) -> None:
    found = which_are_in(numbers(sorted(wanted)), numbers(asked))
    assert found.tolist() == [value in wanted for value in asked]
