"""Matches as lines and as JSON."""

from __future__ import annotations

from msgspec import structs

from dupdex.wire.forms import FilePair, to_json
from dupdex.wire.output import answer_lines, facts_line
from indexer.meta import IndexMeta
from mappings.plan import STANDARD
from query.answers import (
    Answer,
    Completeness,
    Evidence,
    FactDifference,
    FactKind,
    Match,
    Verdict,
)

FACTS = (
    FactDifference(FactKind.DATE, "3月5日", "3月6日"),
    FactDifference(FactKind.NAME, "New\nYork\x1b[2J", "Paris"),
)


def match(*facts: FactDifference, total: int = 0) -> Match:
    total = total or len(facts)
    return Match("n1", "", Verdict.NEAR, 0.9, 0.9, 0.9, None, Evidence(), {}, facts, total)


def test_facts_are_shown_under_their_match() -> None:
    covered = Completeness(
        candidates=1,
        examined=1,
        from_stored=0,
        undecided=0,
        truncated=False,
        frequent_keys=0,
        rare_only=False,
        boilerplate=0,
        widespread=0,
        templates=0,
        guarantee="",
    )
    meta = IndexMeta(plan=STANDARD, text_fields=("text",))
    with_facts, without = (
        answer_lines(Answer((one,), covered), meta) for one in (match(*FACTS), match())
    )
    assert with_facts[2] == (
        "    facts differ: date 3月5日 / 3月6日 there; name New York [2J / Paris there"
    )
    assert [*with_facts[:2], *with_facts[3:]] == without


def test_templates_are_named_and_counted() -> None:
    covered = Completeness(9, 9, 0, 0, False, 0, False, 0, 0, 3, "")
    meta = IndexMeta(plan=STANDARD, text_fields=("text",))
    marked = structs.replace(match(*FACTS), template=True)
    lines = answer_lines(Answer((marked,), covered), meta)
    assert lines[-2] == "    template: many documents are this form filled in anew"
    assert ", 3 left out as templates" in lines[-1]


def test_many_facts_are_counted() -> None:
    line = facts_line(match(*FACTS[:1] * 20, total=37))
    assert line.count("3月5日") == 5
    assert line.endswith("; and 32 more")


def test_json_quotes_facts_as_they_are() -> None:
    expected = [
        {"kind": "date", "asked": "3月5日", "stored": "3月6日"},
        {"kind": "name", "asked": "New\nYork\x1b[2J", "stored": "Paris"},
    ]
    near = match(*FACTS, total=2)
    for value in (to_json(near), to_json(FilePair.of(("n0", "f:1"), ("n1", "f:2"), near))):
        assert (value["facts_differ"], value["facts_total"]) == (expected, 2)
    assert to_json(match())["facts_differ"] == []
