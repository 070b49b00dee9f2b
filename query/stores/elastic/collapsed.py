"""Full text with one hit a group: `collapse`, pages of one moment, and exact totals.

A page is asked for by the number of groups before it, in a point in time: `search_after` goes with
`collapse` only where hits are sorted by the group itself, which nobody wants to read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

from elasticsearch import Elasticsearch, NotFoundError

from indexer.stores.elastic.client import ElasticSettings, translated
from mappings.contract import OBJECT_FIELD, Field
from mappings.errors import DupdexError, InputRefused
from query.answers import GroupHit, GroupHits, Hit
from query.stores.elastic.bodies import WINDOW
from query.stores.elastic.searches import checked

_KEEP_ALIVE: Final = "5m"
_ACTION: Final = "search"
_BUCKETS: Final = 10_000
_GROUP: Final = Field.GROUP.path


class CollapsedSearch:
    """Searches one index; `query` is that of a full-text search."""

    def __init__(self, client: Elasticsearch, settings: ElasticSettings) -> None:
        self._client, self._settings = client, settings

    def page(
        self, query: Mapping[str, Any], size: int, after: Mapping[str, Any] | None
    ) -> GroupHits:
        """The best groups, or those after a cursor; see `query.stores.StoreReader`."""
        asked = {"bool": {"must": [query], "filter": [{"exists": {"field": _GROUP}}]}}
        state = dict(after) if after is not None else self._begun(asked)
        try:
            if state["from"] + size > WINDOW:
                raise InputRefused(
                    f"Elasticsearch shows the first {WINDOW:,} groups; narrow the query"
                )
            hits = self._hits(asked, size, state)
            copies = self._copies(asked, [hit.group for hit in hits], state)
        except BaseException:
            if after is None:
                self._close(state)
            raise
        state["from"] += len(hits)
        more = bool(hits) and state["from"] < state["groups"]
        if not more:
            self._close(state)
        found = tuple(replace(hit, copies=copies[hit.group]) for hit in hits)
        return GroupHits(found, state["documents"], state["groups"], state if more else None)

    def _begun(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """A point in time with its totals."""
        with translated("open a search", self._settings):
            opened = self._client.open_point_in_time(
                index=self._settings.index, keep_alive=_KEEP_ALIVE
            )
        state = {"pit": str(opened["id"]), "from": 0, "documents": 0, "groups": 0}
        try:
            self._count(asked, state)
        except BaseException:
            self._close(state)
            raise
        return state

    def _count(self, asked: Mapping[str, Any], state: dict[str, Any]) -> None:
        """Every group once: `cardinality` would estimate their number."""
        source = {"group": {"terms": {"field": _GROUP}}}
        after: Any = None
        while True:
            composite: dict[str, Any] = {"size": _BUCKETS, "sources": [source]}
            if after is not None:
                composite["after"] = after
            body = {
                "query": asked,
                "size": 0,
                "track_total_hits": True,
                "aggs": {"groups": {"composite": composite}},
            }
            answer = self._search(body, state)
            state["documents"] = int(answer["hits"]["total"]["value"])
            found = answer["aggregations"]["groups"]
            state["groups"] += len(found["buckets"])
            after = found.get("after_key")
            if after is None or len(found["buckets"]) < _BUCKETS:
                return

    def _hits(self, asked: Mapping[str, Any], size: int, state: dict[str, Any]) -> list[GroupHit]:
        body = {
            "query": asked,
            "from": state["from"],
            "size": size,
            "collapse": {"field": _GROUP},
            "sort": [{"_score": "desc"}, {_GROUP: "asc"}],
            "track_total_hits": False,
            "_source": {"excludes": [OBJECT_FIELD]},
        }
        out = []
        for hit in self._search(body, state)["hits"]["hits"]:
            (group,) = hit["fields"][_GROUP]
            found = Hit(hit["_id"], hit["_index"], float(hit["_score"] or 0), hit["_source"])
            out.append(GroupHit(found, group, 0))
        return out

    def _copies(
        self, asked: Mapping[str, Any], groups: Sequence[str], state: dict[str, Any]
    ) -> dict[str, int]:
        """How many documents of each group are found: all named ones come from every shard, so
        that their counts are exact."""
        if not groups:
            return {}
        terms = {"field": _GROUP, "include": list(groups), "size": len(groups)}
        body = {
            "query": {"bool": {"filter": [asked, {"terms": {_GROUP: list(groups)}}]}},
            "size": 0,
            "track_total_hits": False,
            "aggs": {"copies": {"terms": terms}},
        }
        buckets = self._search(body, state)["aggregations"]["copies"]["buckets"]
        return {str(bucket["key"]): int(bucket["doc_count"]) for bucket in buckets}

    def _search(self, body: Mapping[str, Any], state: dict[str, Any]) -> Mapping[str, Any]:
        pit = {"id": state["pit"], "keep_alive": _KEEP_ALIVE}
        with translated(_ACTION, self._settings):
            try:
                answer = self._client.search(
                    body={**body, "pit": pit}, allow_partial_search_results=False
                )
            except NotFoundError as error:
                raise InputRefused(
                    "this cursor has expired, as it does five minutes after its page; begin again"
                ) from error
        state["pit"] = str(answer.get("pit_id", state["pit"]))
        return checked(answer.body, _ACTION, self._settings)

    def _close(self, state: Mapping[str, Any]) -> None:
        with suppress(DupdexError), translated("close a search", self._settings):
            self._client.close_point_in_time(id=state["pit"])
