"""Indexes a labelled corpus temporarily, looks up every document, and scores the pairs found."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from dupdex.evaluation import beside, scoring
from dupdex.evaluation.corpus import TEXT_FIELD, Corpus
from dupdex.evaluation.fact_cases import pairs_with_facts
from dupdex.evaluation.natural import natural_pairs
from dupdex.evaluation.report import Coverage, Report
from dupdex.evaluation.scoring import FoundPair
from dupdex.evaluation.truth import Pair
from dupdex.index import Index
from dupdex.location import Location
from indexer.meta import IndexMeta
from indexer.model import Status
from indexer.stores.elastic.temporary import temporary_index
from mappings.plan import STANDARD, Plan
from query.questions import EVERYTHING
from query.sweep import SweepReport, VerifiedPair

Progress = Callable[[int, int], None]
"""Told of steps done since the last call, and of steps in all."""


def evaluate(
    folder: Path,
    location: Location | None = None,
    plan: Plan = STANDARD,
    progress: Progress | None = None,
    schemes: bool = False,
    peers: bool = False,
    curves: bool = False,
) -> Report:
    """Measure a plan on the corpus in `folder`; every scheme alone (with `curves`: at all
    thresholds) and other packages, too, when asked.

    The index is made for this and removed afterwards: at the server of `location` one named
    after its index, otherwise a temporary folder. Raises NotFound or InputRefused for a corpus
    that cannot be used, and what the store raises.
    """
    corpus = Corpus.read(folder)
    steps = 2 * len(corpus.ids)
    if schemes or peers:
        steps += beside.steps(schemes, peers)

    def done(count: int) -> None:
        if progress is not None:
            progress(count, steps)

    with temporary(location, plan) as index:
        rejected = fill(index, corpus, done)
        index.learn()
        predicted, truncated = _look_up(index, done)
        done(rejected)
        sides = scoring.sort_out(predicted, corpus.truth)
        natural = natural_pairs(sides.open, texts_in(index), plan)
        near = scoring.near_and_listed(predicted, corpus.truth)
        facts = pairs_with_facts(near, texts_in(index), plan)
    methods, notes = (
        beside.measure(corpus, plan, predicted, location, schemes, peers, lambda: done(1), curves)
        if schemes or peers
        else ((), ())
    )
    return Report(
        scoring.overall(predicted, corpus.truth, sides, natural),
        scoring.kinds(predicted, corpus.truth, facts),
        scoring.false_examples(predicted, sides, natural),
        Coverage(plan.id, len(corpus.ids), len(sides.flagged), rejected, truncated),
        methods,
        notes,
    )


def fill(index: Index, corpus: Corpus, done: Callable[[int], None]) -> int:
    """Index the corpus; returns how many documents were rejected."""
    rejected = 0
    for outcome in index.add_iter(corpus.documents()):
        rejected += outcome.status is Status.REJECTED
        done(1)
    index.refresh()
    return rejected


def _look_up(index: Index, done: Callable[[int], None]) -> tuple[dict[Pair, FoundPair], int]:
    """All pairs that lookups list, and how many lookups were cut short."""
    report = SweepReport()
    pairs = (FoundPair.of(pair.first.id, pair.match) for pair in swept(index, report, done))
    return {pair.pair: pair for pair in pairs}, report.incomplete


def swept(index: Index, report: SweepReport, done: Callable[[int], None]) -> Iterator[VerifiedPair]:
    """Every pair of an index. Facts are compared afterwards, of the listed pairs alone."""
    return index.sweep(replace(EVERYTHING, facts=False, located=False), report, done)


def texts_in(index: Index) -> Callable[[Sequence[str]], dict[str, str]]:
    """A function that reads the texts of documents by id."""
    return lambda ids: {name: stored.text for name, stored in index.get(ids).items()}


@contextmanager
def temporary(location: Location | None, plan: Plan) -> Iterator[Index]:
    """An empty index that is removed at the end, also after an error."""
    meta = IndexMeta(plan=plan, text_fields=(TEXT_FIELD,))
    if location is not None and location.is_server:
        with (
            temporary_index(location.elastic, "evaluate") as named,
            Index.create(replace(location, index=named.index), meta) as index,
        ):
            yield index
    else:
        with (
            tempfile.TemporaryDirectory(prefix="dupdex-evaluate-") as folder,
            Index.create(Location(folder), meta) as index,
        ):
            yield index
