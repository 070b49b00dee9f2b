"""Which indices can have a sidecar, by which names they are found, and what is refused."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from elasticsearch import Elasticsearch

from dupdex import Document, Index, Session
from dupdex.attach import attaching, detaching
from dupdex.kibana.index_facts import facts_of
from dupdex.location import Location
from dupdex.rebuild import rebuild
from dupdex.store_check import check_store
from indexer.meta import IndexMeta
from indexer.meta_watch import MetaWatch
from indexer.sidecar import MadeAnew
from indexer.stores.elastic.client import ElasticSettings
from mappings.contract import OBJECT_FIELD
from mappings.errors import AccessRefused, InputRefused, StoreRefused
from mappings.plan import CHARACTERS
from mappings.sidecar_body import sidecar_name
from tests.command import run
from tests.service.foreign_data import BODY, MAPPINGS, made, place, put, sources, text_in, theirs
from tests.service.proxy import Proxy, Reply, Seen, proxied
from tests.service.test_attach import GOAL
from tests.service.test_elastic_roles import REFUSED
from tests.service.test_sidecar import attach, described, found


@pytest.fixture(autouse=True)
def _no_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(detaching, "GRACE_SECONDS", 0.0)
    monkeypatch.setattr(attaching, "MOVING_SECONDS", 0.0)


@pytest.fixture
def proxy(es_url: str) -> Iterator[Proxy]:
    with proxied(es_url) as proxy:
        yield proxy


def test_no_right_to_write_is_needed(
    settings: ElasticSettings, raw: Elasticsearch, proxy: Proxy
) -> None:
    """Neither to refresh the index, nor to see its statistics; a second run finds what is new."""
    made(raw, settings.index, 40)
    reading = ("_search", "_mget", "_count", "_pit", "_mapping", "_settings", "_termvectors")

    def rule(seen: Seen) -> Reply | None:
        path = seen.path.partition("?")[0]
        ours = f"/{settings.index}-dupdex-" in path or not path.startswith(f"/{settings.index}")
        read = seen.method == "GET" or path.endswith(reading)
        return None if ours or (read and "_stats" not in path) else (403, REFUSED)

    proxy.rule = rule
    where = Location(proxy.url, settings.index)
    before = described(raw, settings.index)
    assert attach(where) == 40
    assert described(raw, settings.index) == before
    put(raw, settings.index, [("copy", theirs(7))])
    assert attach(where) == 1
    with Index.open(where) as index:
        assert sorted(found(index, text_in(7))) == ["copy", "d7"]
        assert len(list(index.sweep())) == 1
    Index.detach(where)
    refused = [seen for seen in proxy.seen if rule(seen) is not None]
    assert {seen.path.rpartition("/")[2].partition("?")[0] for seen in refused} <= {
        "_refresh",
        "docs",
    }


def test_an_index_that_cannot_be_written_to(settings: ElasticSettings, raw: Elasticsearch) -> None:
    made(raw, settings.index, 5)
    raw.indices.put_settings(index=settings.index, settings={"index.blocks.write": True})
    assert attach(place(settings)) == 5
    with Index.open(place(settings)) as index:
        assert found(index, text_in(3)) == ["d3"]
    Index.detach(place(settings))
    raw.indices.put_settings(index=settings.index, settings={"index.blocks.write": None})


@pytest.mark.parametrize("required", [False, True])
def test_documents_with_a_routing(
    settings: ElasticSettings, raw: Elasticsearch, required: bool
) -> None:
    """Two may share an id."""
    mappings = {**MAPPINGS, "_routing": {"required": required}}
    raw.indices.create(index=settings.index, mappings=mappings, settings={"number_of_shards": 3})
    for at in range(12):
        raw.index(index=settings.index, id=f"d{at}", routing=f"r{at}", document=theirs(at % 6))
    for at in range(20):
        raw.index(index=settings.index, id="same", routing=f"s{at % 9}", document=theirs(at % 9))
    raw.indices.refresh(index=settings.index)
    before = described(raw, settings.index)
    shared = raw.count(index=settings.index, query={"ids": {"values": ["same"]}})["count"]
    assert shared > 1
    assert attach(place(settings)) == 12 + shared
    with Index.open(place(settings)) as index:
        assert sorted({*found(index, text_in(5)), "same"}) == ["d11", "d5", "same"]
        assert index.get(["d3"])["d3"].text == text_in(3)
        assert len(list(index.scan())) == 12 + shared
        assert index.describe()["covered"] == 12 + shared
    raw.delete(index=settings.index, id="d5", routing="r5", refresh=True)
    with Index.open(place(settings)) as index:
        assert "d5" not in found(index, text_in(5))
    assert attach(place(settings)) == 0
    assert raw.count(index=sidecar_name(settings.index))["count"] == 11 + shared
    assert described(raw, settings.index)[0] == before[0]


def test_an_alias_for_one_index(settings: ElasticSettings, raw: Elasticsearch) -> None:
    made(raw, settings.index, 20)
    alias, part = f"{settings.index}-alias", f"{settings.index}-part"
    raw.indices.put_alias(index=settings.index, name=alias)
    raw.indices.put_alias(index=settings.index, name=part, filter={"ids": {"values": ["d1"]}})
    by_alias = Location(settings.url, alias)
    with pytest.raises(StoreRefused, match="shows a part of"):
        attach(replace(by_alias, index=part))
    assert attach(by_alias) == 20
    for where in (by_alias, place(settings)):
        with Index.open(where) as index:
            (match,) = index.lookup(text_in(7)).matches
            assert (match.index, match.id) == (settings.index, "d7")
    with pytest.raises(StoreRefused, match="not made by dupdex"):
        Index.open(replace(by_alias, index=part))
    assert attach(by_alias) == 0
    Index.detach(by_alias)
    with pytest.raises(StoreRefused, match="not made by dupdex"):
        Index.open(by_alias)


def test_names_of_several_are_refused(settings: ElasticSettings, raw: Elasticsearch) -> None:
    made(raw, settings.index, 2)
    made(raw, f"{settings.index}-1", 2)
    alias = f"{settings.index}-alias"
    raw.indices.put_alias(index=f"{settings.index},{settings.index}-1", name=alias)
    with pytest.raises(StoreRefused, match=r"stands for 2 indices .* name one of them"):
        attach(Location(settings.url, alias))
    stream = f"s-{uuid.uuid4().hex}"
    raw.indices.put_index_template(
        name=stream, index_patterns=[stream], data_stream={}, priority=500
    )
    try:
        document = {"@timestamp": "2026-01-02T03:04:05Z", **theirs(1)}
        raw.index(index=stream, document=document, op_type="create", refresh=True)
        with pytest.raises(StoreRefused, match="is a data stream"):
            attach(Location(settings.url, stream))
    finally:  # a node without the module for it cannot remove a data stream
        raw.options(ignore_status=[400, 405]).indices.delete_data_stream(name=stream)
        raw.options(ignore_status=[400, 405]).indices.delete_index_template(name=stream)


def test_other_states_are_refused(settings: ElasticSettings, raw: Elasticsearch) -> None:
    where = place(settings)
    made(raw, settings.index, 3)
    Index.attach(where, BODY, plan=CHARACTERS)
    with pytest.raises(StoreRefused, match=r"is attached.*'dupdex detach' first"):
        attach(where)
    Index.detach(where)
    assert attach(where) == 3
    with pytest.raises(StoreRefused, match="is itself the sidecar of"):
        attach(replace(where, index=sidecar_name(settings.index)))
    with pytest.raises(StoreRefused, match=r"is the sidecar of .* name"):
        Index.open(replace(where, index=sidecar_name(settings.index)))
    with pytest.raises(InputRefused, match=r"attached with --text-field content\.body"):
        Index.attach(where, ["source"])
    own = replace(where, index=f"{settings.index}-1")
    Index.create(own, IndexMeta(plan=CHARACTERS)).close()
    with pytest.raises(StoreRefused, match="was made by dupdex: its documents carry"):
        attach(own)


def test_documents_are_never_written(settings: ElasticSettings, raw: Elasticsearch) -> None:
    made(raw, settings.index, 3)
    where = place(settings)
    attach(where)
    before = described(raw, settings.index)
    document = Document("new", body=theirs("new"))
    with Index.create(where) as index:
        for write in (
            lambda: index.add([document]),
            lambda: index.admit(document),
            lambda: index.delete(["d1"]),
            lambda: index.forget_document("d1"),
        ):
            with pytest.raises(StoreRefused, match=r"has a sidecar, and dupdex does not write"):
                write()
        with pytest.raises(StoreRefused, match="is attached"):
            list(rebuild(where, GOAL))
        assert described(raw, settings.index) == before
        raw.delete(index=settings.index, id="d1", refresh=True)
        assert index.left_of("d1") == [f"index {sidecar_name(settings.index)}: the fingerprint"]
        assert index.forget_document("d1").left == ()
        assert "d1" not in sources(raw, sidecar_name(settings.index))
    with Session(where) as session, pytest.raises(StoreRefused, match="'dupdex report' shows"):
        facts_of(session)
    report = check_store(where)
    assert (report.is_sound, report.documents) == (True, 2)


def test_an_index_that_was_made_anew(
    settings: ElasticSettings, raw: Elasticsearch, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its documents may have the same ids and the same versions as the ones before."""
    monkeypatch.setattr(MetaWatch, "EVERY", 0.0)
    made(raw, settings.index, 4)
    where = place(settings)
    attach(where)
    with Index.open(where) as index:
        raw.indices.delete(index=settings.index)
        raw.indices.create(index=settings.index, mappings=MAPPINGS)
        put(raw, settings.index, [(f"d{at}", theirs(f"other {at}")) for at in range(4)])
        with pytest.raises(MadeAnew, match=r"was made anew.*--sidecar' again"):
            index.lookup(text_in(1))
    with pytest.raises(MadeAnew):
        Index.open(where)
    assert Index.attach(where, BODY, plan=CHARACTERS).written == 4
    with Index.open(where) as index:
        assert found(index, text_in("other 1")) == ["d1"]
    raw.indices.delete(index=settings.index)
    assert sidecar_name(settings.index) in Index.detach(where).collections


def test_it_moves_to_another_plan_while_it_answers(
    settings: ElasticSettings, raw: Elasticsearch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(MetaWatch, "EVERY", 0.0)
    made(raw, settings.index, 200)
    where = place(settings)
    attach(where)
    missed: list[int] = []
    asked = iter(range(0, 200, 3))
    with Index.open(where) as index:

        def step(*_: int) -> None:
            at = next(asked)
            raw.indices.refresh(index=sidecar_name(settings.index))
            if found(index, text_in(at)) != [f"d{at}"]:
                missed.append(at)

        assert Index.attach(where, plan=GOAL, progress=step, slices=1).written == 200
        assert not missed
        assert next(asked) > 9
        assert found(index, text_in(5)) == ["d5"]
        assert index.plan == GOAL
        assert index.describe()["covered"] == 200
    rows = sources(raw, sidecar_name(settings.index)).values()
    assert {row[OBJECT_FIELD]["plan"] for row in rows} == {GOAL.id}


def test_the_command_line(settings: ElasticSettings, raw: Elasticsearch, tmp_path: Path) -> None:
    made(raw, settings.index, 12)
    raw.index(index=settings.index, id="none", document={"source": "x"}, refresh=True)
    before = described(raw, settings.index)
    store = ("--store", settings.url)
    told = ("--sidecar", "--text-field", "content.body", "--plan", "characters")
    for written in (12, 0):  # what has no text is told each time
        done = run("attach", settings.index, *store, *told, folder=tmp_path)
        assert done.status == 1
        assert done.out == f"{written} documents of {settings.index} got a fingerprint\n"
        assert "document 'none' of" in done.err
    found = run("check", "--id", "d3", *store, "--index", settings.index, folder=tmp_path)
    assert found.status == 1
    info = run("info", *store, "--index", settings.index, "--json", folder=tmp_path).json()
    assert (info["attached"], info["covered"], info["documents"]) == ("done", 12, 13)
    assert info["sidecar"] == sidecar_name(settings.index)
    with Session(place(settings)) as session:
        names = session.indices()
        assert settings.index in names
        assert sidecar_name(settings.index) not in names
    (tmp_path / "many.jsonl").write_text("{oops\n")
    for command in (
        ("index", "many.jsonl"),
        ("replay", "many.jsonl"),
        ("delete", "d3", "--yes"),
        ("delete", "--query", "source=x", "--dry-run"),
        ("pages", "load", "many.jsonl"),
        ("crawl", "http://127.0.0.1:9/"),
    ):  # before anything is read, or listed as if it were gone
        refused = run(*command, *store, "--index", settings.index, folder=tmp_path)
        assert (refused.status, refused.out) == (4, "")
        assert "has a sidecar, and dupdex does not write to its documents" in refused.error()
    gone = run("detach", settings.index, *store, folder=tmp_path)
    assert gone.status == 0
    assert gone.out.startswith("removed: ")
    assert f"a sidecar writes nothing to {settings.index}" in gone.out
    assert described(raw, settings.index) == before


def test_refused_credentials_are_no_missing_sidecar(
    settings: ElasticSettings, raw: Elasticsearch, proxy: Proxy
) -> None:
    made(raw, settings.index, 3)
    attach(place(settings))
    beside = sidecar_name(settings.index)
    proxy.rule = lambda seen: (403, REFUSED) if f"/{beside}/_" in seen.path else None
    with pytest.raises(AccessRefused), Index.open(Location(proxy.url, settings.index)) as index:
        index.lookup(text_in(1))
