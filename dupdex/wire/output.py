"""Answers for people: lines of text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from indexer.field_path import strings_at
from indexer.meta import IndexMeta
from mappings.schemes import label_of
from query.answers import Answer, FactDifference, Match, Verdict


def answer_lines(answer: Answer, meta: IndexMeta) -> list[str]:
    """An answer for people: a line or two for each match, then what it covers."""
    lines = []
    for match in answer.matches:
        title = title_of(match.document, meta)
        lines.append(f"{headline(match):<32}{match.id}{'  ' + title if title else ''}")
        lines.append(f"    {reasons(match)}")
        if match.facts_differ:
            lines.append(f"    {facts_line(match)}")
        if match.decided:
            lines.append(f"    decided: {match.decided.value}")
        if match.disguise:
            lines.append(f"    {disguise_line(match.disguise)}")
        if match.template:
            lines.append("    template: many documents are this form filled in anew")
    if not answer.matches:
        lines.append("no duplicate found")
    lines.append(coverage(answer))
    return lines


def headline(match: Match) -> str:
    """`near 0.93`, `partial 0.41, contained in`."""
    share = max(match.share or 0.0, match.stored_share or 0.0)
    number = share if match.verdict is Verdict.PARTIAL else match.similarity
    way = f", {match.direction.value.replace('_', ' ')}" if match.direction else ""
    return f"{match.verdict.value} {number:.2f}{way}"


def reasons(match: Match) -> str:
    """Why it is a match, in one line."""
    evidence = match.evidence
    parts = []
    if evidence.jaccard is not None:
        parts.append(f"characters {evidence.jaccard:.2f}")
    if evidence.syllable_jaccard is not None:
        parts.append(f"sounds {evidence.syllable_jaccard:.2f}")
    if match.share is not None and match.stored_share is not None:
        parts.append(f"{match.share:.0%} of this text there, {match.stored_share:.0%} of that here")
        if match.located:
            here, there = (f"{a:,}-{b:,}" for a, b in (match.located.asked, match.located.stored))
            parts.append(f"characters {here} are {there} there")
    if evidence.verified == "stored":
        parts.append("judged from stored values, not from the text")
    if evidence.hamming is not None:
        parts.append(f"simhash differs in {evidence.hamming} bits")
    shared = [f"{label_of(name)} {len(terms)}" for name, terms in evidence.keys.items()]
    if shared:
        parts.append("shares " + ", ".join(shared))
    return "; ".join(parts)


def facts_line(match: Match, limit: int = 5) -> str:
    """`facts differ: date 3月5日 / 3月6日 there; and 7 more`."""
    differ, total = match.facts_differ or (), match.facts_total or 0
    parts = [f"{fact_words(fact)} there" for fact in differ[:limit]]
    if total > len(parts):
        parts.append(f"and {total - len(parts)} more")
    return "facts differ: " + "; ".join(parts)


def disguise_line(disguise: Sequence[str]) -> str:
    """`disguise: pinyin, look-alikes`."""
    return "disguise: " + ", ".join(disguise)


def fact_words(fact: FactDifference) -> str:
    """`date 3月5日 / 3月6日`."""
    return f"{fact.kind.value} {printable(fact.asked)} / {printable(fact.stored)}"


def coverage(answer: Answer) -> str:
    """What the answer covers, in one line."""
    completeness = answer.completeness
    text = f"candidates {completeness.candidates}, examined {completeness.examined}"
    if completeness.from_stored:
        text += f", {completeness.from_stored} by stored values only"
    if completeness.frequent_keys:
        text += f", {completeness.frequent_keys} frequent keys left out"
    if completeness.rare_only:
        text += ", those that share frequent keys only left out"
    if completeness.boilerplate:
        text += f", {completeness.boilerplate} characters of boilerplate not counted"
    if completeness.widespread:
        text += f", {completeness.widespread} left out as widespread"
    if completeness.templates:
        text += f", {completeness.templates} left out as templates"
    if completeness.decided:
        text += f", {completeness.decided} left out as decided to be no duplicates"
    if answer.left_out is not None:
        text += f", document {printable(answer.left_out)} itself left out"
    if completeness.undecided:
        text += f", {completeness.undecided} undecided"
    if completeness.truncated:
        text += "; there are more candidates"
    if completeness.truncated or completeness.undecided:
        text += ": --all examines more"
    return f"({text})"


def title_of(body: Mapping[str, Any], meta: IndexMeta, limit: int = 40) -> str:
    """The title, else the beginning of the text."""
    paths = (meta.title_field, *meta.text_fields)
    strings = (value for path in paths for value in strings_at(body, path) if value)
    value = printable(next(strings, ""))
    return value if len(value) <= limit else value[: limit - 1] + "…"


def printable(value: str) -> str:
    """A text on one line, without what would change the screen."""
    return " ".join("".join(c if c.isprintable() else " " for c in value).split())
