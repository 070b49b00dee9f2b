"""Grams that touch nothing masked."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from indexer.text.hashing import shingle_rows
from indexer.text.ragged import ragged
from query.clear_grams import are_clear
from tests.texts import LAW


@given(st.lists(st.lists(st.booleans(), max_size=20), min_size=1, max_size=5), st.integers(1, 12))
@LAW
def test_a_gram_is_clear_when_no_unit_of_it_is_masked(rows: list[list[bool]], width: int) -> None:
    units = ragged([np.arange(len(row), dtype=np.uint64) for row in rows])
    mask = np.array([masked for row in rows for masked in row], np.bool_)
    expected = [
        not any(row[at : at + width])
        for row in rows
        for at in range(max(len(row) - width + 1, min(len(row), 1)))
    ]
    assert are_clear(mask, units, width).tolist() == expected
    assert len(expected) == len(shingle_rows(units, width, 0).values)
