"""Compares methods of finding pairs: the pairs of each are scored against the same truth."""

from __future__ import annotations

import dataclasses
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Final

import numpy as np

from dupdex.evaluation import intervals, scoring
from dupdex.evaluation.figures import KindScore, Overall
from dupdex.evaluation.natural import GRAM, NATURAL
from dupdex.evaluation.truth import Clusters, Label, Pair, Truth, ordered
from indexer.model import Document
from indexer.text import Streams, prepare_all
from indexer.text.hashing import Hashes, distinct, shared, shingle_rows
from mappings.plan import TABLE_STEPS, Plan

BATCH: Final = 64
"""Texts prepared together."""


@dataclass(frozen=True, slots=True)
class Precision:
    """Of one kind and strength: the judged pairs found with a document of it, and the right ones
    (natural ones count as right).
    """

    found: int
    right: int


Point = tuple[float, float, float]
"""A threshold, and the recall and precision it has."""


@dataclass(frozen=True, slots=True)
class Method:
    """The result of one method of finding pairs. `setting`: how it was used; `note`: what to know;
    `curve`: what other thresholds would find, where that was asked for.
    """

    name: str
    setting: str
    overall: Overall
    kinds: tuple[KindScore, ...]
    precisions: tuple[Precision, ...]
    note: str = ""
    curve: tuple[Point, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values, with intervals."""
        overall = dataclasses.asdict(self.overall)
        overall["false"] = overall.pop("wrong")
        return {
            "name": self.name,
            "setting": self.setting,
            "note": self.note,
            **({"curve": self.curve} if self.curve else {}),
            "overall": overall,
            "intervals": intervals.of_overall(self.overall, self.kinds),
            "kinds": [
                _kind_json(kind, precision)
                for kind, precision in zip(self.kinds, self.precisions, strict=True)
            ],
        }


def _kind_json(kind: KindScore, precision: Precision) -> dict[str, Any]:
    value = precision.right / precision.found if precision.found else None
    is_copy = kind.label != int(Label.NEGATIVE)
    return {
        "kind": kind.kind,
        "strength": kind.strength,
        "label": kind.label,
        "n": kind.n,
        "recall": kind.recall,
        "recall_interval": intervals.of_kind(kind),
        "precision": value if is_copy else None,
        "precision_interval": (
            intervals.wilson(precision.right, precision.found) if is_copy else None
        ),
        "f1": scoring.f1_of(kind.recall, value) if is_copy else None,
    }


class Judge:
    """Scores found pairs against one truth; the texts of all documents are at hand as grams."""

    def __init__(self, truth: Truth, documents: Iterable[Document], plan: Plan) -> None:
        self._truth = truth
        self._clusters = Clusters(truth)
        self._grams = dict(_grams(documents, plan))
        self._of_kind = _documents_of_kinds(truth)

    def method(
        self, name: str, setting: str, predicted: Collection[Pair], note: str = ""
    ) -> Method:
        """The scores of the pairs that a method has found."""
        sides = scoring.sort_out(predicted, self._truth)
        natural = {pair for pair in sides.open if self._is_natural(pair)}
        return Method(
            name,
            setting,
            scoring.overall(predicted, self._truth, sides, natural),
            scoring.kinds(predicted, self._truth),
            self._precisions(sides.right | natural, set(sides.open) - natural),
            note,
        )

    def is_right(self, pair: Pair) -> bool | None:
        """Whether a found pair is explained or natural; None when it is left out for its facts."""
        if not self._truth.facts.isdisjoint(pair):
            return None
        return self._clusters.related(pair) or self._is_natural(pair)

    def tally(self) -> Tally:
        """An empty tally."""
        listed = [row for row in self._truth.listed if row.label is Label.DUPLICATE]
        return Tally(self, Counter(ordered(*row.pair) for row in listed))

    def _is_natural(self, pair: Pair) -> bool:
        left, right = (self._grams[name] for name in pair)
        return shared(left, right) >= NATURAL * max(1, min(len(left), len(right)))

    def _precisions(
        self, right: Collection[Pair], wrong: Collection[Pair]
    ) -> tuple[Precision, ...]:
        counts = {True: self._counted(right), False: self._counted(wrong)}
        return tuple(
            Precision(counts[True][kind] + counts[False][kind], counts[True][kind])
            for kind in range(len(scoring.groups(self._truth)))
        )

    def _counted(self, pairs: Iterable[Pair]) -> Mapping[int, int]:
        """How many pairs hold a document of each kind."""
        counts: dict[int, int] = defaultdict(int)
        for left, right in pairs:
            for kind in self._of_kind.get(left, _NONE) | self._of_kind.get(right, _NONE):
                counts[kind] += 1
        return counts


class Tally:
    """Counts pairs by similarity, in hundredths, for the curve of a method."""

    def __init__(self, judge: Judge, listed: Counter[Pair]) -> None:
        self._judge, self._listed = judge, listed
        self._counts = np.zeros((3, 101), np.int64)  # hits, right, all

    def add(self, pair: Pair, similarity: float) -> None:
        """Count one candidate pair."""
        is_right = self._judge.is_right(pair)
        at = int(similarity * 100 + 1e-9)
        self._counts[0, at] += self._listed[pair]
        self._counts[1:, at] += (is_right is True, is_right is not None)

    def curve(self) -> tuple[Point, ...]:
        """The points of the curve, by threshold from low to high."""
        listed = max(1, self._listed.total())
        hits, right, judged = self._counts[:, ::-1].cumsum(axis=1)[:, ::-1].tolist()
        return tuple(
            (at / 100, hits[at] / listed, right[at] / judged[at])
            for at in range(1, 101)
            if judged[at]
        )


_NONE: Final[frozenset[int]] = frozenset()


def _documents_of_kinds(truth: Truth) -> dict[str, frozenset[int]]:
    """The kinds each document is the second of a row of, as places in `scoring.kinds`."""
    kinds: dict[str, set[int]] = defaultdict(set)
    for place, rows in enumerate(scoring.groups(truth).values()):
        for row in rows:
            kinds[row.pair[1]].add(place)
    return {name: frozenset(places) for name, places in kinds.items()}


def batches(documents: Iterable[Document], size: int = BATCH) -> Iterator[Sequence[Document]]:
    """The documents in batches."""
    stream = iter(documents)
    while batch := list(islice(stream, size)):
        yield batch


def _grams(documents: Iterable[Document], plan: Plan) -> Iterator[tuple[str, Hashes]]:
    """The hashed grams of each document, as `natural_pairs` uses them."""
    folding = replace(plan, steps=TABLE_STEPS)
    for batch in batches(documents):
        prepared = prepare_all([document.text for document in batch], folding)
        streams = Streams(prepared, folding, False)
        rows = shingle_rows(streams.characters, GRAM, 0)
        for number, document in enumerate(batch):
            yield document.id, distinct(np.array(rows[number]))


def method_lines(methods: Sequence[Method]) -> list[str]:
    """A table: overall figures with intervals, then what each method is and how it was used."""
    rows = [("", "recall", "95 %", "precision", "95 %", "F1", "found", "false")]
    for method in methods:
        ends = intervals.of_overall(method.overall, method.kinds)
        rows.append(
            (
                method.name,
                share_text(method.overall.recall),
                interval_text(ends["recall"]),
                share_text(method.overall.precision),
                interval_text(ends["precision"]),
                share_text(method.overall.f1),
                f"{method.overall.found:,}",
                f"{method.overall.wrong:,}",
            )
        )
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    lines = [
        "  ".join(
            f"{cell:<{width}}" if not at else f"{cell:>{width}}"
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]
    lines.append("")
    lines += [
        f"{method.name:<{widths[0]}}  {method.setting}{'; ' + method.note if method.note else ''}"
        for method in methods
    ]
    return lines


def kind_lines(methods: Sequence[Method]) -> list[str]:
    """The recall of each method for each kind and strength."""
    names = [method.name[:16] for method in methods]
    head = ["kind", "strength", *names]
    rows = [
        [kind.kind, kind.strength or "-", *(f"{method.kinds[at].recall:.3f}" for method in methods)]
        for at, kind in enumerate(methods[0].kinds)
    ]
    widths = [max(len(row[at]) for row in (head, *rows)) for at in range(len(head))]
    return [
        "  ".join(
            f"{cell:<{width}}" if at < 2 else f"{cell:>{width}}"
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in (head, *rows)
    ]


def share_text(value: float | None) -> str:
    """A share, or a dash where there is none."""
    return "-" if value is None else f"{value:.4f}"


def interval_text(value: intervals.Interval | None) -> str:
    """Both ends of an interval."""
    return "-" if value is None else f"{value[0]:.4f}-{value[1]:.4f}"
