"""An index with a sidecar behind the gateway: writes pass as they are, searches find copies."""

from __future__ import annotations

import uuid
from collections.abc import Iterator

import orjson
import pytest
from elasticsearch import Elasticsearch

from dupdex import Index, Location
from indexer.stores.elastic.client import ElasticSettings, connect
from mappings.plan import CHARACTERS
from tests.service.elastic_data import chinese
from tests.service.gateway.running import Running
from tests.service.gateway.writes import NDJSON, ask, lines

TEXT, OTHER = chinese(1), chinese(2)


@pytest.fixture
def there(es_url: str) -> Iterator[tuple[Elasticsearch, Location]]:
    where = Location(es_url, f"t-{uuid.uuid4().hex}")
    with connect(ElasticSettings(es_url, where.index)) as client:
        client.indices.create(
            index=where.index, mappings={"properties": {"text": {"type": "text"}}}
        )
        client.index(index=where.index, id="1", document={"text": TEXT}, refresh=True)
        Index.attach(where, ["text"], plan=CHARACTERS, sidecar=True)
        try:
            yield client, where
        finally:
            found = client.indices.get(index=f"{where.index}*", expand_wildcards="all")
            client.indices.delete(index=",".join(found))


def test_writes_pass_untouched_and_are_found_after_the_next_attach(
    gateway: Running, there: tuple[Elasticsearch, Location]
) -> None:
    client, where = there
    body = lines(
        *({"index": {"_id": "2"}}, {"text": TEXT}),
        *({"update": {"_id": "1"}}, {"doc": {"more": "x"}}),
        *({"update": {"_id": "1"}}, {"script": {"source": "ctx._source.text = 'changed'"}}),
    )
    path = f"/{where.index}/_bulk?refresh=true"
    _, _, content = ask(gateway.url, "POST", path, body, {"Content-Type": NDJSON})
    _, _, document = ask(
        gateway.url, "PUT", f"/{where.index}/_doc/3?refresh=true", orjson.dumps({"text": TEXT})
    )
    statuses = [next(iter(item.values()))["status"] for item in orjson.loads(content)["items"]]
    assert statuses[:2] == [201, 200]
    assert "dupdex" not in content.decode() + document.decode().replace(where.index, "")
    stored = {
        hit["_id"]: hit["_source"] for hit in client.search(index=where.index)["hits"]["hits"]
    }
    assert stored["2"] == stored["3"] == {"text": TEXT}
    assert stored["1"] in ({"text": TEXT, "more": "x"}, {"text": "changed", "more": "x"})
    assert near(gateway, where, TEXT) in (["1"], [])
    assert Index.attach(where).written >= 2
    assert set(near(gateway, where, TEXT)) >= {"2", "3"}


def near(gateway: Running, where: Location, text: str) -> list[str]:
    body = orjson.dumps({"query": {"near_duplicate": {"text": text}}})
    status, _, content = ask(gateway.url, "POST", f"/{where.index}/_search", body)
    assert status == 200, content
    return sorted(hit["_id"] for hit in orjson.loads(content)["hits"]["hits"])


def test_what_needs_the_groups_in_the_cluster_is_refused(
    gateway: Running, there: tuple[Elasticsearch, Location]
) -> None:
    _, where = there
    body = orjson.dumps({"query": {"match_all": {}}, "dedup": {"collapse": True}})
    status, _, content = ask(gateway.url, "POST", f"/{where.index}/_search", body)
    assert status == 400
    assert "lie in its sidecar" in content.decode()


def test_a_search_by_a_pattern_over_many(
    gateway: Running, there: tuple[Elasticsearch, Location]
) -> None:
    """Indices with a sidecar are told from others without a request for each."""
    client, where = there
    for at in range(6):
        client.indices.create(index=f"{where.index}-{at}")
    body = orjson.dumps({"query": {"near_duplicate": {"text": TEXT}}})
    status, _, content = ask(gateway.url, "POST", f"/{where.index}*/_search", body)
    assert status == 200, content
    assert [hit["_id"] for hit in orjson.loads(content)["hits"]["hits"]] == ["1"]
    assert near(gateway, where, OTHER) == []
