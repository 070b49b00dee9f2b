"""MinHash: the estimate against exact Jaccard, within the bound of its theory."""

from __future__ import annotations

from functools import lru_cache
from math import pi, sqrt

import numpy as np
import numpy.typing as npt
import pytest

from indexer.fingerprints.minhash import band_values, signatures
from indexer.text.hashing import Hashes, HashRows, shingle_rows, spell
from indexer.text.ragged import Ragged, ragged
from mappings.plan import MinhashPlan
from query.guarantee import minhash_recall
from tests.texts import CHARACTERS


def key_values(rows: HashRows, plan: MinhashPlan) -> Hashes:
    return band_values(signatures(rows, plan.bands * plan.rows), plan)


@lru_cache(8)
def shingles(count: int, seed: int) -> Hashes:
    """Distinct hashes of character 5-grams, made by the product's own hash from random text."""
    rng = np.random.default_rng(seed)
    codes = np.array([ord(c) for c in CHARACTERS], np.uint64)
    text: Ragged[np.uint64] = ragged([rng.choice(codes, count + count // 50 + 9)])
    made = shingle_rows(text, 5, 2).values
    _, first = np.unique(made, return_index=True)
    assert len(first) >= count
    return made[np.sort(first)][:count]


def pair_of(union: int, jaccard: float, source: Hashes) -> tuple[Hashes, Hashes, float]:
    """Two stretches of a text with that many shingles in common, and the exact Jaccard."""
    common = round(union * jaccard)
    apart = (union - common) // 2
    left, right = source[: apart + common], source[apart:union]
    return left, right, common / union  # no shingle of the source comes twice


@lru_cache(1)
def pairs_of(trials: int, union: int, jaccard: float, seed: int) -> tuple[HashRows, float]:
    """As many pairs of stretches apart from each other, row after row, and their exact Jaccard."""
    source = shingles((union + 7) * trials, seed)
    rows: list[Hashes] = []
    for trial in range(trials):
        left, right, exact = pair_of(union, jaccard, source[trial * (union + 7) :])
        rows += [left, right]
    return ragged(rows), exact


def estimates(pairs: HashRows, size: int) -> npt.NDArray[np.float64]:
    """The share of equal bins of each pair."""
    one, other = signatures(pairs, size).reshape(-1, 2, size).swapaxes(0, 1)
    shares: npt.NDArray[np.float64] = (one == other).mean(axis=1)
    return shares


def deviation(jaccard: float, size: int, union: int) -> float:
    """Standard deviation of the estimate by one-permutation hashing with `size` bins.

    Throwing `union` elements into the bins fills m of them in expectation; the other size - m
    bins each repeat one of those, so a filled bin weighs 1 + Binomial(size - m, 1 / m). With
    all bins filled this is the classic sqrt(J (1 - J) / size).
    """
    filled = size * (1 - (1 - 1 / size) ** union)
    spread = 1 / filled + (size - filled) * (1 - 1 / filled) / size**2
    return sqrt(jaccard * (1 - jaccard) * spread)


@pytest.mark.parametrize("size", [64, 128])
@pytest.mark.parametrize("union", [20, 100, 500, 3_000])
@pytest.mark.parametrize("jaccard", [0.1, 0.3, 0.5, 0.7, 0.9])
def test_the_estimate_is_unbiased_and_within_its_bound(
    size: int, union: int, jaccard: float
) -> None:
    """Mean absolute error <= sqrt(2 / pi) x the deviation above, and the mean error is zero.

    Both are means of 300 trials, so each may exceed its value by four of its standard errors.
    """
    trials = 300
    pairs, exact = pairs_of(trials, union, jaccard, union)
    errors = estimates(pairs, size) - exact
    sigma = deviation(exact, size, union)
    bound = sqrt(2 / pi) * sigma
    error = np.abs(errors).mean()
    assert error <= bound * (1 + 4 * sqrt(pi / 2 - 1) / sqrt(trials))
    assert abs(np.mean(errors)) <= 4 * sigma / sqrt(trials)
    if union >= 20 * size:  # every bin filled: the classic bound
        assert bound == pytest.approx(sqrt(2 / pi * exact * (1 - exact) / size), rel=1e-6)


def test_the_estimate_is_not_better_than_sampling_can_be() -> None:
    """Guards the test above: a signature with half the bins must break the bound of the whole."""
    trials, union, size = 300, 3_000, 128
    pairs, exact = pairs_of(trials, union, 0.5, 9)
    errors = np.abs(estimates(pairs, size // 4) - exact)
    limit = sqrt(2 / pi) * deviation(0.5, size, union) * (1 + 4 * sqrt(pi / 2 - 1) / sqrt(trials))
    assert np.mean(errors) > limit


@pytest.mark.parametrize(("bands", "rows"), [(16, 4), (16, 2), (32, 4), (20, 5)])
@pytest.mark.parametrize("jaccard", [0.3, 0.5, 0.7, 0.85])
def test_banding_follows_the_s_curve(bands: int, rows: int, jaccard: float) -> None:
    """The share of pairs with a common key is 1 - (1 - J^r)^b, within four standard errors and
    0.01 for the bins being drawn without replacement.
    """
    trials, union = 500, 2_000
    plan = MinhashPlan(shingle=5, spaced_shingle=9, bands=bands, rows=rows, seed=2)
    source = shingles(union + trials * 31, seed=bands * rows)
    rows_of_both, exact = [], 0.0
    for trial in range(trials):
        left, right, exact = pair_of(union, jaccard, source[trial * 31 :])
        rows_of_both += [left, right]
    keys = key_values(ragged(rows_of_both), plan).reshape(trials, 2, bands)
    found = (keys[:, 0] == keys[:, 1]).any(axis=1).mean()
    expected = minhash_recall(plan, exact)
    # neighbouring trials share most of their text, so they count as fewer
    error = sqrt(expected * (1 - expected) / trials)
    assert abs(found - expected) <= 4 * error + 0.01


def test_order_and_repeats_of_shingles_do_not_matter() -> None:
    source = shingles(300, seed=1)
    rng = np.random.default_rng(2)
    noisy = rng.permutation(np.concatenate((source, source[:100], source[:7])))
    plan = MinhashPlan(shingle=5, spaced_shingle=9, bands=16, rows=4, seed=2)
    one, other = key_values(ragged([source, noisy]), plan)
    assert one.tolist() == other.tolist()


def test_rows_do_not_mix() -> None:
    rows = [shingles(size, seed=size) for size in (1, 2, 40, 900)] + [np.zeros(0, np.uint64)]
    together = signatures(ragged(rows), 64)
    for row, made in zip(rows, together, strict=True):
        assert signatures(ragged([row]), 64)[0].tolist() == made.tolist()


def test_an_empty_set_is_like_no_other() -> None:
    made = signatures(ragged([np.zeros(0, np.uint64), shingles(1, 3)]), 64)
    assert set(made[0].tolist()) == {0xFFFFFFFF}
    assert len(set(made[1].tolist())) == 1  # one shingle fills all bins
    assert 0xFFFFFFFF not in made[1]


def test_a_key_knows_its_band_and_its_seed() -> None:
    """One shingle gives the same rows in every band, yet every band its own key."""
    one = ragged([shingles(1, seed=4)])
    plans = [MinhashPlan(shingle=5, spaced_shingle=9, bands=16, rows=4, seed=s) for s in (2, 3)]
    keys = [spell(key_values(one, plan).ravel()) for plan in plans]
    assert len(set(keys[0])) == len(set(keys[1])) == 16
    assert not set(keys[0]) & set(keys[1])


def test_one_changed_bin_changes_one_band() -> None:
    plan = MinhashPlan(shingle=5, spaced_shingle=9, bands=8, rows=8, seed=2)
    source = shingles(400, seed=5)
    base = signatures(ragged([source]), 64)
    assert len(set(base[0].tolist())) > 60
    kept = int(base[0][11])  # the value of one bin: without it the bin gets another
    changed = source[(source & np.uint64(0xFFFFFFFF)) != kept]
    assert len(changed) == len(source) - 1
    one, other = key_values(ragged([source, changed]), plan)
    assert (one != other).sum() == 1  # one bin changed: one band, no other
