"""Roles that may do less than everything: what is an extra is a note, what is refused in the
middle leaves an index that answers. The proxy refuses as the server's security does."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from elasticsearch import Elasticsearch

import dupdex.rebuild as rebuilding
from dupdex import (
    AccessRefused,
    Decision,
    Document,
    Index,
    InputRefused,
    Location,
    PlanMismatch,
    Status,
    StoreRefused,
)
from dupdex.rebuild import rebuild
from indexer.meta import IndexMeta
from indexer.stores.elastic.client import ElasticSettings, connect
from indexer.stores.elastic.elastic_writer import ElasticWriter
from mappings.collections import collection_index
from mappings.plan import CHARACTERS, STANDARD
from mappings.records import RECORDS
from tests.command import Result, run
from tests.service.elastic_data import META, chinese, records, store
from tests.service.proxy import Proxy, Reply, Seen, proxied

REFUSED = {"error": {"type": "security_exception", "reason": "action is unauthorized"}}


@pytest.fixture
def proxy(es_url: str) -> Iterator[Proxy]:
    with proxied(es_url) as proxy:
        yield proxy


@pytest.fixture(autouse=True)
def no_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rebuilding, "GRACE_SECONDS", 0.0)


def refusing(*parts: str, methods: str = "PUT POST GET") -> Callable[[Seen], Reply | None]:
    def rule(seen: Seen) -> Reply | None:
        wrong = seen.method in methods.split() and any(part in seen.path for part in parts)
        return (403, REFUSED) if wrong else None

    return rule


def filled(settings: ElasticSettings) -> Location:
    store(settings, records(5))
    return Location(settings.url, settings.index)


def answers(where: Location) -> bool:
    """Whether the copy of a stored text is found."""
    with Index.open(where) as index:
        return [match.id for match in index.lookup(chinese("d3")).matches] == ["d3"]


def test_no_template_rights_at_all(settings: ElasticSettings, proxy: Proxy) -> None:
    proxy.rule = refusing("_index_template")
    where = Location(proxy.url, settings.index)
    with Index.create(where, plan=CHARACTERS) as index:
        assert "index template" in index.problem
        index.add([Document(f"d{at}", chinese(f"d{at}")) for at in range(5)])
        index.refresh()
        index.learn()
    assert answers(where)
    remarks: list[str] = []
    outcomes = list(rebuild(where, STANDARD, remark=remarks.append))
    assert [each.status for each in outcomes] == [Status.UPDATED] * 5
    assert len(remarks) == 1
    assert "index template" in remarks[0]
    assert answers(where)
    with Index.open(where) as index:
        assert index.plan == STANDARD


@pytest.mark.parametrize("part", ["_bulk", "_mget", "_pit", "_refresh", "_count", "_search"])
def test_a_rebuild_refused_before_it_rewrote_anything(
    settings: ElasticSettings, proxy: Proxy, part: str
) -> None:
    where = filled(settings)
    proxy.rule = refusing(part)
    with pytest.raises(AccessRefused, match="the index was left as it is"):
        list(rebuild(Location(proxy.url, settings.index), STANDARD))
    assert answers(where)
    proxy.rule = refusing("_mapping", methods="PUT")
    with pytest.raises(AccessRefused, match="change the meta of the index"):
        list(rebuild(Location(proxy.url, settings.index), STANDARD))
    assert answers(where)


def test_a_rebuild_refused_in_the_middle_says_so_and_goes_on_later(
    settings: ElasticSettings, proxy: Proxy
) -> None:
    """Half of the documents have keys of the new plan: lookups would miss the others."""
    store(settings, records(600))
    where = Location(settings.url, settings.index)
    proxy.rule = lambda _: (403, REFUSED) if len(proxy.bulks()) > 1 else None
    with pytest.raises(AccessRefused):
        list(rebuild(Location(proxy.url, settings.index), STANDARD))
    proxy.rule = lambda _: None
    with pytest.raises(PlanMismatch, match=r"a rebuild .* was not finished"):
        Index.open(where)
    assert Index.rebuild(where) == []
    assert answers(where)


@pytest.fixture
def both(settings: ElasticSettings, raw: Elasticsearch) -> Iterator[str]:
    """An alias over two indices."""
    alias = f"{settings.index}-both"
    where = filled(settings)
    second = f"{settings.index}-1"
    Index.create(where, IndexMeta(CHARACTERS), index=second).close()
    raw.indices.put_alias(index=f"{settings.index},{second}", name=alias)
    yield alias
    raw.options(ignore_status=404).indices.delete_index_template(name=f"dupdex-{second}")


@pytest.mark.parametrize("work", ["rebuild", "learn", "forget"])
def test_an_alias_over_several_indices_is_refused_before_anything(
    settings: ElasticSettings, raw: Elasticsearch, both: str, work: str
) -> None:
    before = raw.indices.get_mapping(index=both).body
    where = Location(settings.url, both)
    names = rf"stands for 2 indices \({settings.index}, {settings.index}-1\)"
    with pytest.raises(StoreRefused, match=names):
        if work == "rebuild":
            Index.rebuild(where, STANDARD)
        else:
            with Index.create(where) as index:
                getattr(index, work)()
    assert raw.indices.get_mapping(index=both).body == before
    assert answers(where)


def test_what_no_repetition_mends_is_not_repeated(settings: ElasticSettings, both: str) -> None:
    """The server cannot say the versions of documents behind an alias of several indices."""
    began = time.monotonic()
    with (
        closing(ElasticWriter.open(replace(settings, index=both), META, rebuilding=True)) as writer,
        pytest.raises(InputRefused, match="more than one index"),
    ):
        list(writer.write(records(2)))
    assert time.monotonic() - began < 30


def test_an_alias_over_one_index_can_be_rebuilt(
    settings: ElasticSettings, raw: Elasticsearch
) -> None:
    where = filled(settings)
    raw.indices.put_alias(index=settings.index, name=f"{settings.index}-one")
    assert Index.rebuild(Location(settings.url, f"{settings.index}-one"), STANDARD) == []
    assert answers(where)


def index_command(proxy: Proxy, settings: ElasticSettings, folder: Path) -> Result:
    lines = [json.dumps({"id": str(at), "text": chinese(at, 40)}) for at in range(1_000)]
    (folder / "news.jsonl").write_text("\n".join(lines))
    arguments = ("index", "news.jsonl", "--plan", "characters")
    there = {"DUPDEX_STORE": proxy.url, "DUPDEX_INDEX": settings.index}
    return run(*arguments, folder=folder, **there)


def test_learning_is_a_note_and_never_the_outcome(
    settings: ElasticSettings, proxy: Proxy, tmp_path: Path
) -> None:
    proxy.rule = refusing("_mapping", methods="PUT")
    done = index_command(proxy, settings, tmp_path)
    assert done.status == 0
    assert "1,000 documents stored" in done.out + done.err
    notes = [line for line in done.err.splitlines() if "boilerplate was not learned" in line]
    assert len(notes) == 1
    assert "dupdex learn" in notes[0]
    again = index_command(proxy, settings, tmp_path)
    assert "going on after" not in again.err  # the run before was finished


def test_one_client_and_one_look_at_the_plan(
    settings: ElasticSettings, proxy: Proxy, tmp_path: Path
) -> None:
    index_command(proxy, settings, tmp_path)
    proxy.seen.clear()
    done = index_command(proxy, settings, tmp_path)
    assert done.status == 0
    whole = [seen for seen in proxy.seen if f"/{settings.index}/_mapping" in seen.path]
    looks = [seen for seen in whole if "filter_path" not in seen.path]
    assert len(looks) == 1


def test_who_may_not_read_decisions_looks_up_without(
    settings: ElasticSettings, proxy: Proxy
) -> None:
    where = filled(settings)
    try:
        with Index.open(where) as opened:
            opened.decide("d0", "d1", Decision.DUPLICATE)
            assert "d1" in decided_for(opened)
        proxy.rule = refusing("-dupdex-")
        with Index.open(Location(proxy.url, settings.index)) as opened:
            assert not decided_for(opened)
            with pytest.raises(AccessRefused):  # else it would seem that nothing is left
                opened.left_of("d0")
            with pytest.raises(AccessRefused):
                opened.decide("d0", "d2", Decision.DUPLICATE)
    finally:
        with closing(connect(settings)) as client:
            names = [collection_index(settings.index, each) for each in RECORDS]
            client.indices.delete(index=names, ignore_unavailable=True)


def decided_for(opened: Index) -> set[str]:
    return {match.id for match in opened.lookup_id("d0").matches if match.decided}
