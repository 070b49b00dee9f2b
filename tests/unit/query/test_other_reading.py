"""Mixed texts are asked for in both readings, others in their own."""

from __future__ import annotations

import pytest

from mappings.contract import Field
from mappings.plan import STANDARD
from query.other_reading import with_other_reading
from query.pair import PairJudge
from tests.texts import LIBRARY, METRO, TEA, chinese, english

PAGE = "\n".join((chinese(900, 1), english(90, 2), chinese(700, 3)))


def passages(text: str) -> set[str]:
    (read,) = PairJudge(STANDARD).read([text])
    keys = with_other_reading(read.fingerprint.keys, text, read.features, STANDARD)
    assert {name: keys[name] for name in keys if name is not Field.PASSAGE_KEYS} == {
        name: terms
        for name, terms in read.fingerprint.keys.items()
        if name is not Field.PASSAGE_KEYS
    }
    assert {*keys[Field.PASSAGE_KEYS]} >= {*read.fingerprint.keys[Field.PASSAGE_KEYS]}
    return {*keys[Field.PASSAGE_KEYS]}


def stored(text: str) -> set[str]:
    (read,) = PairJudge(STANDARD).read([text])
    return {*read.fingerprint.keys[Field.PASSAGE_KEYS]}


def test_an_excerpt_that_is_mostly_english_meets_its_page() -> None:
    start = PAGE.index("\n")
    excerpt = PAGE[start - 20 : start + 400]
    assert passages(excerpt) & stored(PAGE)
    assert not stored(excerpt) & stored(PAGE)


def test_an_excerpt_that_is_mostly_chinese_meets_its_page() -> None:
    page = "\n".join((english(200, 4), chinese(90, 5), english(200, 6)))
    start = page.index("\n")
    excerpt = page[start - 300 : start + 91]
    assert passages(excerpt) & stored(page)
    assert not stored(excerpt) & stored(page)


@pytest.mark.parametrize("text", [METRO, TEA, LIBRARY, METRO + " MySQL", LIBRARY + "茶"])
def test_other_texts_are_asked_for_as_they_are(text: str) -> None:
    assert passages(text) == stored(text)
