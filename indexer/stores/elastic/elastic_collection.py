"""Collections in Elasticsearch: each is a hidden index, named after the index it belongs to."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from typing import Any, Final, Self

import orjson
from elasticsearch import BadRequestError, Elasticsearch, NotFoundError

from indexer.stores.collection_store import (
    Between,
    Condition,
    EitherEquals,
    Item,
    Page,
    PutOutcome,
    Query,
    Values,
    check_query,
    check_tally,
    cursor_of,
)
from indexer.stores.elastic.bulk import BulkSender, delete_operation
from indexer.stores.elastic.client import ElasticSettings, connect, refusal, translated
from indexer.stores.elastic.collections_beside import drop_template
from indexer.stores.elastic.elastic_meta import read_meta
from indexer.stores.elastic.index_templates import OVER_OTHERS, stored_templates, template_for
from mappings.collections import (
    ID,
    Collection,
    check_item_id,
    collection_body,
    collection_index,
    collection_meta,
    collection_properties,
)
from mappings.contract import OBJECT_FIELD
from mappings.errors import (
    AccessRefused,
    InputRefused,
    NotFound,
    StoreRefused,
    StoreUnavailable,
)
from mappings.index_body import template_name

_CHUNK: Final = 500
_ROWS: Final = 5_000
_RETRY_SECONDS: Final = 90.0
_EXISTS: Final = "resource_already_exists_exception"
_NO_SHARD: Final = "no_shard_available_action_exception"
_READY_SECONDS, _PAUSE = 10.0, 0.05
_CONFLICT, _MISSING = 409, 404


class ElasticCollection:
    """Satisfies `indexer.stores.collection_store.CollectionStore`.

    A write whose answer was lost raises StoreUnavailable and may have succeeded: it is not
    retried, as a second `create` would conflict with the first.
    """

    def __init__(
        self,
        client: Elasticsearch,
        settings: ElasticSettings,
        collection: Collection,
        owns: bool = True,
    ) -> None:
        """`settings` name the index of the collection itself; callers use `open`. `owns`: the
        client is closed with the collection."""
        self.collection = collection
        self._client, self._settings, self._owns = client, settings, owns

    @classmethod
    def open(
        cls,
        settings: ElasticSettings,
        collection: Collection,
        client: Elasticsearch | None = None,
        make: bool = True,
    ) -> Self:
        """Open the collection of the index that `settings` name; its own index is updated to a
        newer description if necessary, and created unless `make` forbids it. A `client` that is
        given stays open.

        Raises NotFound when there is no such index, or, without `make`, no such collection;
        StoreRefused when an index of the collection's name was not made for it, or by a newer
        version of its description.
        """
        own_settings = replace(settings, index=collection_index(settings.index, collection))
        opened = cls(client or connect(settings), own_settings, collection, owns=client is None)
        try:
            if not make:
                opened._check_made()
            elif read_meta(opened._client, settings) is None:
                raise NotFound(
                    f"there is no index {settings.index!r} at {settings.place}; make one with "
                    "'dupdex index'"
                )
            opened._describe()
        except BaseException:
            opened.close()
            raise
        return opened

    def put(self, name: str, values: Values) -> str:
        version = self._write({"index": {"_id": check_item_id(name)}}, name, values)
        if version is None:
            raise StoreUnavailable(
                f"item {name!r} was changed by another program meanwhile; try again"
            )
        return version

    def create(self, name: str, values: Values) -> str | None:
        return self._write({"create": {"_id": check_item_id(name)}}, name, values)

    def update(self, name: str, values: Values, version: str) -> str | None:
        action = {"_id": check_item_id(name), **_only_over(version)}
        return self._write({"index": action}, name, values)

    def put_all(self, items: Iterable[tuple[str, Values]]) -> Iterator[PutOutcome]:
        sender = BulkSender(self._client, self._settings, _RETRY_SECONDS)
        remaining = iter(items)
        while chunk := list(islice(remaining, _CHUNK)):
            lines: list[bytes] = []
            reasons: list[str] = []
            for name, values in chunk:
                try:
                    document = self._document(check_item_id(name), values)
                except InputRefused as error:
                    reasons.append(str(error))
                    continue
                action = orjson.dumps({"index": {"_id": name}})
                lines.append(b"%b\n%b\n" % (action, orjson.dumps(document)))
                reasons.append("")
            settled = sender.send(lines)
            answers = iter(settled.items)
            for (name, _), reason in zip(chunk, reasons, strict=True):
                answer = None if reason else next(answers)
                if answer is None and not reason:
                    break  # not known whether it was stored
                yield PutOutcome(name, reason or (answer.reason if answer else ""))
            if settled.failure is not None:
                raise settled.failure

    def get(self, name: str) -> Item | None:
        (document,) = self._read([check_item_id(name)])
        return _item(document) if document["found"] else None

    def get_all(self, names: Iterable[str]) -> dict[str, Item]:
        out: dict[str, Item] = {}
        remaining = map(check_item_id, dict.fromkeys(names))
        while chunk := list(islice(remaining, _CHUNK)):
            for document in self._read(chunk):
                if document["found"]:
                    out[document["_id"]] = _item(document)
        return out

    def delete(self, name: str, version: str | None = None) -> bool:
        only = {} if version is None else _only_over(version)
        answer = self._send_operation([{"delete": {"_id": check_item_id(name), **only}}])
        return answer.get("result") == "deleted"

    def delete_all(self, names: Iterable[str]) -> int:
        sender = BulkSender(self._client, self._settings, _RETRY_SECONDS)
        remaining = map(check_item_id, dict.fromkeys(names))
        deleted = 0
        while chunk := list(islice(remaining, _CHUNK)):
            settled = sender.send([delete_operation(name) for name in chunk])
            if settled.failure is not None:
                raise settled.failure
            for name, item in zip(chunk, settled.items, strict=True):
                if item is not None and item.reason:
                    raise StoreUnavailable(f"item {name!r} cannot be removed: {item.reason}")
                deleted += item is not None and item.result == "deleted"
        return deleted

    def query(self, query: Query) -> Page:
        check_query(self.collection, query)
        order = "desc" if query.descending else "asc"
        sort: list[Mapping[str, str]] = [{query.sort: order}]
        if query.sort != ID:
            sort.append({ID: "asc"})
        body: dict[str, Any] = {
            "query": self._clause(query.conditions),
            "sort": sort,
            "size": query.limit + 1,
            "seq_no_primary_term": True,
            "track_total_hits": False,
        }
        if query.after is not None:
            body["search_after"] = list(query.after)
        with translated("query a collection", self._settings):
            answer = self._client.search(
                index=self._settings.index, body=body, allow_partial_search_results=False
            )
        hits = answer["hits"]["hits"]
        items = tuple(_item(hit) for hit in hits[: query.limit])
        return Page(items, cursor_of(query, items[-1]) if len(hits) > query.limit else None)

    def count(self, conditions: Sequence[Condition] = ()) -> int:
        with translated("count items", self._settings):
            answer = self._client.count(index=self._settings.index, query=self._clause(conditions))
        return int(answer["count"])

    def tally(
        self, names: Sequence[str], conditions: Sequence[Condition] = ()
    ) -> Iterator[tuple[tuple[Any, ...], int]]:
        check_tally(self.collection, names)
        sources = [{name: {"terms": {"field": name, "missing_bucket": True}}} for name in names]
        composite: dict[str, Any] = {"size": _ROWS, "sources": sources}
        query = self._clause(conditions)
        while True:
            with translated("count items", self._settings):
                answer = self._client.search(
                    index=self._settings.index,
                    body={"size": 0, "query": query, "aggs": {"rows": {"composite": composite}}},
                    allow_partial_search_results=False,
                )
            found = answer["aggregations"]["rows"]
            for bucket in found["buckets"]:
                yield tuple(bucket["key"][name] for name in names), bucket["doc_count"]
            if "after_key" not in found or len(found["buckets"]) < _ROWS:
                return
            composite = {**composite, "after": found["after_key"]}

    def refresh(self) -> None:
        with translated("refresh", self._settings):
            self._client.indices.refresh(index=self._settings.index)

    def sync(self) -> None:
        """Nothing to do: a write that is answered is in the log on disk."""

    def drop(self) -> None:
        with translated("remove a collection", self._settings):
            self._client.indices.delete(index=self._settings.index)
        drop_template(self._client, self._settings)

    def close(self) -> None:
        if self._owns:
            self._client.close()

    def _read(self, names: Sequence[str]) -> list[Mapping[str, Any]]:
        """Items as the server gives them. One that another program has just made may have no shard
        for a moment."""
        until = time.monotonic() + _READY_SECONDS
        while True:
            with translated("read an item", self._settings):
                answer = self._client.mget(index=self._settings.index, ids=list(names))
            documents: list[Mapping[str, Any]] = answer["docs"]
            error = next((each["error"] for each in documents if "error" in each), None)
            if error is None:
                return documents
            if error.get("type") != _NO_SHARD or time.monotonic() > until:
                raise refusal(_MISSING, error, "read an item", self._settings)
            time.sleep(_PAUSE)

    def _check_made(self) -> None:
        """Raise NotFound when the collection has no index yet."""
        if self._stored_version() is None:
            raise NotFound(f"there is no {self.collection.name} at {self._settings.place} yet")

    def _describe(self) -> None:
        """Create the index by its description, or add new attributes."""
        stored = self._stored_version()
        if stored is None:
            self._put_template()
            with translated("make a collection", self._settings):
                try:
                    self._client.indices.create(
                        index=self._settings.index, body=collection_body(self.collection)
                    )
                except BadRequestError as error:
                    if error.message != _EXISTS:
                        raise
            stored = self._stored_version()
        if stored is not None and stored < self.collection.version:
            with translated("describe a collection anew", self._settings):
                self._client.indices.put_mapping(
                    index=self._settings.index,
                    properties=collection_properties(self.collection),
                    meta={OBJECT_FIELD: collection_meta(self.collection)},
                )

    def _put_template(self) -> None:
        """Where a user's template for `news*` would apply to the collections of `news`, or forbid
        them, as it makes data streams only: one of their own goes before it."""
        name = self._settings.index
        with suppress(AccessRefused), translated("make a template", self._settings):
            if template_for(stored_templates(self._client), name) is None:
                return
            self._client.indices.put_index_template(
                name=template_name(name),
                index_patterns=[name],
                priority=OVER_OTHERS,
                template=collection_body(self.collection),
            )

    def _stored_version(self) -> int | None:
        """The version of the stored description; None when there is no such index."""
        wanted = collection_meta(self.collection)
        with translated("read the mapping of a collection", self._settings):
            try:
                answer = self._client.indices.get_mapping(index=self._settings.index)
            except NotFoundError:
                return None
        (value,) = answer.body.values()
        meta = value.get("mappings", {}).get("_meta", {}).get(OBJECT_FIELD, {})
        version = meta.get("version")
        if {**meta, "version": 0} != {**wanted, "version": 0} or not isinstance(version, int):
            raise StoreRefused(
                f"index {self._settings.index!r} at {self._settings.place} was not made by dupdex "
                f"for its {self.collection.name}; remove or rename it"
            )
        if version > self.collection.version:
            raise StoreRefused(
                f"collection {self.collection.name!r} at {self._settings.place} has version "
                f"{version}, this dupdex knows version {self.collection.version}; use the dupdex "
                "that wrote it"
            )
        return version

    def _document(self, name: str, values: Values) -> dict[str, Any]:
        return {ID: name, **self.collection.item(values)}

    def _write(self, action: Mapping[str, Any], name: str, values: Values) -> str | None:
        """The new version; None on a conflict."""
        answer = self._send_operation([action, self._document(name, values)])
        return _version(answer) if "error" not in answer else None

    def _send_operation(self, operation: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
        """The server's answer to an operation; a conflict is returned, other errors are raised.

        Sent by `_bulk`, as some ids (".", "..") do not work in a path.
        """
        with translated("write an item", self._settings):
            answer = self._client.options(max_retries=0).bulk(
                index=self._settings.index, operations=operation
            )
        (item,) = answer["items"]
        result: Mapping[str, Any] = next(iter(item.values()))
        if "error" in result and result["status"] != _CONFLICT:
            raise refusal(result["status"], result["error"], "write an item", self._settings)
        return result

    def _clause(self, conditions: Sequence[Condition]) -> dict[str, Any]:
        clauses: list[dict[str, Any]] = []
        for condition in conditions:
            if isinstance(condition, EitherEquals):
                parts = [self._clause([part]) for part in condition.parts()]
                clauses.append({"bool": {"should": parts, "minimum_should_match": 1}})
                continue
            attribute = self.collection.queried(condition.name)
            if isinstance(condition, Between):
                sides = {"gte": condition.at_least, "lt": condition.below}
                bounds = {
                    side: self.collection.value(attribute, value)
                    for side, value in sides.items()
                    if value is not None
                }
                clauses.append({"range": {condition.name: bounds}})
            else:
                values = [self.collection.value(attribute, value) for value in condition.values]
                clauses.append({"terms": {condition.name: values}})
        return {"bool": {"filter": clauses}}


def _item(document: Mapping[str, Any]) -> Item:
    values = {name: value for name, value in document["_source"].items() if name != ID}
    return Item(document["_id"], values, _version(document))


def _version(document: Mapping[str, Any]) -> str:
    return f"{document['_seq_no']}.{document['_primary_term']}"


def _only_over(version: str) -> dict[str, int]:
    number, _, term = version.partition(".")
    if not number.isdecimal() or not term.isdecimal():
        raise InputRefused(f"{version!r} is no version of an item")
    return {"if_seq_no": int(number), "if_primary_term": int(term)}
