"""Indices that dupdex did not make, with documents in them, and what is to be seen of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from elasticsearch import Elasticsearch

from dupdex.location import Location
from indexer.fingerprints.exact import text_hashes
from indexer.stores.elastic.client import ElasticSettings
from indexer.text import prepare
from mappings.contract import OBJECT_FIELD
from mappings.plan import CHARACTERS
from tests.service.elastic_data import chinese

BODY: Final = ("content.body",)
MAPPINGS: Final[Mapping[str, Any]] = {
    "dynamic": "strict",
    "_meta": {"theirs": {"a": 1}},
    "properties": {
        "content": {"properties": {"body": {"type": "text"}}},
        "source": {"type": "keyword"},
        "big": {"type": "object", "enabled": False},
    },
}


def theirs(seed: int | str, **more: Any) -> dict[str, Any]:
    """A document of somebody else's; its text is a list of two."""
    first, second = chinese(seed, 80), chinese(f"{seed} again", 60)
    return {"content": {"body": [first, second]}, "source": "wire", **more}


def text_in(seed: int | str) -> str:
    """The text that dupdex reads in `theirs`."""
    return "\n".join(theirs(seed)["content"]["body"])


def put(raw: Elasticsearch, index: str, documents: Iterable[tuple[str, dict[str, Any]]]) -> None:
    """Store documents as another program does, past dupdex."""
    operations: list[dict[str, Any]] = []
    for name, document in documents:
        operations += [{"index": {"_id": name}}, document]
    answer = raw.bulk(index=index, operations=operations, refresh=True)
    assert not answer["errors"]


def made(raw: Elasticsearch, index: str, count: int, **options: Any) -> dict[str, dict[str, Any]]:
    """A foreign index with documents d0, d1, …; returns them."""
    raw.indices.create(index=index, **{"mappings": MAPPINGS, **options})
    documents = {f"d{at}": theirs(at) for at in range(count)}
    put(raw, index, documents.items())
    return documents


def sources(raw: Elasticsearch, index: str) -> dict[str, dict[str, Any]]:
    """Every document as it is stored, by id."""
    raw.indices.refresh(index=index)
    hits = raw.search(index=index, size=10_000)["hits"]["hits"]
    assert len(hits) < 10_000
    return {hit["_id"]: hit["_source"] for hit in hits}


def without_ours(stored: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """The same without what dupdex keeps in them."""
    return {
        name: {key: value for key, value in source.items() if key != OBJECT_FIELD}
        for name, source in stored.items()
    }


def not_current(stored: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """The documents whose fingerprint is not that of their text."""
    out = []
    for name, source in stored.items():
        text = "\n".join(source["content"]["body"])
        (digest,) = text_hashes(prepare(text, CHARACTERS), CHARACTERS.exact.digest)
        if source.get(OBJECT_FIELD, {}).get("text_hash") != digest:
            out.append(name)
    return out


def place(settings: ElasticSettings) -> Location:
    return Location(settings.url, settings.index)
