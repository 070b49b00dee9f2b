"""How `dupdex jobs` puts the counts of runs into words."""

from __future__ import annotations

from dupdex.cli.jobs import _summary
from dupdex.jobs.run_store import Run, State


def test_counts_are_told_and_what_is_empty_is_not() -> None:
    counts = {
        "pages": 1_200,
        "of": 7,
        "plan": "standard",
        "ended_by": "",
        "works": [],
        "failed_by_reason": {"timeout": 3},
        "hosts": ["a.org", "b.org"],
    }
    run = Run("r", "crawl", State.DONE, "2026-01-01T00:00:00.000Z", counts=counts)
    told = "1,200 pages, plan standard, failed_by_reason timeout 3, hosts a.org, b.org"
    assert _summary(run) == told
