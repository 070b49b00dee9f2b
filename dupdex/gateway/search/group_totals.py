"""How many groups a search finds, exactly: every group once, as `cardinality` would estimate."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import orjson

from dupdex.gateway.search.cluster import Cluster
from dupdex.gateway.search.dedup import GROUP
from dupdex.gateway.search.raw_json import object_of

_BUCKETS: Final = 10_000
_CARRIED: Final = frozenset(
    {
        "allow_no_indices",
        "expand_wildcards",
        "ignore_unavailable",
        "ignore_throttled",
        "preference",
        "routing",
    }
)


async def group_totals(
    cluster: Cluster, path: str, counted: Mapping[str, bytes], params: Mapping[str, str]
) -> dict[str, int] | None:
    """Groups, documents in them, and documents that have none; None where the cluster refuses.
    `params`: of the search; those that say which indices and shards are meant go along."""
    carried = {name: value for name, value in params.items() if name in _CARRIED}
    groups = documents = found = 0
    after: Any = None
    while True:
        composite: dict[str, Any] = {
            "size": _BUCKETS,
            "sources": [{"group": {"terms": {"field": GROUP}}}],
        }
        if after is not None:
            composite["after"] = after
        aggregations = orjson.dumps({"groups": {"composite": composite}})
        body = object_of({**counted, "aggs": aggregations})
        status, answer = await cluster.ask("POST", path, body, carried)
        if status != 200:
            return None
        found = int(answer["hits"]["total"]["value"])
        page = answer["aggregations"]["groups"]
        groups += len(page["buckets"])
        documents += sum(int(bucket["doc_count"]) for bucket in page["buckets"])
        after = page.get("after_key")
        if after is None or len(page["buckets"]) < _BUCKETS:
            return {"total": groups, "documents": documents, "without_group": found - documents}
