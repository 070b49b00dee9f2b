"""Elasticsearch's own more_like_this, on an index of its own that is gone afterwards."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from typing import Any, Final

from elasticsearch import Elasticsearch

from dupdex.location import Location
from indexer.model import Document
from indexer.stores.elastic.client import ElasticSettings, connect, translated
from mappings.errors import DupdexError, StoreRefused

HITS: Final = 50
_TOGETHER: Final = 100


def more_like_this(documents: Sequence[Document], location: Location) -> list[tuple[str, str]]:
    """Each document with its best hits. Raises what the server answers, as errors of dupdex."""
    name = f"{location.index}-alike-{secrets.token_hex(8)}"
    settings = location.elastic
    with closing(connect(settings)) as client:
        with translated("make a temporary index", settings):
            if client.indices.exists(index=name):
                raise StoreRefused(f"index {name!r} exists already; run 'dupdex evaluate' again")
        try:
            with translated("measure more_like_this", settings):
                _fill(client, name, documents)
                return list(_hits(client, name, documents))
        finally:
            with suppress(DupdexError):  # the first error is the one to tell
                _remove(client, settings, name)


def _fill(client: Elasticsearch, name: str, documents: Sequence[Document]) -> None:
    client.indices.create(
        index=name,
        settings={"number_of_shards": 1, "number_of_replicas": 0},
        mappings={"properties": {"text": {"type": "text"}}},
    )
    for start in range(0, len(documents), _TOGETHER):
        operations: list[dict[str, Any]] = []
        for number, document in enumerate(documents[start : start + _TOGETHER], start):
            operations += [{"index": {"_id": f"{number}"}}, {"text": document.text}]
        client.bulk(index=name, operations=operations)
    client.indices.refresh(index=name)


def _hits(
    client: Elasticsearch, name: str, documents: Sequence[Document]
) -> Iterator[tuple[str, str]]:
    for start in range(0, len(documents), _TOGETHER):
        some = range(start, min(start + _TOGETHER, len(documents)))
        searches: list[dict[str, Any]] = []
        for number in some:
            like = {"fields": ["text"], "like": [{"_index": name, "_id": f"{number}"}]}
            searches += [
                {"index": name},
                {"query": {"more_like_this": like}, "size": HITS, "_source": False},
            ]
        answers = client.msearch(searches=searches)["responses"]
        for number, answer in zip(some, answers, strict=True):
            for hit in answer.get("hits", {}).get("hits", ()):
                yield documents[number].id, documents[int(hit["_id"])].id


def _remove(client: Elasticsearch, settings: ElasticSettings, name: str) -> None:
    with translated("delete the temporary index", settings):
        client.options(ignore_status=404).indices.delete(index=name)
