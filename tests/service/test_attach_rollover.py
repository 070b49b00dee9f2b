"""Aliases that roll over, and data streams: a copy is found wherever the original lies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

import pytest
from elasticsearch import Elasticsearch

from dupdex import Document, Index, Location, Session, Status
from dupdex.attach import attaching, detaching
from indexer.meta_watch import MetaWatch
from indexer.stores.elastic.client import ElasticSettings
from indexer.stores.elastic.rollover_templates import component_name
from mappings.contract import OBJECT_FIELD
from mappings.errors import StoreRefused
from mappings.plan import CHARACTERS
from mappings.records import RECORDS, RUNS
from tests.service.foreign_data import (
    BODY,
    MAPPINGS,
    not_current,
    place,
    sources,
    text_in,
    theirs,
    without_ours,
)

TIME: Final = "@timestamp"
PROPERTIES: Final = {**MAPPINGS["properties"], TIME: {"type": "date"}}


@pytest.fixture(autouse=True)
def _no_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(detaching, "GRACE_SECONDS", 0.0)


@dataclass
class Rolling:
    """An alias with a write index, or a data stream, with documents in two generations."""

    raw: Elasticsearch
    settings: ElasticSettings
    template: str

    @property
    def where(self) -> Location:
        return place(self.settings)

    @property
    def indices(self) -> list[str]:
        return sorted(self.raw.indices.get_mapping(index=self.settings.index).body)

    def roll(self) -> None:
        self.raw.indices.rollover(alias=self.settings.index)

    def write(self, *names: str) -> None:
        """As another program does, into the newest index."""
        operations: list[dict[str, Any]] = []
        for name in names:
            document = theirs(name, **{TIME: "2026-01-31T00:00:00Z"})
            operations += [{"create": {"_id": name}}, document]
        answer = self.raw.bulk(index=self.settings.index, operations=operations, refresh=True)
        assert not answer["errors"], answer

    def composed_of(self) -> list[str]:
        found = self.raw.indices.get_index_template(name=self.template)["index_templates"]
        composed: list[str] = found[0]["index_template"]["composed_of"]
        return composed


@pytest.fixture(params=["alias", "data stream"])
def rolling(
    request: pytest.FixtureRequest, settings: ElasticSettings, raw: Elasticsearch
) -> Iterator[Rolling]:
    """Its template has the user's mapping; its pattern also covers the names of collections."""
    template = f"their-{settings.index}"
    options: dict[str, Any] = {"data_stream": {}} if request.param == "data stream" else {}
    name = f"{settings.index}-logs"
    raw.indices.put_index_template(
        name=template,
        index_patterns=[f"{name}*"],
        priority=500,
        template={"mappings": {**MAPPINGS, "properties": PROPERTIES}},
        **options,
    )
    rolling = Rolling(raw, replace(settings, index=name), template)
    if not options:
        raw.indices.create(index=f"{name}-000001", aliases={name: {"is_write_index": True}})
    rolling.write("a", "b", "same")
    rolling.roll()
    rolling.write("c", "same")
    yield rolling
    # A node without the module for it cannot remove a data stream; its name is used by nobody else.
    for index in [] if options else rolling.indices:
        raw.indices.delete(index=index)


def attach(rolling: Rolling) -> tuple[int, list[str]]:
    remarks: list[str] = []
    report = Index.attach(rolling.where, BODY, plan=CHARACTERS, remark=remarks.append)
    assert not report.refused
    assert sorted(report.indices) == rolling.indices
    return report.written, remarks


def test_a_copy_is_found_in_another_generation(rolling: Rolling) -> None:
    assert attach(rolling) == (5, [])
    first, second = rolling.indices
    with Index.open(rolling.where) as index:
        found = index.lookup(text_in("a")).matches
        assert [(match.index, match.id) for match in found] == [(first, "a")]
        both = index.lookup(text_in("same")).matches
        assert [(match.index, match.id) for match in both] == [(first, "same"), (second, "same")]
        other = index.lookup_id("same").matches
        assert [(match.index, match.id) for match in other] == [(second, "same")]
        assert index.get(["c"])["c"].index == second
        assert {one.index for one in index.get_all(["same"])["same"]} == {first, second}
        assert [pair.match.similarity for pair in index.sweep()] == [1.0]
        facts = index.describe()
        assert (facts["covered"], facts["attached"]) == (5, "done")


def test_the_next_generation_has_the_mapping(rolling: Rolling) -> None:
    attach(rolling)
    assert rolling.composed_of() == [component_name(rolling.settings)]
    rolling.roll()
    rolling.write("d", "a")
    newest = rolling.indices[-1]
    mapping = rolling.raw.indices.get_mapping(index=newest)[newest]["mappings"]
    assert mapping["_meta"]["theirs"] == {"a": 1}
    assert mapping["properties"][OBJECT_FIELD]["dynamic"] == "strict"
    with Index.open(rolling.where) as index:
        facts = index.describe()
        assert facts["attached"] == "filling"
        assert (facts["covered"], facts["documents"]) == (5, 7)
        assert [match.index for match in index.lookup(text_in("a")).matches] == rolling.indices[:1]
    assert attach(rolling) == (2, [])
    with Index.open(rolling.where) as index:
        found = [match.index for match in index.lookup(text_in("a")).matches]
        assert found == [rolling.indices[0], newest]
        assert index.describe()["attached"] == "done"
    for name in rolling.indices:
        assert not_current(sources(rolling.raw, name)) == []


def test_what_dupdex_writes_goes_to_the_newest(rolling: Rolling) -> None:
    attach(rolling)
    rolling.roll()
    stamp = {TIME: "2026-02-01T00:00:00Z"}
    documents = [Document(name, body=theirs(name, **stamp)) for name in ("new", "a")]
    with Index.create(rolling.where) as index:
        assert [done.status for done in index.add(documents)] == [Status.CREATED] * 2
        index.refresh()
        newest = rolling.indices[-1]
        assert set(sources(rolling.raw, newest)) == {"new", "a"}
        found = [(match.index, match.id) for match in index.lookup(text_in("a")).matches]
        assert found == [(rolling.indices[0], "a"), (newest, "a")]
        again = index.add([documents[0], Document("new", body=theirs("other", **stamp))])
        is_stream = newest.startswith(".ds-")
        kept = Status.REJECTED if is_stream else Status.UPDATED
        assert [done.status for done in again] == [Status.UPDATED, kept]
        if is_stream:
            assert "takes new documents only" in again[1].reason
            assert newest in again[1].reason
        rolling.roll()
        (done,) = index.add([Document("later", body=theirs("later", **stamp))])
        assert done.status is Status.CREATED
        assert set(sources(rolling.raw, rolling.indices[-1])) == {"later"}


def test_all_generations_move_to_another_plan(
    rolling: Rolling, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attaching, "MOVING_SECONDS", 0.0)
    monkeypatch.setattr(MetaWatch, "EVERY", 0.0)
    attach(rolling)
    goal = replace(CHARACTERS, name="other", schemes=("exact", "simhash", "minhash", "loose"))
    found: list[list[str]] = []
    with Index.open(rolling.where) as index:

        def step(*_: int) -> None:
            for name in rolling.indices:
                rolling.raw.indices.refresh(index=name)
            found.append([match.id for match in index.lookup(text_in("same")).matches])

        assert Index.attach(rolling.where, plan=goal, progress=step).written == 5
        step()
        assert found == [["same", "same"]] * len(found)
        assert index.plan == goal
    with Index.open(rolling.where) as index:
        assert index.describe()["covered"] == 5
    rolling.roll()
    newest = rolling.indices[-1]
    mapping = rolling.raw.indices.get_mapping(index=newest)[newest]["mappings"]
    assert mapping["_meta"][OBJECT_FIELD]["plan_id"] == goal.id
    assert "rebuilding" not in mapping["_meta"][OBJECT_FIELD]


def test_what_cannot_be_done_for_several_is_refused(rolling: Rolling) -> None:
    attach(rolling)
    with Index.create(rolling.where) as index:
        with pytest.raises(StoreRefused, match="stands for 2 indices"):
            index.delete(["a"])
        with pytest.raises(StoreRefused, match="stands for 2 indices"):
            index.learn()
    first = Location(rolling.settings.url, rolling.indices[0])
    with Index.create(first) as index:
        assert index.delete(["b"]) == ["b"]


def test_collections_lie_beside_it_and_go_with_it(rolling: Rolling) -> None:
    """The user's template would forbid them, or apply to them."""
    before = {name: sources(rolling.raw, name) for name in rolling.indices}
    attach(rolling)
    beside = Location(rolling.settings.url, rolling.indices[0])
    with Session(rolling.where) as session, Session(beside) as other:
        for description in RECORDS:
            session.collection(description)
        run = {"job": "a", "state": "done", "started": "2026-01-31T23:59:59.000Z"}
        session.collection(RUNS).put("1", run)
        other.collection(RUNS).put("1", run)
    report = Index.detach(rolling.where)
    assert sorted(report.indices) == rolling.indices
    assert report.cleaned == 5
    assert len(report.collections) == len(RECORDS) + 1
    pattern = f"*{rolling.settings.index}*-{OBJECT_FIELD}-*"
    assert not rolling.raw.indices.get(index=pattern, expand_wildcards="all").body
    names = [each["name"] for each in rolling.raw.indices.get_index_template()["index_templates"]]
    ours = [name for name in names if rolling.settings.index in name and name != rolling.template]
    assert not ours
    assert rolling.composed_of() == []
    assert not rolling.raw.cluster.exists_component_template(name=component_name(rolling.settings))
    assert {name: sources(rolling.raw, name) for name in rolling.indices} == before
    for name in rolling.indices:
        mapping = rolling.raw.indices.get_mapping(index=name)[name]["mappings"]
        assert mapping["_meta"] == {"theirs": {"a": 1}}
    rolling.roll()
    newest = rolling.indices[-1]
    made = rolling.raw.indices.get_mapping(index=newest)[newest]["mappings"]
    assert OBJECT_FIELD not in made["properties"]


def test_an_alias_without_a_template_is_told(settings: ElasticSettings, raw: Elasticsearch) -> None:
    alias = replace(settings, index=f"{settings.index}-all")
    for name in (settings.index, f"{settings.index}-1"):
        raw.indices.create(index=name, mappings=MAPPINGS, aliases={alias.index: {}})
        raw.index(index=name, id="x", document=theirs("x"), refresh=True)
    remarks: list[str] = []
    Index.attach(place(alias), BODY, plan=CHARACTERS, remark=remarks.append)
    (remark,) = remarks
    assert "run 'dupdex attach' again after each rollover" in remark
    with Index.open(place(alias)) as index:
        assert len(index.lookup(text_in("x")).matches) == 2
    for name in (settings.index, f"{settings.index}-1"):
        assert without_ours(sources(raw, name)) == {"x": theirs("x")}
