"""What the screen of candidate pairs lets through: all near duplicates, and few others."""

from __future__ import annotations

import random
from itertools import combinations

import numpy as np
import pytest

from indexer.fingerprints.key_rows import key_rows
from mappings.contract import Field
from mappings.plan import STANDARD
from query.key_join import Candidates
from query.near_screen import NearScreen
from tests.texts import LIBRARY, ORCHARD, TEA, english

FIELDS = frozenset({Field.SIMHASH_KEYS})


def screen_of(texts: list[str]) -> NearScreen:
    rows = key_rows(texts, STANDARD, FIELDS, True)
    return NearScreen(STANDARD, rows.sketched, rows.simhashes, rows.lengths)


def passed(texts: list[str]) -> list[bool]:
    """For each pair of texts whether it is worth reading."""
    first, second = map(np.array, zip(*combinations(range(len(texts)), 2), strict=True))
    ones = np.ones(len(first), np.int64)
    mask = screen_of(texts).could_be_near(Candidates(first, second, ones, 0 * ones))
    return [bool(each) for each in mask]


def han(count: int, seed: int) -> str:
    return "".join(map(chr, random.Random(seed).choices(range(0x4E00, 0x5600), k=count)))


def edited(text: str, every: int) -> str:
    return "".join("某" if at % every == 3 else letter for at, letter in enumerate(text))


def swapped(text: str, every: int) -> str:
    letters = list(text)
    for at in range(1, len(letters) - 1, every):
        letters[at], letters[at + 1] = letters[at + 1], letters[at]
    return "".join(letters)


def masked(text: str, every: int) -> str:
    return "".join("*" if at % every == 2 else letter for at, letter in enumerate(text))


@pytest.mark.parametrize("length", [80, 200, 500, 1_500])
@pytest.mark.parametrize("seed", range(5))
def test_edits_and_disguises_pass(length: int, seed: int) -> None:
    text = han(length, seed)
    for copy in (edited(text, 9), edited(text, 20), swapped(text, 5), masked(text, 6)):
        assert passed([text, copy]) == [True]


@pytest.mark.parametrize("text", [LIBRARY, ORCHARD, TEA, english(400, 1)])
def test_edits_and_disguises_of_english_pass(text: str) -> None:
    for copy in (swapped(text, 8), masked(text, 9), text.replace("the", "that")):
        assert passed([text, copy]) == [True]


def test_texts_that_share_a_sentence_do_not() -> None:
    common = han(40, 99)
    texts = [common + han(260, seed) for seed in range(30)]
    assert np.mean(passed(texts)) < 0.02


def test_unrelated_english_mostly_does_not() -> None:
    assert passed([LIBRARY * 2, ORCHARD * 2]) == [False]


def test_what_is_short_or_of_another_script_is_read() -> None:
    assert passed([han(30, 1), han(300, 2)]) == [True]
    assert passed([LIBRARY, han(300, 2)]) == [True]


def test_simhashes_are_near_when_few_bits_differ() -> None:
    screen = screen_of([han(500, 1), han(500, 1) + "完", han(500, 2)])
    near = screen.simhashes_are_near(np.array([0, 0]), np.array([1, 2]))
    assert near.tolist() == [True, False]
