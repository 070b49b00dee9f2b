"""Mixed texts are asked for in both readings, others in their own."""

from __future__ import annotations

import pytest

from mappings.contract import Field
from mappings.plan import STANDARD
from query.other_reading import in_both_readings
from query.pair import PairJudge
from tests.texts import LIBRARY, METRO, TEA, chinese, english

PAGE = "\n".join((chinese(900, 1), english(90, 2), chinese(700, 3)))


def passages(text: str) -> set[str]:
    (read,) = PairJudge(STANDARD).read([text])
    own = read.fingerprint
    both = in_both_readings(own, text, read.features, STANDARD)
    assert both.keys.keys() == own.keys.keys()
    for name, terms in own.keys.items():
        assert both.keys[name][: len(terms)] == terms
        assert name is Field.PASSAGE_KEYS or both.keys[name] == terms
    return {*both.keys[Field.PASSAGE_KEYS]}


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


def test_a_chinese_page_meets_the_code_and_the_table_in_it() -> None:
    code = "\n".join(
        f"mvaddch(y[{n}], x[{n}], '0'); yi = getrandom_int() % maxlines;" for n in range(9)
    )
    table = "\n".join(f"| 北京 | {5969 * n} | {n}.58 | 2023-01-{n + 10} |" for n in range(1, 12))
    for part in (code, table):
        page = "\n".join((chinese(900, 1), part, chinese(700, 3)))
        assert passages(page) & stored(part)
        assert not stored(page) & stored(part)
        assert len(passages(page)) < 2 * len(stored(page))


@pytest.mark.parametrize(
    "text",
    [
        METRO,
        TEA,
        LIBRARY,
        METRO + " MySQL",
        LIBRARY + "茶",
        METRO + LIBRARY[:120],
        "茶书山水火" + LIBRARY,
    ],
)
def test_other_texts_are_asked_for_as_they_are(text: str) -> None:
    assert passages(text) == stored(text)
