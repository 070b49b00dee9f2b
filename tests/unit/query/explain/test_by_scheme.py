"""What each scheme alone says of two texts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from indexer.fingerprints import fingerprint_of
from indexer.fingerprints.registry import REGISTRY
from mappings.errors import InputRefused
from mappings.plan import CHARACTERS, STANDARD, Plan
from mappings.schemes import SCHEME_FIELDS
from query.explain.by_scheme import scheme_scores
from tests.texts import LIBRARY, METRO, ORCHARD, TEA

EVERY = tuple(REGISTRY)

plans = pytest.mark.parametrize("plan", [STANDARD, CHARACTERS], ids=["words", "characters"])


@plans
def test_every_scheme_knows_a_copy_and_a_stranger(plan: Plan) -> None:
    for score in scheme_scores(METRO, METRO.replace("，", " "), plan, EVERY):
        assert score.similarity == pytest.approx(1.0), score.name
        assert score.verdict, score.name
        assert score.threshold == REGISTRY[score.name].threshold(plan)
        assert bool(score.shared) == (score.name in SCHEME_FIELDS)
    for score in scheme_scores(METRO, TEA, plan, EVERY):
        assert not score.verdict, score.name
        assert score.verdict == (score.similarity >= score.threshold)


def test_shared_terms_are_those_an_index_would_hold() -> None:
    edited = METRO.replace("李明华", "李明花")
    plan = replace(STANDARD, schemes=tuple(SCHEME_FIELDS))
    left, right = fingerprint_of(METRO, plan), fingerprint_of(edited, plan)
    for score in scheme_scores(METRO, edited, plan, EVERY):
        field = SCHEME_FIELDS.get(score.name)
        both = {*left.keys[field]} & {*right.keys[field]} if field else set()
        assert {*score.shared} == both, score.name


def test_the_order_and_number_of_names() -> None:
    names = ["lcs", "exact", "lcs"]
    assert [each.name for each in scheme_scores(METRO, TEA, STANDARD, names)] == ["lcs", "exact"]
    assert scheme_scores(METRO, TEA, STANDARD, []) == []


def test_words_are_units_only_when_both_texts_have_spaces() -> None:
    """A Chinese text that holds an English one is read by syllables, and so is the English."""
    mixed = METRO + LIBRARY + METRO
    (contained,) = scheme_scores(mixed, LIBRARY, STANDARD, ["passages"])
    (turned,) = scheme_scores(LIBRARY, mixed, STANDARD, ["passages"])
    assert contained.similarity == turned.similarity > 0
    (spaced,) = scheme_scores(LIBRARY, LIBRARY + " " + ORCHARD, STANDARD, ["syllables"])
    assert spaced.shared


@plans
def test_texts_without_letters_are_equal_or_not(plan: Plan) -> None:
    for other, equal in (("😀", True), ("😀😀", False), (METRO, False)):
        for score in scheme_scores("😀", other, plan, EVERY):
            assert score.verdict == (equal and score.name == "exact"), score.name


@pytest.mark.parametrize(
    ("left", "names", "said"),
    [
        (METRO, ["lcs", "bm25"], "no scheme 'bm25'; known: exact, simhash"),
        ("", ["lcs"], "the text is empty"),
    ],
)
def test_what_is_refused(left: str, names: list[str], said: str) -> None:
    with pytest.raises(InputRefused, match=said):
        scheme_scores(left, TEA, STANDARD, names)
