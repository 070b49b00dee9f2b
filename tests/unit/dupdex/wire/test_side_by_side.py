"""Texts in chunks, with every part where it stands in the text, and maps that fit."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupdex.wire.side_by_side import Side, cuts_of, side_of
from indexer.meant.meant import Meant
from mappings.plan import STANDARD
from query.explain.explanation import Explanation, Subject, explain
from tests.texts import METRO, chinese

CHUNKED = 10_000
LONG = "".join(f"{chinese(300, seed)}\n" for seed in range(50))


def explained(left: str, right: str) -> Explanation:
    return explain(Subject(left), Subject(right), STANDARD)


def text_of(side: Side) -> str:
    return "".join(part.text for chunk in side.chunks for piece in chunk for part in piece.parts)


@given(st.text(st.sampled_from("甲乙。\n .x"), max_size=300), st.integers(1, 200))
def test_cuts_rise_and_leave_no_chunk_too_long(text: str, times: int) -> None:
    whole = text * times
    cuts = cuts_of(whole)
    places = [0, *cuts, len(whole)]
    assert cuts == sorted(set(cuts))
    if len(whole) <= CHUNKED:
        assert cuts == []
    else:
        sizes = [stop - start for start, stop in pairwise(places)]
        assert min(sizes) > 0 and max(sizes) <= 4_000


def test_a_chunk_ends_with_a_line_where_there_is_one() -> None:
    cuts = cuts_of(LONG)
    assert len(cuts) > 3
    assert all(LONG[cut - 1] == "\n" for cut in cuts)
    sentences = LONG.replace("\n", "")
    assert all(sentences[cut - 1] in "。！？" for cut in cuts_of(sentences))


@pytest.mark.parametrize("left", [METRO, LONG, LONG.replace("\n", ""), "x" * 30_000, ""])
def test_chunks_hold_the_text_to_the_letter(left: str) -> None:
    if not left:
        made = replace(explained(METRO, METRO), meant=(Meant.given(""), Meant.given(METRO)))
        made = replace(made, passages=replace(made.passages, passages=(), found=0))
        assert side_of(made, 0).chunks == [[]]
        return
    made = explained(left, left + METRO)
    for at, text in enumerate((left, left + METRO)):
        side = side_of(made, at)
        assert text_of(side) == text
        assert len(side.chunks) == len(cuts_of(text)) + 1


def test_a_passage_over_several_chunks_has_one_id() -> None:
    side = side_of(explained(LONG, LONG), 0)
    pieces = [piece for chunk in side.chunks for piece in chunk if piece.number]
    assert len(pieces) > 3
    assert [piece.goes_on for piece in pieces] == [False] + [True] * (len(pieces) - 1)


def test_facts_are_parts_of_either_text() -> None:
    other = METRO.replace("十五日", "十六日").replace("十七座", "十九座")
    made = explained(METRO, other)
    assert len(made.fact_places) == len(made.facts_differ or ()) == 2
    for fact, places in zip(made.facts_differ or (), made.fact_places, strict=True):
        assert METRO[places[0].start : places[0].stop] == fact.asked
        assert other[places[1].start : places[1].stop] == fact.stored
    for at, wanted in enumerate(({1: "十五日", 2: "十七"}, {1: "十六日", 2: "十九"})):
        found: dict[int, str] = {}
        for chunk in side_of(made, at).chunks:
            for part in (part for piece in chunk for part in piece.parts):
                if part.fact:
                    found[part.fact] = found.get(part.fact, "") + part.text
        assert found == wanted


def test_maps_stay_within_their_frame() -> None:
    made = explained(LONG + METRO, METRO + LONG[:3_000])
    for at in (0, 1):
        side = side_of(made, at)
        assert len(side.passages) == len(made.passages.passages) > 1
        for mark in (*side.passages, *side.facts):
            assert mark.top >= 0
            assert mark.height >= 4
            assert mark.top + mark.height <= 1_000.2
