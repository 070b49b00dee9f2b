"""The write side of an index whose objects lie in a sidecar: groups and the meta, nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from elasticsearch import Elasticsearch

from indexer.meta import IndexMeta
from indexer.meta_watch import MetaWatch
from indexer.model import Outcome, Record, Ref
from indexer.sidecar import SidecarOf
from indexer.stores.elastic.client import ElasticSettings, translated
from indexer.stores.elastic.elastic_meta import watch_of
from indexer.stores.elastic.elastic_writer import ElasticWriter
from indexer.stores.elastic.routed import routings
from indexer.stores.elastic.sidecar_index import sidecar_of
from indexer.stores.stored_object import is_id
from mappings.errors import AccessRefused


class SidecarWriter(ElasticWriter):
    """Satisfies `indexer.stores.StoreWriter`; the documents themselves are never written to."""

    def __init__(
        self,
        client: Elasticsearch,
        settings: ElasticSettings,
        meta: IndexMeta,
        of: SidecarOf,
        watch: MetaWatch | None = None,
    ) -> None:
        """`of` is that of the meta; `settings` name the index, or an alias for it."""
        self._of, self._index = of, replace(settings, index=of.index)
        own = sidecar_of(settings, of.index)
        super().__init__(client, own, meta, watch=watch or watch_of(client, self._index, meta))

    def write(self, records: Iterable[Record]) -> Iterator[Outcome]:  # noqa: ARG002
        """Raises StoreRefused."""
        raise self._of.refusal()

    def delete(self, ids: Sequence[str]) -> list[str]:
        """Remove what the sidecar has of documents that are gone; returns their ids. Raises
        StoreRefused for those that are not."""
        wanted = [Ref("", name) for name in ids if is_id(name)]
        if routings(self._client, self._index, wanted):
            raise self._of.refusal()
        return super().delete(ids)

    def set_groups(self, groups: Mapping[Ref, str]) -> list[Ref]:
        """See `indexer.stores.StoreWriter`."""
        named = {
            Ref(self._settings.index, ref.id): group
            for ref, group in groups.items()
            if ref.index in ("", self._index.index)
        }
        there = {ref.id for ref in super().set_groups(named)}
        return [ref for ref in groups if ref.id in there]

    def refresh(self) -> None:
        """The index as well, where credentials allow that; it refreshes by itself, too."""
        super().refresh()
        with suppress(AccessRefused), translated("refresh", self._index):
            self._client.indices.refresh(index=self._index.index)


def writer_with(
    client: Elasticsearch, settings: ElasticSettings, meta: IndexMeta, watch: MetaWatch
) -> ElasticWriter:
    """The writer of an index that has this meta."""
    if meta.sidecar_of is not None:
        return SidecarWriter(client, settings, meta, meta.sidecar_of, watch)
    return ElasticWriter(client, settings, meta, watch=watch)
