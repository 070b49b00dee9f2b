"""The documents that a query finds, by index and id only."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from elasticsearch import Elasticsearch

from indexer.stores.elastic.client import ElasticSettings
from query.stores.elastic.point_in_time import Pages

_PAGE: Final = 5_000


def found_ids(
    client: Elasticsearch, settings: ElasticSettings, query: Mapping[str, Any] | None
) -> Iterator[tuple[str, str]]:
    """As of the last refresh, in no order that means anything; all documents for no query."""
    body = {"query": query or {"match_all": {}}, "_source": False}
    for page in Pages(client, settings, body, _PAGE, "search"):
        for hit in page:
            yield hit["_index"], hit["_id"]
