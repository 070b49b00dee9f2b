"""Documents that share nothing but simhash keys, and whose whole simhash is near.

In a large index a simhash key is in hundreds of documents, hardly one of which is a candidate, so
they are asked for in a search of their own, without ids. Candidates among them rank below all that
share another key: a request that has its fill of those does without. Where enough others will be
read, they are counted, and asked for only when the simhash alone makes them near duplicates.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from msgspec import structs

from query.answers import Request
from query.stores.elastic.answered import Found, Hit
from query.stores.elastic.bodies import MAX_CLAUSES, WINDOW, blocks_body, same_texts_body
from query.stores.elastic.merged import Merged, values_near
from query.stores.elastic.searches import Body, Searches

Requests = Mapping[int, Request]
"""Requests with a limit, by their numbers."""

_BLOCKS: Final = 1_000
"""The most documents that share a simhash key and have their simhash compared."""

_NEARLY_ALL: Final = 0.9
"""Above, the few that are left are asked again; below, all are asked with the other keys."""

_SLOWLY: Final = 0.05
"""The weight of the last request in that share: some twenty of them tell."""


class NearSimhashes:
    """Asks one index for them; `come_along` says for which requests documents come along."""

    def __init__(self, searches: Searches, come_along: Callable[[Request], bool]) -> None:
        self._searches, self._come_along = searches, come_along
        # the share of recent requests that had their fill without; a lost update changes little
        self._filled = 0.0

    def at_once(self, requests: Requests) -> dict[int, Body]:
        """What is searched for together with other keys; nothing where nearly all requests have
        their fill of these, as in an index with many copies of each sentence.
        """
        if self._filled > _NEARLY_ALL:
            return {}
        return {at: blocks_body(request, _BLOCKS) for at, request in requests.items()}

    def add(
        self, requests: Requests, answers: Mapping[int, Found], merged: Sequence[Merged]
    ) -> None:
        """Add them to what was found by other keys; `answers` are those to `at_once`."""
        open_ones = {}
        for at, request in requests.items():
            filled = len(merged[at].candidates) > (request.limit or 0)
            if request.limit:
                self._filled += _SLOWLY * (filled - self._filled)
            if not filled:
                open_ones[at] = request
        late = {at: request for at, request in open_ones.items() if at not in answers}
        if late:
            bodies = [blocks_body(request, _BLOCKS) for request in late.values()]
            found = self._searches.many(bodies)
            answers = {**answers, **dict(zip(late, found, strict=True))}
        wanted: dict[int, list[str]] = {}
        for at, request in open_ones.items():
            hits, part = answers[at].hits, merged[at]
            near = _worth_listing(request, hits, part)
            part.full = part.full or len(hits) >= _BLOCKS or len(near) > MAX_CLAUSES
            if near:
                wanted[at] = near[:MAX_CLAUSES]
        self._add_texts({at: (requests[at], hashes) for at, hashes in wanted.items()}, merged)

    def _add_texts(
        self, wanted: Mapping[int, tuple[Request, Sequence[str]]], merged: Sequence[Merged]
    ) -> None:
        """Add the documents of text hashes."""
        if not wanted:
            return
        along = [self._come_along(request) for request, _ in wanted.values()]
        sizes = [min((request.limit or 0) + 1, WINDOW) for request, _ in wanted.values()]
        bodies = [
            same_texts_body(*each, size, texts)
            for each, size, texts in zip(wanted.values(), sizes, along, strict=True)
        ]
        answers = self._searches.many(bodies)
        for at, size, answer in zip(wanted, sizes, answers, strict=True):
            part = merged[at]
            least = min((candidate.score for candidate in part.candidates.values()), default=1.0)
            scored = [structs.replace(hit, score=least) for hit in answer.hits]
            part.add(scored, size, weight=least)


def _worth_listing(request: Request, hits: Sequence[Hit], part: Merged) -> list[str]:
    """The text hashes of near documents that are asked for; further ones are counted.

    Where enough others will be read, none of these would be. Where nothing is read, as of a
    sidecar, which has no texts, all are listed.
    """
    listed = {candidate.text_hash for candidate in part.candidates.values()}
    values = values_near(hits, request.simhash or 0, request.simhash_only)
    near = [(text_hash, bits) for text_hash, bits in values if text_hash not in listed]
    if request.texts and request.texts <= len(part.candidates):
        decided = [(text_hash, bits) for text_hash, bits in near if bits <= request.hamming]
        part.unlisted, near = len(near) - len(decided), decided
    return sorted({text_hash for text_hash, _ in near})
