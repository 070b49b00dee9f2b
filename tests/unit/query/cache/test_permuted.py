"""Permuted tables: exact against brute force, the published arithmetic against a count."""

from __future__ import annotations

import random
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.fingerprints.simhash import hamming
from mappings.errors import InputRefused
from mappings.plan import SimhashPlan
from query.cache.permuted import PermutedTables
from scripts.simhash_tables import CLAIMED_AT, LAYOUTS, counted, expected, report
from tests.texts import LAW

layouts = st.sampled_from([(4, 1), (5, 2), (6, 3), (6, 2), (2, 1), (8, 7)])


def near(value: int, flips: int, bits: int, choose: random.Random) -> int:
    for bit in choose.sample(range(bits), flips):
        value ^= 1 << bit
    return value


def crowd(size: int, bits: int, seed: int) -> tuple[list[int], int]:
    """A value and others around it, at 0 to 6 bits and anywhere."""
    choose = random.Random(seed)
    centre = choose.getrandbits(bits)
    values = [near(centre, choose.randrange(7), bits, choose) for _ in range(size // 2)]
    values += [choose.getrandbits(bits) for _ in range(size - size // 2)]
    choose.shuffle(values)
    return values, centre


def by_brute_force(values: list[int], asked: int, limit: int) -> list[tuple[str, int]]:
    found = [(str(row), hamming(value, asked)) for row, value in enumerate(values)]
    return sorted((f for f in found if f[1] <= limit), key=lambda f: (f[1], int(f[0])))


@given(layouts, st.sampled_from([32, 64]), st.integers(0, 300), st.integers(0, 10**6))
@LAW
def test_it_finds_what_brute_force_finds(
    layout: tuple[int, int], bits: int, size: int, seed: int
) -> None:
    tables = PermutedTables(*layout, bits=bits)
    values, centre = crowd(size, bits, seed)
    for row, value in enumerate(values):
        tables.add(str(row), value)
    for limit in range(tables.reach + 1):
        assert tables.find(centre, limit) == by_brute_force(values, centre, limit)


@pytest.mark.parametrize("bits", [32, 64])
@pytest.mark.parametrize("layout", [(4, 1), (5, 2), (6, 3), (7, 3)])
def test_it_does_so_before_and_after_values_are_sorted_in(
    layout: tuple[int, int], bits: int
) -> None:
    tables = PermutedTables(*layout, bits=bits)
    values, centre = crowd(5_000, bits, seed=7)
    done = 0
    for size in (1, 1_022, 1, 1, 975, 3_000):
        tables.add_all((str(row), values[row]) for row in range(done, done + size))
        done += size
        assert len(tables) == done
        expected_now = by_brute_force(values[:done], centre, tables.reach)
        assert tables.find(centre) == expected_now
        assert tables.find(values[0], 0)[0][0] == "0"
    assert len(expected_now) > 500


def test_the_ends_of_the_range_are_found() -> None:
    tables = PermutedTables(5, 2)
    top = (1 << 64) - 1
    tables.add_all([("top", top), ("zero", 0)] + [(f"{n}", n << 30) for n in range(2_000)])
    assert tables.find(top, 0) == [("top", 0)]
    assert tables.find(top ^ 0b111) == [("top", 3)]
    assert ("zero", 1) in tables.find(1, 1)


def test_a_pair_beyond_reach_may_be_missed_so_it_is_not_asked_for() -> None:
    """Four differing bits, one in each block: no table has the two side by side."""
    tables = PermutedTables()
    values = [1 | 1 << 16 | 1 << 32 | 1 << 48, *(random.Random(1).getrandbits(64),) * 2_000]
    tables.add_all((str(row), value) for row, value in enumerate(values))
    assert tables.candidates([0]) == [0]
    assert tables.find(0, 3) == []
    with pytest.raises(InputRefused, match="up to 3 bits away, not 4; make them with more blocks"):
        tables.find(0, 4)


@pytest.mark.parametrize(
    ("arguments", "wrong"),
    [((4, 4), "4 blocks, choose 4"), ((9, 1), "9 blocks"), ((4, 1, 16), "of 16 bits")],
)
def test_a_layout_that_cannot_be_is_refused(arguments: tuple[int, ...], wrong: str) -> None:
    with pytest.raises(InputRefused, match=wrong):
        PermutedTables(*arguments)


def test_a_value_of_more_bits_is_refused() -> None:
    with pytest.raises(InputRefused, match="no value of 32 bits"):
        PermutedTables(bits=32).add("x", 1 << 32)


# --- candidates per lookup


def test_the_published_figures() -> None:
    """4 x 2^30 / 2^16 = 65,536; more tables leave a few hundred, and a handful."""
    at_claim = [expected(SimhashPlan(*layout), CLAIMED_AT) for layout in LAYOUTS]
    assert at_claim[0] == 65_536
    assert at_claim[1] == pytest.approx(211, rel=0.1)
    assert at_claim[2] == pytest.approx(5, rel=0.1)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_as_many_candidates_are_counted_as_the_arithmetic_says(layout: tuple[int, int]) -> None:
    """Within four standard errors of the count."""
    values, lookups = 1 << 16, 200_000
    plan = SimhashPlan(*layout)
    found = counted(plan, values, lookups)
    mean = sum(found) / lookups
    error = sqrt(sum((count - mean) ** 2 for count in found)) / lookups
    assert mean > 0
    assert abs(mean - expected(plan, values)) <= 4 * error


def test_the_report_has_a_line_for_each_layout() -> None:
    lines = report(2_048, 20, 64).splitlines()
    assert [line.split()[0] for line in lines] == ["layout", "4", "5", "6"]
    assert "65,536.0" in lines[1]
