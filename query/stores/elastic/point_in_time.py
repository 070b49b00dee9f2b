"""Walks through all that a query finds, of one moment, whatever is written meanwhile."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from elasticsearch import Elasticsearch

from indexer.stores.elastic.client import ElasticSettings, translated
from mappings.errors import DupdexError
from query.stores.elastic.searches import checked

Hit = Mapping[str, Any]

_KEEP_ALIVE: Final = "5m"


@dataclass(slots=True)
class Pages:
    """The hits of a search body in the order of the shards, a page at a time, as of the last
    refresh before the first page. `size` may be changed between pages; `action` is for messages.

    Raises rather than leave out a shard.
    """

    client: Elasticsearch
    settings: ElasticSettings
    body: Mapping[str, Any]
    size: int
    action: str

    def __iter__(self) -> Iterator[list[Hit]]:
        with translated(f"open a {self.action}", self.settings):
            opened = self.client.open_point_in_time(
                index=self.settings.index, keep_alive=_KEEP_ALIVE
            )
        pit, after = str(opened["id"]), None
        try:
            while True:
                hits, pit = self._page(pit, after)
                if not hits:
                    return
                after = hits[-1]["sort"]
                yield hits
        finally:
            with suppress(DupdexError), translated(f"close a {self.action}", self.settings):
                self.client.close_point_in_time(id=pit)

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
