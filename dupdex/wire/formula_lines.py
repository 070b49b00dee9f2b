"""The steps of a formula for people, in English or Chinese."""

from __future__ import annotations

from dupdex.wire.vocabulary import MEASURES, PLACES, VERDICTS, WIDESPREAD, Phrase
from query.explain.formula import COUNTS, Formula, Measure, Measurement


def formula_lines(formula: Formula, *, chinese: bool = False) -> list[str]:
    """A line for each rule, the last of them with the verdict, then what lookups make of it:
    `similarity = max(characters 0.82, sounds 0.91) = 0.91 >= 0.40: near`.
    """
    lines = [
        ", ".join(_measured(value, chinese) for value in step.measured) for step in formula.steps
    ]
    lines[-1] += f": {_word(VERDICTS[formula.verdict], chinese)}"
    return [*lines, _word(WIDESPREAD, chinese)] if formula.widespread else lines


def _word(phrase: Phrase, chinese: bool) -> str:
    return phrase.zh if chinese else phrase.en


def _measured(measurement: Measurement, chinese: bool) -> str:
    name = _name(measurement, chinese)
    if measurement.measure is Measure.IDENTICAL:
        return name
    value = _against(measurement)
    parts = [f"{_name(part, chinese)} {part.value:.2f}" for part in measurement.largest_of]
    match parts:
        case []:
            return f"{name} {value}"
        case [_]:
            part = _name(measurement.largest_of[0], chinese)
            return f"{name} = {part} {value}"
    return f"{name} = max({', '.join(parts)}) = {value}"


def _name(measurement: Measurement, chinese: bool) -> str:
    place = measurement.place
    return _word(PLACES[place] if place else MEASURES[measurement.measure], chinese)


def _against(measurement: Measurement) -> str:
    """`0.91 >= 0.40`; with as many digits as it takes to see why."""
    value, limit = measurement.value, measurement.limit
    if limit is None:
        return f"{value:.2f}"
    sign = ">=" if measurement.holds else "<"
    if measurement.measure in COUNTS:
        return f"{value:,.0f} {sign} {limit:,.0f}"
    for digits in (2, 3, 4, 6, 9, 12, 17):
        shown, other = f"{value:.{digits}f}", f"{limit:.{digits}f}"
        if shown != other or value == limit:
            break
    return f"{shown} {sign} {other}"
