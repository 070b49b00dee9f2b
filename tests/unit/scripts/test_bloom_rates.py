"""A Bloom filter errs as often as theory says."""

from __future__ import annotations

from math import sqrt

import pytest

from scripts.bloom_rates import SIZES, counted, expected, report


def test_sizes_of_the_source() -> None:
    """One gigabyte holds 536,870,912 features of 16 bits; .057 % errors, and .39 % half full."""
    assert 1024**3 * 8 // 16 == 536_870_912
    assert expected(8, 16) == pytest.approx((0.393, 0.000574), rel=0.02)
    assert expected(8, 11.5416) == pytest.approx((0.5, 0.0039), rel=0.02)


@pytest.mark.parametrize(("hashes", "bits"), SIZES)
def test_errors_are_as_frequent_as_theory_says(hashes: int, bits: float) -> None:
    """Within four standard errors of a binomial count over 500,000 absent features."""
    asked = 500_000
    (fill, errors), (full, found) = expected(hashes, bits), counted(hashes, bits, 50_000, asked)
    assert full == pytest.approx(fill, abs=0.004)
    assert abs(found - errors) <= 4 * sqrt(errors * (1 - errors) / asked)


def test_the_report_has_a_line_for_each_size() -> None:
    assert [line.split()[0] for line in report(500, 500).splitlines()] == ["hashes", "8", "8", "3"]
