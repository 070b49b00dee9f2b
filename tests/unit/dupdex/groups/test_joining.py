"""New documents that join complete groups without a look around, and those that may not."""

from __future__ import annotations

from dupdex.groups.group_store import GroupRecord
from dupdex.groups.joining import Joining
from indexer.model import Ref

A, B, C, N, M = (Ref("i", name) for name in "abcnm")


def record(name: str = "a", size: int = 3, complete: bool = True) -> GroupRecord:
    return GroupRecord(name, A, size, "then", "then", complete=complete)


def joining(*records: GroupRecord, groups: dict[Ref, str] | None = None) -> Joining:
    known = {each.id: each for each in records}
    return Joining(dict.fromkeys((A, B, C), "a") if groups is None else groups, known)


def test_one_that_is_like_all_joins() -> None:
    step = joining(record())
    step.join([N], {N: {A: False, B: False, C: False}}, ())
    assert step.joined == {N: "a"}
    (changed,) = step.changed({"a": A}, "now")
    assert (changed.size, changed.changed, changed.made, changed.complete) == (
        4,
        "now",
        "then",
        True,
    )


def test_one_that_is_like_some_does_not() -> None:
    step = joining(record())
    step.join([N], {N: {A: False, B: False}}, ())
    assert step.rest == {N}


def test_an_equal_text_is_like_all() -> None:
    step = joining(record(size=1_000))
    step.join([N], {N: {A: False, B: True}}, ())
    assert step.joined == {N: "a"}


def test_a_group_that_is_not_complete_needs_a_look() -> None:
    step = joining(record(complete=False))
    step.join([N], {N: {A: True, B: True, C: True}}, ())
    assert step.rest == {N}


def test_one_between_two_groups_needs_a_look() -> None:
    step = joining(record(), record("c", 1), groups={A: "a", B: "a", C: "c"})
    step.join([N], {N: {A: True, C: True}}, ())
    assert step.rest == {N}


def test_one_whose_pairs_were_cut_needs_a_look() -> None:
    step = joining(record())
    step.join([N], {N: {A: False, B: False, C: False}}, {N})
    assert step.rest == {N}


def test_two_that_come_together() -> None:
    """The first is not judged by the second, which may not join; both are looked at."""
    step = joining(record())
    all_of_them = {A: False, B: False, C: False}
    step.join([N, M], {N: {**all_of_them, M: False}, M: {**all_of_them, N: False}}, ())
    assert step.rest == {N, M}
    step = joining(record())
    step.join([N, M], {N: all_of_them, M: {**all_of_them, N: False}}, ())
    assert step.joined == {N: "a", M: "a"}
    assert [each.size for each in step.changed({"a": A}, "now")] == [5]


def test_one_that_is_like_nobody_is_alone() -> None:
    step = joining(record())
    step.join([N, A], {}, ())
    assert step.alone == {N}
    assert step.rest == {A}  # others' group has its id


def test_what_is_alone_so_far_needs_a_look() -> None:
    step = joining(groups={A: "a"})
    step.join([N], {N: {A: True}}, ())
    assert step.rest == {N}
