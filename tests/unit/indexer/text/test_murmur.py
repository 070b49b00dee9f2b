"""The hash of each piece of a text against mmh3's own, a call a piece."""

from __future__ import annotations

import mmh3
import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.text.murmur import piece_hashes
from indexer.text.ragged import bounds_of
from tests.texts import LAW

characters = st.characters(exclude_categories=["Cs"])
pieces_of_a_text = st.lists(st.text(characters, max_size=20), max_size=20)
seeds = st.integers(0, (1 << 32) - 1)


def hashed(pieces: list[str], seed: int) -> list[int]:
    made: list[int] = piece_hashes(
        "".join(pieces), bounds_of(list(map(len, pieces))), seed
    ).tolist()
    return made


def one_by_one(pieces: list[str], seed: int) -> list[int]:
    return [mmh3.hash64(piece.encode(), seed, True, signed=False)[0] for piece in pieces]


@given(pieces_of_a_text, seeds)
@LAW
def test_each_is_mmh3s(pieces: list[str], seed: int) -> None:
    assert hashed(pieces, seed) == one_by_one(pieces, seed)


@pytest.mark.parametrize("letter", ["a", "é", "字", "𠀀"], ids=["1", "2", "3", "4"])
def test_every_length_around_a_block(letter: str) -> None:
    """Of letters of one to four bytes; 16 bytes make a block."""
    pieces = [letter * size for size in range(40)]
    assert hashed(pieces, 1) == one_by_one(pieces, 1)


def test_known_values() -> None:
    """Frozen: the stored simhashes are made of these."""
    assert [f"{value:016x}" for value in hashed(["地铁", "", "metro"], 1)] == [
        "bd394a64e6e803fb",
        "4610abe56eff5cb5",
        "928fae18f6f39648",
    ]
