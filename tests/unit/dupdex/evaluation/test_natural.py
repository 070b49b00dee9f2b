"""Containment of character 5-grams of the folded text."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dupdex.evaluation.natural import containment, grams_of, natural_pairs
from mappings.plan import CHARACTERS


def test_folding_leaves_letters_and_digits_only() -> None:
    grams = grams_of("Ａb，漢 字１！", CHARACTERS)
    assert grams == {"ab汉字1"}
    assert grams_of("Ａb，漢 字１！2", CHARACTERS) == {"ab汉字1", "b汉字12"}


def test_folding_does_not_depend_on_the_steps_of_the_plan() -> None:
    bare = replace(CHARACTERS, steps=())
    assert grams_of("漢字Ａ和字母", bare) == grams_of("漢字Ａ和字母", CHARACTERS)


@pytest.mark.parametrize(("text", "grams"), [("", set()), ("，。", set()), ("三个字", {"三个字"})])
def test_short_texts(text: str, grams: set[str]) -> None:
    assert grams_of(text, CHARACTERS) == grams


def test_containment_by_hand() -> None:
    # 6 characters have 2 grams; of these one is also in the longer text.
    small, large = grams_of("甲乙丙丁戊己", CHARACTERS), grams_of("甲乙丙丁戊天地玄黄", CHARACTERS)
    assert (len(small), len(large)) == (2, 5)
    assert containment(small, large) == containment(large, small) == 0.5
    assert containment(frozenset(), large) == 0.0


def test_natural_from_one_half_on_and_few_texts_at_a_time() -> None:
    texts = {"s": "甲乙丙丁戊己", "l": "甲乙丙丁戊天地玄黄", "o": "宇宙洪荒日月盈昃"}
    asked: list[int] = []

    def fetch(ids: object) -> dict[str, str]:
        names = list(ids)  # type: ignore[call-overload]
        asked.append(len(names))
        return {name: texts[name] for name in names}

    pairs = [("l", "s"), ("o", "s")] * 150
    assert natural_pairs(pairs, fetch, CHARACTERS) == {("l", "s")}
    assert asked == [3, 3]
