"""Simhash: the worked example, the sign rule, and the pigeonhole of the block keys."""

from __future__ import annotations

import hashlib
import random
from dataclasses import replace
from math import sqrt

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.fingerprints import fingerprint_of
from indexer.fingerprints.simhash import Simhash, block_keys, choices_of, hamming, simhashes
from indexer.text.hashing import Hashes
from indexer.text.ragged import Ragged, ragged
from indexer.text.segment import segmenter
from mappings.plan import STANDARD, SimhashPlan
from query.guarantee import simhash_recall
from tests.texts import LAW, METRO

LAYOUTS = [(4, 1), (5, 2), (6, 3), (6, 2), (7, 3)]

values_64 = st.integers(0, (1 << 64) - 1)
features_of_text = st.lists(st.tuples(values_64, st.integers(1, 9)), max_size=30)


def simhash(features: list[int], weights: list[int] | None = None) -> int:
    rows: Ragged[np.uint64] = ragged([np.array(features, np.uint64)])
    each = None if weights is None else np.array(weights, np.int64)
    return int(simhashes(rows, each)[0])


def by_signs(features: list[tuple[int, int]]) -> int:
    """The definition: add the weight where a bit is set, subtract it where not; sign it."""
    out = 0
    for bit in range(64):
        total = sum(weight if value >> bit & 1 else -weight for value, weight in features)
        out |= (total > 0) << bit
    return out


# --- worked examples


def test_the_six_bit_example() -> None:
    """America(4) 100101 and "Area 51"(5) 101011 add up to 9 -9 1 -1 1 9, which is 101011."""
    america, area = 0b100101, 0b101011
    sums = [
        sum(weight if value >> bit & 1 else -weight for value, weight in ((america, 4), (area, 5)))
        for bit in reversed(range(6))
    ]
    assert sums == [9, -9, 1, -1, 1, 9]
    assert simhash([america, area], [4, 5]) == 0b101011
    assert simhash([america, area], [5, 4]) == 0b100101


def test_the_six_bit_example_from_its_words() -> None:
    """The whole sentence of the source: 5 levels of weight, made-up hashes for the other words."""
    levels = (4, 5, 3, 1, 2, 1, 3, 5, 1, 3, 4, 5)
    choose = random.Random(2)
    hashes = [0b100101, 0b101011, *(choose.getrandbits(6) for _ in levels[2:])]
    assert simhash(hashes, list(levels)) == by_signs(list(zip(hashes, levels, strict=True)))
    assert simhash(hashes[:2], list(levels[:2])) == 0b101011


def test_the_same_by_random_hyperplanes() -> None:
    """A hash is a row of signs, so each bit says on which side of a hyperplane the text lies."""
    weights = (4, 5)
    planes = [(1, 1), (-1, -1), (-1, 1), (1, -1), (-1, 1), (1, 1)]
    products = [sum(w * r for w, r in zip(weights, plane, strict=True)) for plane in planes]
    assert products == [9, -9, 1, -1, 1, 9]
    features = [
        sum((plane[feature] > 0) << bit for bit, plane in enumerate(reversed(planes)))
        for feature in (0, 1)
    ]
    assert simhash(features, list(weights)) == 0b101011


def test_the_rule_of_one_position_per_feature_tells_nothing() -> None:
    """The slides' variant (+1 at hash mod 32, -1 elsewhere) gives zero for nearly every text;
    the rule used here does not.
    """
    choose = random.Random(1)
    for count in (10, 50, 200, 500) * 50:
        hashes = [choose.getrandbits(64) for _ in range(count)]
        sums = [sum(1 if value % 32 == bit else -1 for value in hashes) for bit in range(32)]
        assert not any(total > 0 for total in sums)
        assert 12 <= simhash(hashes).bit_count() <= 52


@pytest.mark.parametrize(
    ("left", "right", "distance"),
    [
        (0b1011101, 0b1001001, 2),
        (0b11101, 0, 4),  # the Hamming weight
        (0, (1 << 64) - 1, 64),
        (7, 7, 0),
    ],
)
def test_hamming(left: int, right: int, distance: int) -> None:
    assert hamming(left, right) == hamming(right, left) == distance


# --- laws


@given(features_of_text)
@LAW
def test_it_is_the_sign_of_exact_sums(features: list[tuple[int, int]]) -> None:
    values, weights = [v for v, _ in features], [w for _, w in features]
    assert simhash(values, weights) == by_signs(features)
    assert simhash(values) == by_signs([(v, 1) for v in values])


@given(features_of_text, st.randoms())
@LAW
def test_the_order_of_features_never_matters(
    features: list[tuple[int, int]], choose: random.Random
) -> None:
    shuffled = features.copy()
    choose.shuffle(shuffled)
    assert simhash([v for v, _ in shuffled], [w for _, w in shuffled]) == by_signs(features)


@given(st.lists(features_of_text, min_size=1, max_size=5))
@LAW
def test_rows_do_not_mix(rows: list[list[tuple[int, int]]]) -> None:
    made = ragged([np.array([v for v, _ in row], np.uint64) for row in rows])
    weights = np.array([w for row in rows for _, w in row], np.int64)
    assert simhashes(made, weights).tolist() == [by_signs(row) for row in rows]


def test_weights_are_exact() -> None:
    """One more or less decides, also at weights where 32-bit floats would round."""
    heavy = (1 << 40) + 1
    assert simhash([1, 2, 4], [heavy, heavy - 1, 1]) == 0
    assert simhash([1, 3, 2], [heavy, 1, heavy]) == 0b11
    assert simhash([1, 2], [heavy, heavy]) == 0  # a tie is not above zero
    assert simhash([1, 2], [heavy + 1, heavy]) == 1
    assert simhash([]) == 0


def test_a_word_weighs_one_plus_log2_of_its_count() -> None:
    """Counts 1, 2-3, 4-7 weigh 1, 2, 3: checked through the whole path against the definition."""
    import mmh3

    from indexer.text import prepare

    text = "地铁开通，地铁运营。市民欢迎地铁，市民乘坐地铁；公园也在地铁旁，地铁，地铁，地铁！"
    counts: dict[str, int] = {}
    for word in segmenter(STANDARD)(prepare(text, STANDARD).text()):
        if word[0].isalnum():
            counts[word] = counts.get(word, 0) + 1
    assert counts["地铁"] == 8 and counts["市民"] == 2
    seed = STANDARD.simhash.seed
    features = [
        (mmh3.hash64(word.encode(), seed, True, signed=False)[0], count.bit_length())
        for word, count in counts.items()
    ]
    assert fingerprint_of(text, STANDARD).simhash == by_signs(features)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_32_bits_are_the_lower_half(layout: tuple[int, int]) -> None:
    """Keys, distances and the guarantee are of 32 bits then."""
    plans = [replace(STANDARD, simhash=SimhashPlan(*layout, bits=bits)) for bits in (64, 32)]
    wide, narrow = (fingerprint_of(METRO, plan).simhash for plan in plans)
    assert narrow == wide & 0xFFFFFFFF
    assert 0 < narrow < 1 << 32
    part = plans[1].simhash
    assert Simhash(plans[1]).similarity(0, 0b11) == 1 - 2 / 32
    rng = np.random.default_rng(1)
    left = rng.integers(0, 1 << 32, 2_000, np.uint64)
    flips = rng.random((2_000, 32)).argsort(axis=1)[:, : part.blocks - part.choose]
    right = left ^ (np.uint64(1) << flips.astype(np.uint64)).sum(axis=1, dtype=np.uint64)
    assert sharing(left, right, part).all()
    widest = max(sum(width for _, width in choice) for choice in choices_of(part))
    assert {len(key) for row in block_keys(left, part) for key in row} == {2 + -(-widest // 6)}


def test_near_texts_have_near_values_and_others_do_not() -> None:
    choose = random.Random(3)
    base = [choose.getrandbits(64) for _ in range(400)]
    edited = base[:396] + [choose.getrandbits(64) for _ in range(4)]
    other = [choose.getrandbits(64) for _ in range(400)]
    assert hamming(simhash(base), simhash(edited)) <= 8
    assert 18 <= hamming(simhash(base), simhash(other)) <= 46


# --- block keys


def pairs(count: int, distance: npt.NDArray[np.int64], seed: int) -> tuple[Hashes, Hashes]:
    """Random values, and the same with exactly `distance` random bits flipped."""
    rng = np.random.default_rng(seed)
    left = rng.integers(0, 1 << 64, count, np.uint64)
    order = rng.random((count, 64)).argsort(axis=1)
    flipped = np.arange(64)[None, :] < distance[:, None]
    bits = np.where(flipped, np.uint64(1) << order.astype(np.uint64), np.uint64(0))
    return left, left ^ np.bitwise_or.reduce(bits, axis=1)


def sharing(left: Hashes, right: Hashes, plan: SimhashPlan) -> npt.NDArray[np.bool_]:
    """Whether each pair has a key in common; a key carries its place, so places are compared."""
    both = zip(block_keys(left, plan), block_keys(right, plan), strict=True)
    return np.array([any(map(str.__eq__, one, other)) for one, other in both])


@pytest.mark.parametrize(("blocks", "choose"), LAYOUTS)
def test_close_values_always_share_a_key(blocks: int, choose: int) -> None:
    """By brute force on 4,000 pairs at every distance up to blocks - choose."""
    plan = SimhashPlan(blocks, choose)
    count = 4_000
    distance = np.arange(count) % (blocks - choose + 1)
    left, right = pairs(count, distance, seed=blocks * 10 + choose)
    assert int(np.bitwise_count(left ^ right).max()) == blocks - choose
    assert sharing(left, right, plan).all()


@pytest.mark.parametrize(("blocks", "choose"), LAYOUTS)
@pytest.mark.parametrize("beyond", [1, 2])
def test_beyond_that_the_stated_share_does(blocks: int, choose: int, beyond: int) -> None:
    """One and two bits further, simulation and formula agree within four standard errors."""
    plan = SimhashPlan(blocks, choose)
    count, distance = 10_000, blocks - choose + beyond
    left, right = pairs(count, np.full(count, distance), seed=beyond)
    expected = simhash_recall(plan, distance)
    found = sharing(left, right, plan).mean()
    assert expected < 1
    assert abs(found - expected) <= 4 * sqrt(expected * (1 - expected) / count)


@pytest.mark.parametrize(
    ("blocks", "choose", "keys", "length"),
    [(4, 1, 4, 5), (5, 2, 10, 7), (6, 3, 20, 8), (6, 2, 15, 6), (7, 3, 35, 7), (8, 3, 56, 6)],
)
def test_number_and_form_of_keys(blocks: int, choose: int, keys: int, length: int) -> None:
    rng = np.random.default_rng(1)
    values = rng.integers(0, 1 << 64, 50, np.uint64)
    for row in block_keys(values, SimhashPlan(blocks, choose)):
        assert len(row) == keys == len(set(row))
        assert len({key[:2] for key in row}) == keys  # the second character names the choice
        for key in row:
            assert key[0] == "~"
            assert len(key) == length
            assert key[1:].replace("-", "a").replace("_", "a").isalnum()


def test_keys_of_all_blocks_tell_the_value() -> None:
    """4 x 16 keys hold the value's own bits: nothing is lost and nothing hashed."""
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    value = 0x0123456789ABCDEF
    (row,) = block_keys(np.array([value], np.uint64), SimhashPlan())
    parts = []
    for key in row:
        number = 0
        for character in key[2:]:
            number = number * 64 + alphabet.index(character)
        parts.append(number)
    assert parts == [0xCDEF, 0x89AB, 0x4567, 0x0123]


def test_equal_bits_at_different_places_are_different_keys() -> None:
    (row,) = block_keys(np.array([0x5555555555555555], np.uint64), SimhashPlan())
    assert len(set(row)) == 4


def test_keys_are_frozen() -> None:
    values = np.frombuffer(hashlib.sha256(b"dupdex").digest(), np.uint64)
    text = repr([block_keys(values, SimhashPlan(b, c)) for b, c in LAYOUTS])
    assert hashlib.sha256(text.encode()).hexdigest()[:16] == "fa140d302e4642b4"
