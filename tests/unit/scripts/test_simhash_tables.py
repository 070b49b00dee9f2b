"""Candidates of a simhash lookup: the published figures, and as many as are counted."""

from __future__ import annotations

from math import sqrt

import pytest

from mappings.plan import SimhashPlan
from scripts.simhash_tables import CLAIMED_AT, LAYOUTS, counted, expected, report


def test_the_published_figures() -> None:
    """4 x 2^30 / 2^16 = 65,536; more tables leave a few hundred, and a handful."""
    at_claim = [expected(SimhashPlan(*layout), CLAIMED_AT) for layout in LAYOUTS]
    assert at_claim[0] == 65_536
    assert at_claim[1] == pytest.approx(211, rel=0.1)
    assert at_claim[2] == pytest.approx(5, rel=0.1)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_as_many_candidates_are_counted_as_the_arithmetic_says(layout: tuple[int, int]) -> None:
    """Within four standard errors of the count."""
    values, lookups = 1 << 16, 200_000
    plan = SimhashPlan(*layout)
    found = counted(plan, values, lookups)
    mean, error = float(found.mean()), float(found.std()) / sqrt(lookups)
    assert mean > 0
    assert abs(mean - expected(plan, values)) <= 4 * error


def test_the_report_has_a_line_for_each_layout() -> None:
    lines = report(2_048, 20, 64).splitlines()
    assert [line.split()[0] for line in lines] == ["layout", "4", "5", "6"]
    assert "65,536.0" in lines[1]
