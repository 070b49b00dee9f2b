"""A read side in a dict: small, complete, and able to lose documents between two calls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from indexer.fingerprints import fingerprints_of
from indexer.model import Fingerprint, Keys
from mappings.plan import Plan
from query.answers import Candidate, CandidatePage, Ref, Request, Stored, Term


class MemoryReader:
    """Every document that shares a term is a candidate; more shared terms, higher score.

    Terms in more than `max_df` documents have no vote. Documents in `deleted` are still found by
    their terms but can no longer be read. Those in `simhash_only` are said to share simhash keys
    only. `at_once` as in `CandidateReader`.
    """

    at_once = 0

    def __init__(self, texts: Mapping[str, str], plan: Plan, *, fingerprints: bool = True) -> None:
        made = fingerprints_of(list(texts.values()), plan)
        self.fingerprints = dict(zip(texts, made, strict=True))
        self.stored = {
            i: Stored(
                i,
                "",
                {"title": f"title of {i}"},
                text,
                plan.id,
                self.fingerprints[i] if fingerprints else None,
            )
            for i, text in texts.items()
        }
        self.deleted: set[str] = set()
        self.simhash_only: set[str] = set()
        self.requests: list[Request] = []
        self.read: list[Sequence[str]] = []

    def candidates(self, requests: Sequence[Request]) -> list[CandidatePage]:
        self.requests += requests
        return [self._page(request) for request in requests]

    def _page(self, request: Request) -> CandidatePage:
        terms = {(field, term) for field, all_terms in request.keys.items() for term in all_terms}
        shared = {i: terms.intersection(made.terms()) for i, made in self.fingerprints.items()}
        df = Counter(chain.from_iterable(shared.values()))
        frequent = tuple(sorted(term for term in terms if df[term] > request.max_df))
        votes = {
            i: len(common.difference(frequent))
            for i, common in shared.items()
            if request.exclude is None or i != request.exclude.id
        }
        found = [
            Candidate(i, "", float(score), made.text_hash, made.simhash, i in self.simhash_only)
            for i, score in sorted(votes.items(), key=lambda item: -item[1])
            if score
            for made in [self.fingerprints[i]]
        ]
        limit = len(found) if request.limit is None else request.limit
        return CandidatePage(tuple(found[:limit]), len(found) > limit, frequent)

    def frequencies(self, keys: Keys) -> dict[Term, int]:
        every = [(name, term) for name, terms in keys.items() for term in terms]
        df = Counter(chain.from_iterable(set(made.terms()) for made in self.fingerprints.values()))
        return {term: df[term] for term in every}

    def stored_ids(self, ids: Sequence[str]) -> set[str]:
        return {i for i in ids if self._is_there(i)}

    def documents(self, refs: Sequence[Ref]) -> dict[Ref, Stored]:
        self.read.append([ref.id for ref in refs])
        return {ref: self.stored[ref.id] for ref in refs if self._is_there(ref.id)}

    def each(self, refs: Sequence[Ref]) -> Iterator[Stored]:
        yield from self.documents(refs).values()

    def by_ids(self, ids: Sequence[str]) -> dict[str, tuple[Stored, ...]]:
        return {i: (self.stored[i],) for i in ids if self._is_there(i)}

    def _is_there(self, document_id: str) -> bool:
        return document_id in self.stored and document_id not in self.deleted

    def fingerprint(self, document_id: str) -> Fingerprint:
        return self.fingerprints[document_id]
