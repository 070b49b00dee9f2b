"""The measurements behind the verdict of every pair, as columns, for tuning.

Two lookups of every document, in indexes made for it: one with the lowest thresholds tried, which
measures, and one in which only the rules that are not tuned can speak.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt

from dupdex.evaluation.corpus import Corpus
from dupdex.evaluation.methods import batches
from dupdex.evaluation.natural import natural_pairs
from dupdex.evaluation.run import fill, swept, temporary, texts_in
from dupdex.evaluation.scoring import sort_out
from dupdex.evaluation.truth import Label, Pair, ordered
from indexer.meant.meant import Disguise
from indexer.text import prepare_all, spaced_rows
from mappings.plan import Plan, Thresholds
from query.answers import Match, Verdict
from query.sweep import SweepReport
from query.verify.verdict import TINY

MANY: Final = 1_000_000_000
"""More than any text has of anything."""

SCRAMBLES: Final = frozenset({Disguise.SWAPPED, Disguise.MISSING, Disguise.ADDED})
"""Disguises that make a near duplicate by rules of their own (`query.verify.scrambled`)."""

Flags = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Measured:
    """One row for each pair that some thresholds could find, and for each listed copy.

    `jaccard`: the higher one of 4-grams. `by_edits`: the part of two short texts that edits leave,
    0 when it is below any threshold tried. `tiny`: `by_edits` alone decides. `spaced`: `partial`
    does not apply.
    `fixed`: found whatever the thresholds. `listed`: a copy by the truth; `right`: explained by
    it, or natural.
    """

    pairs: tuple[Pair, ...]
    jaccard: Numbers
    by_edits: Numbers
    share: Numbers
    shared: Numbers
    tiny: Flags
    spaced: Flags
    fixed: Flags
    listed: Flags
    right: Flags

    def found(self, limits: Thresholds) -> Flags:
        """Which pairs these thresholds find."""
        near = (self.jaccard >= limits.near) & ~self.tiny
        near |= self.by_edits >= limits.short_near
        partial = (self.share >= limits.partial) & (self.shared >= limits.shared) & ~self.spaced
        return near | partial | self.fixed


@dataclass(frozen=True, slots=True)
class _Row:
    jaccard: float
    by_edits: float
    share: float
    shared: int


_NOTHING: Final = _Row(0.0, 0.0, 0.0, 0)


def measure(
    corpus: Corpus, plan: Plan, lowest: Thresholds, done: Callable[[int], None]
) -> Measured:
    """Look up every document twice. Pairs with swapped facts are left out."""
    limits = plan.thresholds
    low = replace(
        limits,
        near=lowest.near,
        short_near=lowest.short_near,
        partial=lowest.partial,
        shared=lowest.shared,
        covered_units=MANY,
        passage_units=MANY,
        word_passage_units=MANY,
        revised_units=MANY,
    )
    none = replace(limits, near=1.0, short_near=1.0, partial=1.0, shared=MANY)
    rows: dict[Pair, _Row] = {}
    fixed: set[Pair] = set()
    for name, match in _matches(corpus, replace(plan, thresholds=low), done):
        rows.setdefault(ordered(name, match.id), _row(match, lowest))
        if match.verdict is Verdict.EXACT:
            fixed.add(ordered(name, match.id))
    for name, match in _matches(corpus, replace(plan, thresholds=none), done):
        if match.verdict is not Verdict.NEAR or not SCRAMBLES.isdisjoint(match.disguise):
            fixed.add(ordered(name, match.id))
    return _columns(corpus, plan, rows, fixed)


def _matches(
    corpus: Corpus, plan: Plan, done: Callable[[int], None]
) -> Iterator[tuple[str, Match]]:
    with temporary(None, plan) as index:
        fill(index, corpus, done)
        index.learn()
        for pair in swept(index, SweepReport(), done):
            yield pair.first.id, pair.match


def _row(match: Match, lowest: Thresholds) -> _Row:
    evidence = match.evidence
    jaccard = max(evidence.jaccard or 0.0, evidence.syllable_jaccard or 0.0)
    # a short text's similarity is what edits leave when that is more, and above the lowest tried
    by_edits = match.similarity if match.similarity >= lowest.short_near else 0.0
    share = max(match.share or 0.0, match.stored_share or 0.0)
    return _Row(jaccard, by_edits, share, evidence.shared or 0)


def _columns(corpus: Corpus, plan: Plan, rows: dict[Pair, _Row], fixed: set[Pair]) -> Measured:
    truth = corpus.truth
    copies = {ordered(*row.pair) for row in truth.listed if row.label is not Label.NEGATIVE}
    sides = sort_out({*rows, *fixed, *copies}, truth)
    with temporary(None, plan) as index:  # to read texts by id
        fill(index, corpus, lambda _: None)
        natural = natural_pairs(sides.open, texts_in(index), plan)
    pairs = tuple(sorted({*sides.right, *sides.open}))
    right = sides.right | natural
    short, spaced = _lengths(corpus, plan)
    values = [rows.get(pair, _NOTHING) for pair in pairs]
    tiny = _flags(pairs, lambda pair: short.issuperset(pair))
    jaccard = np.array([row.jaccard for row in values])
    by_edits = np.array([row.by_edits for row in values])
    by_edits[(by_edits == jaccard) & ~tiny] = 0.0  # edits leave less, or the texts are long
    return Measured(
        pairs,
        jaccard,
        by_edits,
        np.array([row.share for row in values]),
        np.array([row.shared for row in values], np.float64),
        tiny,
        _flags(pairs, lambda pair: spaced.issuperset(pair)),
        _flags(pairs, fixed.__contains__),
        _flags(pairs, copies.__contains__),
        _flags(pairs, right.__contains__),
    )


def _flags(pairs: Sequence[Pair], holds: Callable[[Pair], bool]) -> Flags:
    return np.fromiter(map(holds, pairs), np.bool_, len(pairs))


def _lengths(corpus: Corpus, plan: Plan) -> tuple[set[str], set[str]]:
    """The documents below TINY, and those in scripts with spaces."""
    short: set[str] = set()
    spaced: set[str] = set()
    for batch in batches(corpus.documents()):
        prepared = prepare_all([document.text for document in batch], plan)
        lengths, rows = prepared.folded.lengths.tolist(), spaced_rows(prepared).tolist()
        for document, length, is_spaced in zip(batch, lengths, rows, strict=True):
            if length < TINY:
                short.add(document.id)
            if is_spaced:
                spaced.add(document.id)
    return short, spaced
