"""The collections beside an index, found and removed by name and by what they say of themselves."""

from __future__ import annotations

from elasticsearch import Elasticsearch

from indexer.meta import MADE_BY
from indexer.stores.elastic.client import ElasticSettings, translated
from mappings.contract import OBJECT_FIELD


def collections_beside(client: Elasticsearch, settings: ElasticSettings) -> list[str]:
    """The names of the indices that hold the collections of an index; whatever else is named like
    them is left out."""
    prefix = f"{settings.index}-{OBJECT_FIELD}-"
    with translated("look for collections", settings):
        answer = client.indices.get_mapping(index=f"{prefix}*", expand_wildcards="all").body
    return sorted(
        name
        for name, value in answer.items()
        for meta in (value["mappings"].get("_meta", {}).get(OBJECT_FIELD, {}),)
        if meta.get("made_by") == MADE_BY and name == f"{prefix}{meta.get('collection')}"
    )


def drop_collections(client: Elasticsearch, settings: ElasticSettings) -> list[str]:
    """Remove them; returns their names."""
    names = collections_beside(client, settings)
    with translated("remove collections", settings):
        for name in names:
            client.options(ignore_status=404).indices.delete(index=name)
    return names
