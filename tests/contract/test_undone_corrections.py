"""Corrections of groups are undone: pins, ids and canonical documents are what they were."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from dupdex.groups.assign import Grouper
from dupdex.groups.correction_store import CorrectionStore
from dupdex.groups.corrections import Corrections
from dupdex.groups.group_store import GroupStore
from dupdex.groups.pin_store import PinStore
from dupdex.index import Index
from dupdex.session import Session
from indexer.grouping import Grouping
from indexer.model import Document
from mappings.errors import InputRefused, StoreUnavailable
from mappings.records import CORRECTIONS, GROUPS, PINS
from tests.contract.stores import Store
from tests.texts import METRO, METRO_HOMOPHONES, METRO_TRADITIONAL, TEA


@pytest.fixture
def session(store: Store) -> Session:
    return store.opened.enter_context(Session(store.opener.location))


@pytest.fixture
def index(session: Session) -> Iterator[Index]:
    """Three of one text, c and b and d, and two of another, y and z."""
    with Index.create(session, grouping=Grouping(live=True)) as opened:
        texts = {"c": METRO, "b": METRO_HOMOPHONES, "z": TEA, "y": TEA, "d": METRO_TRADITIONAL}
        for name, text in texts.items():
            list(opened.add([Document(name, text)]))
        opened.refresh()
        yield opened


@pytest.fixture
def corrections(index: Index) -> Corrections:
    return index.groups.corrections("Li", "because")


def state(session: Session, index: Index) -> dict[str, Any]:
    """All that corrections change, without times."""
    index.refresh()
    out: dict[str, Any] = {r.id: s.group for r, s in index._reader.all_standings()}
    for collection in (GROUPS, PINS):
        store = session.collection(collection)
        store.refresh()
        from indexer.stores.collection_store import scan

        for item in scan(store):
            kept = {k: v for k, v in item.values.items() if k not in ("changed", "merged_into")}
            if item.values.get("size") != 0:
                out[f"{collection.name} {item.id}"] = kept
    return out


def as_shown(state: dict[str, Any]) -> dict[str, Any]:
    """A state without the ids that lead to a group: the one that a part had meanwhile is added."""
    return {
        name: {k: v for k, v in value.items() if k != "merged"}
        if isinstance(value, dict)
        else value
        for name, value in state.items()
    }


def by_group(state: dict[str, Any]) -> set[frozenset[str]]:
    """The documents of each group."""
    groups = {name: value for name, value in state.items() if isinstance(value, str)}
    return {
        frozenset(name for name, value in groups.items() if value == group)
        for group in groups.values()
    }


def test_a_merge_is_undone(session: Session, index: Index, corrections: Corrections) -> None:
    before = state(session, index)
    group = corrections.merge("b", "z")
    assert state(session, index) != before
    undoable = index.groups.views().detail(group).undoable
    assert undoable is not None
    assert (undoable.kind, undoable.by, undoable.why) == ("merge", "Li", "because")
    assert corrections.undo(group) == group
    assert state(session, index) == before
    assert index.groups.views().detail("y").undoable is None
    with pytest.raises(InputRefused, match="no merge, split, choice or release"):
        corrections.undo(group)


def test_the_larger_part_of_a_merge_does_not_take_the_id_along(
    session: Session, index: Index, corrections: Corrections
) -> None:
    """Of the parts of one group the largest keeps the id, but an undo knows better."""
    for name in "uvwx":
        list(index.add([Document(name, TEA)]))
    before = state(session, index)
    corrections.canonical("v")
    chosen = state(session, index)
    group = corrections.merge("b", "z")
    assert state(session, index)["z"] == state(session, index)["b"]
    corrections.undo(group)
    assert state(session, index) == chosen
    corrections.undo("z")
    assert state(session, index) == before


@pytest.mark.parametrize("leaving", ["b", "bd", "cd", "c"])
def test_a_split_is_undone(
    session: Session, index: Index, corrections: Corrections, leaving: str
) -> None:
    corrections.canonical("b")
    before = state(session, index)
    group = corrections.split("b", list(leaving))
    after = state(session, index)
    assert after != before
    assert corrections.undo(group) == before["b"]
    assert state(session, index) == before


def test_a_choice_is_undone_and_then_the_one_before(
    session: Session, index: Index, corrections: Corrections
) -> None:
    states = []
    for name in "bdb":
        states.append(state(session, index))
        corrections.canonical(name)
    for expected in reversed(states):
        corrections.undo("b")
        assert state(session, index) == expected


def test_the_latest_goes_first(session: Session, index: Index, corrections: Corrections) -> None:
    """Each by whichever of its groups is asked, and what was corrected again waits for that."""
    before = state(session, index)
    corrections.split("c", ["d"])
    parted = state(session, index)
    corrections.merge("d", "z")
    with pytest.raises(InputRefused, match="'d' was corrected again since"):
        corrections.undo("c")
    corrections.undo("z")
    assert state(session, index) == parted
    corrections.undo("c")
    assert state(session, index) == before


def test_what_came_and_went_since_stays_so(
    session: Session, index: Index, corrections: Corrections
) -> None:
    corrections.merge("b", "z")
    list(index.add([Document("e", METRO)]))
    index.delete(["y", "d"])
    corrections.undo("c")
    found = state(session, index)
    assert found["e"] == found["c"] == found["b"] != found["z"]
    assert not [name for name in found if name.startswith(PINS.name)]


def test_what_was_released_since_is_left_alone(
    session: Session, index: Index, corrections: Corrections
) -> None:
    before = state(session, index)
    corrections.split("c", ["d"])
    corrections.release("c")
    corrections.undo("d")
    assert state(session, index) == before


@pytest.mark.parametrize("asked", ["b", "z"])
def test_a_release_of_a_merge_is_undone(
    session: Session, index: Index, corrections: Corrections, asked: str
) -> None:
    """By whichever part is asked; then the merge can be undone, too."""
    corrections.canonical("b")
    first = state(session, index)
    group = corrections.merge("b", "z")
    before = state(session, index)
    assert corrections.release(group) == 5
    released = state(session, index)
    assert released["b"] != released["z"]
    undoable = index.groups.views().detail(asked).undoable
    assert undoable is not None
    assert (undoable.kind, undoable.by, undoable.why) == ("release", "Li", "because")
    assert corrections.undo(asked) == group
    assert as_shown(state(session, index)) == as_shown(before)
    corrections.undo(group)
    assert as_shown(state(session, index)) == as_shown(first)
    # The parts had ids of their own meanwhile, which lead nowhere else now.
    views = index.groups.views()
    for ref, standing in index._reader.all_standings():
        assert views.resolved(ref.id) == standing.group


@pytest.mark.parametrize("released", ["c", "d"])
@pytest.mark.parametrize("leaving", ["d", "cd"])
def test_a_release_of_a_split_is_undone(
    session: Session, index: Index, corrections: Corrections, leaving: str, released: str
) -> None:
    corrections.canonical("c")
    first = state(session, index)
    corrections.split("b", list(leaving))
    before = state(session, index)
    assert corrections.release(released)
    assert state(session, index) != before
    corrections.undo(released)
    assert state(session, index) == before
    corrections.undo(released)
    assert state(session, index) == first


def test_a_release_is_undone_after_what_came_later(
    session: Session, index: Index, corrections: Corrections
) -> None:
    group = corrections.merge("b", "z")
    before = state(session, index)
    corrections.release(group)
    released = state(session, index)
    corrections.merge("c", released["y"])
    assert corrections.release("c") == 5
    assert by_group(state(session, index)) == by_group(released)
    list(index.add([Document("e", METRO)]))
    index.delete(["y"])
    corrections.undo("c")
    corrections.undo("c")
    corrections.undo("c")
    found = state(session, index)
    assert {found[name] for name in "bcdez"} == {group}
    pins = {name for name in before if name.startswith(PINS.name) and not name.endswith("|y")}
    assert len(pins) == 4
    assert all(found[name] == before[name] for name in pins)


def test_a_release_waits_for_what_was_corrected_since(
    session: Session, index: Index, corrections: Corrections
) -> None:
    group = corrections.merge("b", "z")
    before = state(session, index)
    corrections.release(group)
    corrections.split("b", ["d"])
    released = index.groups.views().detail("z").undoable
    assert released is not None and released.kind == "release"
    with pytest.raises(InputRefused, match="was corrected again since"):
        corrections.undo("z")
    corrections.undo("d")
    corrections.undo("z")
    assert as_shown(state(session, index)) == as_shown(before)


def test_where_nothing_is_pinned_a_release_is_nothing_to_undo(
    index: Index, corrections: Corrections
) -> None:
    assert corrections.release("b") == 0
    assert index.groups.views().detail("b").undoable is None


def test_what_names_a_forgotten_document_is_undone_no_more(
    session: Session, index: Index, corrections: Corrections
) -> None:
    corrections.merge("b", "z")
    assert index.forget_document("d").left == ()
    assert session.collection(CORRECTIONS).count() == 0
    with pytest.raises(InputRefused, match="no merge, split, choice or release"):
        corrections.undo("b")


def broken(monkeypatch: pytest.MonkeyPatch, owner: type, name: str) -> None:
    """A method that fails once, as if the program had been killed there."""

    def fails(*_: Any) -> None:
        monkeypatch.undo()
        raise StoreUnavailable("interrupted")

    monkeypatch.setattr(owner, name, fails)


@pytest.mark.parametrize("asked", ["b", "z"])
@pytest.mark.parametrize("interrupted", ["release", "undo"])
def test_an_interrupted_release_can_be_undone(
    session: Session,
    index: Index,
    corrections: Corrections,
    monkeypatch: pytest.MonkeyPatch,
    interrupted: str,
    asked: str,
) -> None:
    """The release as well as its undoing; and then what was before it."""
    first = state(session, index)
    group = corrections.merge("b", "z")
    before = state(session, index)
    if interrupted == "release":
        broken(monkeypatch, PinStore, "remove")
        with pytest.raises(StoreUnavailable):
            corrections.release(group)
    else:
        corrections.release(group)
        broken(monkeypatch, CorrectionStore, "remove")
        with pytest.raises(StoreUnavailable):
            corrections.undo(group)
    assert corrections.undo(asked) == group
    assert as_shown(state(session, index)) == as_shown(before)
    corrections.undo(asked)
    assert as_shown(state(session, index)) == as_shown(first)


def meanwhile(monkeypatch: pytest.MonkeyPatch, other: Callable[[], object]) -> None:
    """Another program has a turn after a release, before its parts are told of it."""
    refresh, resolved = Grouper.refresh, GroupStore.resolved

    def released(grouper: Grouper) -> None:
        refresh(grouper)
        monkeypatch.setattr(GroupStore, "resolved", later)

    def later(groups: GroupStore, name: str) -> str:
        found = resolved(groups, name)
        monkeypatch.undo()
        other()
        return found

    monkeypatch.setattr(Grouper, "refresh", released)


def test_a_release_that_was_undone_meanwhile_does_not_come_back(
    session: Session, index: Index, corrections: Corrections, monkeypatch: pytest.MonkeyPatch
) -> None:
    group = corrections.merge("b", "z")
    before = state(session, index)
    meanwhile(monkeypatch, lambda: index.groups.corrections("Eve", "").undo(group))
    assert corrections.release(group) == 5
    assert as_shown(state(session, index)) == as_shown(before)
    assert session.collection(CORRECTIONS).count() == 1  # the merge


def test_a_document_that_was_forgotten_meanwhile_does_not_come_back(
    session: Session, index: Index, corrections: Corrections, monkeypatch: pytest.MonkeyPatch
) -> None:
    group = corrections.merge("b", "z")
    meanwhile(monkeypatch, lambda: index.forget_document("d"))
    corrections.release(group)
    assert index.left_of("d") == []
    assert session.collection(CORRECTIONS).count() == 0


def test_a_release_that_is_done_says_so_whatever_fails_then(
    corrections: Corrections, monkeypatch: pytest.MonkeyPatch
) -> None:
    group = corrections.merge("b", "z")
    broken(monkeypatch, Grouper, "refresh")
    assert corrections.release(group) == 5
    assert corrections.undo("b") == group
