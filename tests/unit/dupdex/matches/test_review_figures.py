"""Figures of reviews, and the doubt about a pair, by laws."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupdex.matches.decisions import UNDO, Decided
from dupdex.matches.doubt import Cause, doubt_of
from dupdex.matches.match_record import Decision, MatchRecord
from dupdex.matches.review_figures import PAUSE, figures_of, pace, standing
from indexer.model import Ref
from mappings.collections import moment
from mappings.plan import STANDARD
from query.answers import Verdict

START: Final = datetime(2026, 1, 1, 9, tzinfo=UTC)
RECORD: Final = MatchRecord(Ref("i", "a"), Ref("i", "b"), Verdict.NEAR, 0.7, found=moment(START))


def at(seconds: float) -> str:
    return moment(START + timedelta(seconds=seconds))


def decided(*words: tuple[str, str], pair: str = "ab") -> Decided:
    """By whom what was said of a pair, a minute apart."""
    entries = [
        {"decision": said, "by": by, "at": at(60 * place)} for place, (by, said) in enumerate(words)
    ]
    last = entries[-1]
    said = None if last["decision"] == UNDO else Decision(last["decision"])
    history = tuple(entries[:-1])
    return Decided(Ref("i", pair[0]), Ref("i", pair[1]), said, last["by"], "", last["at"], history)


words = st.lists(
    st.tuples(st.sampled_from(["ann", "ben"]), st.sampled_from([*map(str, Decision), UNDO])),
    min_size=1,
    max_size=8,
)


@given(words)
def test_one_word_of_each_reviewer_stands(said: list[tuple[str, str]]) -> None:
    found = standing(decided(*said))
    names = [entry["by"] for entry in found]
    assert len(names) == len(set(names))
    assert all(entry["decision"] != UNDO for entry in found)
    if said[-1][1] != UNDO:
        assert (found[-1]["by"], found[-1]["decision"]) == said[-1]
    undone = standing(decided(*said, ("ann", UNDO)))
    assert len(undone) <= len(found)


def test_agreement_counts_pairs_that_two_decided() -> None:
    figures = figures_of(
        [
            decided(("ann", "duplicate"), ("ben", "duplicate")),
            decided(("ann", "duplicate"), ("ben", "not-duplicate"), pair="ac"),
            decided(("ann", "duplicate"), ("ann", UNDO), ("ben", "duplicate"), pair="ad"),
            decided(("", "duplicate"), ("ben", "not-duplicate"), pair="ae"),
            decided(("ann", "not-duplicate"), ("ann", "duplicate"), pair="af"),
            decided(("ann", "duplicate"), ("ann", UNDO), pair="ag"),
        ],
        at(60),
        left=7,
        held=2,
    )
    assert (figures.decided, figures.twice, figures.agreed, figures.agreement) == (5, 2, 1, 0.5)
    assert [each.second.id for each in figures.disagreements] == ["c"]
    assert [(each.reviewer, each.decisions) for each in figures.reviewers] == [
        ("ben", 4),
        ("ann", 3),
        ("", 1),
    ]
    assert figures.since == 5
    assert [(each.hour, each.decisions) for each in figures.hours] == [(at(0), 5)]
    assert (figures.left, figures.held) == (7, 2)


def test_pace_leaves_pauses_out() -> None:
    work = [at(second) for second in (0, 30, 60, 60 + PAUSE, 90 + PAUSE)]
    assert pace(work) == pytest.approx(120)
    assert pace(work[:1]) is None
    assert pace([at(0), at(0)]) is None


@given(st.floats(0, 1), st.floats(0, 1))
def test_doubt_falls_with_similarity_and_grows_with_causes(one: float, other: float) -> None:
    low, high = sorted((one, other))
    plain = replace(RECORD, similarity=low)
    assert (
        doubt_of(plain, STANDARD).doubt >= doubt_of(replace(plain, similarity=high), STANDARD).doubt
    )
    facts, form = replace(plain, facts="differ"), replace(plain, facts="differ", template=True)
    found = [doubt_of(each, STANDARD) for each in (plain, facts, form)]
    assert [each.cause for each in found] == [Cause.THRESHOLD, Cause.FACTS, Cause.TEMPLATE]
    assert found[0].doubt < found[1].doubt < found[2].doubt
    assert 0 <= found[0].doubt <= 1
