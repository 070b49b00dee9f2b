"""Policies for the canonical member."""

from __future__ import annotations

import pytest

from dupdex.groups.canonical import Member, canonical, value_of
from indexer.grouping import Grouping, Policy
from indexer.model import Ref
from mappings.errors import InputRefused

A, B, C = (Ref("i", name) for name in "abc")
MEMBERS = {
    A: Member(100, 30, "2024-05-01"),
    B: Member(120, 10, "2023-01-01"),
    C: Member(90, 20),
}


@pytest.mark.parametrize(
    ("grouping", "before", "expected"),
    [
        (Grouping(), None, B),
        (Grouping(), C, C),
        (Grouping(Policy.LONGEST), C, B),
        (Grouping(Policy.EARLIEST, "date"), C, B),
        (Grouping(Policy.AUTHORITY, "site", ("x",)), None, B),
    ],
)
def test_policies(grouping: Grouping, before: Ref | None, expected: Ref) -> None:
    assert canonical([A, B, C], MEMBERS, grouping, before) == expected


def test_without_a_value_a_document_comes_last() -> None:
    assert canonical([A, C], MEMBERS, Grouping(Policy.EARLIEST, "date"), C) == A


def test_values() -> None:
    authority = Grouping(Policy.AUTHORITY, "site.name", ("gov", "news"))
    assert value_of({"site": {"name": "news"}}, authority) == 1
    assert value_of({"site": {"name": ["blog", "gov"]}}, authority) == 0
    assert value_of({"site": {"name": "blog"}}, authority) is None
    assert value_of({"date": None}, Grouping(Policy.EARLIEST, "date")) is None
    assert value_of({"date": 5}, Grouping(Policy.EARLIEST, "date")) == 5
    assert value_of({"date": 5}, Grouping()) is None


@pytest.mark.parametrize(
    ("policy", "field", "values"),
    [
        ("earliest", "", ()),
        ("authority", "site", ()),
        ("longest", "date", ()),
        ("first", "", ("x",)),
    ],
)
def test_what_a_policy_needs(policy: str, field: str, values: tuple[str, ...]) -> None:
    with pytest.raises(InputRefused, match=f"the policy '{policy}'"):
        Grouping(Policy(policy), field, values)


def test_it_comes_back_from_the_meta() -> None:
    for grouping in (Grouping(), Grouping(Policy.AUTHORITY, "site", ("a", "b"), live=True)):
        assert Grouping.from_json(grouping.to_json()) == grouping
    assert Grouping.from_json(None) is None
    assert Grouping.from_json({"policy": "newer"}) is None
