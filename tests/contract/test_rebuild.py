"""A rebuild: everything it can move is moved, all else is reported, kept and counted."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest

from dupdex import Index
from dupdex.rebuild import rebuild
from indexer.fingerprints import fingerprint_of
from indexer.meta import IndexMeta
from indexer.meta_watch import MetaWatch
from indexer.model import Record, Status
from mappings.errors import PlanMismatch
from mappings.plan import CHARACTERS, STANDARD, Plan, newest
from mappings.schemes import SCHEME_FIELDS
from tests.contract.stores import Store, made, real
from tests.golden.freeze import FORMAT_1 as PLANS_1
from tests.unit.indexer.test_meta import UNSERVABLE

TEXT = "北京市气象台今天上午发布暴雨蓝色预警信号，预计今天下午到夜间全市大部分地区将出现强降雨。"

ALL_SCHEMES = replace(STANDARD, name="all", schemes=tuple(SCHEME_FIELDS))


@pytest.fixture
def filled(store: Store) -> Store:
    """Two documents that can be fingerprinted and two that can not, as other programs leave them:
    one was emptied, one is longer than the plan to come allows."""
    emptied = made("emptied", "t", text="")
    store.write(real("a", TEXT), real("b", TEXT[:20]), emptied, real("long", TEXT * 3))
    store.close_writer()
    return store


def test_what_cannot_be_moved_is_reported_once_and_stays(filled: Store) -> None:
    goal = replace(STANDARD, max_characters=100)
    outcomes = {each.document.id: each for each in rebuild(filled.opener.location, goal)}
    assert {name: each.status for name, each in outcomes.items()} == {
        "a": Status.UPDATED,
        "b": Status.UPDATED,
        "emptied": Status.REJECTED,
        "long": Status.REJECTED,
    }
    assert "empty" in outcomes["emptied"].reason
    assert "the plan allows 100" in outcomes["long"].reason
    with Index.open(filled.opener.location) as index:
        stored = index.get(["a", "b", "emptied", "long"])
        assert stored["long"].body == {"text": TEXT * 3}
        assert stored["emptied"].body == {"text": ""}
        plans = {name: each.plan_id for name, each in stored.items()}
        facts = index.describe()
    assert plans == dict.fromkeys("ab", goal.id) | dict.fromkeys(("emptied", "long"), CHARACTERS.id)
    assert (facts["plan"], facts["documents"], facts["other_plans"]) == (goal.id, 4, 2)
    assert "'dupdex rebuild'" in str(facts["next_step"])


def test_what_was_left_is_moved_once_it_can_be(filled: Store) -> None:
    assert len(list(rebuild(filled.opener.location, replace(STANDARD, max_characters=100)))) == 4
    again = {each.document.id: each.status for each in rebuild(filled.opener.location, STANDARD)}
    assert again == {"long": Status.UPDATED, "emptied": Status.REJECTED}
    with Index.create(filled.opener.location) as index:
        assert index.delete(["emptied"]) == ["emptied"]
        index.refresh()
        facts = index.describe()
    assert facts["other_plans"] == 0
    assert "next_step" not in facts


def test_every_document_once_and_no_more(store: Store) -> None:
    store.put(real(f"d{number}", f"第{number}篇：{TEXT}") for number in range(1_200))
    store.close_writer()
    outcomes = list(rebuild(store.opener.location, STANDARD))
    assert sorted(each.document.id for each in outcomes) == sorted(f"d{n}" for n in range(1_200))
    assert {each.status for each in outcomes} == {Status.UPDATED}
    with closing(store.open_reader(STANDARD)) as reader:
        assert reader.meta.rebuilding is None
        assert list(reader.scan(without_plan=STANDARD.id)) == []
    assert list(rebuild(store.opener.location, None)) == []


def test_an_open_reader_keeps_answering_from_what_it_saw(store: Store) -> None:
    """It was opened before the rebuild; nothing fails under it, and no document is gone."""
    records: list[Record] = [real(f"d{number}", f"第{number}篇：{TEXT}") for number in range(50)]
    store.put(records)
    store.close_writer()
    with closing(store.open_reader()) as reader:
        scan = reader.scan()
        names = {next(scan).id}
        assert len(list(rebuild(store.opener.location, STANDARD))) == 50
        assert names | {stored.id for stored in scan} == {f"d{number}" for number in range(50)}
        assert reader.count() == 50
        assert reader.search("暴雨", size=100).total == 50


def test_an_index_that_stays_open_notices(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the keys of the old plan its lookups would find nothing, and say so."""
    monkeypatch.setattr(MetaWatch, "EVERY", 0.0)
    store.write(real("a", TEXT), real("b", TEXT[:40]))
    store.close_writer()
    with Index.open(store.opener.location) as index:
        assert index.lookup_id("a").matches
        running = rebuild(store.opener.location, STANDARD)
        next(running)
        with pytest.raises(PlanMismatch, match=r"a rebuild .* began.*wait until"):
            index.lookup(TEXT)
        assert len(list(running)) == 1
        with pytest.raises(PlanMismatch, match=f"{STANDARD.id}.*open the index again"):
            index.lookup_id("a")
        assert index.get(["a"])["a"].text == TEXT
    with Index.open(store.opener.location) as index:
        assert [match.id for match in index.lookup_id("a").matches] == ["b"]


@pytest.mark.parametrize("changes", UNSERVABLE.values(), ids=UNSERVABLE)
def test_a_plan_that_cannot_be_served_leaves_the_index_open(
    store: Store, changes: dict[str, Any]
) -> None:
    store.write(real("a", TEXT), real("b", TEXT[:40]))
    store.close_writer()
    with pytest.raises(PlanMismatch, match=r"the plan .*; the index was left as it is"):
        list(rebuild(store.opener.location, Plan.from_meta(changes)))
    with Index.create(store.opener.location, plan=CHARACTERS) as index:
        assert [match.id for match in index.lookup_id("a").matches] == ["b"]


def test_a_rebuild_begun_where_its_plan_could_be_served(store: Store) -> None:
    """Here it cannot go on, but back."""
    store.write(real("a", TEXT))
    store.close_writer()
    goal = Plan.from_meta(UNSERVABLE["syllables"])
    with closing(store.opener.writer(IndexMeta(CHARACTERS), None, True)) as writer:
        writer.set_meta(writer.meta.started(goal))
    with pytest.raises(PlanMismatch, match="to go back, run 'dupdex rebuild --plan characters'"):
        list(rebuild(store.opener.location, None))
    assert list(rebuild(store.opener.location, CHARACTERS)) == []
    with Index.open(store.opener.location) as index:
        assert index.plan == CHARACTERS


def test_other_thresholds_rewrite_no_document(store: Store) -> None:
    store.write(real("a", TEXT))
    store.close_writer()
    eased = replace(CHARACTERS, thresholds=replace(CHARACTERS.thresholds, near=0.1))
    assert list(rebuild(store.opener.location, eased)) == []
    with Index.open(store.opener.location) as index:
        assert index.plan.thresholds.near == 0.1


def test_to_schemes_that_store_keys_of_their_own(store: Store) -> None:
    store.write(real("a", TEXT), real("b", TEXT[:40]))
    store.close_writer()
    outcomes = list(rebuild(store.opener.location, ALL_SCHEMES))
    assert [each.status for each in outcomes] == [Status.UPDATED] * 2


FORMAT_1 = PLANS_1["characters-1"]
DISGUISED = (
    "北京市气象tai今天上午发布暴雨蓝色yu警信号，预计今天下wu到夜间全市大部分地qu将出现强降雨。"
)


def test_an_index_of_format_1_is_served_and_moves_to_the_newest(store: Store) -> None:
    store.put([real("a", TEXT), real("b", "别的文字与此无关，不过是一个例子。")])
    store.close_writer()
    location = store.opener.location
    list(rebuild(location, FORMAT_1))
    with Index.open(location) as index:
        assert index.plan == FORMAT_1 and index.describe()["plan"] == FORMAT_1.id
        assert [match.id for match in index.lookup(TEXT[:-8]).matches] == ["a"]
        assert index.get(["a"])["a"].fingerprint == fingerprint_of(TEXT, FORMAT_1)
        assert [match.disguise for match in index.lookup(DISGUISED).matches] in ([], [()])
    assert {each.status for each in rebuild(location)} == {Status.UPDATED}
    with Index.open(location) as index:
        assert index.plan == newest(FORMAT_1) == CHARACTERS
        (match,) = index.lookup(DISGUISED).matches
        assert (match.id, match.verdict.value, match.disguise) == ("a", "near", ("pinyin",))
        assert index.get(["a"])["a"].fingerprint == fingerprint_of(TEXT, CHARACTERS)
