"""Wilson score intervals (Wilson 1927) for proportions that were counted on few pairs.

Pairs of one text are not independent, so the true 95 % may be a little wider.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Any, Final

from dupdex.evaluation.figures import KindScore, Overall
from dupdex.evaluation.truth import Label

Z: Final = 1.959963984540054
"""The standard normal quantile of 97.5 %."""

Interval = tuple[float, float]


def wilson(hits: int, n: int) -> Interval | None:
    """The 95 % interval of the share `hits` of `n`; None when `n` is 0."""
    if not n:
        return None
    share, spread = hits / n, Z * Z / n
    centre = (share + spread / 2) / (1 + spread)
    half = Z * sqrt(share * (1 - share) / n + spread / (4 * n)) / (1 + spread)
    # at the ends the formula is exact and the arithmetic is not
    return (0.0 if hits == 0 else centre - half, 1.0 if hits == n else centre + half)


def of_overall(overall: Overall, kinds: Sequence[KindScore]) -> dict[str, Interval | None]:
    """Intervals of recall, precision and strict precision."""
    duplicates = [kind for kind in kinds if kind.label == int(Label.DUPLICATE)]
    listed = sum(kind.n for kind in duplicates)
    hits = sum(round(kind.recall * kind.n) for kind in duplicates)
    right = overall.found - overall.wrong
    return {
        "recall": wilson(hits, listed),
        "precision": wilson(right, overall.found),
        "strict_precision": wilson(right - overall.natural, overall.found),
    }


def of_kind(kind: KindScore) -> Interval | None:
    """Interval of the recall of one kind."""
    return wilson(round(kind.recall * kind.n), kind.n)


def to_json(overall: Overall, kinds: Sequence[KindScore]) -> dict[str, Any]:
    """The intervals of a report, its kinds named as there."""
    return {
        "level": 0.95,
        "method": "Wilson",
        "overall": of_overall(overall, kinds),
        "kinds": [
            {
                "kind": kind.kind,
                "strength": kind.strength,
                "label": kind.label,
                "recall": of_kind(kind),
            }
            for kind in kinds
        ],
    }
