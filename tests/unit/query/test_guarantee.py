"""The promises of a layout: the published numbers, the formula, and simulation."""

from __future__ import annotations

from itertools import combinations
from math import comb, sqrt

import numpy as np
import pytest

from indexer.fingerprints import fingerprints_of
from mappings.contract import Field
from mappings.plan import STANDARD, MinhashPlan, Plan, SimhashPlan
from query.guarantee import (
    chance_candidates,
    in_words,
    minhash_recall,
    simhash_recall,
    unbroken,
)
from tests.texts import chinese, english

LAYOUTS = [
    # blocks, choose, d=4, d=5, candidates at 1 M, 10 M, 100 M, 2^30
    (4, 1, 0.897, 0.742, (61, 610, 6_104, 65_536)),
    (5, 2, 0.789, 0.540, (0.2, 2, 20, 211)),
    (6, 3, 0.695, 0.400, (0, 0, 0.5, 5)),
    (6, 2, 1.0, 0.892, (6, 57, 568, 6_096)),
    (7, 3, 1.0, 0.824, (0.2, 2, 19, 208)),
]
BANDS = [
    # bands, rows, recall at J = .5 .6 .7 .8 .9
    (32, 4, (0.873, 0.988, 1, 1, 1)),
    (25, 5, (0.548, 0.868, 0.990, 1, 1)),
    (20, 5, (0.470, 0.802, 0.975, 1, 1)),
    (16, 8, (0.061, 0.237, 0.613, 0.947, 1)),
    (16, 2, (0.99, 1, 1, 1, 1)),
]


def minhash(bands: int, rows: int) -> MinhashPlan:
    return MinhashPlan(shingle=4, spaced_shingle=3, bands=bands, rows=rows, seed=3)


@pytest.mark.parametrize(("blocks", "choose", "at_4", "at_5", "candidates"), LAYOUTS)
def test_simhash_layouts(
    blocks: int, choose: int, at_4: float, at_5: float, candidates: tuple[float, ...]
) -> None:
    plan = SimhashPlan(blocks, choose)
    assert all(simhash_recall(plan, distance) == 1 for distance in range(4))
    assert simhash_recall(plan, 4) == pytest.approx(at_4, abs=0.0006)
    assert simhash_recall(plan, 5) == pytest.approx(at_5, abs=0.0006)
    for documents, expected in zip((10**6, 10**7, 10**8, 2**30), candidates, strict=True):
        found = chance_candidates(comb(blocks, choose), 64 * choose / blocks, documents)
        assert abs(found - expected) <= (0.5 if expected >= 1 else 0.06)  # printed rounded


@pytest.mark.parametrize(("blocks", "choose"), [layout[:2] for layout in LAYOUTS])
def test_simhash_recall_by_counting(blocks: int, choose: int) -> None:
    """Another way to the same number: draw differing bits, look which blocks stay clean."""
    edges = np.array([round(64 * i / blocks) for i in range(blocks + 1)])
    owner = np.searchsorted(edges, np.arange(64), "right") - 1
    rng = np.random.default_rng(blocks)
    trials = 20_000
    for distance in (4, 5, 8, 12):
        bits = rng.random((trials, 64)).argsort(axis=1)[:, :distance]
        touched = np.bitwise_count(np.bitwise_or.reduce(1 << owner[bits], axis=1))
        found = float((blocks - touched >= choose).mean())
        expected = simhash_recall(SimhashPlan(blocks, choose), distance)
        assert abs(found - expected) <= 4 * sqrt(0.25 / trials)


def test_simhash_recall_exactly() -> None:
    """4 x 16 at d = 4: all but the ways to put one bit in each block."""
    missed = 16**4 / comb(64, 4)
    assert simhash_recall(SimhashPlan(), 4) == pytest.approx(1 - missed, rel=1e-12)
    blocks = [range(start, start + 16) for start in range(0, 64, 16)]
    hit = sum(
        any(not set(bits) & set(block) for block in blocks)
        for bits in combinations(range(0, 64, 4), 4)
    )
    assert hit == comb(16, 4) - 4**4


@pytest.mark.parametrize(("blocks", "choose"), [layout[:2] for layout in LAYOUTS])
def test_simhash_recall_falls_with_distance(blocks: int, choose: int) -> None:
    plan = SimhashPlan(blocks, choose)
    found = [simhash_recall(plan, distance) for distance in range(65)]
    assert all(0 <= value <= 1 + 1e-12 for value in found)
    assert found == sorted(found, reverse=True)
    assert found[64] == 0


@pytest.mark.parametrize(("bands", "rows", "recalls"), BANDS)
def test_minhash_layouts(bands: int, rows: int, recalls: tuple[float, ...]) -> None:
    for jaccard, expected in zip((0.5, 0.6, 0.7, 0.8, 0.9), recalls, strict=True):
        assert minhash_recall(minhash(bands, rows), jaccard) == pytest.approx(expected, abs=0.0015)


@pytest.mark.parametrize(("bands", "rows", "recalls"), BANDS)
def test_minhash_recall_by_simulation(bands: int, rows: int, recalls: tuple[float, ...]) -> None:
    """Signatures that agree at each place with probability J."""
    rng = np.random.default_rng(bands * rows)
    trials = 20_000
    for jaccard, expected in zip((0.5, 0.6, 0.7, 0.8, 0.9), recalls, strict=True):
        equal = rng.random((trials, bands, rows)) < jaccard
        found = float(np.any(equal.all(axis=2), axis=1).mean())
        assert abs(found - minhash_recall(minhash(bands, rows), jaccard)) <= 4 * 0.5 / sqrt(trials)
        assert abs(found - expected) <= 4 * 0.5 / sqrt(trials)


@pytest.mark.parametrize(("keys", "bits"), [(1, 8), (3, 10), (2, 12)])
def test_chance_candidates_by_counting(keys: int, bits: int) -> None:
    """Random keys: as many documents share one, less those that share two."""
    rng = np.random.default_rng(bits)
    documents = 200_000
    stored = rng.integers(0, 1 << bits, (documents, keys))
    asked = rng.integers(0, 1 << bits, (20, 1, keys))
    found = (stored[None] == asked).any(axis=2).sum(axis=1).mean()
    assert found == pytest.approx(chance_candidates(keys, bits, documents), rel=0.1)


def test_minhash_at_the_ends() -> None:
    assert minhash_recall(minhash(16, 4), 0) == 0
    assert minhash_recall(minhash(16, 4), 1) == 1


@pytest.mark.parametrize("spaced", [False, True])
def test_what_stands_in_both_in_a_row_makes_a_key(spaced: bool) -> None:
    """Whatever surrounds it, in texts of any length."""
    make, between = (english, " ") if spaced else (chinese, "")
    size = unbroken(STANDARD.passages, spaced)
    for seed in range(40):
        stretch = make(size, seed)
        around = [(40 * seed, 9), (9, 50 * seed), (3_000, 100)]
        texts = [
            between.join((make(before, 90 + at), stretch.strip("."), make(after, 190 + at)))
            for at, (before, after) in enumerate(around)
        ]
        one, *others = (set(f.keys[Field.PASSAGE_KEYS]) for f in fingerprints_of(texts, STANDARD))
        assert all(one & other for other in others), seed


def test_in_words() -> None:
    assert in_words(STANDARD) == (
        "every document within 3 simhash bits shares a key; of documents with half their syllable "
        "shingles in common 95.8% share one; of texts read alike with 137 syllables or 27 words "
        "in a row in common all do; of texts of 7 to 14 letters, Chinese or of one alphabet, with "
        "one changed all share one (arithmetic of the layout)"
    )
    other = Plan(simhash=SimhashPlan(6, 2), syllable_minhash=minhash(16, 8))
    assert "within 4 simhash bits" in in_words(other)
    assert " 6.1% share one" in in_words(other)
    without = Plan(name="other", schemes=("exact", "simhash"))
    promised = "every document within 3 simhash bits shares a key (arithmetic of the layout)"
    assert in_words(without) == promised
