"""Writes by other names than that of the index: aliases, data streams, dates."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from datetime import UTC, datetime
from urllib.parse import quote

import orjson
import pytest

from dupdex import Index, Location
from mappings.plan import CHARACTERS
from tests.service.elastic_data import chinese
from tests.service.gateway.running import Running
from tests.service.gateway.writes import NDJSON, Pair, ask, current, lines, pair_of

TEXT, OTHER = chinese(1), chinese(2)


@pytest.fixture
def pair(es_url: str) -> Iterator[Pair]:
    with pair_of(es_url) as pair:
        yield pair


def test_an_alias_over_several_indices(gateway: Running, pair: Pair) -> None:
    """One of them takes the documents."""
    client, alias, older = pair.client, f"{pair.ours}-alias", f"{pair.ours}-older"
    client.indices.create(index=older, mappings={"properties": {"text": {"type": "text"}}})
    client.indices.put_alias(index=older, name=alias)
    client.indices.put_alias(index=pair.ours, name=alias, is_write_index=True)
    Index.attach(Location(pair.settings.url, alias), ["text"], plan=CHARACTERS)
    body = lines(
        *({"index": {"_id": "1", "require_alias": True}}, {"text": TEXT}),
        *({"update": {"_id": "1"}}, {"doc": {"text": OTHER}}),
        *({"index": {"_id": "2", "_index": older}}, {"text": TEXT}),
        *({"index": {"_id": "3", "_index": older, "require_alias": True}}, {"text": TEXT}),
    )
    path = f"/{alias}/_bulk"
    status, _, content = ask(gateway.url, "POST", path, body, {"Content-Type": NDJSON})
    items = [next(iter(item.values())) for item in orjson.loads(content)["items"]]
    assert [(item["_index"], item["status"]) for item in items] == [
        (pair.ours, 201),
        (pair.ours, 200),
        (older, 201),
        (older, 404),
    ]
    assert status == 200
    stored = pair.stored(alias)
    assert set(stored) == {"1", "2"}
    assert all(map(current, stored.values()))


def test_a_data_stream(gateway: Running, pair: Pair) -> None:
    client, stream = pair.client, f"s-{uuid.uuid4().hex}"
    client.indices.put_index_template(
        name=stream,
        index_patterns=[stream],
        data_stream={},
        priority=500,
        template={"mappings": {"properties": {"text": {"type": "text"}}}},
    )
    try:
        first = {"@timestamp": "2026-01-02T03:04:05Z", "text": OTHER}
        client.index(index=stream, document=first, op_type="create", refresh=True)
        Index.attach(Location(pair.settings.url, stream), ["text"], plan=CHARACTERS)
        document = {"@timestamp": "2026-01-02T03:04:06Z", "text": TEXT}
        body = lines({"create": {}}, document, {"index": {"_id": "1"}}, document)
        path = f"/{stream}/_bulk"
        _, _, content = ask(gateway.url, "POST", path, body, {"Content-Type": NDJSON})
        statuses = [next(iter(item.values()))["status"] for item in orjson.loads(content)["items"]]
        assert statuses == [201, 400]  # a data stream takes new documents only
        assert ask(gateway.url, "POST", f"/{stream}/_doc", orjson.dumps(document))[0] == 201
        client.indices.rollover(alias=stream)
        assert ask(gateway.url, "POST", f"/{stream}/_doc", orjson.dumps(document))[0] == 201
        stored = pair.stored(stream)
        assert len(stored) == 4
        assert all(map(current, stored.values()))
    finally:  # a node without the module for it cannot remove a data stream
        client.options(ignore_status=[400, 405]).indices.delete_data_stream(name=stream)
        client.options(ignore_status=[400, 405]).indices.delete_index_template(name=stream)


def test_a_name_with_a_date(gateway: Running, pair: Pair) -> None:
    prefix = f"t-{uuid.uuid4().hex}"
    name = f"{prefix}-{datetime.now(UTC):%Y.%m}"
    pair.client.indices.create(index=name)
    try:
        Index.attach(Location(pair.settings.url, name), ["text"], plan=CHARACTERS)
        dated = quote(f"<{prefix}-{{now/M{{yyyy.MM}}}}>", safe="")
        assert ask(gateway.url, "PUT", f"/{dated}/_doc/1", orjson.dumps({"text": TEXT}))[0] == 201
        assert current(pair.stored(name)["1"])
    finally:
        pair.client.indices.delete(index=name)


def test_an_index_whose_metadata_is_blocked(gateway: Running, pair: Pair) -> None:
    """Nobody can see how its fingerprints are made, so nothing is stored there without one; what
    is no index of ours passes as before."""
    client, body = pair.client, orjson.dumps({"text": TEXT})
    for name in (pair.ours, pair.bare):
        client.indices.add_block(index=name, block="metadata")
    try:
        path = "/{}/_doc/1?refresh=true"
        kind = {"Content-Type": "application/json"}
        status, _, content = ask(gateway.url, "PUT", path.format(pair.ours), body, kind)
        assert status == 409
        assert "lift the block" in orjson.loads(content)["error"]["reason"]
        assert ask(gateway.url, "PUT", path.format(pair.bare), body, kind)[0] == 201
        search = f"/{pair.ours}/_search"
        assert ask(gateway.url, "POST", search, b"{}", kind)[0] == 200
        clause = orjson.dumps({"query": {"near_duplicate": {"text": TEXT}}})
        status, _, content = ask(gateway.url, "POST", search, clause, kind)
        assert status in (400, 409)
        assert b"lift the block" in content
    finally:
        for name in (pair.ours, pair.bare):
            client.indices.put_settings(index=name, settings={"index.blocks.metadata": False})
    assert ask(gateway.url, "PUT", path.format(pair.ours), body, kind)[0] == 201
    assert current(pair.stored(pair.ours)["1"])
