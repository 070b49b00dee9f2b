"""The Elasticsearch that is measured: one that is named, or one of scripts.devnode."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from elasticsearch import Elasticsearch

from dupdex.location import Location
from indexer.stores.elastic.client import connect
from mappings.index_body import template_name
from scripts.devnode.assemble import DEFAULT_VERSION
from scripts.devnode.nodes import Cluster

HEAP = "2g"


@dataclass
class Server:
    """A server, and the indices that were made on it here."""

    url: str
    client: Elasticsearch
    version: str
    java: str
    heap: str
    made: list[str] = field(default_factory=list)
    _numbers: Iterator[int] = field(default_factory=itertools.count)

    def new_location(self, what: str) -> Location:
        """A name that no index has; the index is removed at the end, whoever creates it."""
        name = f"dupdex-bench-{os.getpid()}-{next(self._numbers)}-{what}"
        self.made.append(name)
        return self._location(name)

    def create(self, what: str, body: Mapping[str, Any]) -> Location:
        """An index with this body."""
        location = self.new_location(what)
        self.client.indices.create(index=location.index, body=dict(body))
        return location

    def drop(self, location: Location) -> None:
        """Remove an index and the template that dupdex may have made for it."""
        quiet = self.client.options(ignore_status=404)
        quiet.indices.delete(index=location.index, ignore_unavailable=True)
        quiet.indices.delete_index_template(name=template_name(location.index))
        if location.index in self.made:
            self.made.remove(location.index)

    def drop_all(self) -> None:
        for name in list(self.made):
            self.drop(self._location(name))

    def merge(self, location: Location) -> None:
        """One segment, nothing else on disk."""
        patient = self.client.options(request_timeout=900)
        patient.indices.flush(index=location.index)
        patient.indices.forcemerge(index=location.index, max_num_segments=1)
        patient.indices.refresh(index=location.index)
        patient.indices.flush(index=location.index, force=True)

    def segments(self, location: Location) -> int:
        stats = self.client.indices.stats(index=location.index, metric="segments")
        return int(stats["_all"]["primaries"]["segments"]["count"])

    def size(self, location: Location) -> int:
        """Bytes of the primary shards."""
        stats = self.client.indices.stats(index=location.index, metric="store")
        return int(stats["_all"]["primaries"]["store"]["size_in_bytes"])

    def _location(self, name: str) -> Location:
        return Location.from_environment(store=self.url, index=name)


@contextmanager
def open_server(url: str | None) -> Iterator[Server]:
    """The server at `url`, else a fresh one on loopback; our indices are gone afterwards."""
    if url is not None:
        with _connected(url) as server:
            yield server
        return
    with Cluster(DEFAULT_VERSION, heap=HEAP) as cluster, _connected(cluster.urls[0]) as server:
        yield server


@contextmanager
def _connected(url: str) -> Iterator[Server]:
    client = connect(Location.from_environment(store=url, index="dupdex-bench").elastic)
    try:
        answer = client.nodes.info(node_id="_all", metric="jvm")
        node = next(iter(answer["nodes"].values()))
        heap = node["jvm"]["mem"]["heap_max_in_bytes"]
        java = f"{node['jvm']['version']} ({node['jvm']['vm_name']})"
        server = Server(url, client, node["version"], java, f"{heap / 2**30:.1f} GiB")
        try:
            yield server
        finally:
            server.drop_all()
    finally:
        client.close()
