"""In how many documents a key is, as far as the candidates of a lookup show.

At least in those that were seen. Where a page of candidates leaves nothing out, every document with
one of the asked keys is on it, so at most in those. Most lookups need no further request to know
enough; what was counted is known exactly.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from statistics import median
from typing import Final

from indexer.model import Fingerprint, Keys
from query.answers import CandidatePage, Ref, Request, Term
from query.passage_terms import FIELDS, FORM_FIELDS, all_but_few, form_terms, passage_terms

_SHORT: Final = 20
"""Passages and sentences of a text of some 150 characters, at most."""

_SEEN: Final = 100
"""So many documents that share a passage with one asked text, at most, are kept in mind."""


class KnownSpread:
    """What one lookup has seen. `seen`: stored fingerprints of documents that have a passage or
    sentence of the request (`asked`), up to `_SEEN`; of these terms, and of the loose windows
    of short texts, there are upper bounds of document frequencies.
    """

    def __init__(self, page: CandidatePage, request: Request) -> None:
        """The page that answers a request; every candidate may have every key until it is read."""
        excluded = request.exclude
        everywhere = excluded is not None and not excluded.index  # of any number of indices
        incomplete = page.truncated or page.rare_only or page.later_only
        cut = incomplete or page.frequent or request.is_narrowed or everywhere
        self.asked = {name: frozenset(request.keys.get(name, ())) for name in FIELDS}
        # passages that copies share are few in short texts, and may be none
        counted = FIELDS if sum(map(len, self.asked.values())) > _SHORT else FORM_FIELDS
        own = {name: frozenset(request.keys.get(name, ())) for name in counted}
        self._own = {} if cut else {name: terms for name, terms in own.items() if terms}
        # how many of those read have a term
        self._read = {(name, term): 0 for name, terms in self._own.items() for term in terms}
        self._unread = len(page.candidates) + (excluded is not None)
        self._counted: Mapping[Term, int] = {}
        self._along = frozenset(page.others)
        self.seen: list[Fingerprint] = []
        for stored in page.others.values():
            self._note(stored)

    def learn(self, counted: Mapping[Term, int]) -> None:
        """Document frequencies that the store was asked for."""
        self._counted = counted

    def note(self, ref: Ref, stored: Fingerprint | None) -> None:
        """A candidate was read; None for one that has no fingerprint that could be read."""
        if stored is not None and ref not in self._along:
            self._note(stored)

    def forget(self) -> None:
        """Let go of what was seen, where no match can be widespread."""
        self.seen.clear()

    def _note(self, stored: Fingerprint) -> None:
        self._unread -= 1
        if len(self.seen) < _SEEN and any(
            not own.isdisjoint(stored.keys.get(name, ())) for name, own in self.asked.items()
        ):
            self.seen.append(stored)
        for name, own in self._own.items():
            for term in own.intersection(stored.keys.get(name, ())):
                self._read[name, term] += 1

    def may_be_in(self, keys: Keys, documents: int, spared: float = 0.0) -> bool:
        """Whether all passages and sentences may be in so many documents (see `all_but_few`)."""
        bounds = list(self._bounds(passage_terms(keys)))
        few = sum(most is not None and most < documents for most in bounds)
        return all_but_few(few, len(bounds), spared)

    def may_mostly_be_in(self, keys: Keys, documents: int) -> bool:
        """Whether the median of the document frequencies of what tells a form may be so high."""
        bounds = list(self._bounds(form_terms(keys)))
        known = [most for most in bounds if most is not None]
        return len(known) < len(bounds) or median(known or [0]) >= documents

    def _bounds(self, terms: Iterable[Term]) -> Iterator[int | None]:
        for term in terms:
            if term in self._counted:
                yield self._counted[term]
            else:
                yield self._read[term] + self._unread if term in self._read else None
