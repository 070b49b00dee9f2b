"""What an evaluation found, as JSON and as a table for people."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

_MEANING: Final = {1: "recall", 2: "found", 0: "flagged"}
"""What the share of a kind says, by label."""


@dataclass(frozen=True, slots=True)
class Overall:
    """All pairs together; a number that cannot be had (no pair to count) is None.

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
    """One kind and strength. `recall` is the share of its `n` listed pairs that were found."""

    kind: str
    strength: str
    label: int
    n: int
    recall: float


@dataclass(frozen=True, slots=True)
class Example:
    """A pair that was found and is none."""

    id_a: str
    id_b: str
    verdict: str
    similarity: float
    share: float
    stored_share: float


@dataclass(frozen=True, slots=True)
class Coverage:
    """What the numbers rest on.

    `flagged`: found pairs left out for swapped facts. `rejected`: documents that could not be
    indexed. `truncated`: lookups with more candidates than the store could give.
    """

    plan: str
    documents: int
    flagged: int
    rejected: int = 0
    truncated: int = 0


@dataclass(frozen=True, slots=True)
class Report:
    """One evaluation of one corpus under one plan."""

    overall: Overall
    kinds: tuple[KindScore, ...]
    false_examples: tuple[Example, ...]
    coverage: Coverage

    def to_json(self) -> dict[str, Any]:
        """`overall`, `kinds` and `false_examples` as plain JSON values."""
        overall = dataclasses.asdict(self.overall)
        overall["false"] = overall.pop("wrong")
        return {
            "overall": overall,
            "kinds": [dataclasses.asdict(kind) for kind in self.kinds],
            "false_examples": [dataclasses.asdict(example) for example in self.false_examples],
        }

    def table(self) -> str:
        """All of it in plain text, without a line feed at the end."""
        blocks = [self._overall_lines(), _kind_lines(self.kinds)]
        if self.false_examples:
            blocks.append(_example_lines(self.false_examples, self.overall.wrong))
        return "\n\n".join("\n".join(lines) for lines in blocks)

    def _overall_lines(self) -> list[str]:
        overall, covered = self.overall, self.coverage
        right = overall.found - overall.natural - overall.wrong
        lines = [
            f"plan              {covered.plan}, {covered.documents:,} documents",
            f"recall            {_share(overall.recall)}",
            f"precision         {_share(overall.precision)}",
            f"strict precision  {_share(overall.strict_precision)}",
            f"F1                {_share(overall.f1)}",
            f"pairs found       {overall.found:,}: {right:,} right, {overall.natural:,} natural, "
            f"{overall.wrong:,} false",
            f"left out          {covered.flagged:,} found pairs with swapped facts (flagged)",
        ]
        if covered.rejected:
            lines.append(f"rejected          {covered.rejected:,} documents could not be indexed")
        if covered.truncated:
            lines.append(f"truncated         {covered.truncated:,} lookups had more candidates")
        return lines


def _kind_lines(kinds: Sequence[KindScore]) -> list[str]:
    rows = [("kind", "strength", "pairs", "share", "")]
    rows += [
        (each.kind, each.strength or "-", f"{each.n:,}", _share(each.recall), _MEANING[each.label])
        for each in kinds
    ]
    name, strength, count = (max(len(row[at]) for row in rows) for at in range(3))
    return [
        f"{row[0]:<{name}}  {row[1]:<{strength}}  {row[2]:>{count}}  {row[3]:>6}  {row[4]}".rstrip()
        for row in rows
    ]


def _example_lines(examples: Sequence[Example], wrong: int) -> list[str]:
    lines = [f"false pairs, {len(examples):,} of {wrong:,}: verdict, similarity, shares, ids"]
    lines += [
        f"{each.verdict:<7}  {each.similarity:.2f}  {each.share:.2f}  {each.stored_share:.2f}  "
        f"{each.id_a}  {each.id_b}"
        for each in examples
    ]
    return lines


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.4f}"
