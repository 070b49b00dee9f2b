"""Longest common subsequence: the printed example, and plain definitions."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.fingerprints.classic import lcs
from indexer.fingerprints.classic.lcs import Lcs, subsequence_length
from indexer.text import Streams, prepare_all
from mappings.plan import STANDARD
from tests.texts import LAW, METRO, METRO_TRADITIONAL, TEA, chinese

short = st.text("甲乙丙a", max_size=25)


def length_by_table(left: str, right: str) -> int:
    """The textbook table."""
    row = [0] * (len(right) + 1)
    for letter in left:
        before = row
        row = [0]
        for place, other in enumerate(right):
            row.append(before[place] + 1 if letter == other else max(before[place + 1], row[-1]))
    return row[-1]


def edited(text: str, every: int, seed: int) -> str:
    choose = random.Random(seed)
    letters = list(text)
    for place in range(choose.randrange(every), len(letters), every):
        letters[place] = chr(choose.randrange(0x4E00, 0x9FA5))
    return "".join(letters)


def test_the_printed_example() -> None:
    """abcabba and cbabac have four letters in common: caba, or cbba."""
    assert subsequence_length("abcabba", "cbabac") == 4


@given(short, short)
@LAW
def test_the_subsequence(left: str, right: str) -> None:
    expected = length_by_table(left, right)
    assert subsequence_length(left, right) == subsequence_length(right, left) == expected


@pytest.mark.parametrize("every", [5, 15, 20, 25, 80])
def test_the_subsequence_of_texts_much_alike(every: int) -> None:
    left = chinese(300, every)
    right = edited(left, every, 1)[:-2]
    assert subsequence_length(left, right) == length_by_table(left, right)


# --- long texts, which are cut


LONG = chinese(30_000, 5)


@pytest.mark.parametrize("every", [10, 50, 1_000])
def test_a_long_text_with_edits_loses_nothing_by_the_cuts(
    every: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = edited(LONG, every, every)
    added = chinese(7_000, 6) + other  # everything stands elsewhere
    found = [subsequence_length(LONG, text) for text in (other, added)]
    assert found == [subsequence_length(text, LONG) for text in (other, added)]
    monkeypatch.setattr(lcs, "LONG", 1 << 40)
    exact = [subsequence_length(LONG, text) for text in (other, added)]
    for bound, whole in zip(found, exact, strict=True):
        assert 0.998 * whole <= bound <= whole


def test_parts_are_bounded_where_nothing_is_shared() -> None:
    left, right = "甲乙" * 15_000, "丙丁" * 9_000
    cuts = lcs._cuts(left, right)
    assert (cuts[0], cuts[-1]) == ((0, 0), (len(left), len(right)))
    for one, other in pairwise(cuts):
        assert 0 <= other[0] - one[0] <= 4_000
        assert 0 <= other[1] - one[1] <= 4_000
    assert subsequence_length(left, right) == 0


def test_an_equal_long_text_is_equal_even_without_anchors() -> None:
    text = "重复" * 20_000
    assert subsequence_length(text, text) == len(text)


# --- the scheme


def test_similarity_is_over_folded_letters() -> None:
    texts = [METRO, METRO_TRADITIONAL, METRO.replace("地铁", ""), TEA]
    scheme = Lcs(STANDARD)
    one, traditional, shorter, other = scheme.values(
        Streams(prepare_all(texts, STANDARD), STANDARD, False)
    )
    assert scheme.similarity(one, traditional) == 1.0
    assert scheme.similarity(one, shorter) == 2 * len(shorter) / (len(one) + len(shorter))
    assert scheme.similarity(one, other) < 0.3
    assert scheme.terms([one]) == [()]
