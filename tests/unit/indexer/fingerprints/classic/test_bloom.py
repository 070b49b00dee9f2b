"""Bloom filter: never a false no, whatever the order; bits that stay the same."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.fingerprints.classic.bloom import BloomFilter
from mappings.errors import InputRefused
from tests.texts import LAW

features = st.lists(st.binary(max_size=12), max_size=80)


def names(count: int, prefix: str) -> Iterator[bytes]:
    return (f"{prefix}{number}".encode() for number in range(count))


@given(features, features, st.integers(1, 16), st.floats(1, 20))
@LAW
def test_it_never_says_no_to_what_was_added(
    one: list[bytes], other: list[bytes], hashes: int, bits: float
) -> None:
    made = BloomFilter(20, hashes, bits)
    made.add_all(one)
    made.add_all(other)
    assert made.may_contain(one + other).all()
    assert len(made.may_contain(one)) == len(one)


def test_an_empty_one_says_no_to_all() -> None:
    made = BloomFilter(1_000)
    assert not made.may_contain(names(1_000, "x")).any()
    made.add_all([b""])
    assert made.may_contain([b""]).all()
    assert not made.may_contain(names(1_000, "x")).all()


def test_the_order_and_the_portions_do_not_matter() -> None:
    every = list(names(70_000, "f"))  # more than are hashed at once
    one, other = BloomFilter(70_000), BloomFilter(70_000)
    one.add_all(every)
    for start in range(0, len(every), 9_999):
        other.add_all(every[::-1][start : start + 9_999])
    assert one._array.tobytes() == other._array.tobytes()


def test_bits_are_frozen() -> None:
    made = BloomFilter(4, 4, 8)
    made.add_all([b"dupdex", "指纹".encode()])
    assert made._array.tobytes().hex() == "00a12a0c"


@pytest.mark.parametrize(
    ("capacity", "hashes", "bits"),
    [(0, 8, 16.0), (1, 0, 16.0), (1, 65, 16.0), (1, 8, 0.0), (1, 8, 2_000.0)],
)
def test_numbers_no_filter_can_have(capacity: int, hashes: int, bits: float) -> None:
    with pytest.raises(InputRefused, match="no Bloom filter"):
        BloomFilter(capacity, hashes, bits)
