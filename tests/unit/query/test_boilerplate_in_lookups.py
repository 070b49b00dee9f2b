"""Verdicts with boilerplate left out, and partial copies told by long runs."""

from __future__ import annotations

import pytest

from indexer.boilerplate import NOTHING, Boilerplate, sentence_keys
from indexer.text import prepare
from mappings.contract import Field
from mappings.plan import STANDARD
from query.answers import Direction, Verdict
from query.grams import Kind, features_all
from query.questions import Options
from query.verify.long_runs import in_runs
from query.verify.verdict import Judgement, judge
from tests.lookups import near_duplicates
from tests.texts import chinese, english
from tests.unit.query.memory import MemoryReader
from tests.unit.query.verify.possible import could_match

NOTICE = chinese(150, 77) + "。"
WORDS = english(60, 77) + "."


def known_of(*texts: str) -> Boilerplate:
    keys = {
        key: 8
        for text in texts
        for sentences in sentence_keys(prepare(text, STANDARD), STANDARD)
        for _, _, key in sentences
    }
    return Boilerplate(keys, 100)


BOILERPLATE = known_of(NOTICE, WORDS)


def compare(asked: str, stored: str, boilerplate: Boilerplate = BOILERPLATE) -> Judgement:
    one, other = features_all([asked, stored], STANDARD, boilerplate)
    judged = judge(one, other, STANDARD)
    assert judged.verdict is None or could_match(one, other, STANDARD)
    return judged


@pytest.mark.parametrize(
    ("notice", "make"), [(NOTICE, chinese), (WORDS, english)], ids=["chinese", "english"]
)
@pytest.mark.parametrize("length", [15, 60, 200])
def test_a_shared_notice_joins_nothing(notice: str, make: object, length: int) -> None:
    assert callable(make)
    one = f"{make(length, 1)}。{notice}"
    other = f"{make(length, 2)}。{notice}"
    assert compare(one, other, NOTHING).verdict is not None or length > 100
    judged = compare(one, other)
    assert judged.verdict is None
    assert judged.similarity < STANDARD.thresholds.near


def test_copies_stay_copies() -> None:
    text = chinese(200, 1) + "。"
    assert compare(text + NOTICE, text).verdict is Verdict.NEAR
    assert compare(text + NOTICE, text + NOTICE).verdict is Verdict.EXACT
    assert compare(NOTICE, NOTICE).verdict is Verdict.EXACT
    assert compare(NOTICE, NOTICE + "完").verdict is None  # nothing is left to compare


def test_what_is_left_out_is_told() -> None:
    text = chinese(200, 1) + "。" + NOTICE
    (features,) = features_all([text], STANDARD, BOILERPLATE)
    letters = len(prepare(NOTICE, STANDARD).folded.values)
    assert features.boilerplate() == letters
    assert features.length == len(prepare(text, STANDARD).folded.values) - letters
    reader = MemoryReader({"a": text}, STANDARD)
    answer = near_duplicates(text + "完", STANDARD, reader, boilerplate=BOILERPLATE)
    assert answer.completeness.boilerplate == letters
    assert near_duplicates(text, STANDARD, reader).completeness.boilerplate == 0


def test_keys_of_boilerplate_are_not_asked_for() -> None:
    reader = MemoryReader({"a": NOTICE}, STANDARD)
    near_duplicates(chinese(50, 1) + "。" + NOTICE, STANDARD, reader)
    near_duplicates(chinese(50, 1) + "。" + NOTICE, STANDARD, reader, boilerplate=BOILERPLATE)
    with_all, without = (request.keys for request in reader.requests)
    (features,) = features_all([NOTICE], STANDARD, BOILERPLATE)
    gone = {name: set(terms) - set(without[name]) for name, terms in with_all.items()}
    assert gone[Field.SENTENCES]
    assert gone[Field.SENTENCES] <= set(BOILERPLATE.sentences)
    assert gone[Field.PASSAGE_KEYS]
    assert set(without[Field.PASSAGE_KEYS]).isdisjoint(features.boilerplate_passage_keys())
    assert {name for name, terms in gone.items() if terms} == {
        Field.SENTENCES,
        Field.PASSAGE_KEYS,
    }


def test_grams_never_reach_into_boilerplate() -> None:
    one, other = chinese(90, 1) + "。", chinese(90, 2) + "。"
    (whole,) = features_all([one + NOTICE + other], STANDARD, BOILERPLATE)
    apart = features_all([one, other], STANDARD)
    for kind in Kind:
        values = [{*text.batch.of_row(kind, False, text.row).tolist()} for text in (*apart, whole)]
        assert values[2] == values[0] | values[1]


def passage(size: int, at: int = 0) -> str:
    return chinese(2_000, 5)[at : at + size]


def test_an_excerpt_is_partial_by_its_runs() -> None:
    """Three sentences of twenty-five letters: few long grams, but long runs."""
    excerpt = "".join(passage(27, at) + chinese(30, at) for at in (100, 400, 700))
    page, source = excerpt + chinese(200, 8), passage(380) + passage(380, 380)
    judged = compare(page, source)
    assert judged.verdict is Verdict.PARTIAL
    assert judged.share < 1
    assert compare(source, page).share == pytest.approx(judged.stored_share)


def test_runs_are_counted_once_and_in_units() -> None:
    def covered(asked: str, stored: str) -> int:
        one, another = features_all([asked, stored], STANDARD)
        return in_runs(one, another, STANDARD.thresholds, spaced=False).common

    text = passage(300)
    other = chinese(50, 3) + text[40:100] + chinese(50, 4)
    letters = len(prepare(text[40:100], STANDARD).folded.values)
    assert covered(text, other) == covered(other, text) == pytest.approx(letters, abs=2)
    assert covered(text, text) == len(prepare(text, STANDARD).folded.values)
    assert covered(text[:15], text) == 0


def test_the_direction_of_an_edited_excerpt() -> None:
    source = passage(1_500)
    edited = "".join("错" if at % 25 == 12 else c for at, c in enumerate(source[300:700]))
    judged = compare(edited, source)
    assert judged.verdict is Verdict.PARTIAL
    assert judged.direction is Direction.CONTAINED_IN
    assert compare(source, edited).direction is Direction.CONTAINS


def test_boilerplate_may_have_its_say() -> None:
    one, other = f"{chinese(15, 1)}。{NOTICE}", f"{chinese(15, 2)}。{NOTICE}"
    reader = MemoryReader({"other": other}, STANDARD)
    assert near_duplicates(one, STANDARD, reader, boilerplate=BOILERPLATE).matches == ()
    answer = near_duplicates(one, STANDARD, reader, Options(boilerplate=True), BOILERPLATE)
    assert [match.id for match in answer.matches] == ["other"]
    assert answer.completeness.boilerplate == 0
