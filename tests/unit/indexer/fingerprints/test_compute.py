"""All fingerprints of a text: determinism, batches, empty-ish texts, what copies share."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.fingerprints import fingerprint_of, fingerprints_of
from indexer.fingerprints.compute import check_text
from mappings.contract import Field
from mappings.errors import InputRefused
from mappings.plan import CHARACTERS, PLANS, STANDARD, Plan, SimhashPlan
from mappings.schemes import SCHEME_FIELDS
from tests.texts import (
    LAW,
    LIBRARY,
    METRO,
    METRO_HOMOPHONES,
    METRO_TRADITIONAL,
    MIXED,
    ORCHARD,
    TEA,
    chinese,
    english,
    visible,
)

ROOT = Path(__file__).resolve().parents[4]

KEY = r"[A-Za-z0-9_-]"
VARIED = [METRO, "", "字", LIBRARY, "😀", chinese(6_000, 1), MIXED, TEA, english(900, 2), "\u200b"]

FIELDS = [SCHEME_FIELDS[name] for name in STANDARD.schemes]

plans = pytest.mark.parametrize("plan", PLANS.values(), ids=list(PLANS))


def shared(left: str, right: str, field: Field, plan: Plan = STANDARD) -> int:
    one, other = fingerprint_of(left, plan), fingerprint_of(right, plan)
    return len(set(one.keys[field]) & set(other.keys[field]))


# --- laws


@plans
def test_deterministic(plan: Plan) -> None:
    assert fingerprints_of(VARIED, plan) == fingerprints_of(VARIED, plan)


@plans
@given(st.lists(visible, min_size=1, max_size=6))
@LAW
def test_a_batch_gives_what_each_text_gives_alone(plan: Plan, batch: list[str]) -> None:
    assert fingerprints_of(batch, plan) == [fingerprint_of(text, plan) for text in batch]


@plans
def test_a_batch_of_all_kinds_gives_what_each_gives_alone(plan: Plan) -> None:
    together = fingerprints_of(VARIED, plan)
    assert together == [fingerprints_of([text], plan)[0] for text in VARIED]
    assert fingerprints_of(VARIED[::-1], plan) == together[::-1]
    assert fingerprints_of([], plan) == []


@plans
@given(visible, visible)
@LAW
def test_the_order_in_a_batch_is_irrelevant(plan: Plan, one: str, other: str) -> None:
    assert fingerprints_of([one, other], plan) == fingerprints_of([other, one], plan)[::-1]


@given(visible)
@LAW
def test_number_and_form_of_all_keys(text: str) -> None:
    import re

    as_given = replace(STANDARD, steps=STANDARD.steps[:-1])  # what it may mean has as many
    keys = fingerprint_of(text, as_given).keys
    assert set(keys) == set(FIELDS)
    assert [len(keys[f]) for f in (Field.TEXT_HASH, Field.SIMHASH_KEYS)] == [1, 4]
    assert len(keys[Field.MINHASH_KEYS]) == STANDARD.minhash.bands
    assert len(keys[Field.SYLLABLE_KEYS]) == STANDARD.syllable_minhash.bands
    assert 1 <= len(keys[Field.PASSAGE_KEYS]) <= 16
    assert len(keys[Field.SENTENCES]) <= 5
    forms = {Field.TEXT_HASH: f"{KEY}{{22}}", Field.SIMHASH_KEYS: f"~{KEY}{{4}}"}
    for field, terms in keys.items():
        assert len(set(terms)) == len(terms)
        for term in terms:
            assert re.fullmatch(forms.get(field, f"{KEY}{{6}}"), term)


def test_terms_name_every_key_once() -> None:
    made = fingerprint_of(METRO, STANDARD)
    terms = list(made.terms())
    assert len(terms) == sum(map(len, made.keys.values())) == len(set(terms))
    assert terms[0] == (Field.TEXT_HASH, made.text_hash)


# --- empty-ish texts


@pytest.mark.parametrize("text", ["", " ", "\n\t\u3000", "\u200b", "\ufeff \u200d\ufe0f", "\u2800"])
def test_a_text_without_anything_visible_is_refused(text: str) -> None:
    with pytest.raises(InputRefused, match="at least one visible character"):
        fingerprint_of(text, STANDARD)


def test_a_byte_order_mark_before_a_text_is_fine() -> None:
    assert fingerprint_of("\ufeff" + METRO, STANDARD) == fingerprint_of(METRO, STANDARD)


def test_a_text_over_the_limit_is_refused() -> None:
    plan = replace(STANDARD, max_characters=10)
    check_text("十" * 10, plan)
    with pytest.raises(InputRefused, match=r"11 characters, the plan allows 10; split it"):
        check_text("十" * 11, plan)


@plans
@pytest.mark.parametrize("text", ["😀👍", "!!!", "❤\ufe0f", "。", "\u200b…"])
def test_without_letters_only_the_exact_key_is_left(text: str, plan: Plan) -> None:
    """No key may be shared by all texts without letters."""
    made = fingerprint_of(text, plan)
    assert (made.simhash, made.length) == (0, 0)
    assert made.keys == {Field.TEXT_HASH: (made.text_hash,)}


def test_texts_without_letters_differ_by_what_they_show() -> None:
    texts = ["😀", "👍", "!!!", "???", "。", "😀😀"]
    assert len({fingerprint_of(text, STANDARD).text_hash for text in texts}) == len(texts)
    assert fingerprint_of("❤\ufe0f", STANDARD).text_hash == fingerprint_of("❤", STANDARD).text_hash


@plans
def test_one_character_has_keys_of_its_own(plan: Plan) -> None:
    one, other = fingerprint_of("好", plan), fingerprint_of("坏", plan)
    assert one.length == other.length == 1
    assert len(one.keys[Field.PASSAGE_KEYS]) == 1
    assert one.keys[Field.SENTENCES] == ()
    for field in (Field.TEXT_HASH, Field.MINHASH_KEYS, Field.SYLLABLE_KEYS, Field.PASSAGE_KEYS):
        assert not set(one.keys[field]) & set(other.keys[field])
    assert fingerprint_of(" 好！", plan).keys == one.keys


def test_length_counts_letters_and_digits() -> None:
    assert fingerprint_of("Hi， 世界 2.0！😀", STANDARD).length == 6


# --- what copies share


@plans
def test_scripts_widths_and_marks_make_no_difference(plan: Plan) -> None:
    plain = fingerprint_of(METRO, plan)
    assert fingerprint_of(METRO_TRADITIONAL, plan) == plain
    spaced = METRO.replace("，", " , ").replace("。", "。\u200b")
    assert fingerprint_of(spaced, plan).text_hash == plain.text_hash
    wide = "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in LIBRARY)
    assert wide != LIBRARY
    assert fingerprint_of(wide, plan) == fingerprint_of(LIBRARY, plan)
    assert fingerprint_of(LIBRARY.upper(), plan) == fingerprint_of(LIBRARY, plan)


def test_homophones_keep_all_keys_of_sound_and_few_of_characters() -> None:
    assert shared(METRO, METRO_HOMOPHONES, Field.SYLLABLE_KEYS) == 11
    passages = fingerprint_of(METRO, STANDARD).keys[Field.PASSAGE_KEYS]
    assert shared(METRO, METRO_HOMOPHONES, Field.PASSAGE_KEYS) == len(passages) >= 16
    assert shared(METRO, METRO_HOMOPHONES, Field.TEXT_HASH) == 0
    assert shared(METRO, METRO_HOMOPHONES, Field.MINHASH_KEYS) < 8


@plans
def test_one_changed_character_leaves_keys_of_every_scheme(plan: Plan) -> None:
    edited = METRO.replace("李明华", "李明花")
    for field in FIELDS:
        if field is Field.SIMHASH_KEYS:  # shared when at most 3 bits change, which edits may exceed
            continue
        assert (shared(METRO, edited, field, plan) > 0) == (field is not Field.TEXT_HASH), field


def test_different_texts_share_nothing() -> None:
    texts = [METRO, TEA, LIBRARY, ORCHARD, MIXED, chinese(800, 3), english(300, 3)]
    for left in texts:
        for right in texts:
            if left is not right:
                for field in FIELDS:
                    if field is not Field.SIMHASH_KEYS:  # 16 bits: equal by chance now and then
                        assert shared(left, right, field) == 0


def test_adjacent_distances_are_those_of_unrelated_texts() -> None:
    values = [fingerprint_of(chinese(700, seed), STANDARD).simhash for seed in range(30)]
    assert all(8 <= (one ^ other).bit_count() <= 56 for one, other in pairwise(values))


def test_layout_decides_the_number_of_simhash_keys() -> None:
    wide = replace(STANDARD, simhash=SimhashPlan(blocks=6, choose=3))
    one, other = fingerprint_of(METRO, STANDARD), fingerprint_of(METRO, wide)
    assert one.simhash == other.simhash
    assert (len(one.keys[Field.SIMHASH_KEYS]), len(other.keys[Field.SIMHASH_KEYS])) == (4, 20)


def test_the_characters_plan_never_segments(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: Plan) -> None:
        raise AssertionError("a plan without words asked for a segmenter")

    monkeypatch.setattr("indexer.text.streams.segmenter", refuse)
    assert fingerprint_of(METRO, CHARACTERS).simhash
    with pytest.raises(AssertionError, match="asked for a segmenter"):
        fingerprint_of(METRO, STANDARD)
