"""Groups and times of documents, which outlive updates and rebuilds."""

from __future__ import annotations

import time
from contextlib import closing
from dataclasses import replace

import pytest

from dupdex.rebuild import rebuild
from indexer.grouping import Grouping
from indexer.model import Status
from mappings.plan import STANDARD
from query.answers import Ref
from query.stores import StoreReader
from tests.contract.stores import META, Store, real


def groups(reader: StoreReader, *names: str) -> dict[str, str]:
    refs = [Ref("", name) for name in names]
    return {ref.id: standing.group for ref, standing in reader.standings(refs).items()}


def grouped(store: Store) -> None:
    """Says in the meta that the index keeps groups."""
    store.writer.set_meta(replace(store.writer.meta, grouping=Grouping()))


def test_a_new_document_is_a_group_of_its_own(store: Store) -> None:
    before = time.time_ns() // 1_000_000
    store.write(real("a", "今天天气很好"), real("b", "明天下雨"))
    store.writer.refresh()
    standings = store.reader.standings([Ref("", "a"), Ref("", "absent")])
    (standing,) = standings.values()
    assert standing.group == "a"
    assert before <= standing.indexed <= time.time_ns() // 1_000_000
    members = store.reader.members(["a", "absent"])
    assert [ref.id for ref in members["a"]] == ["a"]
    assert members["absent"] == ()


def test_groups_are_put_and_found(store: Store) -> None:
    store.write(*(real(name, f"文字 {name}") for name in "abcd"))
    changed = store.writer.set_groups({Ref("", "b"): "a", Ref("", "c"): "a", Ref("", "x"): "a"})
    assert {ref.id for ref in changed} == {"b", "c"}
    store.writer.refresh()
    assert groups(store.reader, *"abcd") == {"a": "a", "b": "a", "c": "a", "d": "d"}
    members = store.reader.members(["a", "b", "d"])
    assert {name: {ref.id for ref in refs} for name, refs in members.items()} == {
        "a": {"a", "b", "c"},
        "b": set(),
        "d": {"d"},
    }
    (ref,) = members["d"]
    assert store.reader.standings([ref])[ref].group == "d"
    store.writer.set_groups({Ref("", "c"): "c"})
    store.writer.refresh()
    assert [r.id for r in store.reader.members(["c"])["c"]] == ["c"]


def test_only_the_group_is_changed(store: Store) -> None:
    store.write(real("a", "今天天气很好", title="标题"))
    ref = Ref("", "a")
    before, time_before = store.reader.by_ids(["a"]), store.reader.standings([ref])[ref].indexed
    store.writer.set_groups({ref: "z"})
    assert store.reader.by_ids(["a"]) == before
    assert store.reader.standings([ref])[ref].indexed == time_before


def test_a_group_outlives_updates(store: Store) -> None:
    store.write(real("a", "今天天气很好"))
    grouped(store)
    store.writer.set_groups({Ref("", "a"): "z"})
    first = store.reader.standings([Ref("", "a")])[Ref("", "a")]
    time.sleep(0.002)
    assert store.write(real("a", "换了一个句子"), real("b", "新的")) == [
        Status.UPDATED,
        Status.CREATED,
    ]
    second = store.reader.standings([Ref("", "a")])[Ref("", "a")]
    assert second.group == "z"
    assert second.indexed > first.indexed
    assert groups(store.reader, "b") == {"b": "b"}


def test_a_rebuild_changes_neither_group_nor_time(store: Store) -> None:
    store.write(real("a", "今天天气很好"), real("b", "明天下雨"))
    store.writer.set_groups({Ref("", "b"): "a"})
    store.writer.refresh()
    refs = [Ref("", "a"), Ref("", "b")]
    before = store.reader.standings(refs)
    store.close_writer()
    assert {outcome.status for outcome in rebuild(store.opener.location, STANDARD)} == {
        Status.UPDATED
    }
    with closing(store.opener.reader(None, False)) as reader:
        assert reader.standings(refs) == before


def test_a_deleted_document_leaves_its_group(store: Store) -> None:
    store.write(real("a", "今天天气很好"), real("b", "明天下雨"))
    store.writer.set_groups({Ref("", "b"): "a"})
    store.writer.delete(["b"])
    store.writer.refresh()
    assert [ref.id for ref in store.reader.members(["a"])["a"]] == ["a"]
    assert groups(store.reader, "b") == {}
    store.write(real("b", "明天下雨"))
    assert groups(store.reader, "b") == {"b": "b"}


@pytest.mark.parametrize("grouping", [Grouping(), Grouping(live=True)])
def test_how_groups_are_kept_is_stored(store: Store, grouping: Grouping) -> None:
    store.writer.set_meta(replace(META, grouping=grouping))
    assert store.open_reader().meta.grouping == grouping


def test_documents_written_since_a_time(store: Store) -> None:
    store.write(real("a", "今天天气很好"), real("b", "明天下雨"))
    time.sleep(0.01)
    middle = time.time_ns() // 1_000_000
    store.write(real("c", "后天有风"), real("a", "今天天气不好"))
    assert {stored.id for stored in store.reader.scan(since=middle)} == {"a", "c"}
    assert {stored.id for stored in store.reader.scan(since=0)} == {"a", "b", "c"}
    assert not list(store.reader.scan(since=middle + 86_400_000))
    assert not list(store.reader.scan(store.reader.meta.plan.id, since=0))
