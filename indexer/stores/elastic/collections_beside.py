"""The collections beside an index, found and removed by name and by what they say of themselves."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from elasticsearch import Elasticsearch

from indexer.meta import MADE_BY
from indexer.stores.elastic.client import ElasticSettings, translated
from mappings.contract import OBJECT_FIELD
from mappings.errors import AccessRefused
from mappings.index_body import template_name


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
    for name in names:
        drop_template(client, replace(settings, index=name))
    return names


def drop_template(client: Elasticsearch, settings: ElasticSettings) -> None:
    """Remove the template of a collection's index, if it has one."""
    with suppress(AccessRefused), translated("remove a template", settings):
        lenient = client.options(ignore_status=404)
        lenient.indices.delete_index_template(name=template_name(settings.index))
