"""Passages of a chapter in a page: unions of intervals, runs put together, what counts."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupdex.works.passages_between import (
    ALONE,
    Compared,
    compared,
    covered,
    joined,
    letters_of,
    overlap,
    union,
)
from dupdex.works.work_model import Passage
from mappings.plan import STANDARD
from query.answers import Verdict
from tests.texts import LAW, LIBRARY, METRO, METRO_HOMOPHONES, ORCHARD, TEA, chinese

LENGTH = 60
RANGES = st.lists(st.tuples(st.integers(0, LENGTH), st.integers(0, LENGTH)))


@LAW
@given(RANGES)
def test_a_union_has_the_same_characters_once(ranges: list[tuple[int, int]]) -> None:
    found = union(ranges)
    inside = {at for start, stop in ranges for at in range(start, stop)}
    assert [at for start, stop in found for at in range(start, stop)] == sorted(inside)
    assert all(one[1] < other[0] for one, other in pairwise(found))
    assert union(found) == found


@LAW
@given(RANGES, RANGES)
def test_coverage_grows_with_ranges(
    some: list[tuple[int, int]], more: list[tuple[int, int]]
) -> None:
    letters = letters_of("字，" * (LENGTH // 2))
    both = covered([*some, *more], letters)
    assert max(covered(some, letters), covered(more, letters)) <= both <= 1.0
    assert both <= covered(some, letters) + covered(more, letters) + 1e-9
    assert covered([(0, LENGTH)], letters) == 1.0


@LAW
@given(st.tuples(st.integers(0, LENGTH), st.integers(0, LENGTH)), RANGES)
def test_overlap_counts_characters(one: tuple[int, int], others: list[tuple[int, int]]) -> None:
    apart = union(others)
    inside = {at for start, stop in apart for at in range(start, stop)}
    assert overlap(one, apart) == len(inside & set(range(*one)))


def test_nothing_covers_nothing() -> None:
    assert covered([], letters_of("")) == 0.0
    assert covered([(0, 3)], letters_of("，。！")) == 0.0


def test_runs_are_joined_over_small_gaps_only() -> None:
    runs = [
        Passage((0, 20), (100, 120), 20),
        Passage((25, 50), (130, 155), 25),  # follows
        Passage((400, 430), (160, 190), 30),  # follows in the page alone
        Passage((60, 90), (160, 190), 30),  # follows
        Passage((95, 120), (500, 525), 25),  # follows in the chapter alone
    ]
    assert joined(runs, 40) == [
        Passage((0, 90), (100, 190), 75),
        Passage((400, 430), (160, 190), 30),
        Passage((95, 120), (500, 525), 25),
    ]
    assert joined(reversed(runs), 40) == joined(runs, 40)
    assert len(joined(runs, 5)) == 5
    assert joined([], 40) == []


def found(chapter: str, page: str) -> tuple[Compared, tuple[Passage, ...]]:
    pair = compared("work/chapter", chapter, page, STANDARD)
    return pair, pair.passages()


@pytest.mark.parametrize("chapter", [METRO, TEA, LIBRARY])
def test_a_copy_is_one_passage(chapter: str) -> None:
    pair, passages = found(chapter, chapter)
    finding = pair.finding(passages, chapter, 0)
    assert (finding.verdict, finding.share, finding.page_share) == (Verdict.EXACT, 1.0, 1.0)
    assert len(passages) == 1


def test_sounds_are_passages_too() -> None:
    pair, passages = found(METRO, METRO_HOMOPHONES)
    assert (pair.verdict, len(passages)) == (Verdict.NEAR, 1)


def test_edits_all_over_stay_one_passage() -> None:
    drawn, text = random.Random(3), list(chinese(1_500, 8))
    for at in range(5, len(text), 15):
        text[at] = drawn.choice("龘靐齉爩鱻麤")
    pair, passages = found(chinese(1_500, 8), "".join(text))
    finding = pair.finding(passages, "".join(text), 0)
    assert pair.verdict is Verdict.NEAR
    assert finding.share > 0.95
    assert len(passages) <= 2


@pytest.mark.parametrize(
    ("length", "is_found"), [(60, False), (ALONE + 25, True), (120, True), (400, True)]
)
def test_small_parts_of_long_texts(length: int, is_found: bool) -> None:
    chapter, page = chinese(6_000, 5), chinese(5_000, 6)
    page = page[:2_000] + chapter[3_000 : 3_000 + length] + page[2_000:]
    pair, passages = found(chapter, page)
    assert pair.verdict is None
    assert bool(passages) is is_found
    if is_found:
        (passage,) = passages
        assert passage.chapter == pytest.approx((3_000, 3_000 + length), abs=3)
        assert passage.page == pytest.approx((2_000, 2_000 + length), abs=3)


@pytest.mark.parametrize("spaced", [False, True])
def test_a_chapter_that_a_page_has_twice(spaced: bool) -> None:
    if spaced:
        chapter, rest = (" ".join(f"w{seed}x{at}" for at in range(150)) for seed in (1, 2))
    else:
        chapter, rest = chinese(900, 21), chinese(700, 22)
    page = f"{chapter}\n{rest}\n{chapter}\n{chapter[300:]}"
    pair, passages = found(chapter, page)
    finding = pair.finding(passages, page, 0)
    third = len(page) - len(chapter) + 300
    assert [passage.page[0] for passage in passages] == pytest.approx(
        [0, len(chapter) + len(rest) + 2, third], abs=6
    )
    assert finding.share == pytest.approx(1.0)
    assert finding.page_share == pytest.approx(1 - len(rest) / len(page), abs=0.02)
    for begin, stop in (passage.page for passage in passages):
        assert page[begin : begin + 40] in chapter
        assert page[stop - 40 : stop] in chapter


def test_a_saying_that_recurs_is_no_second_copy() -> None:
    chapter, rest = chinese(900, 21), chinese(700, 22)
    page = chapter + rest + chapter[300:340] + rest
    assert len(found(chapter, page)[1]) == 1


def test_unrelated_texts_share_nothing() -> None:
    for chapter, page in ((METRO, TEA), (LIBRARY, ORCHARD), (chinese(3_000, 1), chinese(3_000, 2))):
        assert found(chapter, page)[1] == ()


def test_what_is_taken_counts_no_more() -> None:
    chapter, note = chinese(1_000, 11), chinese(200, 12)
    page = chapter + note
    pair = compared("work/chapter", chinese(1_000, 13) + note, page, STANDARD)
    assert len(pair.passages()) == 1
    assert pair.passages([(0, 1_000)]) == pair.passages()
    assert pair.passages([(900, 1_200)]) == ()


def test_a_part_of_a_page_is_placed_in_the_whole() -> None:
    page = TEA * 3 + METRO
    pair, passages = found(METRO, page[3 * len(TEA) - 50 :])
    finding = pair.finding(passages, page, 3 * len(TEA) - 50)
    assert finding.passages[0].page == pytest.approx((3 * len(TEA), len(page)), abs=2)
    assert finding.page_share == pytest.approx(len(METRO) / len(page), abs=0.02)
