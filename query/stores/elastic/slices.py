"""Reads an index in slices, each by another process, all as of one moment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any, Final

from indexer.stores.elastic.client import ElasticSettings, connect, translated
from mappings.errors import DupdexError
from query.stores.elastic.point_in_time import Hit
from query.stores.elastic.searches import checked

_KEEP_ALIVE: Final = "30m"
_ACTION: Final = "read a slice"


@contextmanager
def moment_of(settings: ElasticSettings) -> Iterator[str]:
    """What names the state of the index as of now, for all that read slices of it."""
    with connect(settings) as client:
        with translated("open a point in time", settings):
            client.indices.refresh(index=settings.index)
            opened = client.open_point_in_time(index=settings.index, keep_alive=_KEEP_ALIVE)
        try:
            yield str(opened["id"])
        finally:
            with suppress(DupdexError), translated("close a point in time", settings):
                client.close_point_in_time(id=opened["id"])


def slice_of(
    settings: ElasticSettings, moment: str, number: int, count: int, fields: Mapping[str, Any]
) -> Iterator[Hit]:
    """The hits of slice `number` of `count`. `fields`: the rest of the search body.

    Raises rather than leave out a shard.
    """
    after: object = None
    with connect(settings) as client:
        while True:
            body: dict[str, Any] = {
                **fields,
                "pit": {"id": moment, "keep_alive": _KEEP_ALIVE},
                "sort": ["_shard_doc"],
                "track_total_hits": False,
            }
            if count > 1:  # a server takes no slice of one
                body["slice"] = {"id": number, "max": count}
            if after is not None:
                body["search_after"] = after
            with translated(_ACTION, settings):
                answer = client.search(body=body, allow_partial_search_results=False)
            hits = checked(answer.body, _ACTION, settings)["hits"]["hits"]
            if not hits:
                return
            yield from hits
            after = hits[-1]["sort"]
