"""Reads whole documents by id, from one index or from several behind an alias."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from elasticsearch import Elasticsearch

from indexer.stores.elastic.client import ElasticSettings, refusal, translated
from indexer.stores.stored_object import is_id
from query.answers import Ref
from query.stores.elastic.bodies import WINDOW, ids_body
from query.stores.elastic.loads import Loads

Answer = Mapping[str, Any]
Source = bool | list[str]

_AT_ONCE: Final = 100
_SEVERAL_INDICES: Final = "illegal_argument_exception"  # `_mget` of an alias over more than one
_IS_DATA_STREAM: Final = "excluded_ds"  # `_mget` knows no data streams, only the indices in them
_ACTION: Final = "read documents"


class DocumentFetch:
    """Fetches documents; `search` is one checked search."""

    def __init__(
        self,
        client: Elasticsearch,
        settings: ElasticSettings,
        search: Callable[[dict[str, Any], str], Answer],
        loads: Loads,
        may_be_routed: Callable[[], bool] = lambda: False,
    ) -> None:
        """`may_be_routed`: whether documents may lie in another shard than their ids say, as in an
        index that dupdex did not make."""
        self._may_be_routed = may_be_routed
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
            if source is True:
                self._loads.note(found)
            found.reverse()
            while found:  # each is let go of as soon as it is taken
                yield found.pop()

    def _get(self, refs: Sequence[Ref], source: Source) -> list[Answer] | None:
        """By a request that sees unrefreshed writes, too; None when it must be a search, as the
        name stands for several indices."""
        with translated(_ACTION, self._settings):
            answer = self._client.mget(
                index=self._settings.index, ids=[ref.id for ref in refs], source=source
            )
        documents: list[Answer] = answer["docs"]
        error = next((document["error"] for document in documents if "error" in document), None)
        if error is None:
            return [document for document in documents if document["found"]]
        if error.get("type") != _SEVERAL_INDICES and _IS_DATA_STREAM not in error:
            raise refusal(503, error, _ACTION, self._settings)
        return None

    def _find(self, refs: Sequence[Ref], source: Source) -> Iterator[Answer]:
        """By a search. An id may be in any number of indices: a page that does not hold all
        documents is asked for in halves.
        """
        if not refs:
            return
        size = WINDOW if len(refs) == 1 else 4 * _AT_ONCE
        hits = self._search({**ids_body(refs, size), "_source": source}, _ACTION)["hits"]
        if int(hits["total"]["value"]) > len(hits["hits"]) and len(refs) > 1:
            middle = len(refs) // 2
            yield from self._find(refs[:middle], source)
            yield from self._find(refs[middle:], source)
        else:
            yield from hits["hits"]
