"""The compiled loops: there, and careful with arrays that do not fit together."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

from indexer.text.kernels import compiled

VALUES = np.arange(6, dtype=np.uint64)
BOUNDS = np.array([0, 2, 6])
ROWS = np.array([1])
OUT = np.empty(1, np.int64)


def test_they_are_compiled() -> None:
    """Where tests run there is a C compiler; without one dupdex works, more slowly."""
    assert compiled is not None


def test_they_can_be_kept_away() -> None:
    code = "from indexer.text.kernels import compiled; print(compiled)"
    told = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "DUPDEX_NATIVE": "0"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout == "None\n"


@pytest.mark.parametrize("bounds", ([0, 7], [-1, 6], [0, 4, 2]))
def test_rows_lie_within_their_values(bounds: list[int]) -> None:
    edges, found = np.array(bounds), compiled.GramSet(VALUES)
    new_bounds = np.empty_like(edges)
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.shingles(VALUES, edges, 2, 0, VALUES.copy(), new_bounds)
    with pytest.raises(ValueError, match="do not fit together"):
        found.common(VALUES, edges, np.array([0]), OUT)
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.common_in_bags(VALUES, VALUES, edges, np.array([0]), OUT)


@pytest.mark.parametrize("rows", ([2], [-1], [0, 1]))
def test_chosen_rows_are_there_and_have_a_place(rows: list[int]) -> None:
    chosen = np.array(rows)
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.GramSet(VALUES).common(VALUES, BOUNDS, chosen, OUT)
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.common_in_bags(VALUES, VALUES, BOUNDS, chosen, OUT)


def test_there_is_room_for_what_comes_out() -> None:
    short = np.empty(5, np.uint64)
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.shingles(VALUES, BOUNDS, 2, 0, short, BOUNDS.copy())
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.shingles(VALUES, BOUNDS, 0, 0, VALUES.copy(), BOUNDS.copy())
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.GramSet(VALUES).places(VALUES, np.empty(5, np.int64))
    with pytest.raises(ValueError, match="not C-contiguous"):
        compiled.GramSet(VALUES[::2])
