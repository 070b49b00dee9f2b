"""Index a labelled corpus for a moment, look every document up, and score what was found."""

from __future__ import annotations

import secrets
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

from elasticsearch import Elasticsearch

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
from indexer.stores.elastic.client import ElasticSettings, connect, translated
from mappings.errors import DupdexError, StoreRefused
from mappings.index_body import template_name
from mappings.plan import STANDARD, Plan
from query.answers import Answer
from query.lookup import EVERYTHING, Question

BATCH: Final = 50

_EVERY_PAIR: Final = replace(EVERYTHING, facts=False)
"""Facts are compared afterwards, of the listed pairs alone."""

Progress = Callable[[int, int], None]
"""Told of steps done since the last call, and of steps in all."""


def evaluate(
    folder: Path,
    location: Location | None = None,
    plan: Plan = STANDARD,
    batch: int = BATCH,
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
        found, truncated = _look_up(index, corpus.ids, batch, done)
        sides = scoring.sort_out(found, corpus.truth)
        natural = natural_pairs(sides.open, texts_in(index), plan)
        near = scoring.near_and_listed(found, corpus.truth)
        facts = pairs_with_facts(near, texts_in(index), plan)
    methods, notes = (
        beside.measure(corpus, plan, found, location, schemes, peers, lambda: done(1), curves)
        if schemes or peers
        else ((), ())
    )
    return Report(
        scoring.overall(found, corpus.truth, sides, natural),
        scoring.kinds(found, corpus.truth, facts),
        scoring.false_examples(found, sides, natural),
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


def _look_up(
    index: Index, ids: Sequence[str], batch: int, done: Callable[[int], None]
) -> tuple[dict[Pair, FoundPair], int]:
    """All pairs that a lookup lists, and how many lookups were cut short."""
    found: dict[Pair, FoundPair] = {}
    truncated = 0
    for name, answer in answers(index, ids, batch, done):
        truncated += answer.completeness.truncated
        for match in answer.matches:
            pair = FoundPair.of(name, match)
            found.setdefault(pair.pair, pair)
    return found, truncated


def answers(
    index: Index, ids: Sequence[str], batch: int, done: Callable[[int], None]
) -> Iterator[tuple[str, Answer]]:
    """The answer of each stored document, without limits, some lookups at a time."""
    for start in range(0, len(ids), batch):
        some = ids[start : start + batch]
        questions = [
            Question(stored.text, stored.id, stored.fingerprint)
            for stored in index.get(some).values()
        ]
        found = index.lookup_all(questions, _EVERY_PAIR)
        for question, answer in zip(questions, found, strict=True):
            yield str(question.id), answer
        done(len(some))


def texts_in(index: Index) -> Callable[[Sequence[str]], dict[str, str]]:
    """How the texts of documents are read."""
    return lambda ids: {name: stored.text for name, stored in index.get(ids).items()}


@contextmanager
def temporary(location: Location | None, plan: Plan) -> Iterator[Index]:
    """An empty index that is gone afterwards, whatever happens."""
    meta = IndexMeta(plan=plan, text_fields=(TEXT_FIELD,))
    if location is not None and location.is_server:
        with _temporary_name(location) as named, Index.create(named, meta) as index:
            yield index
    else:
        with (
            tempfile.TemporaryDirectory(prefix="dupdex-evaluate-") as folder,
            Index.create(Location(folder), meta) as index,
        ):
            yield index


@contextmanager
def _temporary_name(location: Location) -> Iterator[Location]:
    """An index name that nobody uses, at the server of `location`; what it names is deleted."""
    named = replace(location, index=f"{location.index}-evaluate-{secrets.token_hex(8)}")
    settings = named.elastic
    with closing(connect(settings)) as client:
        with translated("look for the index", settings):
            taken = bool(client.indices.exists(index=named.index))
        if taken:
            raise StoreRefused(f"index {named.index!r} exists already; run 'dupdex evaluate' again")
        try:
            yield named
        except BaseException:
            with suppress(DupdexError):  # the first error is the one to tell
                _remove(client, settings)
            raise
        _remove(client, settings)


def _remove(client: Elasticsearch, settings: ElasticSettings) -> None:
    with translated("delete the temporary index", settings):
        lenient = client.options(ignore_status=404)
        lenient.indices.delete(index=settings.index)
        lenient.indices.delete_index_template(name=template_name(settings.index))
