"""What an index says of its documents beside their texts: reading it by id, and changing it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import orjson
from elasticsearch import BadRequestError, Elasticsearch

from indexer.model import Ref, Standing
from indexer.stores.elastic.bulk import BulkSender
from indexer.stores.elastic.client import ElasticSettings, translated
from indexer.stores.elastic.routed import Routings, with_routing
from indexer.stores.stored_object import standing_in
from mappings.contract import OBJECT_FIELD, Field
from mappings.errors import InputRefused

FIELDS: Final = (Field.GROUP.path, Field.INDEXED.path)

_AT_ONCE: Final = 1_000
_TIMES: Final = 5
"""How often the server looks again at a document that is written to meanwhile."""


def stored_standings(
    client: Elasticsearch, settings: ElasticSettings, ids: Sequence[str], known: Routings
) -> dict[str, Standing]:
    """By id, as of now and not of the last refresh. Nothing for an alias over several indices,
    where an id may name several documents. `known`: routings of those that have one.
    """
    named = [{"_id": name, **_routing_of(Ref("", name), known)} for name in ids]
    with translated("read the groups of documents", settings):
        try:
            answer = client.mget(index=settings.index, docs=named, source_includes=list(FIELDS))
        except BadRequestError:
            return {}
    return {
        document["_id"]: standing_in(document["_source"].get(OBJECT_FIELD), document["_id"])
        for document in answer["docs"]
        if document.get("found") and "_source" in document
    }


def put_groups(sender: BulkSender, groups: Mapping[Ref, str], known: Routings) -> list[Ref]:
    """Change the group of documents, as partial updates; returns those that there are. `known`:
    routings of those that have one.
    """
    refs = [ref for ref in groups for _ in known.get(ref, (None,))]
    operations = [
        with_routing(_update(ref, group), routing)
        for ref, group in groups.items()
        for routing in known.get(ref, (None,))
    ]
    changed: list[Ref] = []
    for start in range(0, len(refs), _AT_ONCE):
        chunk = refs[start : start + _AT_ONCE]
        settled = sender.send(operations[start : start + _AT_ONCE])
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
    return list(dict.fromkeys(changed))


def _routing_of(ref: Ref, known: Routings) -> dict[str, str]:
    routing = next((each for each in known.get(ref, ()) if each is not None), None)
    return {} if routing is None else {"routing": routing}


def _update(ref: Ref, group: str) -> bytes:
    action: dict[str, Any] = {"_id": ref.id, "retry_on_conflict": _TIMES}
    if ref.index:
        action["_index"] = ref.index
    change = {"doc": {OBJECT_FIELD: {Field.GROUP.value: group}}}
    return b"%b\n%b\n" % (orjson.dumps({"update": action}), orjson.dumps(change))
