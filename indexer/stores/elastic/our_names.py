"""Which indices of a server are ours, by what their mappings say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from elasticsearch import Elasticsearch

from indexer.meta import MADE_BY
from indexer.sidecar import with_sidecars
from indexer.stores.elastic.client import ElasticSettings, translated
from mappings.contract import OBJECT_FIELD
from mappings.sidecar_body import sidecar_name


def our_names(client: Elasticsearch, settings: ElasticSettings) -> list[str]:
    """The names of all open indices that have a meta of dupdex, made or attached by it, or a
    sidecar; neither hidden ones nor those of collections. A data stream counts by its own name."""
    with translated("list the indices", settings):
        mappings = client.indices.get_mapping(
            index="*", expand_wildcards="open", filter_path=f"*.mappings._meta.{OBJECT_FIELD}"
        )
        beside = client.indices.get_mapping(
            index=sidecar_name("*"),
            expand_wildcards=["open", "hidden"],
            filter_path=f"*.mappings._meta.{OBJECT_FIELD}.sidecar_of",
        )
        resolved = client.indices.resolve_index(name="*", expand_wildcards="open")
    owners = _owners(resolved.body)
    ours = {owners.get(name, name) for name, value in mappings.items() if _is_ours(value)}
    there = {each["name"] for each in resolved["indices"]}
    return sorted(ours | (there & with_sidecars(beside.body)))


def hide(client: Elasticsearch, settings: ElasticSettings) -> None:
    """Let searches by wildcards pass over an index."""
    with translated("hide an index", settings):
        client.indices.put_settings(index=settings.index, settings={"index.hidden": True})


def _is_ours(value: Mapping[str, Any]) -> bool:
    meta = value.get("mappings", {}).get("_meta", {}).get(OBJECT_FIELD, {})
    return meta.get("made_by") == MADE_BY and "plan_id" in meta


def _owners(resolved: Mapping[str, Any]) -> dict[str, str]:
    """The data stream of each of its backing indices."""
    return {
        backing: stream["name"]
        for stream in resolved.get("data_streams", ())
        for backing in stream["backing_indices"]
    }
