"""Reads documents together with their versions, in slices, for changes that overwrite no edit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

from elasticsearch import Elasticsearch

from indexer.model import Body
from indexer.stores.elastic.client import ElasticSettings, refusal, translated
from indexer.stores.elastic.one_version import Version, split, version_of
from mappings.contract import OBJECT_FIELD, Field
from query.stores.elastic.bodies import scan_body
from query.stores.elastic.point_in_time import Hit, Pages, point_in_time

LARGEST_PAGE: Final = 500
_FIRST_PAGE: Final = 50
_PAGE_BYTES: Final = 2_000_000
_ACTION: Final = "scan"


@dataclass(frozen=True, slots=True)
class Versioned:
    """A stored document as it was read: the user's fields, the object, and the version."""

    version: Version
    body: Body
    ours: Mapping[str, Any]


def lacking(plan_id: str) -> dict[str, Any]:
    """The query for documents that have no fingerprint under this plan."""
    query: dict[str, Any] = scan_body(plan_id)["query"]
    return query


EVERY: Final[Mapping[str, Any]] = {"match_all": {}}

OURS: Final[Mapping[str, Any]] = {
    "bool": {
        "should": [
            {"exists": {"field": name.path}}
            for name in (Field.PLAN, Field.TEXT_HASH, Field.GROUP, Field.INDEXED)
        ]
    }
}
"""The query for documents that have the object."""


@contextmanager
def slices(
    client: Elasticsearch,
    settings: ElasticSettings,
    query: Mapping[str, Any],
    number: int,
    fields: Sequence[str] = (),
    most: int = LARGEST_PAGE,
) -> Iterator[list[Iterator[list[Versioned]]]]:
    """The documents that a query finds as of one moment, in `number` parts that threads may read
    at the same time, each in pages of at most `most`. `fields`: what of a document is read beside
    the object; everything for none.
    """
    body: dict[str, Any] = {"query": query, "seq_no_primary_term": True}
    if fields:
        body["_source"] = [*fields, OBJECT_FIELD]
    with point_in_time(client, settings, _ACTION) as pit:
        parts = []
        for at in range(number):
            part = {**body, "slice": {"id": at, "max": number}} if number > 1 else body
            first = min(most, _FIRST_PAGE)
            parts.append(_read(Pages(client, settings, part, first, _ACTION, pit), most))
        yield parts


def current(
    client: Elasticsearch,
    settings: ElasticSettings,
    wanted: Sequence[tuple[str, str, str | None]],
    fields: Sequence[str] = (),
) -> list[Versioned | None]:
    """Documents by index, id and routing, as of now and not of the last refresh; None for those
    that are not there. `fields` as of `slices`. Raises InputRefused for a name of several indices.
    """
    if not wanted:
        return []
    asked = [
        {"_index": index, "_id": name, **({"routing": routing} if routing is not None else {})}
        for index, name, routing in wanted
    ]
    with translated("read what is stored", settings):
        answer = client.mget(
            docs=asked, source_includes=[*fields, OBJECT_FIELD] if fields else None
        )
    out: list[Versioned | None] = []
    for document in answer["docs"]:
        if error := document.get("error"):
            missing = error.get("type") == "index_not_found_exception"
            if not missing:
                raise refusal(400, error, "read what is stored", settings)
        if not document.get("found"):
            out.append(None)
            continue
        body, ours = split(document.get("_source") or {})
        out.append(Versioned(version_of(document), body, ours))
    return out


def _read(pages: Pages, most: int) -> Iterator[list[Versioned]]:
    for hits in pages:
        weight = sum(len(str(hit.get("_source"))) for hit in hits)
        size = len(hits) * _PAGE_BYTES // max(1, weight)
        pages.size = min(max(size, 1), 4 * len(hits), most)
        yield [_versioned(hit) for hit in hits]


def _versioned(hit: Hit) -> Versioned:
    body, ours = split(hit.get("_source") or {})
    return Versioned(version_of(hit), body, ours)
