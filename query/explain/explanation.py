"""Explains why two texts are duplicates or not: passages, keys, scores, and the verdict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol

from indexer.boilerplate import NOTHING, Boilerplate
from indexer.fingerprints.compute import check_text
from indexer.fingerprints.registry import REGISTRY
from indexer.meant.meant import Meant
from indexer.model import Keys
from mappings.contract import Field
from mappings.errors import InputRefused
from mappings.plan import Plan
from mappings.schemes import SCHEME_FIELDS
from query.answers import FactDifference, Verdict
from query.explain.by_scheme import SchemeScore, pair_scores
from query.explain.formula import Formula, formula
from query.explain.shared_passages import Passages, Span, shared_passages
from query.facts.differ import compare
from query.facts.fact_reading import Reading
from query.grams import Features
from query.other_reading import in_both_readings
from query.pair import PairJudge, Text, disguise_between, facts_between
from query.telling_keys import without_boilerplate
from query.telling_pair import Telling, telling
from query.verify.verdict import Judgement

KEYS_LISTED: Final = 200
"""Shared keys listed of each field; the passages of a book have thousands."""


class KeyCounter(Protocol):
    """What an explanation needs from a store."""

    def frequencies(self, keys: Keys) -> dict[tuple[Field, str], int]:
        """In how many documents each term is."""
        ...

    def count(self) -> int:
        """The number of stored documents."""
        ...


@dataclass(frozen=True, slots=True)
class Subject:
    """A text to be explained; `id` names the stored document it is."""

    text: str
    id: str | None = None


@dataclass(frozen=True, slots=True)
class KeyHit:
    """A key that both texts have. `documents`: how many stored ones have it, None without a
    store."""

    term: str
    documents: int | None


@dataclass(frozen=True, slots=True)
class FieldHits:
    """The `shared` keys of one field; those listed (KEYS_LISTED at most) are rarest first."""

    field: Field
    shared: int
    hits: tuple[KeyHit, ...]


@dataclass(frozen=True, slots=True)
class Explanation:
    """The complete comparison of two texts under one plan.

    `meant`: both as they were compared, as given but for a disguise that had to be undone; whatever
    is said of the texts, places too, is said of these.
    `judgement` is that of every lookup: its `share` is the part of the first text, in long grams,
    that is in the second. `lengths`: letters and digits of either; `boilerplate`: how many of them
    had no say in the judgement. `spaced`: both were read by words. `documents`: how many the store
    holds, None without one. `formula`: the steps to the verdict. `facts_differ`: the first of
    `facts_total` facts in which near duplicates differ; None for texts that are none;
    `fact_places`: where those listed stand in either text. `disguise`: what one of them is
    disguised by. `keys`: without those that boilerplate keeps out of lookups. `passages` and
    `scores` are of the whole texts.
    """

    first: Subject
    second: Subject
    meant: tuple[Meant, Meant]
    plan_id: str
    spaced: bool
    lengths: tuple[int, int]
    judgement: Judgement
    formula: Formula
    passages: Passages
    keys: tuple[FieldHits, ...]
    scores: tuple[SchemeScore, ...]
    documents: int | None = None
    boilerplate: tuple[int, int] = (0, 0)
    facts_differ: tuple[FactDifference, ...] | None = None
    facts_total: int | None = None
    disguise: tuple[str, ...] = ()
    fact_places: tuple[tuple[Span, Span], ...] = ()

    @property
    def widespread(self) -> bool:
        """Whether lookups leave the pair out: many unrelated documents have what the two share, as
        the store counts. A lookup may see such documents by itself."""
        return self.formula.widespread

    @property
    def verdict(self) -> Verdict | None:
        return self.judgement.verdict


def explain(
    first: Subject,
    second: Subject,
    plan: Plan,
    counter: KeyCounter | None = None,
    boilerplate: Boilerplate | None = NOTHING,
) -> Explanation:
    """Explain a pair. Sentences of `boilerplate` have no say, as in lookups; with None all
    sentences count and nothing is widespread. Raises InputRefused for a text that cannot be
    fingerprinted.
    """
    pair = (first, second)
    for place, subject in zip(("first", "second"), pair, strict=True):
        _check(subject, place, plan)
    judge = PairJudge(plan, boilerplate or NOTHING)
    meant = telling(judge, first.text, second.text)
    asked, stored = judge.read([meant.one.text, meant.other.text])
    left, right = asked.features, stored.features
    spaced = left.spaced and right.spaced
    streams = left.batch.streams(spaced)
    scores = tuple(pair_scores(streams, tuple(REGISTRY)))
    asking = None if boilerplate is None else counter
    judgement, steps = _judged(judge, meant, asked, stored, asking)
    if left.spaced == right.spaced:
        shared = _shared_terms(scores, plan)
    else:  # the stored keys of a text are made by its own way of reading
        both = in_both_readings(asked.fingerprint, meant.one.text, left, plan)
        shared = both.shared_with(stored.fingerprint)
    differ, total, places = _facts(judgement.verdict, left, right)
    return Explanation(
        first=first,
        second=second,
        meant=(meant.one, meant.other),
        plan_id=plan.id,
        spaced=spaced,
        lengths=(left.given, right.given),
        judgement=judgement,
        formula=steps,
        passages=shared_passages(streams),
        keys=_key_hits(without_boilerplate(shared, left, right), counter),
        scores=scores,
        documents=None if counter is None else counter.count(),
        boilerplate=(left.boilerplate(), right.boilerplate()),
        facts_differ=differ,
        facts_total=total,
        disguise=meant.disguises(disguise_between(judgement, left, right)),
        fact_places=places,
    )


def _judged(
    judge: PairJudge,
    meant: Telling,
    asked: Text,
    stored: Text,
    counter: KeyCounter | None,
) -> tuple[Judgement, Formula]:
    """What lookups make of the pair, and the steps; without a counter nothing is widespread."""
    left, right = asked.features, stored.features
    judged = judge.judgement(asked, stored)
    widespread = False
    if counter is not None:
        (widespread,) = judge.are_widespread(
            [judge.suspect(judged, asked, stored)], counter.frequencies
        )
    longer, spaced = max(left.length, right.length), left.spaced and right.spaced
    steps = formula(judged, judge.plan.thresholds, spaced, longer, widespread)
    verdict = meant.verdict(judged.verdict)
    steps = replace(steps, verdict=verdict)
    if widespread:
        return replace(judged, verdict=None, direction=None), steps
    return replace(judged, verdict=verdict), steps


_Places = tuple[tuple[Span, Span], ...]


def _facts(
    verdict: Verdict | None, left: Features, right: Features
) -> tuple[tuple[FactDifference, ...] | None, int | None, _Places]:
    """The facts in which two texts differ, how many, and where those listed stand."""
    if verdict is not Verdict.NEAR:
        return *facts_between(verdict, left, right), ()
    readings = Reading.of(left), Reading.of(right)
    found = compare(*readings)
    places = (
        (Span(*readings[0].place(one)), Span(*readings[1].place(other)))
        for one, other in found.spans
    )
    return found.listed, found.total, tuple(places)


def _check(subject: Subject, place: str, plan: Plan) -> None:
    try:
        check_text(subject.text, plan)
    except InputRefused as error:
        name = f"the {place} text" if subject.id is None else f"document {subject.id!r}"
        raise InputRefused(f"{name}: {error}") from error


def _shared_terms(scores: Sequence[SchemeScore], plan: Plan) -> Keys:
    """The stored terms that both texts have."""
    terms = {score.name: score.shared for score in scores if score.name in plan.schemes}
    return {field: terms[name] for name, field in SCHEME_FIELDS.items() if terms.get(name)}


def _key_hits(shared: Keys, counter: KeyCounter | None) -> tuple[FieldHits, ...]:
    """What is shared, field by field, with frequencies when there is a store to ask."""
    listed = {name: terms[:KEYS_LISTED] for name, terms in shared.items()}
    counted = {} if counter is None else counter.frequencies(listed)
    out = []
    for name, terms in listed.items():
        hits = [KeyHit(term, counted.get((name, term))) for term in terms]
        hits.sort(key=lambda hit: hit.documents or 0)
        out.append(FieldHits(name, len(shared[name]), tuple(hits)))
    return tuple(out)
