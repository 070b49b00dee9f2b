"""Figures as a table for people, as JSON, as a Markdown page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scripts.benchmark.results import Line, Section, number


@dataclass(frozen=True, slots=True)
class Report:
    """One run. `facts` say where and with what it was made."""

    date: str
    command: str
    facts: Mapping[str, str]
    sections: Sequence[Section]

    def to_json(self) -> dict[str, Any]:
        return {
            "date": self.date,
            "command": self.command,
            "machine": dict(self.facts),
            "sections": {section.name: section.to_json() for section in self.sections},
        }

    def missed(self) -> list[str]:
        """The lines whose target was not met."""
        return [
            f"{section.name}: {line.name}"
            for section in self.sections
            for line in section.lines
            if line.met is False
        ]


def facts_text(facts: Mapping[str, str]) -> str:
    return "\n".join(f"{name}: {value}" for name, value in facts.items())


def section_text(section: Section) -> str:
    """A table in columns, with what belongs to a figure below it."""
    wide = max((len(line.name) for line in section.lines), default=0)
    out = [f"== {section.title}"]
    for line in section.lines:
        verdict = f"   {line.target}: {_met(line)}" if line.target else ""
        out.append(f"{line.name:<{wide}}  {number(line.value):>9} {line.unit}{verdict}")
        if line.more:
            out.append(f"    {_more(line)}")
    return "\n".join([*out, *(f"({note})" for note in section.notes)]) + "\n"


def markdown(report: Report) -> str:
    """The page `docs/benchmarks.md`."""
    out = ["# Benchmarks", "", f"Made on {report.date} by `{report.command}`.", ""]
    out += [f"- {name}: {value}" for name, value in report.facts.items()]
    for section in report.sections:
        out += ["", f"## {section.title}", ""]
        out += [f"{note[0].upper()}{note[1:]}." for note in section.notes if note]
        out += ["", "| what | figure | target | more |", "|---|---:|---|---|"]
        for line in section.lines:
            target = f"{line.target}: {_met(line)}" if line.target else ""
            figure = f"{number(line.value)} {line.unit}"
            out.append(f"| {line.name} | {figure} | {target} | {_more(line)} |")
    return "\n".join(out) + "\n"


def _met(line: Line) -> str:
    return "met" if line.met else "NOT MET"


def _more(line: Line) -> str:
    return ", ".join(f"{name} {number(value)}" for name, value in line.more.items())
