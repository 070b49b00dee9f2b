"""Lets a server merge away what was removed: until then segments keep it, unfound by searches."""

from __future__ import annotations

import time
from typing import Any, Final

from elasticsearch import Elasticsearch

from indexer.stores.elastic.client import ElasticSettings, translated
from mappings.contract import OBJECT_FIELD

_ACTION: Final = "merge removed documents away"
_ALLOWED: Final = "index.merge.policy.expunge_deletes_allowed"
"""The share of removed documents that a segment may keep, in percent; 10 unless it is set."""

_SECONDS: Final = 3_600.0
_WAIT: Final = 60.0
_PAUSE: Final = 2.0
"""Seconds: a shard keeps what it removed for its copies until it hears, every 30 s, that they have
it; with copies that are away it keeps it for hours."""


def purge(client: Elasticsearch, settings: ElasticSettings) -> int:
    """Merge every segment of an index, and of the collections beside it, that holds a removed
    document; how many are left, as shards keep some for copies that are away.

    Raises AccessRefused for a role that may not manage the index.
    """
    names = f"{settings.index},{settings.index}-{OBJECT_FIELD}-*"
    named: dict[str, Any] = {"index": names, "expand_wildcards": ["open", "hidden"]}
    known = {**named, "allow_no_indices": True}
    with translated(_ACTION, settings):
        client.indices.put_settings(**known, settings={_ALLOWED: 0})
        try:
            until = time.monotonic() + _WAIT
            while (left := _merged(client, known, named)) and time.monotonic() < until:
                time.sleep(_PAUSE)
        finally:
            client.indices.put_settings(**known, settings={_ALLOWED: None})
    return left


def _merged(client: Elasticsearch, known: dict[str, Any], named: dict[str, Any]) -> int:
    """Merge; how many removed documents are left."""
    client.indices.flush(**known, wait_if_ongoing=True)
    patient = client.options(request_timeout=_SECONDS)
    patient.indices.forcemerge(**known, only_expunge_deletes=True)
    client.indices.refresh(**known)
    stats = client.indices.stats(**named, metric="docs")
    return int(stats["_all"]["total"]["docs"].get("deleted", 0))
