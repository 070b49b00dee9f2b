"""Why two texts are, or are not, duplicates: passages, keys, scores, and the sum of it all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, Protocol

from indexer.boilerplate import NOTHING, Boilerplate
from indexer.fingerprints.compute import check_text, fingerprints_of_prepared
from indexer.fingerprints.registry import REGISTRY
from indexer.model import Keys
from indexer.text import Prepared, Streams, prepare_all
from mappings.contract import Field
from mappings.errors import InputRefused
from mappings.plan import Plan
from mappings.schemes import SCHEME_FIELDS
from query.answers import NO_FACTS, Facts, Verdict
from query.explain.by_scheme import SchemeScore, pair_scores
from query.explain.formula import COMMON, formula
from query.explain.shared_passages import Passages, shared_passages
from query.facts.differ import facts_differ
from query.grams import Features, features_of_prepared, without_boilerplate
from query.verify.verdict import Judgement, judge
from query.verify.widespread import may_be_common, suspect, which_are_common

KEYS_LISTED: Final = 200
"""Shared keys listed of each field; the passages of a book have thousands."""


class KeyCounter(Protocol):
    """What an explanation asks of a store."""

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
    """All there is to say of two texts under one plan.

    `judgement` is that of every lookup: its `share` is the part of the first text, in long grams,
    that is in the second. `common`: a partial copy that is none, as many unrelated documents have
    what these two share. `lengths`: letters and digits of either; `boilerplate`: how many of them
    had no say in the judgement. `spaced`: both were read by words. `documents`: how many the store
    holds, None without one. `formula`: how the similarity and the verdict came about, with the
    numbers filled in. `facts`: those in which near duplicates differ, looked for when first asked
    for. `keys`: without those that boilerplate keeps out of lookups. `passages` and
    `scores` are of the whole texts.
    """

    first: Subject
    second: Subject
    plan_id: str
    spaced: bool
    lengths: tuple[int, int]
    judgement: Judgement
    formula: str
    passages: Passages
    keys: tuple[FieldHits, ...]
    scores: tuple[SchemeScore, ...]
    documents: int | None = None
    boilerplate: tuple[int, int] = (0, 0)
    facts: Facts = NO_FACTS
    common: bool = False

    @property
    def verdict(self) -> Verdict | None:
        return self.judgement.verdict


def explain(
    first: Subject,
    second: Subject,
    plan: Plan,
    counter: KeyCounter | None = None,
    known: Boilerplate | None = NOTHING,
) -> Explanation:
    """Explain a pair; `known` sentences have no say, as in lookups; None lets everything have its
    say. Raises InputRefused for a text that cannot be fingerprinted.
    """
    pair = (first, second)
    for place, subject in zip(("first", "second"), pair, strict=True):
        _check(subject, place, plan)
    prepared = prepare_all([subject.text for subject in pair], plan)
    left, right = features_of_prepared(prepared, plan, known or NOTHING)
    spaced = left.spaced and right.spaced
    streams = Streams(prepared, plan, spaced)
    scores = tuple(pair_scores(streams, tuple(REGISTRY)))
    judgement = judge(left, right, plan)
    common = False
    if counter is not None and known is not None:
        common = _is_common(judgement, prepared, (left, right), plan, counter)
    sums = formula(judgement, plan.thresholds, spaced, max(left.length, right.length))
    if common:
        sums, judgement = f"{sums}; {COMMON}", replace(judgement, verdict=None, direction=None)
    boilerplate = left.boilerplate(), right.boilerplate()
    if left.spaced == right.spaced:
        shared = _shared_terms(scores, plan)
    else:  # the stored keys of a text are made by its own way of reading
        made, other = fingerprints_of_prepared(prepared, plan)
        shared = made.shared_with(other)
    return Explanation(
        first=first,
        second=second,
        plan_id=plan.id,
        spaced=spaced,
        lengths=(left.length + boilerplate[0], right.length + boilerplate[1]),
        judgement=judgement,
        formula=sums,
        passages=shared_passages(streams),
        keys=_key_hits(without_boilerplate(shared, left, right), counter),
        scores=scores,
        documents=None if counter is None else counter.count(),
        boilerplate=boilerplate,
        facts=facts_between(judgement, left, right),
        common=common,
    )


def _is_common(
    found: Judgement,
    prepared: Prepared,
    pair: tuple[Features, Features],
    plan: Plan,
    counter: KeyCounter,
) -> bool:
    """Whether lookups leave a partial copy out, see `query.verify.widespread`."""
    if not may_be_common(found.verdict, (found.share, found.stored_share)):
        return False
    made, other = fingerprints_of_prepared(prepared, plan)
    suspects = [suspect((made, other), pair)]
    return which_are_common(suspects, counter.frequencies, plan.thresholds.unrelated)[0]


def facts_between(found: Judgement, first: Features, second: Features) -> Facts:
    """The facts in which near duplicates differ; other texts differ in more than facts."""
    if found.verdict is not Verdict.NEAR:
        return NO_FACTS
    return Facts(partial(facts_differ, first, second))


def _check(subject: Subject, place: str, plan: Plan) -> None:
    try:
        check_text(subject.text, plan)
    except InputRefused as error:
        name = f"the {place} text" if subject.id is None else f"document {subject.id!r}"
        raise InputRefused(f"{name}: {error}") from error


def _shared_terms(scores: Sequence[SchemeScore], plan: Plan) -> Keys:
    """The stored terms that both texts have."""
    found = {score.name: score.shared for score in scores if score.name in plan.schemes}
    return {field: found[name] for name, field in SCHEME_FIELDS.items() if found.get(name)}


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
