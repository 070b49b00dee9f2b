"""Measures every scheme of the registry alone.

A scheme with terms: the candidates of a document are those that share a term of the scheme, and
are found when their similarity reaches its threshold. A scheme that only compares is given the
candidates of all terms the plan stores. Documents are taken one after the other, so that memory
holds the values of one scheme and the found pairs, not the candidates.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np

from dupdex.evaluation.methods import Judge, Method, batches
from dupdex.evaluation.truth import Pair, ordered
from indexer.fingerprints.compute import fingerprints_of
from indexer.fingerprints.registry import REGISTRY
from indexer.fingerprints.scheme import Scheme, Terms
from indexer.model import Document
from indexer.text import Streams, prepare_all, spaced_rows
from mappings.plan import Plan

Step = Callable[[], None]

_SHARED: Final = "candidates of all stored terms"


@dataclass
class Postings:
    """Documents by term; terms in more than `max_df` documents are left out and counted."""

    terms: Sequence[Sequence[object]]
    max_df: int
    skipped: int = field(default=0, init=False)
    _documents: dict[object, list[int]] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        documents: dict[object, list[int]] = defaultdict(list)
        for number, terms in enumerate(self.terms):
            for term in terms:
                documents[term].append(number)
        usable = {term: rows for term, rows in documents.items() if len(rows) <= self.max_df}
        self.skipped = len(documents) - len(usable)
        self._documents = usable

    def earlier(self, number: int) -> list[int]:
        """The documents before this one that share a term with it, in order."""
        met: set[int] = set()
        for term in self.terms[number]:
            met.update(self._documents.get(term, ()))
        return sorted(other for other in met if other < number)


def scheme_methods(
    documents: Sequence[Document],
    plan: Plan,
    judge: Judge,
    step: Step = lambda: None,
    curves: bool = False,
) -> Iterator[Method]:
    """What each scheme finds alone, in the order of the registry."""
    every: Postings | None = None
    for entry in REGISTRY.values():
        scheme = entry.make(plan)
        values, terms = _values(scheme, documents, plan)
        if entry.field is None:
            every = every or Postings(_all_terms(documents, plan), plan.thresholds.hot)
            postings = every
        else:
            postings = Postings(terms, plan.thresholds.hot)
        threshold = entry.threshold(plan)
        tally = judge.tally() if curves else None
        duplicates: set[Pair] = set()
        for pair, similarity in _compared(documents, scheme, values, postings):
            if similarity >= threshold:
                duplicates.add(pair)
            if tally is not None:
                tally.add(pair, similarity)
        how = "own terms" if entry.field else _SHARED
        note = f"{postings.skipped:,} terms in more than {postings.max_df:,} documents skipped"
        setting = f"{how}, similarity >= {threshold:g}"
        method = judge.method(entry.name, setting, duplicates, note if postings.skipped else "")
        yield method if tally is None else replace(method, curve=tally.curve())
        step()


def _compared(
    documents: Sequence[Document],
    scheme: Scheme[Any],
    values: Sequence[Any],
    postings: Postings,
) -> Iterator[tuple[Pair, float]]:
    """Every pair of candidates with its similarity."""
    for number, document in enumerate(documents):
        for other in postings.earlier(number):
            left, right = values[other], values[number]
            if left is not None and right is not None:
                pair = ordered(document.id, documents[other].id)
                yield pair, scheme.similarity(left, right)


def _values(
    scheme: Scheme[Any], documents: Iterable[Document], plan: Plan
) -> tuple[list[Any], list[Terms]]:
    """The value and the terms of each document; None and no terms for one without letters."""
    values: list[Any] = []
    terms: list[Terms] = []
    for batch in batches(documents):
        prepared = prepare_all([document.text for document in batch], plan)
        lengths, is_spaced = prepared.folded.lengths, spaced_rows(prepared)
        start = len(values)
        values += [None] * len(batch)
        terms += [()] * len(batch)
        for spaced in (False, True):
            rows = np.flatnonzero((is_spaced == spaced) & (lengths > 0))
            if not len(rows):
                continue
            computed = scheme.values(Streams(prepared.select(rows), plan, spaced))
            for row, value, value_terms in zip(
                rows.tolist(), computed, scheme.terms(computed), strict=True
            ):
                values[start + row] = value
                terms[start + row] = value_terms
    return values, terms


def _all_terms(documents: Iterable[Document], plan: Plan) -> list[list[object]]:
    """All terms the plan stores of each document, with the fields they are in."""
    return [
        list(fingerprint.terms())
        for batch in batches(documents)
        for fingerprint in fingerprints_of([document.text for document in batch], plan)
    ]
