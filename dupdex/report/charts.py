"""The charts of a report, as plain data that the page's script draws."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from dupdex.report.findings import CopyRate, DuplicateReport
from dupdex.report.report_tables import Unit, period_name, size_name
from dupdex.report.report_words import NOBODY, verdict_words
from dupdex.wire.vocabulary import Phrase

_MOST = 15
"""Bars of a chart; the table below it has all."""

Label = str | Phrase


@dataclass(frozen=True, slots=True)
class Series:
    """Values of one colour (a name in the page's style); `line`: drawn as one, on an axis of its
    own at the right."""

    name: Phrase
    values: list[float | None]
    unit: Unit
    colour: str
    line: bool = False


@dataclass(frozen=True, slots=True)
class Chart:
    """`id`: the key of its table; `across`: bars from left to right, for labels that are names."""

    id: str
    labels: list[Label]
    series: list[Series]
    across: bool = False

    def to_json(self) -> dict[str, Any]:
        """As the script reads it; words are [Chinese, English]."""
        return {
            "id": self.id,
            "across": self.across,
            "labels": [label if isinstance(label, str) else [*label] for label in self.labels],
            "series": [
                {
                    "name": [*each.name],
                    "values": each.values,
                    "unit": each.unit.value,
                    "colour": each.colour,
                    "line": each.line,
                }
                for each in self.series
            ],
        }


def charts_of(report: DuplicateReport) -> list[Chart]:
    """Every chart that has something to show."""
    charts = [
        _over_time(report),
        *_rates("by_source", report.by_source),
        *_rates("by_kind", report.by_kind),
        _sizes(report),
        *_flows(report),
        *_fastest(report),
        _pairs(report),
    ]
    return [chart for chart in charts if chart.labels]


_COPIES = Phrase("副本", "copies")
_OTHERS = Phrase("其余文档", "other documents")
_RATE = Phrase("重复率", "duplicate rate")


def _shares(rates: Sequence[CopyRate]) -> list[Series]:
    copies: list[float | None] = [rate.copies for rate in rates]
    others: list[float | None] = [rate.documents - rate.copies for rate in rates]
    return [
        Series(_COPIES, copies, Unit.COUNT, "copies"),
        Series(_OTHERS, others, Unit.COUNT, "rest"),
    ]


def _over_time(report: DuplicateReport) -> Chart:
    rates = [rate for rate in report.over_time if rate.name is not None]
    values: list[float | None] = [rate.rate for rate in rates]
    line = Series(_RATE, values, Unit.SHARE, "rate", line=True)
    labels: list[Label] = [period_name(rate, report.every) or "" for rate in rates]
    return Chart("over_time", labels, [line, *_shares(rates)][::-1])


def _rates(key: str, rates: Sequence[CopyRate]) -> Iterator[Chart]:
    shown = rates[:_MOST]
    labels: list[Label] = [NOBODY if rate.name is None else rate.name for rate in shown]
    yield Chart(key, labels, _shares(shown), across=True)


def _named(name: str | None) -> Phrase:
    return NOBODY if name is None else Phrase(name, name)


def _sizes(report: DuplicateReport) -> Chart:
    groups: list[float | None] = [size.groups for size in report.sizes]
    labels: list[Label] = [size_name(size) for size in report.sizes]
    return Chart("sizes", labels, [Series(Phrase("组", "groups"), groups, Unit.COUNT, "rate")])


def _flows(report: DuplicateReport) -> Iterator[Chart]:
    shown = report.flows[:_MOST]
    labels: list[Label] = [
        Phrase(*(f"{_named(f.copier)[at]} ← {_named(f.original)[at]}" for at in (0, 1)))
        for f in shown
    ]
    copies: list[float | None] = [flow.copies for flow in shown]
    yield Chart("flows", labels, [Series(_COPIES, copies, Unit.COUNT, "copies")], across=True)


def _fastest(report: DuplicateReport) -> Iterator[Chart]:
    shown = [speed for speed in report.fastest if speed.median is not None][:_MOST]
    name = Phrase("延迟中位数", "median delay")
    delays: list[float | None] = [speed.median for speed in shown]
    series = [Series(name, delays, Unit.SECONDS, "rate")]
    yield Chart("fastest", [speed.source for speed in shown], series, across=True)


def _pairs(report: DuplicateReport) -> Chart:
    counts: dict[str, int] = {}
    for each in report.pairs:
        counts[each.verdict] = counts.get(each.verdict, 0) + each.pairs
    labels: list[Label] = [verdict_words(verdict) for verdict in counts]
    values: list[float | None] = list(counts.values())
    series = [Series(Phrase("对", "pairs"), values, Unit.COUNT, "rate")]
    return Chart("pairs", labels, series, across=True)
