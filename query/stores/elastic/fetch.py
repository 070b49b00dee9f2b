"""Reads whole documents by id, from one index or from several behind an alias."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from elasticsearch import Elasticsearch

from indexer.stores.elastic.client import ElasticSettings, refusal, translated
from indexer.stores.stored_object import is_id
from query.answers import Ref
from query.stores.elastic.bodies import WINDOW, ids_body
from query.stores.elastic.loads import Loads, held_in

Answer = Mapping[str, Any]
Source = bool | list[str]

_AT_ONCE: Final = 100
_SEVERAL_INDICES: Final = "illegal_argument_exception"  # `_mget` of an alias over more than one
_IS_DATA_STREAM: Final = "excluded_ds"  # `_mget` knows no data streams, only the indices in them
_IS_ROUTED: Final = "routing_missing_exception"  # an index whose documents must have a routing
_ACTION: Final = "read documents"


class DocumentFetch:
    """Fetches documents; `search` is one checked search. `more`: what else searches ask for."""

    more: Mapping[str, Any] = MappingProxyType({})

    def __init__(
        self,
        client: Elasticsearch,
        settings: ElasticSettings,
        search: Callable[[dict[str, Any], str], Answer],
        loads: Loads,
        may_be_routed: Callable[[], bool] = lambda: False,
        complete: Callable[[list[Answer], Source], list[Answer]] | None = None,
    ) -> None:
        """`may_be_routed`: whether documents may lie in another shard than their ids say, as in an
        index that dupdex did not make. `complete` adds to a page of hits, with their versions, what
        lies elsewhere of their documents."""
        self._may_be_routed, self._complete = may_be_routed, complete
        self._client, self._settings, self._search = client, settings, search
        self._loads = loads

    def hits(self, refs: Sequence[Ref], source: Source = True) -> Iterator[Answer]:
        """Every stored document that one of `refs` names, as the server gives it: in pages whose
        weight is bounded, the next one when it is wanted. `source`: all its fields, those named, or
        its id and index only.
        """
        wanted = [ref for ref in dict.fromkeys(refs) if is_id(ref.id)]
        done = 0
        while done < len(wanted):
            page = wanted[
                done : done + (self._loads.page(_AT_ONCE) if source is True else _AT_ONCE)
            ]
            done += len(page)
            single = len({ref.index for ref in page}) == 1
            direct = self._get(page, source) if single else None
            found = list(self._find(page, source)) if direct is None else direct
            if direct is not None and self._may_be_routed():
                there = {hit["_id"] for hit in direct}
                found += self._find([ref for ref in page if ref.id not in there], source)
            if self._complete is not None:
                found = self._complete(found, source)
            if source is True:
                self._loads.note(found, lambda hit: held_in(hit.get("_source") or {}))
            found.reverse()
            while found:  # each is let go of as soon as it is taken
                yield found.pop()

    def _get(self, refs: Sequence[Ref], source: Source) -> list[Answer] | None:
        """By a request that sees unrefreshed writes, too; None when it must be a search, as the
        name stands for several indices or ids do not say where documents lie."""
        with translated(_ACTION, self._settings):
            answer = self._client.mget(
                index=self._settings.index, ids=[ref.id for ref in refs], source=source
            )
        return self._found(answer["docs"])

    def _found(self, documents: Sequence[Answer]) -> list[Answer] | None:
        """Those of the documents in an answer that are there; None as of `_get`."""
        error = next((document["error"] for document in documents if "error" in document), None)
        if error is None:
            return [document for document in documents if document["found"]]
        if error.get("type") not in (_SEVERAL_INDICES, _IS_ROUTED) and _IS_DATA_STREAM not in error:
            raise refusal(503, error, _ACTION, self._settings)
        return None

    def _find(self, refs: Sequence[Ref], source: Source) -> Iterator[Answer]:
        """By a search."""
        return self._in_halves(refs, source)

    def _in_halves(self, refs: Sequence[Ref], source: Source) -> Iterator[Answer]:
        """An id may be in any number of indices: a page that does not hold all documents is asked
        for in halves.
        """
        if not refs:
            return
        size = WINDOW if len(refs) == 1 else 4 * _AT_ONCE
        body = {**ids_body(refs, size), "_source": source, **self.more}
        hits = self._search(body, _ACTION)["hits"]
        if int(hits["total"]["value"]) > len(hits["hits"]) and len(refs) > 1:
            middle = len(refs) // 2
            yield from self._in_halves(refs[:middle], source)
            yield from self._in_halves(refs[middle:], source)
        else:
            yield from hits["hits"]
