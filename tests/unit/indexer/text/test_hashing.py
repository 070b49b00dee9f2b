"""Hashes of shingles against plain integer arithmetic; short keys; ragged rows."""

from __future__ import annotations

import base64
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.text import hashing
from indexer.text.hashing import (
    KEY_CHARACTERS,
    Hashes,
    distinct,
    mix,
    shingle_hashes,
    shingle_rows,
    spell,
)
from indexer.text.kernels import compiled
from indexer.text.ragged import Ragged, bounds_of, ragged
from tests.texts import LAW

MASK = (1 << 64) - 1
BASE = 0x9E3779B97F4A7C15

values_64 = st.integers(0, MASK)
rows_64 = st.lists(st.lists(values_64, max_size=30), min_size=1, max_size=5)


def array(values: list[int]) -> Hashes:
    return np.array(values, np.uint64)


def plain_mix(value: int) -> int:
    value = (value ^ value >> 32) * 0xFF51AFD7ED558CCD & MASK
    return value ^ value >> 29


def plain_shingles(units: list[int], width: int, seed: int) -> list[int]:
    """What `shingle_hashes` says it is, in Python's own integers."""
    if not units:
        return []
    size = min(width, len(units))
    out = []
    for start in range(len(units) - size + 1):
        total = 0
        for unit in units[start : start + size]:
            total = (total * BASE + unit) & MASK
        out.append(plain_mix(total ^ ((seed * BASE & MASK) + size & MASK)))
    return out


@given(st.lists(values_64, max_size=8))
@LAW
def test_mix_is_the_stated_arithmetic(values: list[int]) -> None:
    assert mix(array(values)).tolist() == [plain_mix(value) for value in values]


@pytest.mark.parametrize("way", [compiled, None], ids=["compiled", "numpy"])
@given(rows_64, st.integers(1, 64), st.integers(0, (1 << 32) - 1))
@LAW
def test_shingles_are_the_stated_arithmetic(
    way: ModuleType | None, rows: list[list[int]], width: int, seed: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hashing, "compiled", way)
        made = shingle_rows(ragged([array(row) for row in rows]), width, seed)
        alone = shingle_hashes(array(rows[0]), width, seed)
    assert [made[i].tolist() for i in range(len(made))] == [
        plain_shingles(row, width, seed) for row in rows
    ]
    assert alone.tolist() == made[0].tolist()


def test_shingles_of_known_values() -> None:
    """Frozen: a change here changes every stored key."""
    units = array([ord(c) for c in "海量数据全文除重"])
    assert [f"{value:016x}" for value in shingle_hashes(units, 5, 2).tolist()] == [
        "791438a5e61e478d",
        "cf7efbc8b61caa8d",
        "e744206dfdefe7c2",
        "d0a6f92ce5dc5c76",
    ]


def test_shingles_know_place_width_and_seed() -> None:
    units = array([1, 2, 3, 4])
    assert shingle_hashes(units, 2, 1).tolist() != shingle_hashes(units[::-1].copy(), 2, 1).tolist()
    assert shingle_hashes(units, 2, 1).tolist() != shingle_hashes(units, 2, 2).tolist()
    short = shingle_hashes(units[:2], 5, 1)  # a text shorter than one shingle: all it has
    assert short.tolist() == shingle_hashes(units[:2], 2, 1).tolist()


def test_the_worked_example_of_shingling() -> None:
    """Slices of five characters: 17 characters give 13, in order."""
    text = "海量数据全文除重有什么好的办法呢？"
    slices = [
        *(
            "海量数据全",
            "量数据全文",
            "数据全文除",
            "据全文除重",
            "全文除重有",
            "文除重有什",
            "除重有什么",
        ),
        *("重有什么好", "有什么好的", "什么好的办", "么好的办法", "好的办法呢", "的办法呢？"),
    ]
    made = shingle_hashes(array([ord(c) for c in text]), 5, 7)
    one_by_one = [shingle_hashes(array([ord(c) for c in part]), 5, 7)[0] for part in slices]
    assert made.tolist() == one_by_one
    assert len(set(made.tolist())) == 13


@given(st.lists(st.integers(0, 5), max_size=40))
@LAW
def test_distinct_is_the_sorted_set(values: list[int]) -> None:
    assert distinct(array(values)).tolist() == sorted(set(values))


@given(st.lists(values_64, max_size=20))
@LAW
def test_a_key_is_36_bits_of_base64url(values: list[int]) -> None:
    keys = spell(array(values))
    assert len(keys) == len(values)
    for key, value in zip(keys, values, strict=True):
        assert len(key) == KEY_CHARACTERS == 6
        digits = base64.urlsafe_b64decode("AA" + key)  # two zero digits make whole bytes
        assert int.from_bytes(digits, "big") == value & ((1 << 36) - 1)


@pytest.mark.parametrize(("characters", "bits"), [(1, 6), (3, 18), (6, 36), (10, 60)])
def test_key_length_is_chosen(characters: int, bits: int) -> None:
    top, bottom = spell(array([(1 << bits) - 1, 1 << bits]), characters)
    assert top == "_" * characters
    assert bottom == "A" * characters


# --- ragged rows


@given(rows_64, st.randoms())
@LAW
def test_ragged_selects_rows_in_the_given_order(rows: list[list[int]], order: object) -> None:
    made = ragged([array(row) for row in rows])
    chosen = list(range(len(rows)))
    assert hasattr(order, "shuffle")
    order.shuffle(chosen)
    for wanted in (chosen, chosen[:1], sorted(chosen)):
        picked = made.select(np.array(wanted))
        assert [picked[i].tolist() for i in range(len(picked))] == [rows[i] for i in wanted]


@given(rows_64)
@LAW
def test_ragged_keeps_what_a_mask_says(rows: list[list[int]]) -> None:
    made = ragged([array(row) for row in rows])
    kept = made.kept(made.values % np.uint64(2) == 0)
    assert [kept[i].tolist() for i in range(len(kept))] == [
        [value for value in row if value % 2 == 0] for row in rows
    ]
    assert made.owners.tolist() == [i for i, row in enumerate(rows) for _ in row]


def test_bounds() -> None:
    assert bounds_of([]).tolist() == [0]
    assert bounds_of([2, 0, 3]).tolist() == [0, 2, 2, 5]
    assert len(Ragged(array([]), bounds_of([0]))) == 1
