"""Ids of groups that outlive merges, splits and new members."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dupdex.groups.naming import named
from indexer.model import Ref
from tests.texts import LAW


def refs(names: str) -> list[Ref]:
    return [Ref("i", name) for name in names]


def ids(groups: list[str], before: dict[str, str], made: dict[str, int] | None = None) -> list[str]:
    was = {Ref("i", name): group for name, group in before.items()}
    return [group.id for group in named([refs(names) for names in groups], was, made or {})]


def test_a_new_document_is_a_group_of_its_own_id() -> None:
    assert ids(["a", "b"], {}) == ["a", "b"]


def test_a_group_keeps_its_id_when_a_document_joins() -> None:
    assert ids(["abc"], {"a": "a", "b": "a", "c": "c"}, {"a": 5}) == ["a"]


def test_the_older_id_survives_a_merge() -> None:
    before = dict(zip(refs("abcd"), "bbdd", strict=True))
    groups = named([refs("abcd")], before, {"b": 9, "d": 3})
    assert (groups[0].id, groups[0].merged) == ("d", ("b",))


def test_the_larger_part_keeps_the_id() -> None:
    assert ids(["ab", "cde"], dict.fromkeys("abcde", "a"), {"a": 1}) == ["b", "a"]


def test_one_that_leaves_takes_its_own_id_only_if_it_is_free() -> None:
    assert ids(["bc", "a"], dict.fromkeys("abc", "a"), {"a": 1}) == ["a", "a~2"]
    assert ids(["ab", "c"], dict.fromkeys("abc", "a"), {"a": 1}) == ["a", "c"]


def test_ids_in_use_elsewhere_are_not_given() -> None:
    assert named([refs("ab")], {}, {}, {"a"})[0].id == "b"


@LAW
@given(
    st.lists(st.integers(0, 5), min_size=1, max_size=12),
    st.lists(st.sampled_from("abcdefgh"), min_size=12, max_size=12),
    st.dictionaries(st.sampled_from("abcdefgh"), st.integers(0, 9)),
)
def test_ids_are_unique_and_none_is_lost(
    places: list[int], before: list[str], made: dict[str, int]
) -> None:
    documents = refs("abcdefghijkl")[: len(places)]
    groups = [
        [ref for ref, place in zip(documents, places, strict=True) if place == number]
        for number in sorted(set(places))
    ]
    was = dict(zip(documents, before, strict=False))
    out = named(groups, was, made)
    assert len({group.id for group in out}) == len(out)
    kept = {group.id for group in out} | {name for group in out for name in group.merged}
    assert kept >= set(was.values())
    # what did not change keeps its id
    for group, result in zip(groups, out, strict=True):
        names = {was[ref] for ref in group}
        if len(names) == 1 and {r for r in documents if was[r] in names} == set(group):
            assert result.id in names
