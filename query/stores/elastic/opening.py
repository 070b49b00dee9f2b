"""Opens the read side of an index, whether its objects lie in its documents or in a sidecar."""

from __future__ import annotations

from elasticsearch import Elasticsearch

from indexer.meta import IndexMeta
from indexer.meta_watch import MetaWatch
from indexer.stores.elastic.client import ElasticSettings
from mappings.errors import StoreRefused
from mappings.plan import Plan
from mappings.sidecar_body import sidecar_name
from query.stores.elastic.elastic_reader import ElasticReader, served_meta
from query.stores.elastic.sidecar_reader import SidecarReader


def reader_of(
    client: Elasticsearch,
    settings: ElasticSettings,
    wanted_plan: Plan | None = None,
    rebuilding: bool = False,
) -> ElasticReader:
    """A reader over a client that its owner closes; raises as `ElasticReader.open`, and
    StoreRefused for the name of a sidecar itself."""
    meta = served_meta(client, settings, wanted_plan, rebuilding)
    return reader_with(client, settings, meta)


def reader_with(
    client: Elasticsearch,
    settings: ElasticSettings,
    meta: IndexMeta,
    watch: MetaWatch | None = None,
) -> ElasticReader:
    """The same for an index that has this meta."""
    of = meta.sidecar_of
    if of is None:
        return ElasticReader(client, settings, meta, watch)
    if settings.index == sidecar_name(of.index):
        raise StoreRefused(
            f"index {settings.index!r} is the sidecar of {of.index!r} and has no documents of its "
            f"own; name {of.index!r}"
        )
    return SidecarReader(client, settings, meta, of, watch)
