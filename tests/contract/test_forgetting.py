"""A forgotten document leaves nothing behind, on both stores."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest

from dupdex.index import Index
from dupdex.matches.match_store import MatchStore
from dupdex.session import Session
from indexer.grouping import Grouping
from indexer.model import Document
from indexer.stores.embedded import schema
from mappings.collections import Collection
from mappings.contract import Field
from mappings.errors import InputRefused
from mappings.records import GROUPS, LEASES, PINS, RUNS, key_of
from query.answers import Decision, Ref
from tests.contract.stores import Embedded, Store, real
from tests.texts import METRO, METRO_HOMOPHONES, TEA

FAR = "图书馆今天起延长开放时间，读者可以凭身份证办理借书证，每人最多借阅十册。"
TEXTS = {"a": METRO, "b": METRO_HOMOPHONES, "c": METRO.replace("十七座", "八座"), "tea": TEA}
NOW = "2026-01-31T00:00:00.000Z"


@pytest.fixture
def session(store: Store) -> Session:
    store.write(*(real(name, text) for name, text in TEXTS.items()))
    store.close_writer()
    return store.opened.enter_context(Session(store.opener.location))


@pytest.fixture
def index(session: Session) -> Iterator[Index]:
    with Index.create(session) as index:
        yield index


@pytest.fixture
def at(store: Store) -> str:
    return store.opener.location.index


def pair_up(session: Session, index: Index) -> None:
    every = [document.ref for document in index.scan()]
    matches = MatchStore.open(session)
    matches.settle(every, list(index.sweep()), index.plan.id)


def put(session: Session, collection: Collection, name: str, **values: Any) -> None:
    store = session.collection(collection)
    store.put(name, values)
    store.refresh()


def group(session: Session, index: Index, name: str, members: str, **more: Any) -> None:
    """A group of these documents, and its record."""
    at = session.location.index
    index._for_writing().set_groups({Ref(at, member): name for member in members})
    index.refresh()
    record = {"canonical": key_of(at, members[0]) if members else "", "size": len(members)}
    put(session, GROUPS, name, **record, made=NOW, changed=NOW, **more)


def record(session: Session, name: str) -> dict[str, Any] | None:
    item = session.collection(GROUPS).get(name)
    return dict(item.values) if item else None


def test_a_receipt_of_a_document_that_only_is_indexed(index: Index, at: str) -> None:
    receipt = index.forget_document("tea")
    assert (receipt.id, receipt.documents, receipt.group) == ("tea", (at,), "tea")
    assert receipt.keys[Field.TEXT_HASH.value] == 1
    assert receipt.keys[Field.PASSAGE_KEYS.value] > 1
    assert (receipt.matches, receipt.decisions, receipt.pins, receipt.left) == (0, 0, 0, ())
    assert receipt.anything
    assert index.get(["tea"]) == {}
    assert not index.forget_document("tea").anything
    with pytest.raises(InputRefused, match="no id"):
        index.forget_document("")


def test_pairs_decisions_and_pins_go(session: Session, index: Index, at: str) -> None:
    pair_up(session, index)
    index.decide("a", "b", Decision.DUPLICATE, "why", "Li")
    index.decide("a", "b", None)
    index.decide("tea", "a", Decision.DUPLICATE)
    index.decide("tea", "c", Decision.DUPLICATE)
    put(session, PINS, key_of(at, "a"), place="p", at=NOW)
    put(session, PINS, key_of(at, "b"), place="p", at=NOW)
    before = index.left_of("a")
    assert len([line for line in before if line.startswith("matches")]) == 2
    assert len([line for line in before if line.startswith("decisions")]) == 2
    assert len(before) == 7  # and the document, its group, the pin
    receipt = index.forget_document("a")
    assert (receipt.matches, receipt.decisions, receipt.pins, receipt.left) == (2, 2, 1, ())
    assert index.left_of("a") == []
    assert len(index.left_of("tea")) == 3


def test_a_group_under_its_id_gets_another(session: Session, index: Index, at: str) -> None:
    group(session, index, "a", "abc", by_hand=key_of(at, "a"), merged=["tea"])
    group(session, index, "b", "", merged_into="a")
    receipt = index.forget_document("a")
    assert receipt.groups == {"a": "is c now", "b": "cleaned"}  # b is the id of a group by now
    assert receipt.left == ()
    made = record(session, "c")
    assert made is not None
    assert made == {
        "canonical": key_of(at, "b"), "size": 2, "made": NOW, "changed": NOW, "merged": ["tea"],
    }  # fmt: skip
    assert record(session, "a") is None
    merged = record(session, "b")
    assert merged is not None
    assert merged["merged_into"] == "c"
    standings = index._reader.standings([Ref(at, "b"), Ref(at, "c")])
    assert {standing.group for standing in standings.values()} == {"c"}


def test_a_group_that_had_its_id_has_it_no_longer(session: Session, index: Index, at: str) -> None:
    group(session, index, "b", "bc", merged=["a", "a~2", "tea"], by_hand=key_of(at, "b"))
    group(session, index, "a", "", merged_into="b")
    group(session, index, "a~2", "", merged_into="b")
    assert index.left_of("a")
    receipt = index.forget_document("a")
    assert receipt.groups == {"a": "removed", "a~2": "removed", "b": "cleaned"}
    kept = record(session, "b")
    assert kept is not None
    assert (kept["merged"], kept["by_hand"], kept["size"]) == (["tea"], key_of(at, "b"), 2)
    assert receipt.left == ()


def test_a_document_alone_takes_its_record_along(session: Session, index: Index) -> None:
    group(session, index, "x", "a")
    index._for_writing().delete(["a"])
    index.refresh()
    assert index.forget_document("a").groups == {"x": "removed"}


def test_a_group_is_not_mistaken_for_another_document(session: Session, index: Index) -> None:
    """The id of a document that is there may look as if a group had been made from another's."""
    index.add([Document("a~2", TEA)])
    index.refresh()
    group(session, index, "a~2", "bc")
    receipt = index.forget_document("a")
    assert (receipt.groups, receipt.left) == ({}, ())


def test_what_jobs_say_of_it_is_found(session: Session, index: Index, at: str) -> None:
    put(session, RUNS, "1", job="sweep", state="running", started=NOW, mark={"done": [["a"]]})
    put(session, RUNS, "2", job="sweep", state="done", started=NOW, error="b failed")
    put(session, LEASES, "sweep", owner="x", until=NOW, unsettled={"refs": [key_of(at, "a")]})
    receipt = index.forget_document("a")
    assert receipt.left == ("runs: item '1'", "leases: item 'sweep'")
    assert index.forget_document("b").left == ()


def test_nothing_is_left_in_the_files(
    session: Session, index: Index, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server hears every 30 s only that it may let go of what was removed: here it is asked once,
    and the index has to be as it was."""
    monkeypatch.setattr("indexer.stores.elastic.purging._WAIT", 0.0)
    index.add([Document("tea", METRO)])  # the version before must not stay, either
    index.decide("tea", "b", Decision.DUPLICATE, "绝密 secret-reason")
    assert index.forget_document("tea").left == ()
    secrets, kept = ("王秀英今年六十三岁", "secret-reason"), "银杏路"
    if isinstance(store.opener, Embedded):
        assert any(each in written(store.opener.folder) for each in secrets)
    index.close()
    left = session.purge()
    if isinstance(store.opener, Embedded):
        assert left == 0
        assert kept in written(store.opener.folder)
        assert not any(each in written(store.opener.folder) for each in secrets)
    with Index.open(session) as after:
        assert {match.id for match in after.lookup(METRO).matches} == {"a", "b", "c"}
        assert after.search("银杏路").total == 3


def written(folder: Path) -> str:
    """What the files of a folder hold, as far as it is text."""
    files = (path for path in folder.iterdir() if path.is_file())
    return b"".join(path.read_bytes() for path in files).decode("utf-8", "ignore")


def test_the_rest_of_a_group_is_grouped_anew(store: Store) -> None:
    """The one that a group was named after goes, and with it what held the group together."""
    with Index.create(store.opener.location, grouping=Grouping(live=True)) as index:
        index.add([Document(name, text) for name, text in TEXTS.items()])
        index.add([Document("far", FAR)])
        index.refresh()
        index.decide("a", "far", Decision.DUPLICATE)
        index.refresh()
        names = [Ref("", name) for name in ("a", "b", "c", "far", "tea")]

        def groups() -> dict[str, str]:
            index.refresh()
            return {ref.id: each.group for ref, each in index._reader.standings(names).items()}

        assert groups() == {"a": "a", "b": "a", "c": "a", "far": "a", "tea": "tea"}
        receipt = index.forget_document("a")
        assert (receipt.group, receipt.left, receipt.decisions) == ("a", (), 1)
        assert groups() == {"b": "b", "c": "b", "far": "far", "tea": "tea"}
        assert index.forget_document("b").left == ()
        assert groups() == {"c": "c", "far": "far", "tea": "tea"}
        assert index.left_of("a") == index.left_of("b") == []
        with Session(store.opener.location) as session:
            assert session.collection(GROUPS).count() == 0


def test_a_receipt_waits_for_the_disk(
    session: Session, index: Index, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a folder the last write of all is none that may reach the disk later; a server has
    everything on disk that it answered."""
    group(session, index, "a", "ab")
    seen: list[int] = []
    transaction = schema.transaction

    def watched(db: sqlite3.Connection, path: Path, begin: str) -> AbstractContextManager[None]:
        if begin == "BEGIN IMMEDIATE":
            seen.append(db.execute("PRAGMA synchronous").fetchone()[0])
        return transaction(db, path, begin)

    monkeypatch.setattr(schema, "transaction", watched)
    assert index.forget_document("a").left == ()
    if isinstance(store.opener, Embedded):
        ordered, waits = 1, 2  # NORMAL and FULL of SQLite
        assert ordered in seen
        assert seen[-1] == waits
