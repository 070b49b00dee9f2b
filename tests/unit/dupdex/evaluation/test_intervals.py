"""Wilson intervals against published figures and by their laws."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupdex.evaluation import intervals
from dupdex.evaluation.figures import KindScore, Overall
from dupdex.evaluation.intervals import wilson


@pytest.mark.parametrize(
    ("hits", "n", "low", "high"),
    [
        # Newcombe, Statistics in Medicine 17 (1998), table I, method 3
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_published_intervals(hits: int, n: int, low: float, high: float) -> None:
    assert list(wilson(hits, n) or ()) == pytest.approx([low, high], abs=5e-5)


@given(st.integers(1, 10_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_an_interval_holds_its_share_and_mirrors_that_of_the_misses(pair: tuple[int, int]) -> None:
    hits, n = pair
    ends, other = wilson(hits, n), wilson(n - hits, n)
    assert ends is not None and other is not None
    assert 0 <= ends[0] <= hits / n <= ends[1] <= 1
    assert ends[0] == pytest.approx(1 - other[1])


def test_nothing_counted_gives_none() -> None:
    assert wilson(0, 0) is None


def test_recall_is_of_the_duplicates_listed_and_precision_of_the_pairs_judged() -> None:
    overall = Overall(0.75, 0.9, 0.8, 0.8, found=20, natural=2, wrong=2)
    kinds = (
        KindScore("a", "1", 1, 30, 0.8),
        KindScore("b", "", 1, 10, 0.6),
        KindScore("p", "0.3", 2, 50, 0.5),
        KindScore("n", "", 0, 9, 0.0),
    )
    assert intervals.of_overall(overall, kinds) == {
        "recall": wilson(30, 40),
        "precision": wilson(18, 20),
        "strict_precision": wilson(16, 20),
    }
    value = intervals.to_json(overall, kinds)
    assert value["kinds"][2] == {
        "kind": "p", "strength": "0.3", "label": 2, "recall": wilson(25, 50),
    }  # fmt: skip
