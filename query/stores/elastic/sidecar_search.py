"""Candidates of an index whose objects lie in a sidecar: the sidecar is asked for them, and the
index which of them it has, under which versions, and which the filters of the lookup accept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from msgspec import structs

from indexer.fingerprints import fingerprints_of
from indexer.fingerprints.compute import check_text
from mappings.contract import Field
from mappings.errors import InputRefused
from mappings.plan import Plan
from query.answers import Candidate, CandidatePage, Ref, Request, Stored, Term
from query.stores.elastic.bodies import WINDOW, ids_body
from query.stores.elastic.candidate_search import CandidateSearch
from query.stores.elastic.fetch import DocumentFetch
from query.stores.elastic.loads import Loads
from query.stores.elastic.searches import Body, Searches

_FEW: Final = 1_000
"""Up to this many documents that the filters accept are named to the sidecar."""

_WIDER: Final = 4
_LEAST_WIDE: Final = 200
"""So many times the candidates that are wanted, and at least so many, as filters will drop some."""

_ALONG: Final = 301
"""At most so many documents are held for the lookup before it asks for them."""

_VALUES: Final = [Field.PLAN.path, Field.TEXT_HASH.path]


@dataclass(slots=True)
class SidecarSearch:
    """`inner` asks the sidecar, `index` searches the index itself; `fetch` reads its documents with
    their objects, and `stored` makes sense of them; `plan_of` gives the plan of an id, None for
    that of the index."""

    inner: CandidateSearch
    name: str
    sidecar: str
    index: Searches
    fetch: DocumentFetch
    stored: Callable[[Any], Stored]
    loads: Loads
    plan_of: Callable[[str | None], Plan]

    def pages(self, requests: Sequence[Request]) -> list[CandidatePage]:
        """See `query.answers.CandidateReader`."""
        asked = [self._asked(request) for request in requests]
        pages = self.inner.pages(asked)
        pages = [self._accepted(*each) for each in zip(requests, asked, pages, strict=True)]
        return self._present(requests, [self._renamed(page) for page in pages])

    def frequencies(self, terms: Sequence[Term]) -> dict[Term, int]:
        """In how many documents each term is, as far as the sidecar was brought up to date."""
        return self.inner.frequencies(terms)

    def _asked(self, request: Request) -> Request:
        """The request as the sidecar understands it. Filters name fields that it does not have, so
        it is told the documents that they accept, if these are few; else more are asked for."""
        exclude = request.exclude
        if exclude is not None and exclude.index == self.name:
            exclude = structs.replace(exclude, index=self.sidecar)
        asked = structs.replace(request, exclude=exclude, filters=(), texts=0)
        if not request.filters:
            return asked
        body = {
            "query": {"bool": {"filter": list(request.filters)}},
            "size": _FEW + 1,
            "track_total_hits": False,
            "_source": False,
        }
        hits = self.index.one(body, "look up candidates")["hits"]["hits"]
        if len(hits) <= _FEW:
            accepted = {"ids": {"values": sorted({str(hit["_id"]) for hit in hits})}}
            return structs.replace(asked, filters=(accepted,))
        return structs.replace(asked, limit=_widened(request.limit))

    def _accepted(self, request: Request, asked: Request, page: CandidatePage) -> CandidatePage:
        """The page without what the filters do not accept. Where the sidecar has more, more are
        asked for, until the page is full or a server shows no more."""
        if not request.filters or asked.filters:
            return page
        while True:
            kept = self._passing(request, page.candidates)
            enough = request.limit is None or len(kept) >= request.limit
            limit = asked.limit
            if enough or not page.truncated or limit is None or limit >= WINDOW:
                break
            asked = structs.replace(asked, limit=_widened(limit))
            (page,) = self.inner.pages([asked])
        more = request.limit is not None and len(kept) > request.limit
        return structs.replace(
            page, candidates=tuple(kept[: request.limit]), truncated=page.truncated or more
        )

    def _passing(self, request: Request, candidates: Sequence[Candidate]) -> list[Candidate]:
        passing: set[str] = set()
        for start in range(0, len(candidates), _FEW):
            refs = [Ref("", each.id) for each in candidates[start : start + _FEW]]
            body: Body = ids_body(refs, WINDOW)
            body["query"]["bool"]["filter"] += request.filters
            hits = self.index.one({**body, "_source": False}, "look up candidates")["hits"]["hits"]
            passing.update(str(hit["_id"]) for hit in hits)
        return [each for each in candidates if each.id in passing]

    def _renamed(self, page: CandidatePage) -> CandidatePage:
        candidates = tuple(structs.replace(each, index=self.name) for each in page.candidates)
        return structs.replace(page, candidates=candidates, documents={})

    def _present(
        self, requests: Sequence[Request], pages: Sequence[CandidatePage]
    ) -> list[CandidatePage]:
        """The pages with what the index has of them now: documents that are gone are left out, and
        those that were changed have the values of their present text."""
        best = [
            [each.ref for each in page.candidates[: request.texts]]
            for request, page in zip(requests, pages, strict=True)
        ]
        together = dict.fromkeys(ref for refs in best for ref in refs)
        along: dict[Ref, Stored] = {}
        if self.loads.are_light and len(together) <= _ALONG:
            along = self._read(together)
        there = dict.fromkeys(each.ref for page in pages for each in page.candidates)
        rest = [ref for ref in there if not along or ref not in together]
        found = {**along, **self._values(rest)}
        return [
            self._current(request, page, found, along)
            for request, page in zip(requests, pages, strict=True)
        ]

    def _read(self, refs: Iterable[Ref]) -> dict[Ref, Stored]:
        return {each.ref: each for each in map(self.stored, self.fetch.hits(list(refs)))}

    def _values(self, refs: Sequence[Ref]) -> dict[Ref, Stored]:
        """Documents without text: those whose object is of their present version have its plan."""
        hits = self.fetch.hits(refs, source=_VALUES) if refs else ()
        return {each.ref: each for each in map(self.stored, hits)}

    def _current(
        self,
        request: Request,
        page: CandidatePage,
        found: dict[Ref, Stored],
        along: dict[Ref, Stored],
    ) -> CandidatePage:
        there = [each for each in page.candidates if each.ref in found]
        best = {each.ref for each in there[: request.texts]}
        changed = [
            each.ref for each in there if not found[each.ref].plan_id and each.ref not in best
        ]
        renewed = self._renewed(changed, self.plan_of(request.plan_id)) if changed else {}
        candidates = []
        for each in there:
            values = renewed.get(each.ref)
            if each.ref not in renewed:
                candidates.append(each)
            elif values is not None:
                text_hash, simhash = values
                candidates.append(
                    structs.replace(each, text_hash=text_hash, simhash=simhash, simhash_only=False)
                )
        documents = {ref: along[ref] for ref in best if ref in along}
        return structs.replace(page, candidates=tuple(candidates), documents=documents)

    def _renewed(self, refs: Sequence[Ref], plan: Plan) -> dict[Ref, tuple[str, int] | None]:
        """Text hash and simhash of the present texts; None for one that cannot be compared."""
        out: dict[Ref, tuple[str, int] | None] = dict.fromkeys(refs)
        for document in map(self.stored, self.fetch.hits(refs)):
            try:
                check_text(document.text, plan)
            except InputRefused:
                continue
            (made,) = fingerprints_of([document.text], plan)
            out[document.ref] = made.text_hash, made.simhash
        return out


def _widened(limit: int | None) -> int | None:
    return None if limit is None else min(WINDOW, max(_WIDER * limit, _LEAST_WIDE))
