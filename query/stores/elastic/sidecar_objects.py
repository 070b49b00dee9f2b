"""The objects that a sidecar holds of documents, put where they would be in the documents."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from elasticsearch import Elasticsearch

from indexer.stores.elastic.client import ElasticSettings, refusal, translated
from mappings.contract import OBJECT_FIELD, Field
from mappings.sidecar_body import SEQ_NO, TERM, VERSION
from query.answers import Ref
from query.stores.elastic.fetch import Answer, DocumentFetch, Source
from query.stores.elastic.loads import Loads

Hit = Mapping[str, Any]
Named = tuple[str, str | None]
"""A document of the index or of its sidecar: its id and its routing."""

AT_ONCE: Final = 500
VERSIONS: Final[Mapping[str, Any]] = {"seq_no_primary_term": True}
"""What a search is asked for beside documents, so that objects can be put to them."""

_OUTLIVES: Final = (Field.GROUP.value, Field.INDEXED.value)
"""What is still true of a document when its text has changed."""

_ACTION: Final = "read the sidecar"


class SidecarObjects:
    """Of one sidecar, as of now and not of its last refresh."""

    def __init__(self, client: Elasticsearch, sidecar: ElasticSettings) -> None:
        self._client, self._sidecar = client, sidecar

    @property
    def index(self) -> str:
        """The name of the sidecar."""
        return self._sidecar.index

    def complete(self, hits: Sequence[Hit], source: Source = True) -> list[Hit]:
        """Hits of the index, which were asked for with their versions, each with its object: all of
        it, or the fields named in `source`; nothing for False. Of a document that was changed since
        its object was made only the group and the time are given.
        """
        if source is False or not hits:
            return list(hits)
        wanted = [OBJECT_FIELD] if source is True else list(source)
        held = self.held([named(hit) for hit in hits], wanted)
        return [joined(hit, held.get(named(hit))) for hit in hits]

    def held(self, names: Sequence[Named], wanted: Sequence[str]) -> dict[Named, Hit]:
        """What the sidecar has of documents, with versions of its own; absent ones are left out."""
        out: dict[Named, Hit] = {}
        for start in range(0, len(names), AT_ONCE):
            part = names[start : start + AT_ONCE]
            asked = [{"_id": one, **routed(routing)} for one, routing in part]
            with translated(_ACTION, self._sidecar):
                answer = self._client.mget(
                    index=self._sidecar.index, docs=asked, source_includes=[VERSION, *wanted]
                )
            for each, document in zip(part, answer["docs"], strict=True):
                if "error" in document:
                    raise refusal(503, document["error"], _ACTION, self._sidecar)
                if document["found"]:
                    out[each] = document
        return out


class SidecarFetch(DocumentFetch):
    """Fetches documents of the index with their objects, both in one request."""

    more = VERSIONS

    def __init__(
        self,
        client: Elasticsearch,
        settings: ElasticSettings,
        search: Callable[[dict[str, Any], str], Answer],
        loads: Loads,
        objects: SidecarObjects,
    ) -> None:
        super().__init__(client, settings, search, loads, lambda: True)
        self._objects = objects

    def _get(self, refs: Sequence[Ref], source: Source) -> list[Answer] | None:
        if source is False:
            return super()._get(refs, source)
        index, beside = self._settings.index, self._objects.index
        wanted = [VERSION, *([OBJECT_FIELD] if source is True else source)]
        whole = source is True
        asked: list[dict[str, Any]] = [
            {"_index": index, "_id": ref.id, "_source": whole} for ref in refs
        ]
        asked += [{"_index": beside, "_id": ref.id, "_source": wanted} for ref in refs]
        with translated(_ACTION, self._settings):
            answer = self._client.mget(docs=asked)["docs"]
        found = self._found(answer[: len(refs)])
        if found is None:
            return None
        held = {hit["_id"]: hit for hit in self._found(answer[len(refs) :]) or ()}
        return [joined(hit, held.get(hit["_id"])) for hit in found]

    def _find(self, refs: Sequence[Ref], source: Source) -> Iterator[Answer]:
        yield from self._objects.complete(list(super()._find(refs, source)), source)


def named(hit: Hit) -> Named:
    return hit["_id"], hit.get("_routing")


def routed(routing: str | None) -> dict[str, str]:
    return {} if routing is None else {"routing": routing}


def is_of(held: Hit, hit: Hit) -> bool:
    """Whether what a sidecar holds was made of this version of the document."""
    version = held["_source"].get(VERSION, {})
    return (version.get(SEQ_NO), version.get(TERM)) == (hit["_seq_no"], hit["_primary_term"])


def joined(hit: Hit, held: Hit | None) -> Hit:
    """A hit with its object, if there is any; see `SidecarObjects.complete`."""
    source = {k: v for k, v in (hit.get("_source") or {}).items() if k != OBJECT_FIELD}
    ours = held["_source"].get(OBJECT_FIELD) if held is not None else None
    if held is not None and ours:
        if not is_of(held, hit):
            ours = {name: ours[name] for name in _OUTLIVES if name in ours}
        source[OBJECT_FIELD] = ours
    return {**hit, "_source": source}
