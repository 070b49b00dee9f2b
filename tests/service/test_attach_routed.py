"""An attached index whose documents have a routing: ids do not say in which shard they lie."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from elasticsearch import Elasticsearch

from dupdex import Index
from dupdex.attach import detaching
from indexer.grouping import Grouping
from indexer.model import Document, Status
from indexer.stores.elastic.client import ElasticSettings
from mappings.contract import OBJECT_FIELD
from mappings.plan import CHARACTERS
from tests.service.foreign_data import BODY, MAPPINGS, place, text_in, theirs

COUNT = 12


@pytest.fixture(autouse=True)
def _no_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(detaching, "GRACE_SECONDS", 0.0)


@pytest.fixture(params=[False, True], ids=["optional", "required"])
def required(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


@contextmanager
def attached(settings: ElasticSettings, raw: Elasticsearch, required: bool) -> Iterator[Index]:
    """An index that keeps groups: two documents of each text, each with a routing of its own."""
    mappings = {**MAPPINGS, "_routing": {"required": required}}
    raw.indices.create(index=settings.index, mappings=mappings, settings={"number_of_shards": 3})
    for at in range(COUNT):
        document = theirs(at % (COUNT // 2))
        raw.index(index=settings.index, id=f"d{at}", routing=f"r{at}", document=document)
    raw.indices.refresh(index=settings.index)
    report = Index.attach(place(settings), BODY, plan=CHARACTERS)
    assert report.written == COUNT
    with Index.create(place(settings), grouping=Grouping(live=True)) as index:
        index.group()
        index.refresh()
        yield index


def hits(raw: Elasticsearch, index: str) -> list[dict[str, Any]]:
    raw.indices.refresh(index=index)
    found = raw.search(index=index, size=100, sort=[{"_doc": "asc"}])["hits"]["hits"]
    return [dict(hit) for hit in found]


def groups(raw: Elasticsearch, index: str) -> dict[str, str]:
    found = hits(raw, index)
    assert all(hit["_routing"] == f"r{hit['_id'][1:]}" for hit in found)
    return {hit["_id"]: hit["_source"][OBJECT_FIELD]["group"] for hit in found}


def test_they_are_grouped(settings: ElasticSettings, raw: Elasticsearch, required: bool) -> None:
    with attached(settings, raw, required):
        found = groups(raw, settings.index)
    assert len(found) == COUNT
    assert [found[f"d{at}"] for at in range(6)] == [found[f"d{at + 6}"] for at in range(6)]
    assert len(set(found.values())) == COUNT // 2


def test_they_are_deleted(settings: ElasticSettings, raw: Elasticsearch, required: bool) -> None:
    with attached(settings, raw, required) as index:
        assert sorted(index.delete(["d3", "d9", "d4", "nobody"])) == ["d3", "d4", "d9"]
        assert index.delete(["d3"]) == []
        found = groups(raw, settings.index)
        assert not {"d3", "d4", "d9"} & set(found)
        assert len(found) == COUNT - 3
        index.refresh()
        assert index.lookup(text_in(3)).matches == ()
        assert [match.id for match in index.lookup(text_in(4)).matches] == ["d10"]


def test_they_are_written_where_they_are(
    settings: ElasticSettings, raw: Elasticsearch, required: bool
) -> None:
    """A new text under the id does not make a second document in another shard."""
    with attached(settings, raw, required) as index:
        (outcome,) = index.add([Document("d5", text_in("new"), theirs("new"))])
        assert outcome.status is Status.UPDATED
        found = groups(raw, settings.index)
        assert len(hits(raw, settings.index)) == COUNT
        assert list(found.values()).count(found["d5"]) == 1
        index.refresh()
        assert [match.id for match in index.lookup(text_in("new")).matches] == ["d5"]
        (again,) = index.add([Document("d5", text_in(2), theirs(2))])
        assert again.status is Status.UPDATED
        found = groups(raw, settings.index)
        assert found["d5"] == found["d2"] == found["d8"]


def test_a_new_document_needs_none_where_it_may(
    settings: ElasticSettings, raw: Elasticsearch, required: bool
) -> None:
    with attached(settings, raw, required) as index:
        (outcome,) = index.add([Document("x", text_in("x"), theirs("x"))])
    if required:
        assert outcome.status is Status.REJECTED
        assert "routing is required" in outcome.reason
    else:
        assert outcome.status is Status.CREATED


def test_one_is_forgotten(settings: ElasticSettings, raw: Elasticsearch, required: bool) -> None:
    with attached(settings, raw, required) as index:
        index.forget_document("d7")
        assert index.left_of("d7") == []
        assert "d7" not in groups(raw, settings.index)
