"""Scores found pairs against the truth: pure functions without store or file.

1. `sort_out` tells which found pairs the truth explains; 2. the caller finds out which of the
open ones are natural; 3. `overall`, `kinds` and `false_examples` count and name.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Self

from dupdex.evaluation.figures import Example, KindScore, Overall
from dupdex.evaluation.truth import Clusters, Label, Listed, Pair, Truth, ordered
from query.answers import Match, Verdict

EXAMPLES: Final = 20

_MERGED: Final = "hardneg_"
_ORDER: Final = (Label.DUPLICATE, Label.PARTIAL, Label.NEGATIVE)


@dataclass(frozen=True, slots=True)
class FoundPair:
    """A pair with the first verdict that named it; `share` is the part of the first document
    that stands in the second, `stored_share` the part of the second in the first.
    """

    pair: Pair
    verdict: Verdict
    similarity: float
    share: float
    stored_share: float

    @classmethod
    def of(cls, asked: str, match: Match) -> Self:
        """What the lookup of the document `asked` said of another."""
        pair = ordered(asked, match.id)
        shares = (match.share or 0.0, match.stored_share or 0.0)
        share, stored_share = shares if pair[0] == asked else shares[::-1]
        return cls(pair, match.verdict, match.similarity, share, stored_share)


Found = Mapping[Pair, FoundPair]


@dataclass(frozen=True, slots=True)
class Sorted:
    """Found pairs by the truth: right, left out for swapped facts, or not explained."""

    right: frozenset[Pair]
    flagged: frozenset[Pair]
    open: tuple[Pair, ...]


def near_and_listed(predicted: Found, truth: Truth) -> list[Pair]:
    """The listed pairs that were found as near duplicates."""
    listed = {ordered(*row.pair) for row in truth.listed}
    return [
        pair
        for pair in sorted(listed)
        if pair in predicted and predicted[pair].verdict is Verdict.NEAR
    ]


def sort_out(predicted: Iterable[Pair], truth: Truth) -> Sorted:
    """Sort found pairs by what the truth says; swapped facts take precedence."""
    clusters = Clusters(truth)
    right: set[Pair] = set()
    flagged: set[Pair] = set()
    unexplained: list[Pair] = []
    for pair in predicted:
        if not truth.facts.isdisjoint(pair):
            flagged.add(pair)
        elif clusters.related(pair):
            right.add(pair)
        else:
            unexplained.append(pair)
    return Sorted(frozenset(right), frozenset(flagged), tuple(sorted(unexplained)))


def overall(
    predicted: Collection[Pair], truth: Truth, sides: Sorted, natural: Collection[Pair]
) -> Overall:
    """Recall of the listed label-1 pairs, precision of all pairs that are judged."""
    listed = [ordered(*row.pair) for row in truth.listed if row.label is Label.DUPLICATE]
    recall = _ratio(sum(pair in predicted for pair in listed), len(listed))
    right = len(sides.right)
    judged = right + len(sides.open)
    precision = _ratio(right + len(natural), judged)
    return Overall(
        recall=recall,
        precision=precision,
        strict_precision=_ratio(right, judged),
        f1=f1_of(recall, precision),
        found=judged,
        natural=len(natural),
        wrong=len(sides.open) - len(natural),
    )


def kinds(
    predicted: Collection[Pair], truth: Truth, facts: Collection[Pair] = frozenset()
) -> tuple[KindScore, ...]:
    """The share of listed pairs that were found, by kind and strength; `facts`: those of them that
    differ in facts.
    """
    return tuple(
        KindScore(
            kind,
            strength,
            int(_ORDER[label]),
            len(rows),
            sum(ordered(*row.pair) in predicted for row in rows) / len(rows),
            sum(ordered(*row.pair) in facts for row in rows) / len(rows),
        )
        for (label, kind, strength), rows in groups(truth).items()
    )


def groups(truth: Truth) -> dict[tuple[int, str, str], list[Listed]]:
    """The listed rows by place of the label, kind and strength, in the order of `kinds`."""
    out: dict[tuple[int, str, str], list[Listed]] = defaultdict(list)
    for row in truth.listed:
        out[_ORDER.index(row.label), row.kind, _strength(row)].append(row)
    return dict(sorted(out.items(), key=_by_number))


def false_examples(
    predicted: Found, sides: Sorted, natural: Collection[Pair]
) -> tuple[Example, ...]:
    """The wrong pairs that look most like duplicates."""
    wrong = [predicted[pair] for pair in sides.open if pair not in natural]
    wrong.sort(key=lambda pair: (-max(pair.similarity, pair.share, pair.stored_share), pair.pair))
    return tuple(
        Example(*pair.pair, pair.verdict.value, pair.similarity, pair.share, pair.stored_share)
        for pair in wrong[:EXAMPLES]
    )


def _strength(row: Listed) -> str:
    """The strength under which a row is counted."""
    if row.kind.startswith(_MERGED):
        return ""
    share = _number(row.strength)
    if row.label is not Label.PARTIAL or not 0 <= share <= 1:
        return row.strength
    return "0.3" if share < 0.4 else "0.5" if share < 0.6 else "0.7"


def _by_number(group: tuple[tuple[int, str, str], list[Listed]]) -> tuple[int, str, float, str]:
    label, kind, strength = group[0]
    return label, kind, _number(strength), strength


def _number(text: str) -> float:
    """The strength as a number; a word sorts after all numbers."""
    try:
        value = float(text)
    except ValueError:
        return float("inf")
    return value if value == value else float("inf")


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def f1_of(recall: float | None, precision: float | None) -> float | None:
    """The harmonic mean; 0 when nothing was found, None when there was nothing to find."""
    if recall is None:
        return None
    if not recall or not precision:
        return 0.0
    return 2 * recall * precision / (recall + precision)
