"""The arithmetic behind the figures, and the pages they are printed on."""

from __future__ import annotations

import pytest

from scripts.benchmark.measure import Times, interleaved, percentile
from scripts.benchmark.results import Line, Section, Target, number
from scripts.benchmark.tables import Report, markdown, section_text


def test_percentile_is_a_value_that_was_seen() -> None:
    values = [float(n) for n in range(1, 101)]
    assert percentile(values, 0.5) == 50
    assert percentile(values, 0.99) == 99
    assert percentile([7.0], 0.99) == 7
    assert percentile([1.0, 2.0, 3.0], 0.5) == 2


def test_rivals_take_turns_and_the_turns_turn() -> None:
    order: list[str] = []

    def run(name: str, seconds: float) -> float:
        order.append(name)
        return seconds

    times = interleaved({"a": lambda: run("a", 2.0), "b": lambda: run("b", 1.0)}, 3)
    assert order == ["a", "b", "b", "a", "a", "b"]
    assert times["b"].ratio_to(times["a"]) == 2.0
    assert times["a"].best_ratio_to(times["b"]) == 0.5


def test_a_ratio_is_the_median_of_the_rounds() -> None:
    noisy = Times([1.0, 10.0, 2.0])
    assert noisy.ratio_to(Times([2.0, 20.0, 40.0])) == 2.0


@pytest.mark.parametrize(
    ("target", "value", "met"),
    [
        (Target(least=0.75), 0.75, True),
        (Target(least=0.75), 0.74, False),
        (Target(most=5), 5.0, True),
        (Target(most=5), 5.1, False),
    ],
)
def test_a_target_is_met_at_its_bound(target: Target, value: float, met: bool) -> None:
    assert Line("x", value, "ms", target).met is met


@pytest.mark.parametrize(
    ("value", "shown"),
    [(1234.5, "1,234"), (12.34, "12.3"), (0.756, "0.76"), (-3.0, "-3.00")],
)
def test_figures_show_about_three_digits(value: float, shown: str) -> None:
    assert number(value) == shown


def test_pages_say_what_was_missed() -> None:
    slow = Line("p50", 7.0, "ms", Target(most=5), {"mean": 8.0})
    section = Section("lookup", "Lookup", [slow, Line("rate", 9.0, "docs/s")], ["100 documents"])
    report = Report("2025-01-01", "scripts/bench --quick", {"cores": "2"}, [section])
    text = section_text(section)
    assert "<= 5.00: NOT MET" in text and "mean 8.00" in text and "100 documents" in text
    page = markdown(report)
    assert "Made on 2025-01-01 by `scripts/bench --quick`." in page
    assert "| p50 | 7.00 ms | <= 5.00: NOT MET | mean 8.00 |" in page
    assert report.missed() == ["lookup: p50"]
    assert report.to_json()["sections"]["lookup"]["lines"][1]["met"] is None
