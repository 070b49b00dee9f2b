"""Candidate searches: many requests in few round trips, frequent keys, and no silent loss."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from elasticsearch import Elasticsearch
from msgspec import structs

from indexer.stores.elastic.client import ElasticSettings, translated
from indexer.weight import weight
from mappings.contract import Field
from mappings.errors import AccessRefused, InputRefused
from query.answers import FREQUENT_ONLY, CandidatePage, Request, Stored, Term
from query.stores.elastic.answered import Found
from query.stores.elastic.bodies import (
    MAX_CLAUSES,
    WINDOW,
    candidate_body,
    frequencies_body,
    frequencies_in,
    may_be_frequent,
    pairs_body,
    parts_of,
    sharing_body,
    without,
)
from query.stores.elastic.frequent_keys import FrequentKeys
from query.stores.elastic.loads import Loads
from query.stores.elastic.merged import Along, Merged
from query.stores.elastic.near_simhashes import NearSimhashes
from query.stores.elastic.scores import (
    Cut,
    Scale,
    boosts_in,
    simhash_weight,
    sizes_body,
    smallest_in,
    statistics_body,
)
from query.stores.elastic.searches import Body, Searches
from query.stores.elastic.votes import are_all, by_votes

Search = tuple[Body, Callable[[Found], object]]
"""A search, and what takes its answer."""

_COME_ALONG: Final = 3
"""Candidates come with their documents when at least one in so many will be read."""

_FIRST_LOOK: Final = 100
"""Candidates of a first page, where all are wanted: more than most texts have."""

_FIRST_LOOK_ALONG: Final = FREQUENT_ONLY + 301
"""The same where their documents tell which keys are frequent: all that a plan of 300 documents a
key may leave, and one more."""

_PART_SIZE: Final = 1_000
"""Candidates of one part of a long text: it may have hundreds of parts."""

_OF_STREAM: Final = "_data_stream_timestamp"  # in the mapping of every index of a data stream
_SCALE_AGAIN: Final = 10.0  # seconds


@dataclass(frozen=True, slots=True)
class _Asking:
    """A request, how it is asked, and what was found. `size`: of a page; `cut`: the score below
    which documents are left out, None for none; `along`: documents come with their ids; `apart`:
    documents that share simhash keys only are asked for in a search of their own.
    """

    request: Request
    size: int
    cut: Cut | None = None
    along: bool = False
    apart: bool = False
    merged: Merged = field(default_factory=Merged)

    @property
    def terms(self) -> Request:
        """The request as it is asked by terms."""
        if not self.apart:
            return self.request
        keys = {**self.request.keys, Field.SIMHASH_KEYS: ()}
        return structs.replace(self.request, keys=keys)


class CandidateSearch:
    """Asks one index for candidates."""

    def __init__(
        self,
        client: Elasticsearch,
        settings: ElasticSettings,
        searches: Searches,
        fields: Sequence[Field],
        stored: Callable[[Along], Stored | None],
        loads: Loads,
    ) -> None:
        """`fields`: those that the documents of the index have terms in. `stored` reads one that
        came along; `loads` says whether documents may come along with their ids.
        """
        self._client, self._settings, self._fields = client, settings, fields
        self._searches = searches
        self._stored, self._loads, self._frequent = stored, loads, FrequentKeys()
        self._near = NearSimhashes(searches, self._may_come_along)
        self._scale, self._scaled, self._scaling = Scale(), -math.inf, threading.Lock()
        self._in_stream: dict[str, bool] = {}

    def pages(self, requests: Sequence[Request]) -> list[CandidatePage]:
        """One page per request, in order."""
        askings = [self._asking(request, len(requests) == 1) for request in requests]
        self._ask(askings)
        self._ask_by_two(askings)
        pages = [self._page(asking) for asking in askings]
        more = []
        for at, asking in enumerate(askings):
            if asking.request.limit is None:
                told = None if asking.merged.full else by_votes(pages[at], asking.request)
                pages[at] = told or pages[at]
                more += [] if told else [at]
        if more:
            wide = self._ask_for_all([requests[at] for at in more])
            for at, page in zip(more, wide, strict=True):
                pages[at] = structs.replace(page, documents=pages[at].documents)
        return pages

    def _asking(self, request: Request, alone: bool) -> _Asking:
        along, cut = self._may_come_along(request, alone), self._cut(request)
        size = self._first_size(request, along)
        return _Asking(request, size, cut, along, _asks_apart(request, cut))

    def _page(self, asking: _Asking) -> CandidatePage:
        """The page of a request, with those of its best documents that came along."""
        request, merged = asking.request, asking.merged
        page = merged.page(request.limit)
        if not merged.along:
            return page
        best = (each.ref for each in page.candidates[: request.texts])
        along = {ref: one for ref in best if (one := merged.along.get(ref)) is not None}
        read = {ref: self._stored(one) for ref, one in along.items()}
        documents = {ref: stored for ref, stored in read.items() if stored is not None}
        self._loads.note(list(documents.values()), lambda stored: _held(stored, along[stored.ref]))
        return merged.with_others(structs.replace(page, documents=documents))

    def frequencies(self, terms: Sequence[Term]) -> dict[Term, int]:
        """In how many documents each term is."""
        distinct = list(dict.fromkeys(terms))
        cuts = [
            distinct[start : start + MAX_CLAUSES] for start in range(0, len(distinct), MAX_CLAUSES)
        ]
        frequency: dict[Term, int] = {}
        for cut, answer in zip(
            cuts, self._searches.many([frequencies_body(cut) for cut in cuts]), strict=True
        ):
            frequency |= frequencies_in(answer.aggregations, cut)
        return frequency

    def _ask(self, askings: Sequence[_Asking], shared: int = 1) -> None:
        """Find the candidates of all requests, documents that share `shared` terms, in one round
        trip; in one more those of simhash keys alone, where these are still wanted."""
        blocks = {at: asking.request for at, asking in enumerate(askings) if asking.apart}
        near: dict[int, Found] = {}
        searches = [search for asking in askings for search in self._searches_of(asking, shared)]
        for at, body in self._near.at_once(blocks).items():
            searches.append((body, partial(near.__setitem__, at)))
        answers = self._searches.many([body for body, _ in searches])
        for (_, note), answer in zip(searches, answers, strict=True):
            note(answer)
        merged = [asking.merged for asking in askings]
        for part in merged:
            part.by_terms = len(part.candidates)
        self._near.add(blocks, near, merged)

    def _searches_of(self, asking: _Asking, shared: int) -> Iterator[Search]:
        """The searches by terms for one request; simhash keys that are asked apart are in none."""
        request, size, merged = asking.terms, asking.size, asking.merged
        parts = parts_of(request)
        cut = asking.cut if len(parts) == 1 and shared == 1 else None
        if len(parts) == 1 and asking.along:
            yield from self._with_documents(request, size, cut, merged)
            return
        if cut is not None:
            yield sharing_body(request, size + 1), merged.note_sharing
        # A document may rank low in every part and yet high in the sum.
        wide = size if len(parts) == 1 or request.limit is None else max(size, _PART_SIZE)
        take = partial(merged.add_answer, wide, simhash_weight(cut))
        for part in parts:
            yield candidate_body(part, wide, cut, shared), take

    def _may_come_along(self, request: Request, alone: bool = False) -> bool:
        """Whether documents are asked for with their ids: most of them will be read, and they are
        light. All candidates of several requests together, or of several searches, would be too
        many."""
        if request.limit is None:
            alone = alone and sum(map(len, request.keys.values())) <= MAX_CLAUSES
            return alone and request.texts is None and self._loads.are_light
        few = request.texts is None or request.limit <= _COME_ALONG * request.texts
        return few and self._loads.are_light

    def _first_size(self, request: Request, along: bool = False) -> int:
        """One more than is wanted, which tells a full page from a cut one.

        Where all candidates are wanted, so few that one key above `max_df` always fills the page;
        where documents come along that tell which keys are frequent (see `by_votes`), as many as
        may be candidates, and half of what may be held, by what documents weighed so far: heavier
        ones are not known before they come.
        """
        if request.limit is not None:
            return min(max(0, request.limit) + 1, WINDOW)
        if not along:
            return max(1, min(_FIRST_LOOK, request.max_df + 1))
        most = _FIRST_LOOK_ALONG
        if not are_all(request):
            most = min(most, request.max_df + 1)
        return max(1, self._loads.page(2 * most) // 2)

    def _with_documents(
        self, request: Request, size: int, cut: Cut | None, merged: Merged
    ) -> Iterator[Search]:
        """One search for candidates and their documents. Documents that share frequent keys only
        tell which keys these are, so that a later text with the same keys brings no such."""
        frequent = self._frequent.among(request.keys, request.max_df) if cut else frozenset()

        def take(answer: Found) -> None:
            below = merged.add_documents(size, cut, answer)
            keys = (ours.fingerprint().keys for ours in below)
            indices = (hit.index for hit in answer.hits)
            self._frequent.learn(request.keys, keys, request.max_df, indices)

        yield candidate_body(request, size, cut, frequent=frequent, texts=True), take
        if frequent:
            yield sharing_body(request, size + 1), merged.note_sharing

    def _ask_by_two(self, askings: Sequence[_Asking]) -> None:
        """Where no rare key is shared, take documents that share two, as in an index of copies."""
        empty = [each for each in askings if each.merged.sharing and not each.merged.candidates]
        if empty:
            pairs = self._searches.many([pairs_body(asking.terms) for asking in empty])
            empty = [each for each, answer in zip(empty, pairs, strict=True) if answer.total]
        if not empty:
            return
        again = [_Asking(asking.terms, asking.size) for asking in empty]
        self._ask(again, shared=2)
        for asking, by_two in zip(empty, again, strict=True):
            ours, theirs = asking.merged, by_two.merged
            ours.candidates, ours.by_terms = theirs.candidates, theirs.by_terms
            ours.full = ours.full or theirs.full

    def _cut(self, request: Request) -> Cut | None:
        """The score below which a request leaves out documents; None when it leaves out none."""
        return None if request.limit is None else self._current_scale().cut(request.max_df)

    def _current_scale(self) -> Scale:
        """The scale of the smallest index behind the name, at most some seconds old. While a thread
        asks for it again, others go on with the last one."""
        if self._is_old() and self._scaling.acquire(blocking=self._scaled == -math.inf):
            try:
                if self._is_old():
                    self._scale, self._scaled = self._new_scale(), time.monotonic()
            finally:
                self._scaling.release()
        return self._scale

    def _is_old(self) -> bool:
        return time.monotonic() - self._scaled > _SCALE_AGAIN

    def _new_scale(self) -> Scale:
        action = "count documents"
        index, documents = smallest_in(self._searches.one(sizes_body(), action))
        return Scale(documents, self._boosts(index, action) if documents else {})

    def _boosts(self, index: str, action: str) -> dict[Field, float]:
        try:
            with translated(action, self._settings):
                body = statistics_body(self._fields, self._is_in_stream(index))
                vectors = self._client.termvectors(index=index, body=body)
        # Credentials for an alias may not name an index behind it, and the mapping of an index that
        # dupdex did not make may refuse the made document.
        except (AccessRefused, InputRefused):
            return {}  # terms then score more, and the cut is less strict
        return boosts_in(vectors.body, self._fields)

    def _is_in_stream(self, index: str) -> bool:
        """Whether an index belongs to a data stream, which it does for good."""
        if index not in self._in_stream:
            path = f"*.mappings.{_OF_STREAM}"
            found = self._client.indices.get_mapping(index=index, filter_path=path).body
            self._in_stream[index] = bool(found)
        return self._in_stream[index]

    def _ask_for_all(self, requests: Sequence[Request]) -> list[CandidatePage]:
        """The second search, for requests with many candidates: all without frequent keys.

        The copies of a text with very many copies share frequent keys only, so the best of a
        search in which all keys have a vote are added; the page is truncated when there are more.
        """
        frequent = self._frequent_terms(requests)
        rare = [
            structs.replace(request, keys=without(request.keys, terms))
            for request, terms in zip(requests, frequent, strict=True)
        ]
        pages = []
        # One after the other: each page may hold 10,000 candidates.
        for whole, request, terms in zip(requests, rare, frequent, strict=True):
            merged = self._merged(request, WINDOW)
            if terms:
                best = self._merged(whole, FREQUENT_ONLY + len(merged.candidates))
                merged.candidates = best.candidates | merged.candidates
                merged.full = merged.full or best.full
            pages.append(merged.page(None, terms))
        return pages

    def _merged(self, request: Request, size: int) -> Merged:
        asking = _Asking(request, size)
        self._ask([asking])
        return asking.merged

    def _frequent_terms(self, requests: Sequence[Request]) -> list[list[Term]]:
        """The frequent keys of each request, in their order."""
        asked = [may_be_frequent(request.keys) for request in requests]
        frequency = self.frequencies([term for terms in asked for term in terms])
        return [
            [term for term in terms if frequency[term] > request.max_df]
            for request, terms in zip(requests, asked, strict=True)
        ]


def _held(stored: Stored, along: Along) -> tuple[int, bool]:
    return max(len(along.hit.source), weight(stored.body)), along.ours is not None


def _asks_apart(request: Request, cut: Cut | None) -> bool:
    """Whether documents that share simhash keys only are filtered by their simhash first: in a
    large index hardly one of them is a candidate."""
    has_keys = request.simhash is not None and bool(request.keys.get(Field.SIMHASH_KEYS))
    return has_keys and cut is not None
