"""Groups and pairs follow what is written through a gateway before the answer comes."""

from __future__ import annotations

import time
from collections.abc import Iterator

import orjson
import pytest
from elasticsearch import Elasticsearch

from dupdex import Document, Index, Location, Session
from dupdex.gateway.our_indices import HOMES
from dupdex.jobs.sweep_job import Sweep, sweep
from dupdex.matches.match_store import MatchStore
from indexer.grouping import Grouping
from indexer.meta import IndexMeta
from indexer.stores.elastic.client import ElasticSettings
from mappings.contract import OBJECT_FIELD
from mappings.plan import CHARACTERS
from mappings.records import MATCHES
from tests.service.elastic_data import chinese
from tests.service.foreign_data import place, sources
from tests.service.gateway.running import Running
from tests.service.gateway.writes import NDJSON, ask, lines

TEXT, OTHER = chinese("grouped", 200), chinese("other", 200)


@pytest.fixture(autouse=True)
def _without_collections(settings: ElasticSettings, raw: Elasticsearch) -> Iterator[None]:
    yield
    found = raw.indices.get(index=f"{settings.index}-dupdex-*", expand_wildcards="all")
    if found.body:
        raw.indices.delete(index=",".join(found))


def groups(raw: Elasticsearch, name: str) -> dict[str, str]:
    return {key: source[OBJECT_FIELD]["group"] for key, source in sources(raw, name).items()}


def pairs(index: Index) -> set[str]:
    with Session(index._session.location) as session:
        session.collection(MATCHES).refresh()
    return {"".join(sorted((r.first.id, r.second.id))) for r in index.matches().records}


def test_a_write_is_answered_once_it_is_grouped(
    gateway: Running, settings: ElasticSettings, raw: Elasticsearch
) -> None:
    name, where = settings.index, place(settings)
    meta = IndexMeta(plan=CHARACTERS)
    with Index.create(where, meta, grouping=Grouping(live=True)) as index:
        body = lines(
            *({"index": {"_id": "a"}}, {"text": TEXT}, {"index": {"_id": "b"}}, {"text": TEXT}),
            *({"create": {"_id": "c"}}, {"text": OTHER}),
        )
        path = f"/{name}/_bulk?filter_path=items.*.status"
        status, _, content = ask(gateway.url, "POST", path, body, {"Content-Type": NDJSON})
        statuses = [next(iter(item.values())) for item in orjson.loads(content)["items"]]
        assert (status, statuses) == (200, 3 * [{"status": 201}])
        assert groups(raw, name) == {"a": "a", "b": "a", "c": "c"}
        copy = orjson.dumps({"text": f"{TEXT}又。"})
        assert ask(gateway.url, "POST", f"/{name}/_doc/d", copy)[0] == 201
        assert groups(raw, name)["d"] == "a"
        assert ask(gateway.url, "PUT", f"/{name}/_doc/d?filter_path=none", copy)[0] == 200
        assert groups(raw, name)["d"] == "a"
        change = orjson.dumps({"doc": {"text": OTHER}})
        assert ask(gateway.url, "POST", f"/{name}/_update/b", change)[0] == 200
        assert groups(raw, name) == {"a": "a", "b": "c", "c": "c", "d": "a"}
        assert pairs(index) == {"ad", "bc"}
        assert ask(gateway.url, "DELETE", f"/{name}/_doc/b")[0] == 200
        assert pairs(index) == {"ad"}
        body = lines({"delete": {"_id": "a"}}, {"delete": {"_id": "never"}})
        assert ask(gateway.url, "POST", f"/{name}/_bulk", body, {"Content-Type": NDJSON})[0] == 200
        assert pairs(index) == set()


def test_pairs_of_what_is_written_over(gateway: Running, settings: ElasticSettings) -> None:
    where = place(settings)
    with Index.create(where, IndexMeta(plan=CHARACTERS)) as index:
        index.add([Document("a", TEXT), Document("b", TEXT), Document("c", OTHER)])
        index.refresh()
        ref = index.ref_of("a"), index.ref_of("b")
        with Session(where) as session:
            store = MatchStore.open(session)
            store.settle([ref[0]], index.sweep(), index.plan.id)
        assert pairs(index) == {"ab"}
        path = f"/{settings.index}/_doc/b"
        assert ask(gateway.url, "POST", path, orjson.dumps({"text": OTHER}))[0] == 200
        assert pairs(index) == {"bc"}
        assert ask(gateway.url, "DELETE", path)[0] == 200
        assert pairs(index) == set()


def test_writes_by_an_alias_keep_the_records_of_its_index(
    gateway: Running, settings: ElasticSettings, raw: Elasticsearch
) -> None:
    """Groups and pairs are those of the index, whichever name is written to."""
    name, alias = settings.index, f"{settings.index}-alias"
    meta = IndexMeta(plan=CHARACTERS)
    with Index.create(place(settings), meta, grouping=Grouping(live=True)) as index:
        index.add([Document("a", TEXT), Document("c", OTHER)])
        raw.indices.put_alias(index=name, name=alias)
        copy = orjson.dumps({"text": f"{TEXT}又。"})
        assert ask(gateway.url, "PUT", f"/{alias}/_doc/b", copy)[0] == 201
        assert groups(raw, name) == {"a": "a", "b": "a", "c": "c"}
        assert pairs(index) == {"ab"}
        change = orjson.dumps({"doc": {"text": OTHER}})
        assert ask(gateway.url, "POST", f"/{alias}/_update/b", change)[0] == 200
        assert pairs(index) == {"bc"}
        raw.indices.refresh(index=f"{name},{name}-dupdex-*", expand_wildcards="all")
        _, _, content = ask(gateway.url, "GET", f"/_dupdex/v1/groups/b?target={alias}")
        assert {each["id"] for each in orjson.loads(content)["members"]} == {"b", "c"}
        assert ask(gateway.url, "DELETE", f"/{alias}/_doc/b")[0] == 200
        assert pairs(index) == set()
        found = raw.indices.get(index=f"{alias}-dupdex-*", expand_wildcards="all")
        assert found.body == {}


def test_writes_to_one_index_of_an_alias_keep_the_records_of_the_alias(
    gateway: Running, settings: ElasticSettings, raw: Elasticsearch
) -> None:
    """The alias was attached, and so its records lie beside it."""
    name, alias = settings.index, f"{settings.index}-alias"
    other = f"{name}-other"
    properties = {"properties": {"text": {"type": "text"}}}
    for each in (name, other):
        raw.indices.create(index=each, mappings=properties)
        raw.indices.put_alias(index=each, name=alias, is_write_index=each == name)
    location = Location(settings.url, alias)
    Index.attach(location, ["text"], plan=CHARACTERS)
    for number, each in enumerate((name, other)):
        body = orjson.dumps({"text": TEXT})
        path = f"/{each}/_doc/{number}?refresh=true"
        assert ask(gateway.url, "PUT", path, body)[0] == 201
    with Session(location) as session, Index.open(session) as index:
        sweep(session, Sweep(workers=1))
        assert pairs(index) == {"01"}
        time.sleep(HOMES * 2)  # it looks for records once a second
        assert ask(gateway.url, "DELETE", f"/{other}/_doc/1")[0] == 200
        assert pairs(index) == set()
    raw.indices.delete(index=other)


def test_documents_that_a_query_has_not_deleted_keep_their_pairs(
    gateway: Running, settings: ElasticSettings
) -> None:
    """The server of the tests refuses to delete by query; others leave documents out that
    `max_docs` or a conflict spares."""
    location = place(settings)
    with Index.create(location, IndexMeta(plan=CHARACTERS)) as index:
        index.add([Document("a", TEXT), Document("b", TEXT)])
        index.refresh()
        with Session(location) as session:
            sweep(session, Sweep(workers=1))
        assert pairs(index) == {"ab"}
        body = orjson.dumps({"query": {"match_all": {}}, "max_docs": 1})
        ask(gateway.url, "POST", f"/{settings.index}/_delete_by_query", body)
        assert pairs(index) == {"ab"}


@pytest.mark.parametrize("refresh", ["true", "wait_for"])
def test_a_refreshed_write_is_seen_in_its_group(
    gateway: Running, settings: ElasticSettings, raw: Elasticsearch, refresh: str
) -> None:
    name = settings.index
    with Index.create(place(settings), IndexMeta(plan=CHARACTERS), grouping=Grouping(live=True)):
        raw.indices.put_settings(index=name, settings={"index.refresh_interval": "1h"})
        rows = [row for each in "abc" for row in ({"index": {"_id": each}}, {"text": TEXT})]
        path = f"/{name}/_bulk?refresh=true"
        assert ask(gateway.url, "POST", path, lines(*rows), {"Content-Type": NDJSON})[0] == 200
        assert _seen(raw, name) == {"a": "a", "b": "a", "c": "a"}
        raw.indices.put_settings(index=name, settings={"index.refresh_interval": "200ms"})
        copy = orjson.dumps({"text": f"{TEXT}又。"})
        assert ask(gateway.url, "PUT", f"/{name}/_doc/d?refresh={refresh}", copy)[0] == 201
        assert _seen(raw, name)["d"] == "a"


def _seen(raw: Elasticsearch, name: str) -> dict[str, str]:
    """Groups as a search finds them, without a refresh."""
    hits = raw.search(index=name, size=100)["hits"]["hits"]
    return {hit["_id"]: hit["_source"][OBJECT_FIELD]["group"] for hit in hits}
