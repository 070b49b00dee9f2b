"""How many hosts below one name a crawl asks."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dupdex.crawl.crawl_limits import Scope
from dupdex.crawl.host_budget import HostBudget

SCOPE = Scope.of(
    ["https://news.example.com/"], ["*.example.com", "*.example.org", "*.deep.example.org"]
)


def asked(budget: HostBudget, *hosts: str) -> list[str]:
    return [host for host in hosts if budget.lets_ask(f"https://{host}/x")]


def test_the_first_ones_of_each_name() -> None:
    budget = HostBudget(SCOPE, 2)
    hosts = ["a.example.com", "www.a.example.com", "b.example.com", "c.example.com"]
    assert asked(budget, *hosts) == hosts[:3]
    assert asked(budget, "a.example.org", "d.example.com", "a.example.com", "c.example.com") == [
        "a.example.org",
        "a.example.com",
    ]
    assert budget.left_out == {"*.example.com": 2}


def test_a_host_that_was_met_with_www_is_told_by_its_name() -> None:
    scope = Scope.of(["https://news.example.com/"], ["*.www.example.com", "*.example.org"])
    budget = HostBudget(scope, 0)
    assert asked(budget, "www.www.example.com", "www.a.example.org", "a.example.org") == []
    assert budget.left_out == {"*.example.org": 1, "*.www.example.com": 1}


def test_hosts_that_are_named_are_not_counted() -> None:
    budget = HostBudget(SCOPE, 1, ["news.example.com"])
    named = ["news.example.com", "www.news.example.com"]
    assert asked(budget, *named, "a.example.com", *named) == [*named, "a.example.com", *named]
    assert asked(budget, "b.example.com", "a.deep.example.org", "a.example.org") == [
        "a.deep.example.org",
        "a.example.org",
    ]


def test_hosts_of_earlier_runs_count() -> None:
    met = ["a.example.com", "b.example.com", "other.net"]
    budget = HostBudget(SCOPE, 2, met)
    assert asked(budget, "c.example.com", "b.example.com") == ["b.example.com"]
    assert asked(HostBudget(SCOPE, 1, met), *met[:2]) == met[:2]


@given(st.lists(st.integers(0, 30), max_size=60), st.integers(1, 8))
def test_never_more_and_always_the_same(numbers: list[int], most: int) -> None:
    budget = HostBudget(SCOPE, most)
    hosts = [f"h{number}.example.com" for number in numbers]
    first = dict.fromkeys(asked(budget, *hosts))
    assert len(first) == min(most, len(set(hosts)))
    assert asked(budget, *hosts) == [host for host in hosts if host in first]
    assert sum(budget.left_out.values()) == len(set(hosts)) - len(first)
