"""Walks through all that a query finds, of one moment, whatever is written meanwhile."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, Final

from elasticsearch import Elasticsearch

from indexer.stores.elastic.client import ElasticSettings, translated
from mappings.errors import DupdexError
from query.stores.elastic.searches import checked

Hit = Mapping[str, Any]

_KEEP_ALIVE: Final = "5m"


@contextmanager
def point_in_time(client: Elasticsearch, settings: ElasticSettings, action: str) -> Iterator[str]:
    """The id of a view of the index as it was at the last refresh; it ends with the block."""
    with translated(f"open a {action}", settings):
        opened = client.open_point_in_time(index=settings.index, keep_alive=_KEEP_ALIVE)
    pit = str(opened["id"])
    try:
        yield pit
    finally:
        with suppress(DupdexError), translated(f"close a {action}", settings):
            client.close_point_in_time(id=pit)


@dataclass(slots=True)
class Pages:
    """The hits of a search body in the order of the shards, a page at a time, as of the last
    refresh before the first page. `size` may be changed between pages; `action` is for messages.
    `pit`: a point in time that somebody else opened and closes; the slices of a query share one.

    Raises rather than leave out a shard.
    """

    client: Elasticsearch
    settings: ElasticSettings
    body: Mapping[str, Any]
    size: int
    action: str
    pit: str = ""

    def __iter__(self) -> Iterator[list[Hit]]:
        if self.pit:
            yield from self._pages(self.pit)
            return
        with point_in_time(self.client, self.settings, self.action) as pit:
            yield from self._pages(pit)

    def _pages(self, pit: str) -> Iterator[list[Hit]]:
        after = None
        while True:
            hits, pit = self._page(pit, after)
            if not hits:
                return
            after = hits[-1]["sort"]
            yield hits

    def _page(self, pit: str, after: object) -> tuple[list[Hit], str]:
        body = {
            **self.body,
            "size": self.size,
            "pit": {"id": pit, "keep_alive": _KEEP_ALIVE},
            "sort": ["_shard_doc"],
            "track_total_hits": False,
        }
        if after is not None:
            body["search_after"] = after
        with translated(self.action, self.settings):
            answer = self.client.search(body=body, allow_partial_search_results=False)
        hits = checked(answer.body, self.action, self.settings)["hits"]["hits"]
        return hits, str(answer.get("pit_id", pit))
