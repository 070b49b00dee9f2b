"""Writing to a data stream, which takes new documents only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from elasticsearch import Elasticsearch

from indexer.model import Document
from indexer.stores.elastic.bulk import Item, Settled
from indexer.stores.elastic.client import ElasticSettings, translated
from indexer.stores.elastic.one_version import split
from indexer.stores.storable import CHANGED
from mappings.errors import DupdexError

_THERE_ALREADY: Final = (
    "a data stream takes new documents only, and this id is in {index} with other fields; give the "
    "document an id of its own"
)


def settle_conflicts(
    client: Elasticsearch,
    settings: ElasticSettings,
    documents: Sequence[Document],
    settled: Settled,
) -> Settled:
    """The results of creations, with those judged that found their id taken: an answer may have
    been lost and the creation repeated, so a document that is there as it was sent is stored.
    """
    at_conflict = [at for at, item in enumerate(settled.items) if item and item.reason == CHANGED]
    if not at_conflict:
        return settled
    named = [{"_index": _index(settled.items[at]), "_id": documents[at].id} for at in at_conflict]
    try:
        with translated("read what is stored", settings):
            answers = client.mget(docs=named)["docs"]
    except DupdexError as error:
        for at in at_conflict:
            settled.items[at] = None
        settled.failure = settled.failure or error
        return settled
    for at, name, answer in zip(at_conflict, named, answers, strict=True):
        body, _ = split(answer.get("_source") or {})
        if answer.get("found") and body == documents[at].body:
            settled.items[at] = Item("updated")
        else:
            settled.items[at] = Item("", _THERE_ALREADY.format(index=name["_index"]))
    return settled


def _index(item: Item | None) -> str:
    return item.index if item is not None else ""
