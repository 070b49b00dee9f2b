"""The estimate of a similarity from two simhashes: one scale with what comparing gives."""

from __future__ import annotations

import random
from itertools import cycle
from statistics import mean

from indexer.fingerprints import fingerprints_of
from indexer.fingerprints.simhash import hamming
from mappings.plan import STANDARD
from query.grams import features_all
from query.verify.estimate import estimated_similarity
from query.verify.verdict import judge


def test_never_more_for_more_bits() -> None:
    values = [estimated_similarity(distance) for distance in range(65)]
    assert values == sorted(values, reverse=True)
    assert values[0] < 1.0  # equal simhashes are no equal texts
    assert values[64] == 0.0


def test_half_the_bits_count_double() -> None:
    for distance in range(33):
        assert estimated_similarity(distance, 32) == estimated_similarity(2 * distance, 64)


def test_nearer_to_what_comparing_gives_than_the_share_of_equal_bits() -> None:
    """Over texts in which one character in 20, 40 and 80 is changed."""
    draw = random.Random(1)
    letters = [chr(0x4E00 + at) for at in range(1_500)]
    texts = ["".join(draw.choices(letters, k=1_200)) for _ in range(90)]
    edited = [
        "".join(draw.choice(letters) if draw.random() < rate else one for one in text)
        for text, rate in zip(texts, cycle((1 / 20, 1 / 40, 1 / 80)), strict=False)
    ]
    estimates, shares = [], []
    prints = zip(fingerprints_of(texts, STANDARD), fingerprints_of(edited, STANDARD), strict=True)
    for text, other, (left, right) in zip(texts, edited, prints, strict=True):
        distance = hamming(left.simhash, right.simhash)
        if distance <= STANDARD.thresholds.hamming:
            asked, stored = features_all([text, other], STANDARD)
            compared = judge(asked, stored, STANDARD).similarity
            estimates.append(abs(compared - estimated_similarity(distance)))
            shares.append(abs(compared - (1 - distance / 64)))
    assert len(estimates) >= 20
    assert mean(estimates) < 0.1
    assert mean(estimates) < mean(shares)
