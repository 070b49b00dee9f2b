"""A rebuild on a real server while other programs have the index open and write."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from elasticsearch import Elasticsearch

import dupdex.rebuild as rebuilding
from dupdex import Index, Location
from dupdex.rebuild import rebuild
from indexer.boilerplate import Boilerplate
from indexer.meta_watch import MetaWatch
from indexer.model import Outcome, Record, Status
from indexer.stores.elastic.client import ElasticSettings, connect
from mappings.contract import OBJECT_FIELD, Field
from mappings.errors import NotFound, PlanMismatch, StoreRefused
from mappings.index_body import index_body, index_template, object_mapping, template_name
from mappings.plan import STANDARD
from mappings.schemes import SCHEME_FIELDS
from tests.service.elastic_data import (
    META,
    PLAN,
    chinese,
    record_of,
    records,
    store,
    writer_on,
)
from tests.service.proxy import Proxy, Reply, Seen, proxied


@pytest.fixture
def proxy(es_url: str) -> Iterator[Proxy]:
    with proxied(es_url) as proxy:
        yield proxy


def location(settings: ElasticSettings) -> Location:
    return Location(settings.url, settings.index)


def moved(settings: ElasticSettings) -> list[Outcome]:
    return list(rebuild(location(settings), STANDARD))


def plans(settings: ElasticSettings) -> dict[str, str]:
    with Index.open(location(settings)) as index:
        return {stored.id: stored.plan_id for stored in index.scan()}


def test_a_writer_that_was_open_before_stops(settings: ElasticSettings) -> None:
    store(settings, records(30))
    seen: list[Outcome] = []
    done = threading.Event()

    def move() -> None:
        moved(settings)
        done.set()

    def endless() -> Iterator[Record]:
        yield from records(40, "before")
        moving, at = threading.Thread(target=move), 0
        while not done.is_set():
            at += 1
            if len(seen) > 40 and moving.ident is None:  # one that came late is acknowledged
                moving.start()
            yield record_of(f"late{at}", chinese(at))
            time.sleep(0.005)
        yield from records(40, "after")

    with (
        writer_on(settings, chunk_documents=20) as writer,
        pytest.raises(PlanMismatch, match="run the same command again"),
    ):
        for outcome in writer.write(endless()):
            seen.append(outcome)  # noqa: PERF402  (a comprehension would lose them)
    assert done.wait(60)
    acknowledged = {each.document.id for each in seen if each.status is Status.CREATED}
    assert acknowledged > {f"before{at}" for at in range(40)}
    held = plans(settings)
    assert acknowledged <= set(held)
    assert set(held.values()) == {STANDARD.id}


def test_a_delete_by_a_writer_that_was_open_before(settings: ElasticSettings) -> None:
    store(settings, records(3))
    with writer_on(settings) as writer:
        moved(settings)
        with pytest.raises(PlanMismatch, match=STANDARD.id):
            writer.delete(["d0"])
    assert len(plans(settings)) == 3


def test_documents_under_way_are_found_by_a_later_pass(
    settings: ElasticSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The request was sent before the rebuild began and arrives during its first scan."""
    monkeypatch.setattr(rebuilding, "GRACE_SECONDS", 0.2)
    store(settings, records(30))
    running = rebuild(location(settings), STANDARD)
    with writer_on(settings) as late:
        monkeypatch.setattr(MetaWatch, "EVERY", 100.0)
        first = next(running)
        assert len(list(late.write([record_of("late", chinese(1))]))) == 1
        names = [first.document.id, *(each.document.id for each in running)]
    assert sorted(names) == sorted([*(f"d{at}" for at in range(30)), "late"])
    assert set(plans(settings).values()) == {STANDARD.id}


def on_bulk(number: int, action: object) -> object:
    """A rule that does something once, just before a bulk request is forwarded."""
    calls: list[Seen] = []

    def rule(seen: Seen) -> Reply | None:
        if "/_bulk" in seen.path:
            calls.append(seen)
            if len(calls) == number:
                action()  # type: ignore[operator]
        return None

    return rule


def test_what_others_change_meanwhile_is_not_undone(
    settings: ElasticSettings, proxy: Proxy, raw: Elasticsearch
) -> None:
    """Between the rebuild's reading of a document and its writing it back."""
    store(settings, records(5))
    newer = record_of("d1", chinese("newer"), n=7)

    def interfere() -> None:
        raw.delete(index=settings.index, id="d0")
        raw.update(index=settings.index, id="d1", doc={"n": 7, "text": newer.document.text})

    proxy.rule = on_bulk(1, interfere)  # type: ignore[assignment]
    through = Location(proxy.url, settings.index)
    outcomes = list(rebuild(through, STANDARD))
    assert sorted(each.document.id for each in outcomes) == ["d1", "d2", "d3", "d4"]
    assert {each.status for each in outcomes} == {Status.UPDATED}
    with Index.open(location(settings)) as index:
        assert "d0" not in index.get(["d0"])
        stored = index.get(["d1"])["d1"]
        assert (stored.body["n"], stored.text) == (7, newer.document.text)
        assert [each.id for each in index.lookup(newer.document.text).matches] == ["d1"]


def test_changed_between_scan_and_write(settings: ElasticSettings, proxy: Proxy) -> None:
    """The same, before the rebuild asks for the version that it then writes over."""
    store(settings, records(5))
    calls: list[Seen] = []

    def change(seen: Seen) -> Reply | None:
        if "/_mget" in seen.path and not calls:
            calls.append(seen)
            with connect(settings) as client:
                client.update(index=settings.index, id="d2", doc={"n": 1})
        return None

    proxy.rule = change
    outcomes = list(rebuild(Location(proxy.url, settings.index), STANDARD))
    assert sorted(each.document.id for each in outcomes) == [f"d{at}" for at in range(5)]
    with Index.open(location(settings)) as index:
        assert index.get(["d2"])["d2"].body["n"] == 1


def test_an_endless_writer_leaves_the_rebuild_unfinished(
    settings: ElasticSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rebuilding, "GRACE_SECONDS", 0.0)
    monkeypatch.setattr(rebuilding, "PASSES", 2)
    monkeypatch.setattr(MetaWatch, "EVERY", 100.0)
    store(settings, records(3))
    with writer_on(settings) as writer, pytest.raises(StoreRefused, match="stop them"):
        for at, _ in enumerate(rebuild(location(settings), STANDARD)):
            assert at < 100
            list(writer.write([record_of(f"more{at}", chinese(at))]))
    with pytest.raises(PlanMismatch, match="not finished"):
        Index.open(location(settings))
    monkeypatch.undo()
    moved(settings)
    assert set(plans(settings).values()) == {STANDARD.id}


def test_two_rebuilds_to_different_plans(settings: ElasticSettings) -> None:
    store(settings, records(5))
    first = rebuild(location(settings), STANDARD)
    next(first)
    assert len(list(rebuild(location(settings), PLAN))) == 5
    with pytest.raises(PlanMismatch, match=PLAN.id):
        list(first)
    assert set(plans(settings).values()) == {PLAN.id}


def test_an_index_removed_under_a_writer_is_not_made_anew(
    settings: ElasticSettings, raw: Elasticsearch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(MetaWatch, "EVERY", 0.0)
    with writer_on(settings) as writer:
        list(writer.write(records(2)))
        raw.indices.delete(index=settings.index)
        with pytest.raises(NotFound, match="was removed meanwhile"):
            list(writer.write(records(2)))
    assert not raw.indices.exists(index=settings.index)


def test_the_server_is_asked_once_a_second(settings: ElasticSettings, proxy: Proxy) -> None:
    through = replace(settings, url=proxy.url)
    with writer_on(through, chunk_documents=1) as writer:
        proxy.seen.clear()
        started = time.monotonic()
        list(writer.write(records(20)))
        seconds = time.monotonic() - started
    assert len(proxy.bulks()) == 20
    assert len([each for each in proxy.seen if "_mapping" in each.path]) <= seconds


def made_before(raw: Elasticsearch, name: str) -> None:
    """An index as a version made it that had no schemes dna, imatch and projection."""
    what = (META.to_json(), META.text_fields, META.title_field, {"_meta": {"theirs": 1}})
    body, template = index_body(*what), index_template(name, *what)
    for each in (body, template["template"]):
        for field in (Field.DNA_KEYS, Field.IMATCH_KEYS, Field.PROJECTION_KEYS):
            del each["mappings"]["properties"][OBJECT_FIELD]["properties"][str(field)]
    raw.indices.put_index_template(name=template_name(name), body=template)
    raw.indices.create(index=name, body=body)


def test_an_index_made_before_its_schemes_were_known(
    settings: ElasticSettings, raw: Elasticsearch
) -> None:
    name = settings.index
    made_before(raw, name)
    store(settings, records(3))
    goal = replace(STANDARD, name="all", schemes=tuple(SCHEME_FIELDS))
    outcomes = list(rebuild(location(settings), goal))
    assert [(each.status, each.reason) for each in outcomes] == [(Status.UPDATED, "")] * 3
    (held,) = raw.indices.get_mapping(index=name).body.values()
    found = raw.indices.get_index_template(name=template_name(name)).body["index_templates"]
    changes = held["mappings"]["properties"][OBJECT_FIELD]["properties"].pop("changes")
    assert len(changes["properties"]) == 2  # the rebuild has begun, and ended
    for mappings in (held["mappings"], found[0]["index_template"]["template"]["mappings"]):
        known: dict[str, Any] = mappings["properties"]
        assert set(known[OBJECT_FIELD]["properties"]) == set(object_mapping()["properties"])
        assert known[OBJECT_FIELD]["dynamic"] == "strict"
        assert {"text", "title"} < set(known)
        assert mappings["_meta"]["theirs"] == 1
        assert mappings["_meta"][OBJECT_FIELD]["plan_id"] == goal.id


def test_two_changes_of_the_meta_at_one_moment(
    settings: ElasticSettings, proxy: Proxy, raw: Elasticsearch
) -> None:
    """A program that makes no claims, as older ones do: whoever it has overwritten is told."""
    store(settings, records(1))
    other = replace(META, boilerplate=Boilerplate({"abcdef": 9}, 9, 9), revision=1)
    written: list[Seen] = []

    def interfere(seen: Seen) -> Reply | None:
        if seen.method == "PUT" and "_mapping" in seen.path:
            written.append(seen)
        elif written and "_mapping" in seen.path:
            said = {OBJECT_FIELD: other.to_json()}
            raw.indices.put_mapping(index=settings.index, meta=said)
        return None

    with writer_on(replace(settings, url=proxy.url)) as writer:
        proxy.rule = interfere
        with pytest.raises(StoreRefused, match=r"changed meanwhile.*run the same command again"):
            writer.set_meta(writer.meta.started(STANDARD))
        assert writer.meta.revision == 0
    with writer_on(settings) as writer:
        assert writer.meta == other
