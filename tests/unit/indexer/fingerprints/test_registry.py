"""What holds for every scheme, whatever it does."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from indexer.fingerprints.registry import REGISTRY, enabled
from indexer.fingerprints.scheme import Scheme
from indexer.text import Streams, prepare_all
from mappings.plan import CHARACTERS, STANDARD, Plan
from mappings.schemes import PARTS, SCHEME_FIELDS
from tests.texts import LIBRARY, METRO, chinese, english

EVERY = replace(STANDARD, name="every", schemes=tuple(SCHEME_FIELDS))
WITHOUT_WORDS = replace(CHARACTERS, schemes=tuple(SCHEME_FIELDS))
TEXTS = [
    METRO,
    LIBRARY,
    METRO[:60],
    chinese(3_000, 1),
    chinese(40, 2),
    "短句",
    METRO.replace("，", ""),
]
ENGLISH = [english(300, 1), english(20, 2), english(300, 1).upper()]

UNKNOWN = ("imatch", LIBRARY)
"""The shipped statistics are of Chinese: without its own, I-Match knows no word of English."""

schemes = pytest.mark.parametrize("name", list(REGISTRY))
plans = pytest.mark.parametrize("plan", [EVERY, WITHOUT_WORDS], ids=["words", "characters"])


def values(scheme: Scheme[Any], texts: list[str], plan: Plan, spaced: bool = False) -> list[Any]:
    return list(scheme.values(Streams(prepare_all(texts, plan), plan, spaced)))


def same(left: Any, right: Any) -> bool:
    if isinstance(left, np.ndarray):
        return bool(np.array_equal(left, right))
    if isinstance(left, list | tuple):
        return len(left) == len(right) and all(map(same, left, right))
    return bool(left == right)


@plans
@schemes
def test_a_text_has_the_same_value_and_terms_in_any_batch(name: str, plan: Plan) -> None:
    scheme = REGISTRY[name].make(plan)
    for texts, spaced in ((TEXTS, False), (ENGLISH, True)):
        together = values(scheme, texts, plan, spaced)
        alone = [values(scheme, [text], plan, spaced)[0] for text in texts]
        assert all(map(same, together, alone))
        assert scheme.terms(together) == [scheme.terms([value])[0] for value in alone]


@plans
@schemes
def test_terms_are_distinct_and_belong_to_a_field(name: str, plan: Plan) -> None:
    entry = REGISTRY[name]
    for terms in entry.make(plan).terms(values(entry.make(plan), TEXTS, plan)):
        assert len(set(terms)) == len(terms)
        assert all(term and term.isascii() for term in terms)
        assert not terms or entry.field is SCHEME_FIELDS[name]


@plans
@schemes
def test_similarity_is_symmetric_and_bounded_and_one_for_a_copy(name: str, plan: Plan) -> None:
    scheme = REGISTRY[name].make(plan)
    made = values(scheme, TEXTS, plan)
    again = values(scheme, TEXTS, plan)
    for row, left in enumerate(made):
        for right in made:
            similarity = scheme.similarity(left, right)
            assert isinstance(similarity, float)
            assert 0 <= similarity <= 1
            assert similarity == pytest.approx(scheme.similarity(right, left))
        if len(TEXTS[row]) > 100 and (name, TEXTS[row]) != UNKNOWN:
            assert scheme.similarity(left, again[row]) == pytest.approx(1.0)
    assert scheme.similarity(made[0], made[6]) > scheme.similarity(made[0], made[3])


@schemes
def test_a_scheme_says_what_it_is(name: str) -> None:
    entry = REGISTRY[name]
    assert entry.name == name
    assert 0 < entry.threshold(STANDARD) <= 1
    assert min(map(len, (entry.catches, entry.misses, entry.source))) > 10


@pytest.mark.parametrize("bits", [32, 64])
def test_as_many_bits_of_a_simhash_may_differ_as_the_plan_says(bits: int) -> None:
    plan = replace(STANDARD, simhash=replace(STANDARD.simhash, bits=bits))
    entry = REGISTRY["simhash"]
    scheme = entry.make(plan)
    assert scheme.similarity(0, 0b111) == entry.threshold(plan)
    assert scheme.similarity(0, 0b1111) < entry.threshold(plan)


def test_fields_and_parts_are_those_of_schemes() -> None:
    assert set(SCHEME_FIELDS) <= set(REGISTRY)
    assert set(PARTS) <= set(REGISTRY)
    assert list(enabled(STANDARD)) == [SCHEME_FIELDS[name] for name in STANDARD.schemes]
