"""Elasticsearch's own more_like_this, on an index of its own that is gone afterwards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import Any, Final

from elasticsearch import Elasticsearch

from indexer.model import Document
from indexer.stores.elastic.client import ElasticSettings, connect, translated
from indexer.stores.elastic.temporary import temporary_index
from query.stores.elastic.searches import Searches

HITS: Final = 50
_TOGETHER: Final = 100


def more_like_this(
    documents: Sequence[Document], settings: ElasticSettings
) -> list[tuple[str, str]]:
    """Each document with its best hits, at the server of `settings`.

    Raises what the server answers, as errors of dupdex: to any of the documents.
    """
    with (
        temporary_index(settings, "alike") as named,
        closing(connect(named)) as client,
        translated("measure more_like_this", named),
    ):
        _fill(client, named.index, documents)
        return list(_hits(Searches(client, named), named.index, documents))


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
    searches: Searches, name: str, documents: Sequence[Document]
) -> Iterator[tuple[str, str]]:
    for start in range(0, len(documents), _TOGETHER):
        numbers = range(start, min(start + _TOGETHER, len(documents)))
        bodies = []
        for number in numbers:
            like = {"fields": ["text"], "like": [{"_index": name, "_id": f"{number}"}]}
            bodies.append({"query": {"more_like_this": like}, "size": HITS, "_source": False})
        answers = searches.many(bodies, "measure more_like_this")
        for number, answer in zip(numbers, answers, strict=True):
            for hit in answer.hits:
                yield documents[number].id, documents[int(hit.id)].id
