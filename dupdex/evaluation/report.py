"""The report of an evaluation, as JSON and as a table."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from dupdex.evaluation import intervals
from dupdex.evaluation.figures import Coverage, Example, KindScore, Overall
from dupdex.evaluation.methods import (
    Method,
    interval_text,
    kind_lines,
    method_lines,
    share_text,
)

__all__ = ["Coverage", "Example", "KindScore", "Overall", "Report"]

_MEANING: Final = {1: "recall", 2: "found", 0: "flagged"}
"""What the share of a kind says, by label."""


@dataclass(frozen=True, slots=True)
class Report:
    """One evaluation of one corpus under one plan. `methods`: other ways on the same corpus, the
    combination first; `notes`: what could not be measured.
    """

    overall: Overall
    kinds: tuple[KindScore, ...]
    false_examples: tuple[Example, ...]
    coverage: Coverage
    methods: tuple[Method, ...] = ()
    notes: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """`overall`, `kinds`, `false_examples` and `intervals` as plain JSON values; `methods` and
        `notes` when other ways were measured, too.
        """
        overall = dataclasses.asdict(self.overall)
        overall["false"] = overall.pop("wrong")
        value = {
            "overall": overall,
            "kinds": [dataclasses.asdict(kind) for kind in self.kinds],
            "false_examples": [dataclasses.asdict(example) for example in self.false_examples],
            "intervals": intervals.to_json(self.overall, self.kinds),
        }
        if self.methods:
            value["methods"] = [method.to_json() for method in self.methods]
            value["notes"] = list(self.notes)
        return value

    def table(self) -> str:
        """The whole report in plain text, without a line feed at the end."""
        blocks = [self._overall_lines(), _kind_lines(self.kinds)]
        if self.false_examples:
            blocks.append(_example_lines(self.false_examples, self.overall.wrong))
        if self.methods:
            blocks += [method_lines(self.methods), kind_lines(self.methods)]
        if self.notes:
            blocks.append(list(self.notes))
        return "\n\n".join("\n".join(lines) for lines in blocks)

    def _overall_lines(self) -> list[str]:
        overall, covered = self.overall, self.coverage
        right = overall.found - overall.natural - overall.wrong
        ends = intervals.of_overall(overall, self.kinds)
        strict = _with_interval(overall.strict_precision, ends["strict_precision"])
        lines = [
            f"plan              {covered.plan}, {covered.documents:,} documents",
            f"recall            {_with_interval(overall.recall, ends['recall'])}",
            f"precision         {_with_interval(overall.precision, ends['precision'])}",
            f"strict precision  {strict}",
            f"F1                {share_text(overall.f1)}",
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
    rows = [("kind", "strength", "pairs", "share", "", "facts differ", "95 %")]
    rows += [
        (
            kind.kind,
            kind.strength or "-",
            f"{kind.n:,}",
            share_text(kind.recall),
            _MEANING[kind.label],
            share_text(kind.facts_differ),
            interval_text(intervals.of_kind(kind)),
        )
        for kind in kinds
    ]
    name, strength, count = (max(len(row[at]) for row in rows) for at in range(3))
    return [
        f"{row[0]:<{name}}  {row[1]:<{strength}}  {row[2]:>{count}}  {row[3]:>6}  {row[4]:<7}  "
        f"{row[5]:>12}  {row[6]:>13}"
        for row in rows
    ]


def _example_lines(examples: Sequence[Example], wrong: int) -> list[str]:
    lines = [f"false pairs, {len(examples):,} of {wrong:,}: verdict, similarity, shares, ids"]
    lines += [
        f"{example.verdict:<7}  {example.similarity:.2f}  {example.share:.2f}  "
        f"{example.stored_share:.2f}  {example.id_a}  {example.id_b}"
        for example in examples
    ]
    return lines


def _with_interval(value: float | None, ends: intervals.Interval | None) -> str:
    return f"{share_text(value)}  {interval_text(ends)}"
