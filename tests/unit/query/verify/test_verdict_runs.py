"""Partial copies told by long runs: which rule told, and in which units."""

from __future__ import annotations

from mappings.plan import STANDARD
from query.answers import Verdict
from query.grams import Kind, features_all
from query.verify.verdict import judge
from tests.texts import chinese
from tests.unit.query.verify.test_verdict import compare, in_runs


def test_a_partial_copy_by_runs_says_so() -> None:
    """`shared` stays the count of long grams, and the units in runs are told apart."""
    excerpt = "".join(chinese(27, at) + chinese(30, at + 50) for at in range(3))
    page = excerpt + chinese(200, 8)
    source = "".join(chinese(27, at) + chinese(150, at + 90) for at in range(3))
    one, other = features_all([page, source], STANDARD)
    found, back = judge(one, other, STANDARD), judge(other, one, STANDARD)
    units = [features.units(spaced=False) for features in (one, other)]
    grams = [set(features.grams(Kind.LONG, spaced=False).tolist()) for features in (one, other)]
    limits = STANDARD.thresholds
    assert found.verdict is Verdict.PARTIAL
    assert found.by_runs
    assert found.shared == back.shared == len(grams[0] & grams[1])
    assert found.shared < limits.shared or found.shared < limits.partial * min(map(len, grams))
    assert found.runs is not None
    assert back.runs is not None
    assert found.runs.common == back.runs.common == in_runs(*units) >= limits.covered_units
    assert found.share == in_runs(*units) / len(units[0])
    by_grams = compare(chinese(400, 1), chinese(2_000, 2) + chinese(400, 1))
    assert (by_grams.verdict, by_grams.by_runs) == (Verdict.PARTIAL, False)
