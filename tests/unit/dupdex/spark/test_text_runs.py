"""Runs of texts as a Spark task is given them; no Spark is started."""

from __future__ import annotations

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from dupdex.spark.text_runs import TILE_CHARACTERS, runs

LENGTHS = st.lists(st.lists(st.sampled_from([1, 5_000, TILE_CHARACTERS]), min_size=1, max_size=6))


def batches(lengths: list[list[int]], rows: int) -> list[object]:
    """Each list is an asked text and what it is compared with, by length."""
    columns: dict[str, list[object]] = {"node": [], "other": [], "text": [], "extra": []}
    for node, several in enumerate(lengths):
        for place, length in enumerate(several):
            columns["node"].append(node)
            columns["other"].append(place if place else None)
            columns["text"].append(chr(97 + node % 26) * length)
            columns["extra"].append(None)
    table = pa.table(columns)
    return list(table.to_batches(max_chunksize=rows))


@given(LENGTHS, st.integers(1, 5), st.booleans())
def test_every_comparison_comes_once_and_in_order(
    lengths: list[list[int]], rows: int, whole: bool
) -> None:
    wanted = [
        (node, place, len(several) and several[0])
        for node, several in enumerate(lengths)
        for place in range(1, len(several))
    ]
    parts = list(runs(batches(lengths, rows), whole))
    found = [
        (run.node, other, len(run.asked))
        for part in parts
        for run in part
        for other, _ in run.others
    ]
    assert found == wanted


@given(LENGTHS, st.integers(1, 5))
def test_a_whole_run_is_never_parted(lengths: list[list[int]], rows: int) -> None:
    parts = list(runs(batches(lengths, rows), whole=True))
    nodes = [run.node for part in parts for run in part]
    assert len(set(nodes)) == len(nodes)


@given(LENGTHS, st.integers(1, 5))
def test_what_is_prepared_together_is_bounded(lengths: list[list[int]], rows: int) -> None:
    for part in runs(batches(lengths, rows)):
        size = sum(len(run.asked) + sum(len(text) for _, text in run.others) for run in part)
        assert size < 3 * TILE_CHARACTERS
