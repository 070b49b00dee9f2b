"""What an index says of its documents beside their texts: reading it by id, and changing it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import orjson
from elasticsearch import BadRequestError, Elasticsearch

from indexer.model import Ref, Standing
from indexer.stores.elastic.bulk import BulkSender
from indexer.stores.elastic.client import ElasticSettings, translated
from indexer.stores.stored_object import standing_in
from mappings.contract import OBJECT_FIELD, Field
from mappings.errors import InputRefused

FIELDS: Final = (Field.GROUP.path, Field.INDEXED.path)

_AT_ONCE: Final = 1_000
_TIMES: Final = 5
"""How often the server looks again at a document that is written to meanwhile."""


def stored_standings(
    client: Elasticsearch, settings: ElasticSettings, ids: Sequence[str]
) -> dict[str, Standing]:
    """By id, as of now and not of the last refresh. Nothing for an alias over several indices,
    where an id may name several documents.
    """
    with translated("read the groups of documents", settings):
        try:
            answer = client.mget(index=settings.index, ids=list(ids), source_includes=list(FIELDS))
        except BadRequestError:
            return {}
    return {
        document["_id"]: standing_in(document["_source"].get(OBJECT_FIELD), document["_id"])
        for document in answer["docs"]
        if document.get("found") and "_source" in document
    }


def put_groups(sender: BulkSender, groups: Mapping[Ref, str]) -> list[Ref]:
    """Change the group of documents, as partial updates; returns those that there are."""
    refs = list(groups)
    changed: list[Ref] = []
    for start in range(0, len(refs), _AT_ONCE):
        chunk = refs[start : start + _AT_ONCE]
        settled = sender.send([_update(ref, groups[ref]) for ref in chunk])
        for ref, item in zip(chunk, settled.items, strict=True):
            if item is None:
                continue
            if not item.reason:
                changed.append(ref)
            elif not item.missing:
                raise InputRefused(
                    f"the group of document {ref.id!r} cannot be stored: {item.reason}"
                )
        if settled.failure is not None:
            raise settled.failure
    return changed


def _update(ref: Ref, group: str) -> bytes:
    action: dict[str, Any] = {"_id": ref.id, "retry_on_conflict": _TIMES}
    if ref.index:
        action["_index"] = ref.index
    change = {"doc": {OBJECT_FIELD: {Field.GROUP.value: group}}}
    return b"%b\n%b\n" % (orjson.dumps({"update": action}), orjson.dumps(change))
