"""Random hyperplanes: the worked example, the law of the angle, exact sums, frozen terms."""

from __future__ import annotations

import hashlib
import random
import re
from dataclasses import replace
from itertools import combinations
from math import acos, cos, pi, sqrt

import numpy as np
import pytest

from indexer.fingerprints.classic import projection
from indexer.fingerprints.classic.cosine import Cosine, cosine
from indexer.fingerprints.classic.projection import Projection, Vocabulary, project
from indexer.fingerprints.simhash import simhashes
from indexer.text import Streams, prepare_all
from indexer.text.hashing import Hashes
from indexer.text.ragged import bounds_of, ragged
from indexer.text.words import Words, words_of
from mappings.errors import PlanMismatch
from mappings.plan import CHARACTERS, STANDARD, Plan
from mappings.plan.parts import ProjectionPlan
from tests.texts import LIBRARY, METRO, TEA, chinese

SIGN, GAUSSIAN = (
    replace(STANDARD, projection=ProjectionPlan(planes=256, entries=entries))
    for entries in ("sign", "gaussian")
)
entries = pytest.mark.parametrize("plan", [SIGN, GAUSSIAN], ids=["sign", "gaussian"])


def values(plan: Plan, *texts: str, spaced: bool = False) -> list[Hashes]:
    return Projection(plan).values(Streams(prepare_all(texts, plan), plan, spaced))


def vocabulary(count: int) -> Words:
    return words_of([[f"词{number}" for number in range(count)]], 1)


# --- worked example


def test_six_hyperplanes() -> None:
    """d = (4, 5); six planes give 9 -9 1 -1 1 9, which is 101011: the simhash of the two words."""
    planes = [(1, 1), (-1, -1), (-1, 1), (1, -1), (-1, 1), (1, 1)]
    weights = np.array([4, 5])
    rows = np.array(planes, np.int8).T
    assert (weights @ rows).tolist() == [9, -9, 1, -1, 1, 9]
    (sides,) = project(weights, rows, bounds_of([2]))
    assert "".join(map(str, map(int, sides))) == "101011"
    words = np.array([0b100101, 0b101011], np.uint64)
    assert int(simhashes(ragged([words]), weights)[0]) == 0b101011


def test_a_projection_as_a_product() -> None:
    """(7, 3) on (1, -1) is 4: above. On the plane itself is not above."""
    plane = np.array([[1], [-1]], np.int8)
    for weights, above in (([7, 3], True), ([3, 7], False), ([5, 5], False)):
        assert project(np.array(weights), plane, bounds_of([2])).tolist() == [[above]]


# --- laws


@entries
def test_bits_differ_by_the_angle(plan: Plan) -> None:
    """P(a bit differs) = angle / pi: many random pairs at each angle, within four errors."""
    size, texts = 200, 40
    rows = Vocabulary(plan).look_up(vocabulary(2 * size * texts))[1]
    for share in (0.0, 0.3, 0.6, 0.9, 0.97):
        weights = np.full(size, 100)
        differing = 0
        for text in range(texts):
            own = rows[2 * size * text : 2 * size * (text + 1)]
            kept = round(share * size)
            left = project(weights, own[:size], bounds_of([size]))
            right = project(weights, own[size - kept : 2 * size - kept], bounds_of([size]))
            differing += int((left != right).sum())
        trials = texts * plan.projection.planes
        expected = acos(round(share * size) / size) / pi
        error = sqrt(expected * (1 - expected) / trials)
        assert abs(differing / trials - expected) < 4 * error + 0.004, share


@entries
def test_the_similarity_estimates_the_cosine(plan: Plan) -> None:
    texts = [METRO, METRO.replace("地铁", "轻轨").replace("市民", "乘客"), TEA, chinese(800, 1)]
    streams = Streams(prepare_all(texts, plan), plan, False)
    scheme, vectors = Projection(plan), Cosine(plan).values(streams)
    made = scheme.values(streams)
    for left, right in combinations(range(4), 2):
        angles = [
            acos(each) / pi
            for each in (
                scheme.similarity(made[left], made[right]),
                cosine(vectors[left], vectors[right]),
            )
        ]
        error = sqrt(angles[1] * (1 - angles[1]) / plan.projection.planes)
        assert abs(angles[0] - angles[1]) < 4 * error


def test_similarity_by_differing_bits() -> None:
    scheme = Projection(STANDARD)
    zero = np.zeros(1, np.uint64)
    for count, expected in ((0, 1.0), (16, cos(pi / 4)), (32, 0.0), (64, 0.0)):
        other = np.array([(1 << count) - 1], np.uint64)
        assert scheme.similarity(zero, other) == pytest.approx(expected, abs=1e-12)
        assert scheme.similarity(other, zero) == scheme.similarity(zero, other)


@entries
def test_entries_are_balanced_and_independent(plan: Plan) -> None:
    rows = Vocabulary(plan).look_up(vocabulary(4_000))[1].astype(np.float64)
    spread = 1.0 if plan is SIGN else 4.0
    assert rows.std() == pytest.approx(spread, rel=0.01)
    assert np.abs(rows.mean(axis=0)).max() < 5 * spread / sqrt(4_000)
    correlation = np.corrcoef(rows.T) - np.eye(256)
    assert np.abs(correlation).max() < 6 / sqrt(4_000)
    if plan is SIGN:
        assert set(np.unique(rows)) == {-1, 1}
    else:  # as normal numbers are: 68 % within one deviation, 95 % within two
        within = [np.mean(np.abs(rows) <= limit * spread + 0.5) for limit in (1, 2)]
        assert within == pytest.approx([0.7397, 0.9664], abs=0.01)  # of a binomial at 4.5 and 8.5


@entries
def test_the_order_of_words_and_of_texts_never_matters(plan: Plan) -> None:
    """Nor what the vocabulary has seen before."""
    texts = [METRO, TEA, "。".join(reversed(METRO.split("。"))), LIBRARY]
    first, second, third, fourth = values(plan, *texts)
    assert (first == third).all()
    again = values(plan, *reversed(texts))
    assert (again[3] == first).all()
    assert (again[0] == fourth).all()
    assert not (first == second).all()


def test_words_that_share_a_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """One pushes the other out, and both keep their values: here every place is shared."""
    expected = values(GAUSSIAN, METRO, TEA)
    monkeypatch.setattr(Vocabulary, "BYTES", 8 * GAUSSIAN.projection.planes)
    monkeypatch.setattr(projection, "_AT_ONCE", 7)
    scheme = Projection(GAUSSIAN)
    for texts in ([METRO], [TEA], [METRO, TEA]) * 3:
        streams = Streams(prepare_all(texts, GAUSSIAN), GAUSSIAN, False)
        for text, value in zip(texts, scheme.values(streams), strict=True):
            assert (value == expected[[METRO, TEA].index(text)]).all()


def test_a_failure_leaves_no_half_known_word(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Vocabulary, "BYTES", 8 * SIGN.projection.planes)
    (expected,) = values(SIGN, METRO)
    scheme = Projection(SIGN)
    streams, other = (Streams(prepare_all([text], SIGN), SIGN, False) for text in (METRO, TEA))
    scheme.values(other)
    with monkeypatch.context() as patched, pytest.raises(PlanMismatch):
        patched.setattr(Vocabulary, "_compute", refuse)
        scheme.values(streams)
    assert (scheme.values(streams)[0] == expected).all()


def refuse(*_: object) -> None:
    raise PlanMismatch("no statistics")


# --- terms


@pytest.mark.parametrize("planes", [64, 128, 256])
def test_number_and_form_of_terms(planes: int) -> None:
    plan = replace(STANDARD, projection=ProjectionPlan(planes=planes))
    scheme = Projection(plan)
    made = values(plan, METRO, "，。", TEA)
    assert [len(value) for value in made] == [planes // 64, 0, planes // 64]
    first, none, other = scheme.terms(made)
    assert none == ()
    assert len({*first}) == len(first) == planes // 64 * 4
    for term in first:
        assert re.fullmatch("~{1,4}[A-Za-z0-9_-]{4}", term)
    assert not {*first} & {*other}


def test_more_planes_begin_with_the_fewer() -> None:
    wide = replace(STANDARD, projection=ProjectionPlan(planes=128))
    few, many = values(STANDARD, METRO)[0], values(wide, METRO)[0]
    assert few[0] == many[0]
    assert Projection(wide).terms([many])[0][:4] == Projection(STANDARD).terms([few])[0]


def test_values_with_up_to_three_differing_bits_share_a_term() -> None:
    scheme, choose = Projection(STANDARD), random.Random(1)
    for _ in range(200):
        value = choose.getrandbits(64)
        near = value
        for bit in choose.sample(range(64), 3):
            near ^= 1 << bit
        left, right = scheme.terms([np.array([each], np.uint64) for each in (value, near)])
        assert set(left) & set(right)


@pytest.mark.parametrize(
    ("plan", "expected"),
    [
        (SIGN, "4bf0fca2eb0bc940"),
        (GAUSSIAN, "043f93a1de13f7e3"),
        (replace(CHARACTERS, projection=SIGN.projection), "917d75868170f656"),
    ],
    ids=["sign", "gaussian", "characters"],
)
def test_terms_are_frozen(plan: Plan, expected: str) -> None:
    terms = Projection(plan).terms(values(plan, METRO, TEA, "短句"))
    assert hashlib.sha256(repr(terms).encode()).hexdigest()[:16] == expected
