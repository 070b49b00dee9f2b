"""The keys of what texts may mean, beside their own."""

from __future__ import annotations

from dataclasses import replace

import pytest

from indexer.fingerprints import fingerprint_of, fingerprints_of
from indexer.fingerprints.meant_keys import STEP, which_are_meant
from indexer.meant.meanings import meanings
from indexer.model import Fingerprint
from mappings.contract import Field
from mappings.plan import CHARACTERS, STANDARD, Plan
from tests.texts import LIBRARY, METRO, TEA

DISGUISED = {
    "strokes": (TEA, "丨".join(TEA)),
    "numbers": (TEA, "".join(f"&#{ord(each)};" for each in TEA)),
    "signs": (LIBRARY, LIBRARY.translate(str.maketrans("aise", "@!$€"))),
    "tags": (LIBRARY, "<i></i>".join(LIBRARY)),
}
GIVEN = replace(STANDARD, steps=tuple(step for step in STANDARD.steps if step != STEP))
WIDE = replace(STANDARD, simhash=replace(STANDARD.simhash, blocks=6, choose=3))


@pytest.mark.parametrize("plan", [STANDARD, CHARACTERS, WIDE], ids=["words", "characters", "wide"])
@pytest.mark.parametrize(("plain", "text"), DISGUISED.values(), ids=DISGUISED)
def test_a_text_in_a_disguise_has_the_keys_of_both(plain: str, text: str, plan: Plan) -> None:
    made, meant = fingerprint_of(text, plan), fingerprint_of(meanings(text)[0].text, plan)
    assert set(meant.shared_with(fingerprint_of(plain, plan))) >= {Field.PASSAGE_KEYS}
    own = fingerprint_of(text, replace(plan, steps=GIVEN.steps))
    assert (made.text_hash, made.simhash, made.length) == (own.text_hash, own.simhash, own.length)
    assert made.keys[Field.TEXT_HASH] == own.keys[Field.TEXT_HASH]
    for name, terms in own.keys.items():
        assert made.keys[name][: len(terms)] == terms
        if name is not Field.TEXT_HASH:
            assert {*made.keys[name]} == {*terms, *meant.keys[name]}
    assert which_are_meant([made, own, None], plan) == [0]


def test_a_plain_text_has_its_own_alone() -> None:
    texts = [METRO, DISGUISED["strokes"][1], TEA, "好", "😀👍", LIBRARY]
    made = fingerprints_of(texts, STANDARD)
    own = fingerprints_of(texts, GIVEN)
    assert [one == other for one, other in zip(made, own, strict=True)] == [
        at != 1 for at in range(len(texts))
    ]
    assert which_are_meant(made, STANDARD) == [1]
    assert made == [fingerprint_of(text, STANDARD) for text in texts]


def test_a_text_of_no_letters_may_mean_some() -> None:
    meant = fingerprint_of(TEA, STANDARD)
    bare = Fingerprint("h", 0, 0, {**meant.keys, Field.TEXT_HASH: ("h",)})
    assert which_are_meant([bare], STANDARD) == [0]


def test_a_plan_without_the_step_knows_of_no_meaning() -> None:
    made = fingerprint_of(DISGUISED["strokes"][1], STANDARD)
    assert which_are_meant([made], GIVEN) == []
