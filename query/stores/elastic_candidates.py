"""Candidate searches: many requests in few round trips, hot terms, and no silent loss."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from elasticsearch import Elasticsearch

from indexer.fingerprints.simhash import hamming
from indexer.stores.elastic_client import ElasticSettings, refusal, translated
from indexer.stores.stored_object import to_unsigned
from mappings.contract import Field
from mappings.errors import StoreUnavailable
from query.bodies import (
    MAX_CLAUSES,
    WINDOW,
    Term,
    blocks_body,
    candidate_body,
    frequencies_body,
    frequencies_in,
    is_simhash_only,
    least_score,
    may_be_hot,
    parts_of,
    same_texts_body,
    simhash_weight,
    sizes_body,
    smallest_in,
    without,
)
from query.model import HOT_ONLY, Candidate, CandidatePage, Request

Body = dict[str, Any]

_SEARCHES_AT_ONCE: Final = 50
_FIRST_LOOK: Final = 100
_PART_SIZE: Final = 1_000
_BLOCKS: Final = 1_000
"""Documents that share a simhash key whose simhashes are looked at."""

_COUNT_AGAIN: Final = 10.0  # seconds


def checked(
    answer: Any, action: str, settings: ElasticSettings, timed: bool = True
) -> Mapping[str, Any]:
    """The answer, once it is known to come from the whole index.

    Anything less would read as "no duplicate".
    """
    if isinstance(answer, Mapping) and "error" in answer:
        raise refusal(int(answer.get("status", 500)), answer["error"], action, settings)
    shards = answer.get("_shards", {}) if isinstance(answer, Mapping) else {}
    if shards.get("failed") != 0 or (timed and answer.get("timed_out") is not False):
        raise StoreUnavailable(
            f"Elasticsearch at {settings.place} answered from part of the index only "
            f"(cannot {action}); look at the cluster's health, then repeat"
        )
    return dict(answer)


@dataclass(slots=True)
class _Merged:
    """Candidates of the parts of one request; a document found by several sums its scores."""

    found: dict[str, Candidate] = field(default_factory=dict)
    full: bool = False
    rare_only: bool = False

    def add(self, hits: Sequence[Mapping[str, Any]], size: int, weight: float) -> None:
        """Hits of one part, in which a simhash key weighs `weight`; one part holds all of them."""
        self.full = self.full or len(hits) >= size
        for hit in hits:
            candidate = _candidate(hit, weight)
            before = self.found.get(candidate.id)
            if before is not None:
                score = candidate.score + before.score
                candidate = replace(candidate, score=score, simhash_only=False)
            self.found[candidate.id] = candidate

    def page(self, limit: int | None, hot: Sequence[Term] = ()) -> CandidatePage:
        best = sorted(self.found.values(), key=lambda each: -each.score)
        truncated = self.full or (limit is not None and len(best) > limit)
        return CandidatePage(tuple(best[:limit]), truncated, tuple(hot), self.rare_only)


class CandidateSearch:
    """Asks one index for candidates."""

    def __init__(self, client: Elasticsearch, settings: ElasticSettings) -> None:
        self._client, self._settings = client, settings
        self._documents, self._counted = 0, -math.inf

    def pages(self, requests: Sequence[Request]) -> list[CandidatePage]:
        """One page per request, in order."""
        sizes = [_first_size(request) for request in requests]
        apart = [self._asks_apart(request) for request in requests]
        merged = self._ask(requests, sizes, apart=apart)
        self._ask_by_two(requests, sizes, merged)
        full = [at for at, each in enumerate(requests) if each.limit is None and merged[at].full]
        pages = [part.page(each.limit) for part, each in zip(merged, requests, strict=True)]
        if full:
            wide = self._ask_for_all([requests[at] for at in full])
            for at, page in zip(full, wide, strict=True):
                pages[at] = page
        return pages

    def frequencies(self, terms: Sequence[Term]) -> dict[Term, int]:
        """In how many documents each term is."""
        distinct = list(dict.fromkeys(terms))
        cuts = [
            distinct[start : start + MAX_CLAUSES] for start in range(0, len(distinct), MAX_CLAUSES)
        ]
        frequency: dict[Term, int] = {}
        for cut, answer in zip(
            cuts, self._many([frequencies_body(cut) for cut in cuts]), strict=True
        ):
            frequency |= frequencies_in(answer, cut)
        return frequency

    def one(self, body: Body, action: str) -> Mapping[str, Any]:
        """A single search, checked."""
        with translated(action, self._settings):
            answer = self._client.search(
                index=self._settings.index, body=body, allow_partial_search_results=False
            )
        return checked(answer.body, action, self._settings)

    def _ask(
        self,
        requests: Sequence[Request],
        sizes: Sequence[int],
        shared: int = 1,
        apart: Sequence[bool] = (),
    ) -> list[_Merged]:
        """The candidates of each request; of those marked in `apart` simhash keys are asked for in
        a search of their own."""
        bodies: list[Body] = []
        owners: list[int] = []
        merged = [_Merged() for _ in requests]
        blocks = {at: requests[at] for at, asked in enumerate(apart) if asked}
        for at, (request, size) in enumerate(zip(requests, sizes, strict=True)):
            parts = parts_of(_without_simhash(request) if at in blocks else request)
            least = None
            if len(parts) == 1 and shared == 1 and request.limit is not None:
                least = least_score(request.hot, self._smallest_index())
                merged[at].rare_only = least is not None
            # A document may rank low in every part and yet high in the sum.
            wide = size if len(parts) == 1 or request.limit is None else max(size, _PART_SIZE)
            for part in parts:
                bodies.append(candidate_body(part, wide, least, shared))
                owners.append(at)
        bodies += [blocks_body(request, _BLOCKS) for request in blocks.values()]
        answers = self._many(bodies)
        for at, body, answer in zip(owners, bodies, answers, strict=False):
            weight = simhash_weight(body.get("min_score"))
            merged[at].add(answer["hits"]["hits"], body["size"], weight)
        near = dict(zip(blocks, answers[len(owners) :], strict=True))
        self._add_near(blocks, near, merged)
        return merged

    def _asks_apart(self, request: Request) -> bool:
        """Whether what shares simhash keys only is compared by its simhash first, and the index so
        large that hardly one of these documents is a candidate."""
        return (
            request.simhash is not None
            and request.limit is not None
            and bool(request.keys.get(Field.SIMHASH_KEYS))
            and least_score(request.hot, self._smallest_index()) is not None
        )

    def _add_near(
        self,
        requests: Mapping[int, Request],
        answers: Mapping[int, Mapping[str, Any]],
        merged: Sequence[_Merged],
    ) -> None:
        """Of the documents that share a simhash key, those whose whole simhash is near."""
        wanted: dict[int, list[str]] = {}
        for at, request in requests.items():
            hits = answers[at]["hits"]["hits"]
            merged[at].full = merged[at].full or len(hits) >= _BLOCKS
            known = {candidate.text_hash for candidate in merged[at].found.values()}
            near = {
                text_hash
                for text_hash, value in map(_stored_values, hits)
                if hamming(value, request.simhash or 0) <= request.simhash_only
            }
            if near - known:
                wanted[at] = sorted(near - known)[:MAX_CLAUSES]
        if not wanted:
            return
        sizes = [_first_size(requests[at]) for at in wanted]
        bodies = [
            same_texts_body(requests[at], hashes, size)
            for (at, hashes), size in zip(wanted.items(), sizes, strict=True)
        ]
        for at, size, answer in zip(wanted, sizes, self._many(bodies), strict=True):
            hits = answer["hits"]["hits"]
            least = min((each.score for each in merged[at].found.values()), default=1.0)
            merged[at].add([{**hit, "_score": least} for hit in hits], size, weight=least)

    def _ask_by_two(
        self, requests: Sequence[Request], sizes: Sequence[int], merged: list[_Merged]
    ) -> None:
        """Where no rare term is shared: what shares two, as all of an index full of copies does."""
        empty = [at for at, each in enumerate(merged) if each.rare_only and not each.found]
        if not empty:
            return
        again = self._ask([requests[at] for at in empty], [sizes[at] for at in empty], shared=2)
        for at, found in zip(empty, again, strict=True):
            merged[at].found, merged[at].full = found.found, found.full

    def _smallest_index(self) -> int:
        """Documents of the smallest index behind the name, as of some seconds ago."""
        if time.monotonic() - self._counted > _COUNT_AGAIN:
            self._documents = smallest_in(self.one(sizes_body(), "count documents"))
            self._counted = time.monotonic()
        return self._documents

    def _ask_for_all(self, requests: Sequence[Request]) -> list[CandidatePage]:
        """The second look of requests with many candidates: without hot terms, all there are.

        The copies of a text with very many copies share hot terms only, so the best of a look in
        which all terms have a vote belong to the answer; it is truncated when there are more.
        """
        hot = self._hot_terms(requests)
        cold = [
            replace(request, keys=without(request.keys, terms))
            for request, terms in zip(requests, hot, strict=True)
        ]
        pages = []
        # One after the other: each page may hold 10,000 candidates.
        for whole, request, terms in zip(requests, cold, hot, strict=True):
            (merged,) = self._ask([request], [WINDOW])
            if terms:
                (best,) = self._ask([whole], [HOT_ONLY + len(merged.found)])
                merged.found = best.found | merged.found
                merged.full = merged.full or best.full
            pages.append(merged.page(None, terms))
        return pages

    def _hot_terms(self, requests: Sequence[Request]) -> list[list[Term]]:
        """Of each request, the terms that are in more documents than it allows, in their order."""
        asked = [may_be_hot(request.keys) for request in requests]
        frequency = self.frequencies([term for terms in asked for term in terms])
        return [
            [term for term in terms if frequency[term] > request.hot]
            for request, terms in zip(requests, asked, strict=True)
        ]

    def _many(self, bodies: Sequence[Body]) -> list[Mapping[str, Any]]:
        """The checked answers to many searches, in order."""
        action = "look up candidates"
        if len(bodies) == 1:  # a plain search has less to do than an `_msearch` of one
            return [self.one(bodies[0], action)]
        header = {"allow_partial_search_results": False}
        out: list[Mapping[str, Any]] = []
        for start in range(0, len(bodies), _SEARCHES_AT_ONCE):
            some = bodies[start : start + _SEARCHES_AT_ONCE]
            with translated(action, self._settings):
                answer = self._client.msearch(
                    index=self._settings.index,
                    searches=[line for body in some for line in (header, body)],
                )
            answers = answer["responses"]
            if len(answers) != len(some):
                raise StoreUnavailable(
                    f"{self._settings.place} answered {len(answers)} of {len(some)} searches; "
                    "is a proxy in between?"
                )
            out += [checked(each, action, self._settings) for each in answers]
        return out


def _first_size(request: Request) -> int:
    """One more than is wanted, so that a full page is known from a cut one.

    For all candidates, few enough that a term above `hot` always fills the page.
    """
    if request.limit is None:
        return max(1, min(_FIRST_LOOK, request.hot + 1))
    return min(max(0, request.limit) + 1, WINDOW)


def _without_simhash(request: Request) -> Request:
    return replace(request, keys={**request.keys, Field.SIMHASH_KEYS: ()})


def _stored_values(hit: Mapping[str, Any]) -> tuple[str, int]:
    """Text hash and simhash of a hit."""
    fields = hit.get("fields", {})
    simhash = fields.get(Field.SIMHASH.path, (0,))[0]
    return fields.get(Field.TEXT_HASH.path, ("",))[0], to_unsigned(int(simhash))


def _candidate(hit: Mapping[str, Any], weight: float) -> Candidate:
    text_hash, simhash = _stored_values(hit)
    score = float(hit["_score"])
    return Candidate(hit["_id"], score, text_hash, simhash, is_simhash_only(score, weight))
