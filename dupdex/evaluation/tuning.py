"""Chooses thresholds on labelled pairs and measures them on pairs not used for the choice.

measure every pair -> for each fold: choose without it, score it -> choose on all of them.
A cluster (a text with its copies) is in one fold; choosing without a fold leaves out every pair
that touches one of its clusters. Stratified, seeded, the same on every machine.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from random import Random
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from dupdex.evaluation import intervals
from dupdex.evaluation.corpus import Corpus
from dupdex.evaluation.measured import Flags, Measured, measure
from dupdex.evaluation.scoring import f1_of
from dupdex.evaluation.truth import Label, Truth, members
from mappings.errors import InputRefused
from mappings.plan import STANDARD, Plan, Thresholds

NEAR: Final = tuple(n / 100 for n in range(20, 61))
SHORT_NEAR: Final = tuple(n / 100 for n in range(60, 97))
PARTIAL: Final = tuple(n / 100 for n in range(6, 41))
SHARED: Final = (10, 15, 20, 25, 30, 35, 40, 50, 60, 80)
TUNED: Final = ("near", "short_near", "partial", "shared")
"""What is chosen; every other threshold stays that of the plan."""

_ROUNDS: Final = 10

Chosen = tuple[float, float, float, int]
"""Values of TUNED."""


@dataclass(frozen=True, slots=True)
class Score:
    """Pairs counted: `hits` of `listed` copies (labels 1 and 2), `right` of `found`."""

    hits: int
    listed: int
    right: int
    found: int

    def __add__(self, other: Score) -> Score:
        counts, added = dataclasses.astuple(self), dataclasses.astuple(other)
        return Score(*(a + b for a, b in zip(counts, added, strict=True)))

    @property
    def recall(self) -> float | None:
        return self.hits / self.listed if self.listed else None

    @property
    def precision(self) -> float | None:
        return self.right / self.found if self.found else None

    @property
    def f1(self) -> float | None:
        return f1_of(self.recall, self.precision)

    def to_json(self) -> dict[str, Any]:
        """Figures and intervals."""
        return {
            "recall": self.recall,
            "precision": self.precision,
            "f1": self.f1,
            "found": self.found,
            "false": self.found - self.right,
            "intervals": {
                "recall": intervals.wilson(self.hits, self.listed),
                "precision": intervals.wilson(self.right, self.found),
            },
        }


@dataclass(frozen=True, slots=True)
class Objective:
    """What is maximised: F1, or, with `least_precision`, the recall at that precision."""

    least_precision: float | None = None

    def __call__(self, score: Score) -> float:
        if self.least_precision is None:
            return score.f1 or 0.0
        precision = 1.0 if score.precision is None else score.precision
        if precision < self.least_precision:
            return precision - 1
        return score.recall or 0.0


@dataclass(frozen=True, slots=True)
class Tuned:
    """`plan` has the thresholds chosen on all pairs; `before` and `after` are out of fold."""

    plan: Plan
    before: Score
    after: Score
    folds: tuple[Chosen, ...]
    clusters: int


def tune(
    folder: Path,
    plan: Plan = STANDARD,
    folds: int = 5,
    objective: Objective | None = None,
    seed: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> Tuned:
    """Choose `near`, `short_near`, `partial` and `shared` on the corpus in `folder`.

    Raises InputRefused when there are fewer clusters with a copy than folds.
    """
    wanted = objective or Objective()
    corpus = Corpus.read(folder)
    numbers, clusters = fold_numbers(corpus.ids, corpus.truth, folds, seed)
    steps = 4 * len(corpus.ids)
    measured = measure(
        corpus,
        plan,
        _lowest(plan.thresholds),
        lambda done: progress(done, steps) if progress else None,
    )
    left, right = (
        np.array([numbers[pair[side]] for pair in measured.pairs], np.int64) for side in (0, 1)
    )
    start = values_of(plan.thresholds)
    before, after, chosen = Score(0, 0, 0, 0), Score(0, 0, 0, 0), []
    for fold in range(folds):
        outside = (left != fold) & (right != fold)
        best = choose(measured, outside, plan.thresholds, wanted)
        chosen.append(best)
        before += score(measured, left == fold, plan.thresholds, start)
        after += score(measured, left == fold, plan.thresholds, best)
    everything: Flags = np.ones(len(measured.pairs), np.bool_)
    final = choose(measured, everything, plan.thresholds, wanted)
    tuned = replace(plan, thresholds=with_values(plan.thresholds, final))
    return Tuned(tuned, before, after, tuple(chosen), clusters)


def fold_numbers(
    ids: Sequence[str], truth: Truth, folds: int, seed: int
) -> tuple[dict[str, int], int]:
    """The fold of each document, and how many clusters hold a copy. Clusters with copies are
    dealt out before the others, so that each fold has its part. Raises InputRefused.
    """
    clusters = members(ids, truth)
    copied = {name for row in truth.listed if row.label is not Label.NEGATIVE for name in row.pair}
    groups: tuple[list[list[str]], list[list[str]]] = ([], [])
    for names in clusters:
        groups[copied.isdisjoint(names)].append(names)
    if len(groups[0]) < folds:
        raise InputRefused(
            f"{len(groups[0])} clusters hold a listed copy, fewer than {folds} folds; "
            "label more pairs, or give a lower --folds"
        )
    numbers: dict[str, int] = {}
    for group in groups:
        Random(f"{seed}").shuffle(group)
        for place, names in enumerate(group):
            numbers |= dict.fromkeys(names, place % folds)
    return numbers, len(groups[0])


def choose(measured: Measured, among: Flags, limits: Thresholds, objective: Objective) -> Chosen:
    """The best thresholds for some of the pairs: one after the other (the two for partial copies
    together) until none gets better. What is as good as another stays as it was.
    """
    best = values_of(limits)
    highest = objective(score(measured, among, limits, best))
    for _ in range(_ROUNDS):
        before = best
        for neighbours in _NEIGHBOURS:
            for values in sorted(neighbours(best), key=_distance(before)):
                value = objective(score(measured, among, limits, values))
                if value > highest:
                    best, highest = values, value
        if best == before:
            break
    return best


def _nears(at: Chosen) -> list[Chosen]:
    return [(near, *at[1:]) for near in NEAR]


def _short_nears(at: Chosen) -> list[Chosen]:
    return [(at[0], short_near, *at[2:]) for short_near in SHORT_NEAR]


def _partials(at: Chosen) -> list[Chosen]:
    return [(*at[:2], partial, shared) for partial, shared in product(PARTIAL, SHARED)]


_NEIGHBOURS: Final = (_nears, _short_nears, _partials)


def _distance(start: Chosen) -> Callable[[Chosen], float]:
    """The distance of thresholds from the start, to prefer the nearest of equals."""
    return lambda values: sum(abs(a - b) / b for a, b in zip(values, start, strict=True))


def score(measured: Measured, among: npt.NDArray[Any], limits: Thresholds, at: Chosen) -> Score:
    """The score of thresholds on some of the pairs."""
    judged = measured.found(with_values(limits, at)) & among
    return Score(
        int(np.count_nonzero(judged & measured.listed)),
        int(np.count_nonzero(among & measured.listed)),
        int(np.count_nonzero(judged & measured.right)),
        int(np.count_nonzero(judged)),
    )


def _lowest(limits: Thresholds) -> Thresholds:
    """The lowest thresholds tried, those of the plan included."""
    ends = (NEAR[0], SHORT_NEAR[0], PARTIAL[0], SHARED[0])
    near, short_near, partial, shared = map(min, zip(values_of(limits), ends, strict=True))
    return with_values(limits, (near, short_near, partial, int(shared)))


def values_of(limits: Thresholds) -> Chosen:
    """The values of TUNED."""
    return limits.near, limits.short_near, limits.partial, limits.shared


def with_values(limits: Thresholds, values: Chosen) -> Thresholds:
    """The thresholds with other values of TUNED."""
    near, short_near, partial, shared = values
    return replace(limits, near=near, short_near=short_near, partial=partial, shared=shared)
