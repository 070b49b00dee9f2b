"""Near duplicates in a data stream that dupdex did not make, by its name, a pattern and a point in
time."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import Any

import orjson
import pytest
from elasticsearch import Elasticsearch

from dupdex import Index, Location
from mappings.plan import CHARACTERS
from tests.service.foreign_data import BODY, MAPPINGS, text_in, theirs
from tests.service.gateway.near_data import ids_in, near
from tests.service.gateway.running import Running
from tests.service.gateway.test_passing import ask

TIME = "@timestamp"


@pytest.fixture
def stream(es_url: str) -> Iterator[str]:
    """Two generations, attached: a, b and c, c."""
    name = f"t-{uuid.uuid4().hex}"
    with Elasticsearch(es_url) as raw:
        properties = {**MAPPINGS["properties"], TIME: {"type": "date"}}
        raw.indices.put_index_template(
            name=f"their-{name}",
            index_patterns=[f"{name}*"],
            priority=500,
            template={"mappings": {**MAPPINGS, "properties": properties}},
            data_stream={},
        )
        for generation in (("a", "b"), ("c",)):
            operations: list[dict[str, Any]] = []
            for each in (*generation, "same"):
                operations += [
                    {"create": {"_id": each}},
                    theirs(each, **{TIME: "2026-01-31T00:00:00Z"}),
                ]
            assert not raw.bulk(index=name, operations=operations, refresh=True)["errors"]
            raw.indices.rollover(alias=name)
        Index.attach(Location(es_url, name), BODY, plan=CHARACTERS)
        raw.indices.refresh(index=name)
        yield name  # a node without the module for it cannot remove a data stream


def test_a_data_stream(gateway: Running, stream: str, es_url: str) -> None:
    def search(path: str, body: dict[str, Any]) -> dict[str, Any]:
        status, _, answer = ask(gateway.url, "POST", path, orjson.dumps(body))
        assert status == 200, answer
        return dict(orjson.loads(answer))

    query = near(text_in("same"))
    with Elasticsearch(es_url) as raw:
        pit = raw.open_point_in_time(index=stream, keep_alive="1m")["id"]
        for path, more in (
            (f"/{stream}/_search", {}),
            (f"/{stream}*/_search", {}),
            ("/_search", {"pit": {"id": pit}}),
        ):
            answer = search(path, {"query": query, **more})
            assert ids_in(answer) == ["same", "same"]
            indices = {hit["_index"] for hit in answer["hits"]["hits"]}
            assert len(indices) == 2
            assert all(hit["_dupdex"]["verdict"] == "exact" for hit in answer["hits"]["hits"])
        raw.close_point_in_time(id=pit)
