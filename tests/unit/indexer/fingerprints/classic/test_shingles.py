"""Exact shingle sets: the printed slices, Jaccard and containment against plain sets."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.fingerprints.classic.shingles import Shingles, jaccard
from indexer.text import Streams, prepare_all
from indexer.text.hashing import Hashes, shared, shingle_hashes
from mappings.plan import CHARACTERS, STANDARD, Plan
from mappings.plan.parts import ShinglesPlan
from tests.texts import LAW, LIBRARY, METRO, ORCHARD

SENTENCE = "海量数据全文除重有什么好的办法呢?"
SLICES = [
    "海量数据全", "量数据全文", "数据全文除", "据全文除重", "全文除重有", "文除重有什",
    "除重有什么", "重有什么好", "有什么好的", "什么好的办", "么好的办法", "好的办法呢", "的办法呢?",
]  # fmt: skip

WORDS = replace(STANDARD, shingles=ShinglesPlan(units="words"))

sets_of_numbers = st.sets(st.integers(0, 40), max_size=30)


def codes(text: str) -> Hashes:
    return np.array(list(map(ord, text)), np.uint64)


def values(plan: Plan, *texts: str, spaced: bool = False) -> list[Hashes]:
    return Shingles(plan).values(Streams(prepare_all(texts, plan), plan, spaced))


def as_value(numbers: set[int]) -> Hashes:
    return np.array(sorted(numbers), np.uint64)


def test_the_printed_slices_of_five_characters() -> None:
    """All 13, with the one that the print leaves out."""
    made = shingle_hashes(codes(SENTENCE), 5, 7)
    assert [*made] == [shingle_hashes(codes(each), 5, 7)[0] for each in SLICES]
    assert len({*made.tolist()}) == len(SLICES) == 13


def test_punctuation_is_in_no_slice() -> None:
    (value,) = values(STANDARD, SENTENCE)
    letters = [each for each in SLICES if "?" not in each]
    seed = STANDARD.shingles.seed
    assert set(value.tolist()) == {int(shingle_hashes(codes(s), 5, seed)[0]) for s in letters}


def test_slices_of_three_words() -> None:
    """[w1..wn] has (w1,w2,w3) to (wn-2,wn-1,wn): six words, four slices."""
    base, edited, moved = values(
        WORDS, "我 喜欢 看 电视 和 电影", "我 喜欢 看 电视，和 戏剧！", "和 电影 我 喜欢 看 电视"
    )
    assert [len(value) for value in (base, edited, moved)] == [4, 4, 4]
    assert jaccard(base, edited) == 3 / 5
    assert jaccard(base, moved) == 2 / 6


def test_a_repeated_slice_counts_once() -> None:
    once, twice = values(STANDARD, "一二三四五", "一二三四五一二三四五")
    assert len(once) == 1
    assert len(twice) == 5
    assert jaccard(once, twice) == 1 / 5


def test_an_excerpt_is_contained_and_not_alike() -> None:
    whole, part, other = values(STANDARD, METRO, METRO[40:90], ORCHARD)
    assert shared(part, whole) == len(part)
    assert jaccard(whole, part) < 0.3
    assert shared(whole, other) == 0


@pytest.mark.parametrize("plan", [STANDARD, WORDS, CHARACTERS], ids=["5", "words", "characters"])
def test_scripts_with_spaces_have_wider_slices(plan: Plan) -> None:
    one, other, copy = values(plan, LIBRARY, ORCHARD, LIBRARY.upper(), spaced=True)
    scheme = Shingles(plan)
    assert scheme.similarity(one, other) < 0.02
    assert scheme.similarity(one, copy) == 1.0


def test_a_text_shorter_than_a_slice_is_one_slice() -> None:
    short, same, longer = values(STANDARD, "好", "好！", "好的")
    assert jaccard(short, same) == 1.0
    assert jaccard(short, longer) == 0.0


@given(sets_of_numbers, sets_of_numbers)
@LAW
def test_the_definitions(left: set[int], right: set[int]) -> None:
    both, either = len(left & right), len(left | right)
    one, other = as_value(left), as_value(right)
    assert jaccard(one, other) == (both / either if either else 0)
    assert shared(one, other) == both
