"""Two texts, one of them in a disguise that lookups undo: who compares them sees what they see."""

from __future__ import annotations

from itertools import combinations

import pytest

from dupdex.wire.explanation_form import ExplanationForm
from dupdex.wire.page import explanation_page
from indexer.meant.meant import Disguise
from mappings.plan import STANDARD
from query.answers import Verdict
from query.explain.explanation import Explanation, Subject, explain
from query.pair import PairJudge
from query.telling_pair import compared, telling
from tests.lookups import near_duplicates
from tests.texts import LIBRARY, METRO, METRO_TRADITIONAL, TEA, chinese, english
from tests.unit.query.memory import MemoryReader

JUDGE = PairJudge(STANDARD)
STROKES = "丨".join(TEA)
DISGUISED = {
    Disguise.SIGNS: (LIBRARY, LIBRARY.translate(str.maketrans("aise", "@!$€"))),
    Disguise.BETWEEN: (TEA, STROKES),
    Disguise.BACKWARDS: (METRO, f"\u202e{METRO[::-1]}\u202c"),
    Disguise.VERTICAL: (METRO, "\n".join(METRO[row:120:12] for row in range(12))),
}


def explained(first: str, second: str) -> Explanation:
    return explain(Subject(first), Subject(second), STANDARD)


@pytest.mark.parametrize("disguise", DISGUISED)
def test_a_pair_is_what_a_lookup_says_of_it(disguise: Disguise) -> None:
    plain, text = DISGUISED[disguise]
    (match,) = near_duplicates(text, STANDARD, MemoryReader({"plain": plain}, STANDARD)).matches
    for first, second in ((text, plain), (plain, text)):
        assert JUDGE.comparison(*JUDGE.read([first, second])).verdict is None
        found = compared(JUDGE, first, second)
        assert (found.verdict, found.disguise) == (Verdict.NEAR, (disguise,))
        assert (found.verdict, found.similarity) == (match.verdict, match.similarity)
        told = explained(first, second)
        assert (told.verdict, told.disguise) == (found.verdict, found.disguise)
        assert told.formula.verdict is Verdict.NEAR
        assert told.judgement.similarity == found.similarity
        assert {each.field: each.shared for each in told.keys} == {
            name: count for name, count in found.shared_keys.items() if count
        }


def test_what_is_the_same_as_given_is_taken_as_given() -> None:
    for pair in ((STROKES, STROKES), (STROKES, METRO), (TEA, METRO), (TEA, TEA)):
        assert [text.text for text in telling(JUDGE, *pair)[:2]] == [*pair]
    assert compared(JUDGE, STROKES, STROKES).verdict is Verdict.EXACT
    found = compared(JUDGE, STROKES, METRO)
    assert (found.verdict, found.disguise) == (None, ())


def test_the_readings_that_are_most_alike_tell() -> None:
    tagged = "".join(f"<i>{METRO[at : at + 4]}</i>" for at in range(0, len(METRO), 4)) + TEA
    given = JUDGE.comparison(*JUDGE.read([tagged, METRO + TEA]))
    found = compared(JUDGE, tagged, METRO + TEA)
    assert given.verdict is not None
    assert given.similarity < found.similarity == 1.0
    assert (found.verdict, found.disguise) == (Verdict.NEAR, (Disguise.MARKUP,))


def test_letters_by_number_alone_tell_nothing() -> None:
    """Unrelated texts in references have digits in common."""
    texts = ["".join(f"&#{ord(each)};" for each in english(90, seed)) for seed in range(5)]
    found = [compared(JUDGE, one, other) for one, other in combinations(texts, 2)]
    assert {each.verdict for each in found} == {None}
    assert {explained(one, other).verdict for one, other in combinations(texts, 2)} == {None}
    assert any(JUDGE.comparison(*JUDGE.read(pair)).verdict for pair in combinations(texts, 2))


def test_passages_stand_where_the_text_as_given_has_them() -> None:
    page = "丨".join(f"{chinese(300, 1)}{METRO_TRADITIONAL}{chinese(200, 2)}")
    found = ExplanationForm.of(explained(page, METRO))
    longest = found.passages[0]
    assert page[slice(*longest.first)].replace("丨", "") in METRO_TRADITIONAL
    assert longest.second[1] - longest.second[0] > 200
    assert longest.units > 200
    turned = ExplanationForm.of(explained(METRO, f"{TEA}\u202e{METRO[::-1]}\u202c"))
    assert turned.passages[0].second[0] > len(TEA)


def test_a_page_shows_the_text_as_it_may_be_meant_and_says_so() -> None:
    page = explanation_page(explained(STROKES, TEA))
    assert "丨" not in page
    assert page.count("first text, as it may be meant") == page.count("前者（还原后）") + 1
    assert "second text, as it may be meant" not in page
    assert "as it may be meant" not in explanation_page(explained(TEA, TEA))
