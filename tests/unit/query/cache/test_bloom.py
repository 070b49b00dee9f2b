"""Bloom filter: never a false no, false yes as often as theory says, files that are checked."""

from __future__ import annotations

from collections.abc import Iterator
from math import exp, sqrt
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mappings.errors import InputRefused
from query.cache.bloom import BloomFilter
from tests.texts import LAW

features = st.lists(st.binary(max_size=12), max_size=80)


def names(count: int, prefix: str) -> Iterator[bytes]:
    return (f"{prefix}{number}".encode() for number in range(count))


def theory(made: BloomFilter, added: int) -> float:
    """(1 - e^(-kn/m))^k"""
    return float((1 - exp(-made.hashes * added / made.bits)) ** made.hashes)


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
    assert made.added == len(one) + len(other)


def test_an_empty_one_says_no_to_all() -> None:
    made = BloomFilter(1_000)
    assert not made.may_contain(names(1_000, "x")).any()
    assert b"" not in made
    made.add_all([b""])
    assert b"" in made
    assert not made.may_contain(names(1_000, "x")).all()


@pytest.mark.parametrize(
    ("made", "rate", "full"),
    [
        (BloomFilter(100_000), 0.000574, 0.393),  # 8 hashes, 16 bits: .057 %, 39 % of bits set
        (BloomFilter(100_000, 8, 11.5416), 0.0039, 0.5),  # half full: .39 %
        (BloomFilter.optimal(100_000, 1 / 256), 0.0039, 0.5),
        (BloomFilter.optimal(50_000, 0.01), 0.01, 0.518),  # 7 hashes, not 6.64
        (BloomFilter(50_000, 3, 4), 0.1468, 0.5276),
    ],
    ids=["16 bits", "11.54 bits", "optimal .39 %", "optimal 1 %", "small"],
)
def test_false_positives_are_as_frequent_as_theory_says(
    made: BloomFilter, rate: float, full: float
) -> None:
    """Within four standard errors of a binomial count over a million absent features."""
    trials = 1_000_000
    made.add_all(names(made.capacity, "in "))
    assert made.is_full
    assert made.fill == pytest.approx(full, abs=0.004)
    expected = theory(made, made.capacity)
    assert expected == pytest.approx(rate, rel=0.02)
    assert made.expected_false_positive_rate == pytest.approx(expected, rel=0.02)
    found = made.may_contain(names(trials, "out ")).sum() / trials
    assert abs(found - expected) <= 4 * sqrt(expected * (1 - expected) / trials)


def test_the_optimal_size() -> None:
    """8 hashes take 11.54 bits a feature; no smaller filter of about so many holds the rate."""
    made = BloomFilter.optimal(1_000_000, 1 / 256)
    assert made.hashes == 8
    assert made.bits / made.capacity == pytest.approx(11.54, abs=0.005)
    for error in (0.3, 0.05, 0.01, 0.001, 1e-6):
        best = BloomFilter.optimal(1_000_000, error)
        assert theory(best, best.capacity) == pytest.approx(error, rel=1e-3)
        for hashes in (best.hashes - 1, best.hashes + 1):
            if hashes:
                bits = best.bits / best.capacity * 0.97
                assert theory(BloomFilter(1_000_000, hashes, bits), 1_000_000) > error


def test_sizes_of_the_source() -> None:
    """One gigabyte holds 536,870,912 features of 16 bits: ten million articles of fifty."""
    assert 1024**3 * 8 // 16 == 536_870_912
    made = BloomFilter(1_000)
    assert (made.bits, made.hashes, made.fill) == (16_000, 8, 0.0)


def test_the_order_and_the_portions_do_not_matter(tmp_path: Path) -> None:
    every = list(names(70_000, "f"))  # more than are hashed at once
    one, other = BloomFilter(70_000), BloomFilter(70_000)
    one.add_all(every)
    for start in range(0, len(every), 9_999):
        other.add_all(every[::-1][start : start + 9_999])
    one.save(tmp_path / "one")
    other.save(tmp_path / "other")
    assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()


def test_bits_are_frozen() -> None:
    """A file made today must be understood tomorrow."""
    made = BloomFilter(4, 4, 8)
    made.add_all([b"dupdex", "指纹".encode()])
    assert made._array.tobytes().hex() == "00a12a0c"


def test_through_a_file_and_back(tmp_path: Path) -> None:
    made = BloomFilter.optimal(3_000, 0.02)
    made.add_all(names(1_000, "in "))
    made.save(tmp_path / "filter")
    again = BloomFilter.load(tmp_path / "filter")
    asked = list(names(2_000, "in ")) + list(names(2_000, "out "))
    assert again.may_contain(asked).tolist() == made.may_contain(asked).tolist()
    assert (again.capacity, again.hashes, again.bits, again.added) == (
        made.capacity, made.hashes, made.bits, 1_000,
    )  # fmt: skip
    again.add_all(names(9, "more "))
    assert again.may_contain(names(9, "more ")).all()
    assert [path.name for path in tmp_path.iterdir()] == ["filter"]


@pytest.mark.parametrize("place", [0, 20, 30, 100, 120, -1])
def test_a_damaged_file_is_refused(tmp_path: Path, place: int) -> None:
    path = tmp_path / "filter"
    made = BloomFilter(100)
    made.add_all(names(100, "x"))
    made.save(path)
    content = bytearray(path.read_bytes())
    content[place] ^= 1
    path.write_bytes(bytes(content))
    with pytest.raises(InputRefused, match=r"filter is damaged or no Bloom filter of dupdex"):
        BloomFilter.load(path)


@pytest.mark.parametrize("content", [b"", b"\n\n\n", b"dupdex bloom filter 2\nx\n{}\n"])
def test_another_file_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "other"
    path.write_bytes(content)
    with pytest.raises(InputRefused, match="make it anew"):
        BloomFilter.load(path)


def test_a_cut_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "filter"
    BloomFilter(100).save(path)
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(InputRefused, match="damaged"):
        BloomFilter.load(path)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputRefused, match=r"cannot read the Bloom filter .*; check the path"):
        BloomFilter.load(tmp_path / "nothing")
    with pytest.raises(InputRefused, match=r"cannot write the Bloom filter .*; name another file"):
        BloomFilter(1).save(tmp_path / "nowhere" / "filter")


@pytest.mark.parametrize("wrong", [(0,), (1, 0), (1, 65), (1, 8, 0), (1, 8, float("nan"))])
def test_sizes_that_cannot_be_are_refused(wrong: tuple[int, ...]) -> None:
    with pytest.raises(InputRefused, match="take a capacity from 1 and 1 to 64 hashes"):
        BloomFilter(*wrong)


@pytest.mark.parametrize("error", [0, 1, -0.1, float("nan")])
def test_a_share_of_errors_that_cannot_be_is_refused(error: float) -> None:
    with pytest.raises(InputRefused, match="between 0 and 1"):
        BloomFilter.optimal(10, error)
