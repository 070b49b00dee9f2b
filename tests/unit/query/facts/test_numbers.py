"""Numbers in the same place of two texts: those that agree, and those that stand for others."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mappings.plan import STANDARD
from query.facts.align import Block, blocks
from query.facts.fact_reading import Reading
from query.facts.numbers import Pair, in_place
from query.facts.scan import NUMBER_MARK, Wording
from tests.texts import features_of

_WORDS = "市政府计划明年修建新的图书馆并且扩大公园面积"


def _wording(text: str) -> Wording:
    return Reading.of(features_of(text, STANDARD)).bare


def _found(asked: str, stored: str) -> tuple[list[Pair], int]:
    left, right = _wording(asked), _wording(stored)
    return in_place(left, right, blocks(left.sounds, right.sounds, spaced=False))


@pytest.mark.parametrize(
    ("asked", "stored", "apart", "agreed"),
    [
        ("全长35公里，共设12站", "全长35公里，共设12站", [], 2),
        ("全长35公里，共设12站", "全长36公里，共设12站", [(0, 0)], 1),
        ("全长35公里，共设12站", "全长36公里，共设13站", [(0, 0), (1, 1)], 0),
        ("全长公里，共设站", "全长公里，共设站", [], 0),
        ("35", "36", [], 0),
    ],
)
def test_numbers_in_the_same_place(asked: str, stored: str, apart: list[Pair], agreed: int) -> None:
    assert _found(asked, stored) == (apart, agreed)


def test_numbers_of_a_block_without_words_are_not_told_apart() -> None:
    left, right = _wording("高35米"), _wording("宽36米")
    assert in_place(left, right, [Block(1, 2, 1)]) == ([], 0)


@given(st.lists(st.integers(1, 99), min_size=1, max_size=9))
def test_words_are_all_that_is_no_number(numbers: list[int]) -> None:
    text = "".join(f"{_WORDS[at]}{number}" for at, number in enumerate(numbers))
    found = _wording(text)
    words = {*found.words.tolist()}
    assert words.isdisjoint(found.at) and words.union(found.at) == {*range(len(found.sounds))}
    assert [int(found.sounds[at]) for at in found.at] == [NUMBER_MARK] * len(found.facts)
    assert [int(found.places[at]) for at in found.at] == [fact.start for fact in found.facts]
