"""Finding and making the sidecar of an index that dupdex writes nothing to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from elasticsearch import BadRequestError, Elasticsearch

from indexer.meta import MADE_BY, IndexMeta
from indexer.sidecar import MadeAnew
from indexer.stores.elastic.client import ElasticSettings, translated
from mappings.contract import OBJECT_FIELD
from mappings.sidecar_body import sidecar_body, sidecar_name

_NARROWS: Final = ("filter", "index_routing", "search_routing")
_READ: Final = (f"*.mappings._meta.{OBJECT_FIELD}", "*.settings.index.uuid")
_EXISTS: Final = "resource_already_exists_exception"


def sidecar_of(settings: ElasticSettings, index: str) -> ElasticSettings:
    """The settings of the sidecar of an index."""
    return replace(settings, index=sidecar_name(index))


def stored_sidecar(
    client: Elasticsearch, settings: ElasticSettings, index: str
) -> tuple[IndexMeta | None, bool]:
    """The meta in the sidecar of an index, None when it has none; and whether it is that of the
    index as it is now, and not of one of the same name that was deleted since."""
    name = sidecar_name(index)
    with translated("look for a sidecar", settings):
        found = client.indices.get(
            index=[name, index],
            ignore_unavailable=True,
            expand_wildcards="all",
            filter_path=list(_READ),
        ).body
    value = found.get(name, {}).get("mappings", {}).get("_meta", {}).get(OBJECT_FIELD)
    if not isinstance(value, Mapping) or value.get("made_by") != MADE_BY:
        return None, False
    meta = IndexMeta.from_json(value)
    if meta.sidecar_of is None or meta.sidecar_of.index != index:
        return None, False
    return meta, meta.sidecar_of.uuid == uuid_in(found.get(index, {}))


def meta_beside(client: Elasticsearch, settings: ElasticSettings, index: str) -> IndexMeta | None:
    """The meta in the sidecar of the index that the name in `settings` stands for; None for no
    sidecar, and where the name is an alias for a part of the index.

    Raises MadeAnew for a sidecar of an index that was deleted since.
    """
    meta, is_current = stored_sidecar(client, settings, index)
    if meta is None or is_narrowed(client, settings, index):
        return None
    if not is_current:
        raise MadeAnew(
            f"index {index!r} was made anew, and its sidecar still describes the documents before; "
            f"run 'dupdex attach {index} --sidecar' again"
        )
    return meta


def uuid_in(described: Mapping[str, Any]) -> str:
    """The id of an index in the server's description of it."""
    return str(described.get("settings", {}).get("index", {}).get("uuid", ""))


def make_sidecar(client: Elasticsearch, settings: ElasticSettings, meta: IndexMeta) -> None:
    """Create the sidecar of the index of `settings`; one that another program has created in the
    meantime is left as it is."""
    own = sidecar_of(settings, settings.index)
    with translated("read the index", settings):
        described = client.indices.get_settings(index=settings.index).body
    shape: Mapping[str, Any] = described[settings.index]["settings"]["index"]
    with translated(f"create index {own.index!r}", own):
        try:
            client.indices.create(index=own.index, body=sidecar_body(meta.to_json(), shape))
        except BadRequestError as error:
            if error.message != _EXISTS:
                raise


def drop_sidecar(client: Elasticsearch, settings: ElasticSettings) -> None:
    """Remove the sidecar of the index of `settings`, if it is there."""
    own = sidecar_of(settings, settings.index)
    with translated("remove the sidecar", own):
        client.options(ignore_status=404).indices.delete(index=own.index)


def is_narrowed(client: Elasticsearch, settings: ElasticSettings, index: str) -> bool:
    """Whether the name in `settings` is an alias for a part of an index."""
    if settings.index == index:
        return False
    with translated("read what is behind the name", settings):
        found = (
            client.options(ignore_status=404)
            .indices.get_alias(index=index, name=settings.index)
            .body
        )
    about = found.get(index, {}).get("aliases", {}).get(settings.index, {})
    return any(each in about for each in _NARROWS)
