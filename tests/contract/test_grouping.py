"""Documents are put into groups as they are written, the same on both stores."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import Any

import pytest

from dupdex.groups.assign import Grouper
from dupdex.groups.group_store import GroupRecord, GroupStore
from dupdex.index import Index
from dupdex.matches.match_record import Decision
from dupdex.session import Session
from indexer.grouping import Grouping, Policy
from indexer.model import Document, Ref, Status
from mappings.records import GROUPS
from tests.contract.stores import Store
from tests.texts import METRO, METRO_HOMOPHONES, METRO_TRADITIONAL, TEA, chinese

LIVE = Grouping(live=True)

FIRST, SECOND = chinese(200, 1), chinese(200, 2)


@pytest.fixture
def session(store: Store) -> Session:
    return store.opened.enter_context(Session(store.opener.location))


@pytest.fixture
def index(session: Session) -> Iterator[Index]:
    with Index.create(session, grouping=LIVE) as opened:
        yield opened


def add(index: Index, **texts: str) -> None:
    outcomes = index.add([Document(name, text) for name, text in texts.items()])
    assert Status.REJECTED not in {outcome.status for outcome in outcomes}
    index.refresh()


def refs(index: Index, names: str) -> list[Ref]:
    found = index._reader.refs_of(list(names))
    return [found[name][0] for name in names]


def groups(index: Index) -> dict[str, str]:
    """The group of each document."""
    index.refresh()
    return {ref.id: standing.group for ref, standing in index._reader.all_standings()}


def records(session: Session) -> dict[str, GroupRecord]:
    return GroupStore(session.collection(GROUPS)).everything()


def canonical(session: Session, group: str) -> str:
    ref = records(session)[group].canonical
    assert ref is not None
    return ref.id


def test_copies_are_one_group(index: Index, session: Session) -> None:
    add(index, a=METRO, b=TEA)
    assert groups(index) == {"a": "a", "b": "b"}
    assert records(session) == {}
    add(index, c=METRO_HOMOPHONES, d=METRO_TRADITIONAL)
    assert groups(index) == {"a": "a", "b": "b", "c": "a", "d": "a"}
    (record,) = records(session).values()
    assert (record.id, record.size, canonical(session, "a")) == ("a", 3, "a")


@pytest.mark.parametrize("names", ["abc", "cab", "bca"])
def test_a_copy_in_a_disguise_is_in_the_group(index: Index, names: str) -> None:
    """Whichever comes first, and whether another one is plain."""
    texts = {"a": METRO, "b": "丶".join(METRO), "c": f"\u202e{METRO[::-1]}"}
    for name in names:
        add(index, **{name: texts[name]})
    assert len(set(groups(index).values())) == 1


def test_threads_post_at_once(session: Session) -> None:
    """One document at a time; to a server each through an index of its own: one group a text."""
    texts = [METRO, METRO_HOMOPHONES, METRO_TRADITIONAL, TEA] * 4
    with ExitStack() as opened, ThreadPoolExecutor(4) as pool:
        count = 4 if session.location.is_server else 1
        indices = [opened.enter_context(Index.create(session, grouping=LIVE)) for _ in range(count)]

        def post(number: int) -> None:
            index = indices[number % count]
            for at in range(number, len(texts), 4):
                (outcome,) = index.add([Document(f"{at}", texts[at])])
                assert outcome.status is Status.CREATED

        list(pool.map(post, range(4)))
        found = groups(indices[0])
    assert len({found[str(at)] for at in range(3, 16, 4)}) == 1
    assert len({found[str(at)] for at in range(16) if at % 4 != 3}) == 1
    assert sorted(record.size for record in records(session).values()) == [4, 12]


def test_outcomes_follow_the_groups(index: Index) -> None:
    """Whoever is told that a document is stored finds it in its group."""
    for outcome in index.add_iter([Document("a", METRO), Document("b", METRO)]):
        assert groups(index)[outcome.document.id] == "a"


def test_a_text_that_changes_changes_its_group(index: Index, session: Session) -> None:
    add(index, a=METRO, b=METRO_HOMOPHONES, c=METRO_TRADITIONAL)
    add(index, a=TEA)
    assert groups(index)["b"] == groups(index)["c"] == "a"  # the group keeps its id
    assert groups(index)["a"] not in ("a", "b", "c")
    assert records(session)["a"].size == 2
    add(index, c=TEA)
    found = groups(index)
    assert found["a"] == found["c"] != found["b"] == "b"


def test_groups_merge_under_the_older_id(index: Index, session: Session) -> None:
    left, middle, right = FIRST[:120], FIRST[40:160], FIRST[80:]
    add(index, p=left, q=left)
    add(index, r=right, s=right)
    assert set(groups(index).values()) == {"p", "r"}
    add(index, m=middle)
    found = groups(index)
    if found["p"] == found["r"]:  # similar to all of them
        assert found["r"] == "p"
        assert GroupStore(session.collection(GROUPS)).resolved("r") == "p"
    with_decisions = index.groups.grouper()
    one, other = refs(index, "pr")
    with_decisions.matches.decide(one, other, Decision.DUPLICATE)
    with_decisions.assign([one])
    with_decisions.regroup()
    assert groups(index)["m"] in ("p", "m")


def test_a_decision_joins_and_parts(index: Index, session: Session) -> None:
    add(index, a=METRO, b=METRO_HOMOPHONES, c=TEA, d=TEA)
    a, b, c = refs(index, "abc")
    grouper = index.groups.grouper()
    grouper.matches.decide(a, b, Decision.NOT_DUPLICATE)
    grouper.assign([a, b])
    assert groups(index) == {"a": "a", "b": "b", "c": "c", "d": "c"}
    grouper.matches.decide(b, c, Decision.DUPLICATE)
    grouper.assign([b, c])
    assert groups(index) == {"a": "a", "b": "c", "c": "c", "d": "c"}
    assert canonical(session, "c") == "c"
    grouper.matches.decide(a, b, None)
    grouper.assign([a])
    grouper.regroup()
    assert groups(index)["c"] == groups(index)["d"]


def test_a_deleted_document_leaves_nothing(index: Index, session: Session) -> None:
    add(index, a=METRO, b=METRO_HOMOPHONES, c=METRO_TRADITIONAL)
    assert index.delete(["a", "x"]) == ["a"]
    index.refresh()
    assert groups(index) == {"b": "a", "c": "a"}
    assert canonical(session, "a") in ("b", "c")
    assert all(
        "a" not in (r.first.id, r.second.id) for r in index.groups.grouper().matches.everything()
    )
    assert index.delete(["b", "c"]) == ["b", "c"]
    index.refresh()
    assert groups(index) == {}
    assert records(session) == {}
    assert list(index.groups.grouper().matches.everything()) == []


def test_deleted_by_another_program(index: Index, session: Session) -> None:
    add(index, a=METRO, b=METRO_HOMOPHONES, c=METRO_TRADITIONAL)
    index._for_writing().delete(["a", "b"])
    index.groups.grouper().forget([Ref("", "a"), Ref("", "b")])
    assert groups(index) == {"c": "c"}
    assert records(session).keys() <= {"a"}
    assert all(record.merged_into == "c" for record in records(session).values())
    assert list(index.groups.grouper().matches.everything()) == []


def test_an_id_that_comes_again_is_not_in_the_old_group(index: Index) -> None:
    add(index, a=METRO, b=METRO_HOMOPHONES, c=METRO_TRADITIONAL)
    index.delete(["a"])
    add(index, a=TEA)
    found = groups(index)
    assert found["b"] == found["c"] == "a"
    assert found["a"] not in ("a", "b", "c")


def test_partial_copies_and_chains_do_not_join(index: Index) -> None:
    add(index, a=METRO, b=METRO[:100] + TEA[:150] + SECOND)
    assert groups(index) == {"a": "a", "b": "b"}


def test_a_shared_prologue_makes_no_group(index: Index) -> None:
    prologue = chinese(60, 999)
    add(index, **{f"n{at}": prologue + chinese(240, at) for at in range(40)})
    assert set(groups(index).items()) == {(f"n{at}", f"n{at}") for at in range(40)}


@pytest.mark.parametrize(
    ("grouping", "expected"),
    [
        (Grouping(Policy.FIRST, live=True), "a"),
        (Grouping(Policy.EARLIEST, "date", live=True), "c"),
        (Grouping(Policy.LONGEST, live=True), "b"),
        (Grouping(Policy.AUTHORITY, "source", ("agency", "blog"), live=True), "d"),
    ],
)
def test_the_policy_chooses(session: Session, grouping: Grouping, expected: str) -> None:
    bodies: list[dict[str, Any]] = [
        {"id": "a", "text": METRO, "date": "2024-03-02", "source": "blog"},
        {"id": "b", "text": METRO_TRADITIONAL + "新线今天开通。", "date": "2024-03-03"},
        {"id": "c", "text": METRO_HOMOPHONES, "date": "2024-03-01", "source": "blog"},
        {"id": "d", "text": METRO_TRADITIONAL, "source": "agency"},
    ]
    with Index.create(session, grouping=grouping) as index:
        for body in bodies:
            index.add([Document(body.pop("id"), body=body)])
        (group,) = set(groups(index).values())
        assert canonical(session, group) == expected
        index.delete([expected])
        assert canonical(session, group) != expected


def test_what_was_there_before_is_grouped_on_request(session: Session) -> None:
    with Index.create(session) as index:
        add(index, a=METRO, b=METRO_HOMOPHONES, c=TEA)
        assert groups(index) == {"a": "a", "b": "b", "c": "c"}
    with Index.create(session, grouping=LIVE) as index:
        add(index, d=TEA)
        assert groups(index)["d"] == "c"
        index.group()
        assert groups(index) == {"a": "a", "b": "a", "c": "c", "d": "c"}


def test_a_killed_owner_is_settled_by_the_next(index: Index, session: Session) -> None:
    """After each write of a step, the step is given up: the next owner takes it again."""
    add(index, a=METRO, b=TEA)
    for place in range(12):
        grouper = Grouper(session, index._for_writing(), seconds=0.2)
        stopped = stop_after(grouper, place)
        name = f"n{place}"
        index._for_writing()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(index.groups, "_grouper", grouper)
            try:
                index.add([Document(name, METRO + "。" * place)])
            except Killed:
                assert stopped
            else:
                break
        add(index, b=TEA)  # the next owner
        assert groups(index)[name] == "a", place
        assert records(session)["a"].size == place + 2
    else:
        pytest.fail("a step has more writes than were tried")


class Killed(Exception):
    """In place of the end of the process."""


def stop_after(grouper: Grouper, writes: int) -> list[int]:
    """Let a grouper fail at its next write after so many."""
    left = [writes]

    def guard(owner: object, name: str) -> None:
        method = getattr(owner, name)

        def wrapped(*args: Any, **options: Any) -> Any:
            if left[0] == 0:
                raise Killed
            left[0] -= 1
            return method(*args, **options)

        setattr(owner, name, wrapped)

    class Writer:
        """The writer, whose `set_groups` may fail."""

        def __getattr__(self, name: str) -> Any:
            return getattr(writer, name)

        def set_groups(self, changed: Any) -> Any:
            guarded()
            return writer.set_groups(changed)

    def guarded() -> None:
        if left[0] == 0:
            raise Killed
        left[0] -= 1

    writer = grouper._writer
    grouper._writer = Writer()
    guard(grouper.matches, "settle")
    guard(grouper.groups, "put")
    guard(grouper.groups, "delete")
    return left
