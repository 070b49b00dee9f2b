"""`dupdex crawl`: what becomes of its options, without a net."""

from __future__ import annotations

from dupdex.cli.crawling_sites import _without_times


def test_a_schedule_runs_the_same_command_without_its_times() -> None:
    given = ["https://a.org/", "--schedule", "0 3 * * *", "--depth", "2", "--schedule=@daily"]
    assert _without_times(given) == ["https://a.org/", "--depth", "2"]
    assert _without_times(["--", "--schedule.org"]) == ["--", "--schedule.org"]
