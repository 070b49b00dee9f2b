"""Compares the combination, every single scheme and other packages on one corpus."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Final

from dupdex.evaluation.corpus import Corpus
from dupdex.evaluation.methods import Judge, Method
from dupdex.evaluation.peers import PEERS, peer_methods
from dupdex.evaluation.scheme_scores import scheme_methods
from dupdex.evaluation.truth import Pair
from dupdex.location import Location
from indexer.fingerprints.registry import REGISTRY
from mappings.plan import Plan

COMBINATION: Final = "dupdex"


def steps(schemes: bool, peers: bool) -> int:
    """The number of times that `measure` calls its `step`."""
    return len(REGISTRY) * schemes + (len(PEERS) + 1) * peers


def measure(
    corpus: Corpus,
    plan: Plan,
    predicted: Collection[Pair],
    location: Location | None,
    schemes: bool,
    peers: bool,
    step: Callable[[], None],
    curves: bool = False,
) -> tuple[tuple[Method, ...], tuple[str, ...]]:
    """All methods, that of the `predicted` pairs first, and notes on those not measured."""
    documents = list(corpus.documents())
    judge = Judge(corpus.truth, documents, plan)
    stored = ", ".join(plan.schemes)
    methods = [
        judge.method(COMBINATION, f"plan {plan.id}: {stored}; judged from the text", predicted)
    ]
    notes: list[str] = []
    if schemes:
        methods += scheme_methods(documents, plan, judge, step, curves)
    if peers:
        for outcome in peer_methods(documents, judge, location, step):
            if isinstance(outcome, Method):
                methods.append(outcome)
            else:
                notes.append(outcome)
    return tuple(methods), tuple(notes)
