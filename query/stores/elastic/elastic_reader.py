"""The read side of the Elasticsearch store."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, Self

from elasticsearch import Elasticsearch

from indexer.meta import IndexMeta, check_plan
from indexer.meta_watch import MetaWatch
from indexer.model import Body, Keys, Standing
from indexer.stores.elastic.client import (
    ElasticSettings,
    connect,
    server_version,
    translated,
)
from indexer.stores.elastic.elastic_meta import read_meta, watch_of
from indexer.stores.elastic.standing import FIELDS
from indexer.stores.stored_object import fingerprint_in, plan_id_in, standing_in
from mappings.contract import OBJECT_FIELD, Field
from mappings.errors import InputRefused, NotFound, StoreRefused
from mappings.plan import Plan
from mappings.schemes import SCHEME_FIELDS
from query.answers import CandidatePage, Filter, GroupHits, Hit, Hits, Ref, Request, Stored
from query.stores.elastic.bodies import (
    WINDOW,
    scan_body,
    search_body,
    search_terms,
    terms_of,
)
from query.stores.elastic.candidate_search import CandidateSearch
from query.stores.elastic.collapsed import CollapsedSearch
from query.stores.elastic.elastic_tally import ElasticTally
from query.stores.elastic.fetch import DocumentFetch
from query.stores.elastic.loads import Loads
from query.stores.elastic.merged import Along
from query.stores.elastic.point_in_time import Pages
from query.stores.elastic.searches import TOGETHER, Searches, checked
from query.tally import Tally, TallyRow

_GROUPS_AT_ONCE: Final = 1_000
_FIRST_PAGE, _LARGEST_PAGE, _PAGE_CHARACTERS = 50, 500, 2_000_000


def served_meta(
    client: Elasticsearch,
    settings: ElasticSettings,
    wanted_plan: Plan | None = None,
    rebuilding: bool = False,
) -> IndexMeta:
    """The meta of an index that can answer, or be rebuilt; raises as `ElasticReader.open`."""
    meta = read_meta(client, settings)
    if meta is None:
        raise NotFound(
            f"no index {settings.index!r} at {settings.place}; check the name, "
            "or make it with 'dupdex index'"
        )
    if not rebuilding:
        check_plan(meta, wanted_plan)
    return meta


class ElasticReader:
    """Reads one index; satisfies `query.stores.StoreReader`."""

    at_once: Final = TOGETHER // 3  # a request makes up to three searches

    def __init__(
        self,
        client: Elasticsearch,
        settings: ElasticSettings,
        meta: IndexMeta,
        watch: MetaWatch | None = None,
    ) -> None:
        """For an index that is known to exist, through a client that stays its owner's; everybody
        else calls `open`."""
        self._client, self._settings = client, settings
        self.watch = watch or watch_of(client, settings, meta)
        self._owns_client = False
        loads = Loads()
        fields = list(SCHEME_FIELDS.values())  # of any plan that the index may move to
        self._searches = Searches(client, settings, self._must_be_steady)
        self._search = CandidateSearch(
            client, settings, self._searches, fields, self._came_along, loads
        )
        self._fetch = DocumentFetch(client, settings, self._searches.one, loads, self._is_attached)
        self._tallies = ElasticTally(client, settings, self._searches)

    @classmethod
    def open(
        cls,
        settings: ElasticSettings,
        wanted_plan: Plan | None = None,
        rebuilding: bool = False,
        client: Elasticsearch | None = None,
    ) -> Self:
        """Open the index. `rebuilding` opens it whatever its plan, for the rebuild itself.

        Raises NotFound for no such index, StoreRefused for one that dupdex did not make,
        PlanMismatch when its plan is not `wanted_plan` or a rebuild is unfinished. A `client`
        that is given stays open when the reader is closed.
        """
        asking = client or connect(settings)
        try:
            meta = served_meta(asking, settings, wanted_plan, rebuilding)
        except BaseException:
            if client is None:
                asking.close()
            raise
        reader = cls(asking, settings, meta)
        reader._owns_client = client is None
        return reader

    @property
    def meta(self) -> IndexMeta:
        return self.watch.meta

    def _is_attached(self) -> bool:
        return self.meta.attached is not None

    def _must_be_steady(self) -> bool:
        """Whether searches that follow each other must not see an older state."""
        return self.meta.goal is not None

    def candidates(self, requests: Sequence[Request]) -> list[CandidatePage]:
        """See `query.answers.CandidateReader`. Raises rather than answer from part of the index."""
        return self._search.pages(requests)

    def documents(self, refs: Sequence[Ref]) -> dict[Ref, Stored]:
        """See `query.answers.CandidateReader`."""
        return {document.ref: document for document in self.each(refs)}

    def each(self, refs: Sequence[Ref]) -> Iterator[Stored]:
        """See `query.answers.CandidateReader`."""
        wanted = set(refs)
        # An alias may stand for other indices by now than when the candidates were found.
        stored = map(self._stored, self._fetch.hits(refs))
        return (document for document in stored if document.ref in wanted)

    def stored_ids(self, ids: Sequence[str]) -> set[str]:
        """See `query.answers.CandidateReader`."""
        refs = [Ref("", document_id) for document_id in ids]
        return {str(hit["_id"]) for hit in self._fetch.hits(refs, source=False)}

    def by_ids(self, ids: Sequence[str]) -> dict[str, tuple[Stored, ...]]:
        """See `query.answers.DocumentReader`."""
        hits = self._fetch.hits([Ref("", document_id) for document_id in ids])
        out: dict[str, tuple[Stored, ...]] = {}
        for document in sorted(map(self._stored, hits), key=lambda document: document.ref):
            out[document.id] = (*out.get(document.id, ()), document)
        return out

    def standings(self, refs: Sequence[Ref]) -> dict[Ref, Standing]:
        """See `query.stores.StoreReader`."""
        out: dict[Ref, Standing] = {}
        wanted = set(refs)
        for hit in self._fetch.hits(refs, source=list(FIELDS)):
            standing = standing_in(hit.get("_source", {}).get(OBJECT_FIELD), hit["_id"])
            for ref in (Ref(hit["_index"], hit["_id"]), Ref("", hit["_id"])):
                if ref in wanted:
                    out[ref] = standing
        return out

    def refs_of(self, ids: Sequence[str]) -> dict[str, tuple[Ref, ...]]:
        """See `query.stores.StoreReader`."""
        out: dict[str, tuple[Ref, ...]] = {}
        for hit in self._fetch.hits([Ref("", name) for name in ids], source=False):
            out[hit["_id"]] = (*out.get(hit["_id"], ()), Ref(hit["_index"], hit["_id"]))
        return out

    def all_standings(self) -> Iterator[tuple[Ref, Standing]]:
        """See `query.stores.StoreReader`."""
        body = {"query": {"match_all": {}}, "_source": list(FIELDS)}
        for hits in Pages(self._client, self._settings, body, _GROUPS_AT_ONCE, "read of groups"):
            for hit in hits:
                ours = hit.get("_source", {}).get(OBJECT_FIELD)
                yield Ref(hit["_index"], hit["_id"]), standing_in(ours, hit["_id"])

    def members(self, groups: Sequence[str]) -> dict[str, tuple[Ref, ...]]:
        """See `query.stores.StoreReader`."""
        out: dict[str, list[Ref]] = {group: [] for group in groups}
        for start in range(0, len(groups), _GROUPS_AT_ONCE):
            part = list(groups[start : start + _GROUPS_AT_ONCE])
            query = {"terms": {Field.GROUP.path: part}}
            body = {"query": query, "_source": [Field.GROUP.path]}
            for hits in Pages(self._client, self._settings, body, _LARGEST_PAGE, "read of groups"):
                for hit in hits:
                    group = standing_in(hit["_source"].get(OBJECT_FIELD), hit["_id"]).group
                    out[group].append(Ref(hit["_index"], hit["_id"]))
        return {group: tuple(sorted(refs)) for group, refs in out.items()}

    def search(
        self, text: str, size: int = 10, offset: int = 0, filters: Sequence[Filter] = ()
    ) -> Hits:
        """See `query.stores.StoreReader`; a query without a letter or a digit finds nothing."""
        if size < 0 or offset < 0 or size + offset > WINDOW:
            raise InputRefused(
                f"hits {offset} to {offset + size} are out of reach, Elasticsearch shows the "
                f"first {WINDOW:,}; narrow the query"
            )
        terms = search_terms(text)
        if not terms:
            return Hits((), 0)
        body = search_body(terms, self._searched(), size, offset, filters)
        answer = self._searches.one(body, "search")
        hits = tuple(
            Hit(hit["_id"], hit["_index"], float(hit["_score"] or 0), hit.get("_source", {}))
            for hit in answer["hits"]["hits"]
        )
        return Hits(hits, int(answer["hits"]["total"]["value"]))

    def search_groups(
        self, text: str, size: int = 10, after: Any = None, filters: Sequence[Filter] = ()
    ) -> GroupHits:
        """See `query.stores.StoreReader`: of the moment of the first page, for five minutes after
        each page."""
        terms = search_terms(text)
        if not terms:
            return GroupHits((), 0, 0)
        if not self.meta.standing:
            raise StoreRefused(
                f"index {self._settings.index!r} was made by an earlier version and has no place "
                "for groups; run 'dupdex rebuild' first"
            )
        query = search_body(terms, self._searched(), size, 0, filters)["query"]
        return CollapsedSearch(self._client, self._settings).page(query, size, after)

    def scan(
        self, without_plan: str | None = None, share: float = 1.0, since: int | None = None
    ) -> Iterator[Stored]:
        """See `query.stores.StoreReader`: the documents there were, refreshed, at the start.

        What is written meanwhile changes nothing, so a rebuild may write while it scans.
        """
        return self._every(scan_body(without_plan, share, since), "scan")

    def find(self, filters: Sequence[Filter] = (), text: str = "") -> Iterator[Stored]:
        """See `query.stores.StoreReader`."""
        if not text:
            return self._every({"query": {"bool": {"filter": list(filters)}}}, "search")
        terms = search_terms(text)
        if not terms:
            return iter(())
        body = search_body(terms, self._searched(), 0, 0, filters)
        return self._every({"query": body["query"]}, "search")

    def indices(self) -> tuple[str, ...]:
        """See `query.stores.StoreReader`."""
        with translated("read the index mapping", self._settings):
            answer = self._client.indices.get_mapping(index=self._settings.index)
        return tuple(sorted(answer.body))

    def _searched(self) -> list[str]:
        """The fields of full text."""
        names = (self.meta.title_field, *self.meta.text_fields)
        return list(dict.fromkeys(name for name in names if name))

    def _every(self, body: Mapping[str, Any], action: str) -> Iterator[Stored]:
        pages = Pages(self._client, self._settings, body, _FIRST_PAGE, action)
        for hits in pages:
            page = [self._stored(hit) for hit in self._completed(hits)]
            characters = sum(len(stored.text) for stored in page)
            # Novels and headlines alike: pages of about the same number of characters.
            size = len(page) * _PAGE_CHARACTERS // max(1, characters)
            pages.size = min(max(size, 1), 4 * len(page), _LARGEST_PAGE)
            del hits
            yield from page

    def _completed(self, hits: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
        """Hits as whole documents, where a part of them lies elsewhere."""
        return hits

    def frequencies(self, keys: Keys) -> dict[tuple[Field, str], int]:
        """See `query.stores.StoreReader`."""
        return self._search.frequencies(list(terms_of(keys)))

    def tally(self, tally: Tally) -> list[TallyRow]:
        """See `query.stores.StoreReader`."""
        return self._tallies.count(tally)

    def count(self, without_plan: str | None = None) -> int:
        """See `query.stores.StoreReader`; as of the last refresh."""
        query = scan_body(without_plan)["query"]
        with translated("count", self._settings):
            answer = self._client.count(index=self._settings.index, query=query)
        checked(answer.body, "count", self._settings, timed=False)
        return int(answer["count"])

    def describe(self) -> dict[str, object]:
        """`store`, `url` (no credentials), `index`, `version`, `documents` and `bytes`."""
        with translated("read the index size", self._settings):
            stats = self._client.indices.stats(index=self._settings.index, metric="store")
        return {
            "store": "elasticsearch",
            "url": self._settings.place,
            "index": self._settings.index,
            "version": server_version(self._client, self._settings),
            "documents": self.count(),
            "bytes": int(stats["_all"]["total"]["store"]["size_in_bytes"]),
        }

    def close(self) -> None:
        if self._owns_client:
            self._client.close()

    def _stored(self, hit: Mapping[str, Any]) -> Stored:
        body = dict(hit.get("_source") or {})
        ours = body.pop(OBJECT_FIELD, None)
        text = self._text_of(body)
        return Stored(hit["_id"], hit["_index"], body, text, plan_id_in(ours), fingerprint_in(ours))

    def _came_along(self, along: Along) -> Stored | None:
        """The same for a document that came along with its id; None when it cannot be read."""
        hit, ours = along
        body = hit.body()
        if body is None:
            return None
        text = self._text_of(body)
        if ours is None:  # what there is may still name a plan
            return Stored(hit.id, hit.index, body, text, plan_id_in(hit.ours()), None)
        return Stored(hit.id, hit.index, body, text, ours.plan_id, ours.fingerprint())

    def _text_of(self, body: Body) -> str:
        try:
            return self.meta.text_of(body)
        except InputRefused:
            return ""  # written past dupdex: one such document must not cost the others
