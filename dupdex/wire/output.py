"""Answers for people and as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from indexer.meta import IndexMeta
from mappings.schemes import label_of
from query.answers import (
    Answer,
    Completeness,
    Evidence,
    FactDifference,
    Facts,
    Located,
    Match,
    Verdict,
)
from query.verify.verdict import Judgement


def answer_json(answer: Answer) -> dict[str, Any]:
    """An answer as plain JSON values."""
    return {
        "id": answer.id,
        "duplicate": bool(answer.matches),
        "matches": [match_json(match) for match in answer.matches],
        "completeness": completeness_json(answer.completeness),
    }


def match_json(match: Match) -> dict[str, Any]:
    known = match.evidence.verified == "text"  # stored values say nothing about passages
    return {
        "id": match.id,
        "verdict": match.verdict.value,
        "similarity": round(match.similarity, 4),
        "share": round(match.share, 4) if known else None,
        "stored_share": round(match.stored_share, 4) if known else None,
        "direction": match.direction.value if match.direction else None,
        "located": located_json(match.located),
        **facts_json(match.facts),
        "evidence": evidence_json(match.evidence),
        "document": dict(match.body),
    }


def facts_json(facts: Facts) -> dict[str, Any]:
    """Of two texts neither of which is asked from an index, `asked` is the first."""
    differ, total = facts.found
    listed = [
        {"kind": fact.kind.value, "asked": fact.asked, "stored": fact.stored} for fact in differ
    ]
    return {"facts_differ": listed, "facts_total": total}


def located_json(located: Located | None) -> dict[str, list[int]] | None:
    """Characters [start, stop) of either text."""
    if located is None:
        return None
    return {"asked": list(located.asked), "stored": list(located.stored)}


def pair_json(first: str, match: Match) -> dict[str, Any]:
    """Two documents of one file; shares and direction are read from the first."""
    values = match_json(match)
    del values["id"], values["document"]
    return {"first": first, "second": match.id, **values}


def judgement_json(found: Judgement) -> dict[str, Any]:
    """What two texts are to each other, when neither is asked from an index."""
    return {
        "verdict": found.verdict.value if found.verdict else None,
        "similarity": round(found.similarity, 4),
        "jaccard": round(found.jaccard, 4),
        "syllable_jaccard": round(found.syllable_jaccard, 4),
        "share": round(found.share, 4),
        "second_share": round(found.stored_share, 4),
        "direction": found.direction.value if found.direction else None,
    }


def evidence_json(evidence: Evidence) -> dict[str, Any]:
    return {
        "verified": evidence.verified,
        "keys": {name.value: list(terms) for name, terms in evidence.keys.items()},
        "hamming": evidence.hamming,
        "jaccard": _rounded(evidence.jaccard),
        "syllable_jaccard": _rounded(evidence.syllable_jaccard),
        "shared": evidence.shared,
    }


def completeness_json(completeness: Completeness) -> dict[str, Any]:
    return {
        "candidates": completeness.candidates,
        "examined": completeness.examined,
        "from_stored": completeness.from_stored,
        "undecided": completeness.undecided,
        "truncated": completeness.truncated,
        "hot_keys": completeness.hot_keys,
        "rare_only": completeness.rare_only,
        "boilerplate": completeness.boilerplate,
        "common": completeness.common,
        "guarantee": completeness.guarantee,
    }


def answer_lines(answer: Answer, meta: IndexMeta) -> list[str]:
    """An answer for people: a line or two for each match, then what it covers."""
    lines = []
    for match in answer.matches:
        title = title_of(match.body, meta)
        lines.append(f"{headline(match):<32}{match.id}{'  ' + title if title else ''}")
        lines.append(f"    {reasons(match)}")
        if match.facts_differ:
            lines.append(f"    {facts_line(match)}")
    if not answer.matches:
        lines.append("no duplicate found")
    lines.append(coverage(answer.completeness))
    return lines


def headline(match: Match) -> str:
    """`near 0.93`, `partial 0.41, contained in`."""
    share = max(match.share, match.stored_share)
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
    if evidence.verified == "text":
        parts.append(f"{match.share:.0%} of this text there, {match.stored_share:.0%} of that here")
        if match.located:
            here, there = (f"{a:,}-{b:,}" for a, b in (match.located.asked, match.located.stored))
            parts.append(f"characters {here} are {there} there")
    else:
        parts.append("judged from stored values, not from the text")
    if evidence.hamming is not None:
        parts.append(f"simhash differs in {evidence.hamming} bits")
    shared = [f"{label_of(name)} {len(terms)}" for name, terms in evidence.keys.items()]
    if shared:
        parts.append("shares " + ", ".join(shared))
    return "; ".join(parts)


def facts_line(match: Match, limit: int = 5) -> str:
    """`facts differ: date 3月5日 / 3月6日 there; and 7 more`."""
    parts = [f"{fact_words(fact)} there" for fact in match.facts_differ[:limit]]
    if match.facts_total > len(parts):
        parts.append(f"and {match.facts_total - len(parts)} more")
    return "facts differ: " + "; ".join(parts)


def fact_words(fact: FactDifference) -> str:
    """`date 3月5日 / 3月6日`."""
    return f"{fact.kind.value} {printable(fact.asked)} / {printable(fact.stored)}"


def coverage(completeness: Completeness) -> str:
    """What the answer covers, in one line."""
    text = f"candidates {completeness.candidates}, examined {completeness.examined}"
    if completeness.from_stored:
        text += f", {completeness.from_stored} by stored values only"
    if completeness.hot_keys:
        text += f", {completeness.hot_keys} frequent keys left out"
    if completeness.rare_only:
        text += ", those that share frequent keys only left out"
    if completeness.boilerplate:
        text += f", {completeness.boilerplate} characters of boilerplate not counted"
    if completeness.common:
        text += f", {completeness.common} that share only what is common left out"
    if completeness.undecided:
        text += f", {completeness.undecided} undecided"
    if completeness.truncated:
        text += "; there are more candidates"
    if completeness.truncated or completeness.undecided:
        text += ": --all examines more"
    return f"({text})"


def title_of(body: Mapping[str, Any], meta: IndexMeta, limit: int = 40) -> str:
    """The title, else the beginning of the text."""
    value = body.get(meta.title_field)
    if not isinstance(value, str) or not value:
        value = next((body[n] for n in meta.text_fields if isinstance(body.get(n), str)), "")
    value = printable(value)
    return value if len(value) <= limit else value[: limit - 1] + "…"


def printable(value: str) -> str:
    """A text on one line, without what would change the screen."""
    return " ".join("".join(c if c.isprintable() else " " for c in value).split())


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
