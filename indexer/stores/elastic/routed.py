"""Documents that were stored with a routing of their own: their ids do not say in which shard they
lie, so whatever names one by its id must say the routing as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import orjson
from elasticsearch import Elasticsearch

from indexer.model import Ref
from indexer.stores.elastic.client import ElasticSettings, translated

Routings = dict[Ref, list[str | None]]
"""What documents were stored with, None for their ids; several where shards share an id."""

_AT_ONCE: Final = 500
_WINDOW: Final = 10_000


def routings(client: Elasticsearch, settings: ElasticSettings, refs: Sequence[Ref]) -> Routings:
    """The routings of documents, as of the last refresh; those that are not there are left out. A
    reference without an index means the id in every index.
    """
    out: Routings = {}
    named = list(dict.fromkeys(refs))
    for start in range(0, len(named), _AT_ONCE):
        part = named[start : start + _AT_ONCE]
        query = {"ids": {"values": sorted({ref.id for ref in part})}}
        body: dict[str, Any] = {"query": query, "size": _WINDOW, "_source": False}
        with translated("read where documents lie", settings):
            answer = client.search(
                index=settings.index, body=body, allow_partial_search_results=False
            )
        for hit in answer["hits"]["hits"]:
            for ref in (Ref(hit["_index"], hit["_id"]), Ref("", hit["_id"])):
                out.setdefault(ref, []).append(hit.get("_routing"))
    wanted = set(named)
    return {ref: found for ref, found in out.items() if ref in wanted}


def with_routing(operation: bytes, routing: str | None) -> bytes:
    """An operation of a bulk request that names the routing of its document."""
    if routing is None:
        return operation
    head, _, rest = operation.partition(b"\n")
    ((action, named),) = orjson.loads(head).items()
    return b"%b\n%b" % (orjson.dumps({action: {**named, "routing": routing}}), rest)
