"""Windows of letters in any order: what a swap, an edit and the other direction leave of them."""

from __future__ import annotations

from dataclasses import replace
from math import isqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.fingerprints import fingerprint_of, fingerprints_of
from indexer.fingerprints.loose import LooseWindows, _smallest, kept, key_values, widths
from indexer.text.ragged import Ragged, bounds_of
from mappings.contract import Field
from mappings.plan import STANDARD, LoosePlan
from tests.texts import CHARACTERS, LAW, chinese, english

EVERY = LoosePlan(most=1_000, least=1_000)
"""Keeps all windows of a text."""

LETTERS = "abcdefghijklmnopqrstuvwxyz"

han = st.text(st.sampled_from(CHARACTERS), min_size=1, max_size=80)


def windows(text: str, plan: LoosePlan = EVERY, *, spaced: bool = False) -> set[int]:
    (row,) = all_windows([text], plan, spaced=spaced)
    return row


def all_windows(texts: list[str], plan: LoosePlan, *, spaced: bool = False) -> list[set[int]]:
    """Those of each text, made in one batch."""
    codes = np.array([ord(letter) for letter in "".join(texts)], np.uint64)
    rows = key_values(Ragged(codes, bounds_of([len(text) for text in texts])), spaced, plan)
    return [set(rows[at].tolist()) for at in range(len(rows))]


def keys(text: str) -> set[str]:
    return set(fingerprint_of(text, STANDARD).keys[Field.LOOSE_KEYS])


@given(han, st.integers(0, 78))
@LAW
def test_a_swap_touches_two_windows_of_each_width(text: str, at: int) -> None:
    swapped = text[:at] + text[at : at + 2][::-1] + text[at + 2 :]
    used = sum(least <= len(text) <= most for _, least, most in widths(False, EVERY))
    assert len(windows(text) - windows(swapped)) <= 2 * used


@given(han, st.booleans())
@LAW
def test_a_text_backwards_has_the_same_windows(text: str, spaced: bool) -> None:
    assert windows(text, spaced=spaced) == windows(text[::-1], spaced=spaced)


@given(st.data(), st.integers(6, 14))
@LAW
def test_a_short_text_with_one_edit_shares_a_key(data: st.DataObject, length: int) -> None:
    """What the guarantee of an answer promises."""
    chinese = data.draw(st.booleans())
    letter = st.sampled_from(CHARACTERS if chinese else LETTERS)
    text = data.draw(st.text(letter, min_size=length, max_size=length))
    at = data.draw(st.integers(0, length - 1))
    other = text[:at] + data.draw(letter) + text[at + 1 :]
    assert windows(text, STANDARD.loose, spaced=not chinese) & windows(
        other, STANDARD.loose, spaced=not chinese
    )


@pytest.mark.parametrize("length", range(8, 60))
def test_a_letter_more_or_less_shares_a_key_at_every_length(length: int) -> None:
    """Also where texts on either side of a length have windows of different widths."""
    for make, characters, spaced in ((chinese, 200, False), (english, 60, True)):
        for seed in range(20):
            text = "".join(filter(str.isalpha, make(characters, seed)))[:length]
            shorter = [text[:at] + text[at + 1 :] for at in range(0, length, 5)]
            own, *others = all_windows([text, *shorter], STANDARD.loose, spaced=spaced)
            assert all(own & other for other in others)


def test_windows_of_letters_are_left_out_of_chinese() -> None:
    """Any two texts on Linux have the letters of its name."""
    first, second = chinese(40, 1), chinese(40, 2)
    assert not keys(f"{first}linuxlinux{first}") & keys(f"{second}linuxlinux{second}")
    assert keys("linux内核") & keys("linux内核")  # where there is nothing else, they stay


def test_how_many_keys_a_text_has() -> None:
    plan = STANDARD.loose
    counts = kept(np.arange(1, 20_000), False, plan).tolist()
    assert counts == sorted(counts, reverse=True)
    assert counts[599] == isqrt(plan.most**2 * plan.full // 600) == 6
    assert (counts[0], counts[-1]) == (plan.most, plan.least)
    assert len(keys(chinese(1_400, 1))) <= 4
    assert len(keys(chinese(60, 1))) == plan.most
    assert keys("好") and keys("ok")


def test_a_text_has_the_same_keys_in_any_batch() -> None:
    texts = [chinese(length, length) for length in (1, 5, 9, 14, 15, 21, 60, 700)]
    texts += [english(words, words) for words in (1, 3, 8, 20, 300)]
    texts += ["哈" * 500, "好" + "ab" * 300, "linux", "哈哈呵" * 90 + chinese(90, 1)]
    for made, text in zip(fingerprints_of(texts, STANDARD), texts, strict=True):
        assert made.keys[Field.LOOSE_KEYS] == fingerprint_of(text, STANDARD).keys[Field.LOOSE_KEYS]


def test_the_seed_and_the_widths_count() -> None:
    text = "今天下午两点在人民广场集合出发"
    assert not windows(text) & windows(text, replace(EVERY, seed=10))
    assert not windows(text) & windows(text, replace(EVERY, middle_window=5, window=7))


def test_a_plan_may_leave_lengths_without_windows() -> None:
    plan = replace(STANDARD.loose, short=5)
    assert windows("短句子就是这样的", plan) == set()
    codes = np.array([ord(letter) for letter in "短句子就是这样的" * 3], np.uint64)
    rows = key_values(Ragged(codes, np.array([0, 8, 24])), False, plan)
    assert [len(rows[0]), len(rows[1]) > 0] == [0, True]


def test_the_share_of_a_sample() -> None:
    scheme = LooseWindows(STANDARD.loose)
    left, right = np.array([1, 2, 3], np.uint64), np.array([2, 3, 4, 5], np.uint64)
    assert scheme.similarity(left, right) == pytest.approx(2 / 3)
    assert scheme.similarity(left, left) == 1
    assert scheme.similarity(left[:0], right) == 0


def test_the_highest_hash_is_kept_as_any_other() -> None:
    """In NumPy, where a bound is a fraction: one that lets everything pass has no room for it."""
    highest = np.array([(1 << 64) - 1], np.uint64)
    found, owners = _smallest(highest, np.array([0]), np.array([3]))
    assert (found.tolist(), owners.tolist()) == (highest.tolist(), [0])
