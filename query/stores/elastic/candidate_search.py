"""Candidate searches: many requests in few round trips, frequent keys, and no silent loss."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Final

from elasticsearch import Elasticsearch

from indexer.fingerprints.simhash import hamming
from indexer.stores.elastic.client import ElasticSettings, refusal, translated
from indexer.stores.stored_object import to_unsigned
from mappings.contract import Field
from mappings.errors import AccessRefused, StoreUnavailable
from query.answers import FREQUENT_ONLY, Candidate, CandidatePage, Ref, Request, Term
from query.stores.elastic.bodies import (
    MAX_CLAUSES,
    WINDOW,
    blocks_body,
    candidate_body,
    frequencies_body,
    frequencies_in,
    may_be_frequent,
    pairs_body,
    parts_of,
    same_texts_body,
    sharing_body,
    without,
)
from query.stores.elastic.scores import (
    Cut,
    Scale,
    boosts_in,
    is_simhash_only,
    simhash_weight,
    sizes_body,
    smallest_in,
    statistics_body,
)

Body = dict[str, Any]
Answer = Mapping[str, Any]

_SEARCHES_AT_ONCE: Final = 50
_FIRST_LOOK: Final = 100
_PART_SIZE: Final = 1_000
_BLOCKS: Final = 1_000
"""The most documents that share a simhash key and have their simhash compared."""

_SCALE_AGAIN: Final = 10.0  # seconds


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
    """The candidates of one request, from all its parts; the scores of a document add up.

    Where frequent keys have no vote, `sharing` counts the documents that share any key, up to a
    page, and `by_terms` those of them that became candidates.
    """

    candidates: dict[Ref, Candidate] = field(default_factory=dict)
    full: bool = False
    pairs: bool = False
    sharing: int = 0
    by_terms: int = 0

    def note_pairs(self, answer: Answer) -> None:
        """Whether documents share two terms, from the answer to `pairs_body`."""
        self.pairs = answer["hits"]["total"]["value"] > 0

    def note_sharing(self, answer: Answer) -> None:
        """How many documents share a term, from the answer to `sharing_body`."""
        self.sharing = answer["hits"]["total"]["value"]

    def add_answer(self, size: int, weight: float, answer: Answer) -> None:
        """The answer to one part, in which a simhash key weighs `weight`."""
        self.add(answer["hits"]["hits"], size, weight)

    def add(self, hits: Sequence[Mapping[str, Any]], size: int, weight: float) -> None:
        """Hits of one part, `size` of which may not be all; one part holds all simhash keys."""
        self.full = self.full or len(hits) >= size
        for hit in hits:
            candidate = _candidate(hit, weight)
            before = self.candidates.get(candidate.ref)
            if before is not None:
                score = candidate.score + before.score
                candidate = replace(candidate, score=score, simhash_only=False)
            self.candidates[candidate.ref] = candidate

    def page(self, limit: int | None, frequent: Sequence[Term] = ()) -> CandidatePage:
        best = sorted(self.candidates.values(), key=lambda candidate: -candidate.score)
        truncated = self.full or (limit is not None and len(best) > limit)
        full_page = limit is not None and self.by_terms > limit
        rare_only = self.sharing > self.by_terms and not full_page
        return CandidatePage(tuple(best[:limit]), truncated, tuple(frequent), rare_only)


class CandidateSearch:
    """Asks one index for candidates."""

    def __init__(
        self, client: Elasticsearch, settings: ElasticSettings, fields: Sequence[Field]
    ) -> None:
        """`fields`: those that the documents of the index have terms in."""
        self._client, self._settings, self._fields = client, settings, fields
        self._scale, self._scaled = Scale(), -math.inf

    def pages(self, requests: Sequence[Request]) -> list[CandidatePage]:
        """One page per request, in order."""
        sizes = [_first_size(request) for request in requests]
        apart = [self._asks_apart(request) for request in requests]
        merged = self._ask(requests, sizes, apart=apart)
        self._ask_by_two(requests, sizes, apart, merged)
        full = [at for at, asked in enumerate(requests) if asked.limit is None and merged[at].full]
        pages = [part.page(asked.limit) for part, asked in zip(merged, requests, strict=True)]
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
        merged = [_Merged() for _ in requests]
        blocks = {at: requests[at] for at, asked in enumerate(apart) if asked}
        near: dict[int, Answer] = {}
        searches: list[tuple[Body, Callable[[Answer], None]]] = []
        for at, (request, size) in enumerate(zip(requests, sizes, strict=True)):
            terms = _without_simhash(request) if at in blocks else request
            parts = parts_of(terms)
            cut = self._cut(request) if len(parts) == 1 and shared == 1 else None
            if cut is not None:
                searches.append((pairs_body(terms), merged[at].note_pairs))
                searches.append((sharing_body(terms, size + 1), merged[at].note_sharing))
            # A document may rank low in every part and yet high in the sum.
            wide = size if len(parts) == 1 or request.limit is None else max(size, _PART_SIZE)
            take = partial(merged[at].add_answer, wide, simhash_weight(cut))
            searches += [(candidate_body(part, wide, cut, shared), take) for part in parts]
        for at, request in blocks.items():
            searches.append((blocks_body(request, _BLOCKS), partial(near.__setitem__, at)))
        answers = self._many([body for body, _ in searches])
        for (_, note), answer in zip(searches, answers, strict=True):
            note(answer)
        for part in merged:
            part.by_terms = len(part.candidates)
        self._add_near(blocks, near, merged)
        return merged

    def _asks_apart(self, request: Request) -> bool:
        """Whether documents that share simhash keys only are filtered by their simhash first: in a
        large index hardly one of them is a candidate."""
        return (
            request.simhash is not None
            and bool(request.keys.get(Field.SIMHASH_KEYS))
            and self._cut(request) is not None
        )

    def _add_near(
        self,
        requests: Mapping[int, Request],
        answers: Mapping[int, Mapping[str, Any]],
        merged: Sequence[_Merged],
    ) -> None:
        """Add those documents that share a simhash key and whose whole simhash is near."""
        wanted: dict[int, list[str]] = {}
        for at, request in requests.items():
            hits = answers[at]["hits"]["hits"]
            merged[at].full = merged[at].full or len(hits) >= _BLOCKS
            found_hashes = {candidate.text_hash for candidate in merged[at].candidates.values()}
            near = {
                text_hash
                for text_hash, value in map(_stored_values, hits)
                if hamming(value, request.simhash or 0) <= request.simhash_only
            }
            if near - found_hashes:
                wanted[at] = sorted(near - found_hashes)[:MAX_CLAUSES]
                merged[at].full = merged[at].full or len(near - found_hashes) > MAX_CLAUSES
        if not wanted:
            return
        sizes = [_first_size(requests[at]) for at in wanted]
        bodies = [
            same_texts_body(requests[at], hashes, size)
            for (at, hashes), size in zip(wanted.items(), sizes, strict=True)
        ]
        for at, size, answer in zip(wanted, sizes, self._many(bodies), strict=True):
            hits = answer["hits"]["hits"]
            least = min(
                (candidate.score for candidate in merged[at].candidates.values()), default=1.0
            )
            merged[at].add([{**hit, "_score": least} for hit in hits], size, weight=least)

    def _ask_by_two(
        self,
        requests: Sequence[Request],
        sizes: Sequence[int],
        apart: Sequence[bool],
        merged: list[_Merged],
    ) -> None:
        """Where no rare key is shared, take documents that share two, as in an index of copies."""
        terms = [
            _without_simhash(request) if asked else request
            for request, asked in zip(requests, apart, strict=True)
        ]
        empty = [at for at, part in enumerate(merged) if part.pairs and not part.candidates]
        if not empty:
            return
        again = self._ask([terms[at] for at in empty], [sizes[at] for at in empty], shared=2)
        for at, pairs in zip(empty, again, strict=True):
            merged[at].candidates, merged[at].by_terms = pairs.candidates, pairs.by_terms
            merged[at].full = merged[at].full or pairs.full

    def _cut(self, request: Request) -> Cut | None:
        """The score below which a request leaves out documents; None when it leaves out none."""
        return None if request.limit is None else self._current_scale().cut(request.max_df)

    def _current_scale(self) -> Scale:
        """The scale of the smallest index behind the name, at most some seconds old."""
        if time.monotonic() - self._scaled > _SCALE_AGAIN:
            action = "count documents"
            index, documents = smallest_in(self.one(sizes_body(), action))
            boosts = self._boosts(index, action) if documents else {}
            self._scale, self._scaled = Scale(documents, boosts), time.monotonic()
        return self._scale

    def _boosts(self, index: str, action: str) -> dict[Field, float]:
        try:
            with translated(action, self._settings):
                vectors = self._client.termvectors(index=index, body=statistics_body(self._fields))
        except AccessRefused:  # credentials for an alias may not name an index behind it
            return {}  # terms then score more, and the cut is less strict
        return boosts_in(vectors.body, self._fields)

    def _ask_for_all(self, requests: Sequence[Request]) -> list[CandidatePage]:
        """The second search, for requests with many candidates: all without frequent keys.

        The copies of a text with very many copies share frequent keys only, so the best of a
        search in which all keys have a vote are added; the page is truncated when there are more.
        """
        frequent = self._frequent_terms(requests)
        rare = [
            replace(request, keys=without(request.keys, terms))
            for request, terms in zip(requests, frequent, strict=True)
        ]
        pages = []
        # One after the other: each page may hold 10,000 candidates.
        for whole, request, terms in zip(requests, rare, frequent, strict=True):
            (merged,) = self._ask([request], [WINDOW])
            if terms:
                (best,) = self._ask([whole], [FREQUENT_ONLY + len(merged.candidates)])
                merged.candidates = best.candidates | merged.candidates
                merged.full = merged.full or best.full
            pages.append(merged.page(None, terms))
        return pages

    def _frequent_terms(self, requests: Sequence[Request]) -> list[list[Term]]:
        """The frequent keys of each request, in their order."""
        asked = [may_be_frequent(request.keys) for request in requests]
        frequency = self.frequencies([term for terms in asked for term in terms])
        return [
            [term for term in terms if frequency[term] > request.max_df]
            for request, terms in zip(requests, asked, strict=True)
        ]

    def _many(self, bodies: Sequence[Body]) -> list[Mapping[str, Any]]:
        """The checked answers to many searches, in order."""
        action = "look up candidates"
        if len(bodies) == 1:  # a plain search has less to do than an `_msearch` of one
            return [self.one(bodies[0], action)]
        header = {"allow_partial_search_results": False, "request_cache": False}
        out: list[Mapping[str, Any]] = []
        for start in range(0, len(bodies), _SEARCHES_AT_ONCE):
            chunk = bodies[start : start + _SEARCHES_AT_ONCE]
            with translated(action, self._settings):
                answer = self._client.msearch(
                    index=self._settings.index,
                    searches=[line for body in chunk for line in (header, body)],
                )
            answers = answer["responses"]
            if len(answers) != len(chunk):
                raise StoreUnavailable(
                    f"{self._settings.place} answered {len(answers)} of {len(chunk)} searches; "
                    "is a proxy in between?"
                )
            out += [checked(answer, action, self._settings) for answer in answers]
        return out


def _first_size(request: Request) -> int:
    """One more than is wanted, which tells a full page from a cut one.

    Where all candidates are wanted, so few that one key above `max_df` always fills the page.
    """
    if request.limit is None:
        return max(1, min(_FIRST_LOOK, request.max_df + 1))
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
    alone = is_simhash_only(score, weight)
    return Candidate(hit["_id"], hit["_index"], score, text_hash, simhash, alone)
