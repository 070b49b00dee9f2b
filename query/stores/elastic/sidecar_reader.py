"""The read side of an index whose objects lie in a sidecar: the index gives documents and full
text, the sidecar keys, groups and times.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

from elasticsearch import Elasticsearch

from indexer.meta import IndexMeta
from indexer.meta_watch import MetaWatch
from indexer.model import Keys, Standing
from indexer.sidecar import SidecarOf
from indexer.stores.elastic.client import ElasticSettings, translated
from indexer.stores.elastic.sidecar_index import sidecar_of
from indexer.stores.elastic.standing import FIELDS
from indexer.stores.stored_object import standing_in
from mappings.contract import OBJECT_FIELD, Field
from mappings.errors import AccessRefused, InputRefused
from mappings.plan import Plan
from mappings.schemes import SCHEME_FIELDS
from query.answers import CandidatePage, Filter, GroupHits, Hits, Ref, Request, Stored, Term
from query.stores.elastic.bodies import scan_body, search_body, search_terms, terms_of
from query.stores.elastic.candidate_search import CandidateSearch
from query.stores.elastic.elastic_reader import ElasticReader
from query.stores.elastic.elastic_tally import ElasticTally
from query.stores.elastic.field_kinds import FieldKinds
from query.stores.elastic.loads import Loads
from query.stores.elastic.our_fields import names_ours
from query.stores.elastic.point_in_time import Hit, Pages
from query.stores.elastic.searches import Searches, checked
from query.stores.elastic.sidecar_groups import SidecarGroups
from query.stores.elastic.sidecar_objects import VERSIONS, SidecarFetch, SidecarObjects
from query.stores.elastic.sidecar_search import SidecarSearch
from query.stores.elastic.sidecar_tally import OURS, SidecarTally
from query.tally import Tally, TallyRow

_AT_ONCE: Final = 500


class SidecarReader(ElasticReader):
    """Reads one index and its sidecar; satisfies `query.stores.StoreReader`.

    What was written since the sidecar was last brought up to date is not found; what was changed is
    judged by its present text; what is gone is no candidate.
    """

    def __init__(
        self,
        client: Elasticsearch,
        settings: ElasticSettings,
        meta: IndexMeta,
        of: SidecarOf,
        watch: MetaWatch | None = None,
    ) -> None:
        """`of` is that of the meta: the index is read by its own name, also where `settings` name
        an alias for it."""
        settings = replace(settings, index=of.index)
        super().__init__(client, settings, meta, watch)
        self._beside = sidecar_of(settings, of.index)
        self._objects, loads = SidecarObjects(client, self._beside), Loads()
        self._fetch = SidecarFetch(client, settings, self._searches.one, loads, self._objects)
        asking = Searches(client, self._beside, self._must_be_steady)
        fields = list(SCHEME_FIELDS.values())
        inner = CandidateSearch(client, self._beside, asking, fields, self._came_along, Loads())
        self._candidates = SidecarSearch(
            inner,
            of.index,
            self._beside.index,
            self._searches,
            self._fetch,
            self._stored,
            loads,
            self._plan_of,
        )
        self._counts = SidecarTally(
            of.index,
            self._beside.index,
            self._tallies,
            ElasticTally(client, self._beside, asking),
            FieldKinds(client, settings),
            self._read,
            self.members,
        )

    def _plan_of(self, plan_id: str | None) -> Plan:
        return self.meta.writing if plan_id == self.meta.writing.id else self.meta.plan

    def candidates(self, requests: Sequence[Request]) -> list[CandidatePage]:
        """See `query.answers.CandidateReader`. Raises InputRefused as `find`."""
        for request in requests:
            self._check(request.filters)
        return self._candidates.pages(requests)

    def search(
        self, text: str, size: int = 10, offset: int = 0, filters: Sequence[Filter] = ()
    ) -> Hits:
        """See `query.stores.StoreReader`. Raises InputRefused as `find`, too."""
        self._check(filters)
        return super().search(text, size, offset, filters)

    def find(self, filters: Sequence[Filter] = (), text: str = "") -> Iterator[Stored]:
        """See `query.stores.StoreReader`. Raises InputRefused for filters by what the sidecar has:
        in the index they would accept nothing."""
        self._check(filters)
        return super().find(filters, text)

    def _check(self, filters: Sequence[Filter]) -> None:
        if any(map(names_ours, filters)):
            raise InputRefused(
                f"a filter names a field of {OBJECT_FIELD!r}, and those of index "
                f"{self._settings.index!r} lie in its sidecar; filter by fields of the documents"
            )

    def frequencies(self, keys: Keys) -> dict[Term, int]:
        """See `query.stores.StoreReader`; as of when the sidecar was last brought up to date."""
        return self._candidates.frequencies(list(terms_of(keys)))

    def all_standings(self) -> Iterator[tuple[Ref, Standing]]:
        """See `query.stores.StoreReader`."""
        body = {"query": {"match_all": {}}, "_source": False, **VERSIONS}
        for hits in Pages(self._client, self._settings, body, _AT_ONCE, "read of groups"):
            for hit in self._objects.complete(hits, list(FIELDS)):
                ours = hit["_source"].get(OBJECT_FIELD)
                yield Ref(hit["_index"], hit["_id"]), standing_in(ours, hit["_id"])

    def members(self, groups: Sequence[str]) -> dict[str, tuple[Ref, ...]]:
        """See `query.stores.StoreReader`; without those that the index has no more."""
        out: dict[str, list[Ref]] = {group: [] for group in groups}
        for start in range(0, len(groups), _AT_ONCE):
            query = {"terms": {Field.GROUP.path: list(groups[start : start + _AT_ONCE])}}
            body = {"query": query, "_source": [Field.GROUP.path]}
            for hits in Pages(self._client, self._beside, body, _AT_ONCE, "read of groups"):
                held = {self._ref(hit): hit["_source"].get(OBJECT_FIELD) for hit in hits}
                for found in self._fetch.hits(list(held), source=False):
                    ref = Ref(found["_index"], found["_id"])
                    out[standing_in(held[ref], ref.id).group].append(ref)
        return {group: tuple(sorted(refs)) for group, refs in out.items()}

    def search_groups(
        self, text: str, size: int = 10, after: Any = None, filters: Sequence[Filter] = ()
    ) -> GroupHits:
        """See `query.stores.StoreReader`: each page is of its own moment."""
        self._check(filters)
        terms = search_terms(text)
        if not terms:
            return GroupHits((), 0, 0)
        query = search_body(terms, self._searched(), size, 0, filters)["query"]
        return SidecarGroups(self._searches, self._objects.complete, self.each).page(
            query, size, after
        )

    def scan(
        self, without_plan: str | None = None, share: float = 1.0, since: int | None = None
    ) -> Iterator[Stored]:
        """See `query.stores.StoreReader`; what was written since the sidecar was last brought up to
        date has no time yet."""
        if without_plan is None and since is None:
            return super().scan(None, share)
        return self._beside_first(scan_body(without_plan, share, since))

    def _beside_first(self, body: Mapping[str, Any]) -> Iterator[Stored]:
        """The documents that a query finds in the sidecar."""
        only = {**body, "_source": False}
        for hits in Pages(self._client, self._beside, only, _AT_ONCE, "scan"):
            yield from self.each([self._ref(hit) for hit in hits])

    def _ref(self, hit: Hit) -> Ref:
        """The document that a hit of the sidecar is about."""
        return Ref(self._settings.index, hit["_id"])

    def tally(self, tally: Tally) -> list[TallyRow]:
        """See `query.stores.StoreReader`."""
        return self._counts.count(tally)

    def _read(self, query: Any, fields: Sequence[str]) -> Iterator[dict[str, Any]]:
        """Hits of the index with some fields, and with what the sidecar says of them."""
        body = {"query": query, "_source": list(fields) or False, **VERSIONS}
        for hits in Pages(self._client, self._settings, body, _AT_ONCE, "count documents"):
            yield from map(dict, self._objects.complete(hits, list(OURS)))

    def count(self, without_plan: str | None = None) -> int:
        """See `query.stores.StoreReader`. With `without_plan`: how many more documents the index
        has than the sidecar has fingerprints, of documents that are gone as well."""
        documents = super().count()
        if without_plan is None:
            return documents
        query = {"term": {Field.PLAN.path: without_plan}}
        with translated("count", self._beside):
            answer = self._client.count(index=self._beside.index, query=query)
        checked(answer.body, "count", self._beside, timed=False)
        return max(0, documents - int(answer["count"]))

    def describe(self) -> dict[str, object]:
        """The same, with the name of the `sidecar` and its `sidecar_bytes`."""
        facts: dict[str, object] = {**super().describe(), "sidecar": self._beside.index}
        with suppress(AccessRefused), translated("read the index size", self._beside):
            stats = self._client.indices.stats(index=self._beside.index, metric="store")
            facts["sidecar_bytes"] = int(stats["_all"]["total"]["store"]["size_in_bytes"])
        return facts

    def _every(self, body: Mapping[str, Any], action: str) -> Iterator[Stored]:
        return super()._every({**body, **VERSIONS}, action)

    def _completed(self, hits: Sequence[Hit]) -> Sequence[Hit]:
        return self._objects.complete(hits)
