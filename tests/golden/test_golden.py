"""Stored values frozen per plan: what an index holds today must be what we compute tomorrow.

See `tests.golden.freeze` for how, and when, to freeze anew.
"""

from __future__ import annotations

import pytest

from indexer.fingerprints import fingerprint_of
from mappings.plan import PLANS, STANDARD_SCHEMES, Plan
from mappings.schemes import SCHEME_FIELDS
from tests.golden.freeze import FORMAT_1, FROZEN, changes, computed, frozen, path_of
from tests.golden.samples import samples

plans = pytest.mark.parametrize("plan", FROZEN.values(), ids=list(FROZEN))


@plans
def test_fingerprints_are_what_they_were(plan: Plan) -> None:
    old, new = frozen(plan), computed(plan)
    assert old["plan_id"] == new["plan_id"]
    assert list(old["fingerprints"]) == list(new["fingerprints"])
    for name, expected in old["fingerprints"].items():
        assert new["fingerprints"][name] == expected, name


@plans
def test_one_by_one_they_are_the_same(plan: Plan) -> None:
    old = frozen(plan)["fingerprints"]
    for name, text in samples().items():
        made = fingerprint_of(text, plan)
        assert made.text_hash == old[name]["text_hash"], name
        assert {f.value: list(t) for f, t in made.keys.items()} == old[name]["keys"], name


@plans
def test_a_changed_value_is_noticed(plan: Plan) -> None:
    old, new = frozen(plan), computed(plan)
    assert changes(old, new) == []
    new["fingerprints"]["news"]["keys"]["sentences"][0] = "AAAAAA"
    del new["fingerprints"]["short"]
    assert changes(old, new) == ["news", "short"]


def test_the_texts_cover_what_matters() -> None:
    values = frozen(PLANS["standard"])["fingerprints"]
    assert len(values) >= 15
    assert len(values["long chinese"]["keys"]["passage_keys"]) > 3 * 16  # four chunks
    assert len(values["long english"]["keys"]["passage_keys"]) > 16  # two
    assert len(samples()["long chinese"]) > 5_000
    assert list(values["emoji"]["keys"]) == ["text_hash"]
    assert set(values["news"]["keys"]) == {SCHEME_FIELDS[name].value for name in STANDARD_SCHEMES}
    assert {path_of(plan).name for plan in FROZEN.values()} == {
        "standard-1.json",
        "characters-1.json",
        "standard-2.json",
        "characters-2.json",
    }


def test_plans_of_format_1_keep_their_ids() -> None:
    assert {plan.id for plan in FORMAT_1.values()} == {
        "standard-1-c9f383ea",
        "characters-1-c9ca43b9",
    }
