"""The figures of an evaluation."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Overall:
    """Figures over all pairs; a figure without a pair to count is None.

    `found` are the judged pairs: right, `natural` and `wrong` ones, without those left out for
    swapped facts.
    """

    recall: float | None
    precision: float | None
    strict_precision: float | None
    f1: float | None
    found: int
    natural: int
    wrong: int


@dataclass(frozen=True, slots=True)
class KindScore:
    """One kind and strength. `recall` is the share of its `n` listed pairs that were found,
    `facts_differ` the share found with other facts.
    """

    kind: str
    strength: str
    label: int
    n: int
    recall: float
    facts_differ: float = 0.0


@dataclass(frozen=True, slots=True)
class Example:
    """A false positive: a pair that was found although its texts are no duplicates."""

    id_a: str
    id_b: str
    verdict: str
    similarity: float
    share: float
    stored_share: float


@dataclass(frozen=True, slots=True)
class Coverage:
    """What the figures are based on.

    `flagged`: found pairs left out for swapped facts. `rejected`: documents that could not be
    indexed. `truncated`: lookups with more candidates than the store could give.
    """

    plan: str
    documents: int
    flagged: int
    rejected: int = 0
    truncated: int = 0
