"""Asked backwards as well: the same documents, with their places in the text as it was given."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mappings.plan import STANDARD
from query.answers import Verdict
from query.lookup import Options, Question, near_duplicates, near_duplicates_all, near_duplicates_of
from tests.texts import LIBRARY, METRO, TEA, chinese
from tests.unit.query.memory import MemoryReader

BOTH = Options(backwards=True)


@pytest.fixture
def reader() -> MemoryReader:
    return MemoryReader({"metro": METRO, "tea": TEA, "library": LIBRARY}, STANDARD)


@pytest.mark.parametrize(("name", "text"), [("metro", METRO), ("tea", TEA), ("library", LIBRARY)])
def test_a_text_backwards_is_found_on_request(reader: MemoryReader, name: str, text: str) -> None:
    turned = text[::-1]
    assert near_duplicates(turned, STANDARD, reader).matches == ()
    (match,) = near_duplicates(turned, STANDARD, reader, BOTH).matches
    assert (match.id, match.verdict, match.disguise) == (name, Verdict.EXACT, ("backwards",))


def test_forwards_comes_first_and_once(reader: MemoryReader) -> None:
    """A text that holds both directions is found once; one of either makes two matches."""
    (plain,) = near_duplicates(METRO, STANDARD, reader, BOTH).matches
    assert (plain.id, plain.disguise) == ("metro", ())
    both = near_duplicates(METRO + TEA[::-1], STANDARD, reader, BOTH).matches
    assert {match.id: match.disguise for match in both} == {"metro": (), "tea": ("backwards",)}
    assert [match.id for match in both] == [
        match.id for match in sorted(both, key=lambda match: match.rank())
    ]
    one = near_duplicates(METRO + TEA[::-1], STANDARD, reader, replace(BOTH, size=1))
    assert one.matches == both[:1]


def test_the_place_is_one_of_the_text_as_given(reader: MemoryReader) -> None:
    page = f"{chinese(2_000, 1)}{METRO[::-1]}{chinese(900, 2)}"
    (match,) = near_duplicates(page, STANDARD, reader, BOTH).matches
    assert match.located is not None
    start, stop = match.located.asked
    there = slice(*match.located.stored)
    assert page[start:stop][::-1].strip("。，") == METRO[there].strip("。，")


def test_what_is_covered_is_the_sum(reader: MemoryReader) -> None:
    one = near_duplicates(METRO, STANDARD, reader).completeness
    other = near_duplicates(METRO[::-1], STANDARD, reader).completeness
    both = near_duplicates(METRO, STANDARD, reader, BOTH).completeness
    assert both.candidates == one.candidates + other.candidates
    assert both.examined == one.examined + other.examined
    assert both.guarantee == one.guarantee


def test_many_questions_keep_their_order(reader: MemoryReader) -> None:
    questions = [Question(TEA[::-1], "a"), Question("别的什么", "b"), Question(METRO, "c")]
    answers = near_duplicates_all(questions, STANDARD, reader, BOTH)
    assert [answer.id for answer in answers] == ["a", "b", "c"]
    assert [[match.id for match in answer.matches] for answer in answers] == [
        ["tea"],
        [],
        ["metro"],
    ]


def test_a_stored_document_is_asked_backwards_too(reader: MemoryReader) -> None:
    reader = MemoryReader({"metro": METRO, "turned": METRO[::-1]}, STANDARD)
    answer = near_duplicates_of("metro", STANDARD, reader, BOTH)
    assert [(match.id, match.disguise) for match in answer.matches] == [("turned", ("backwards",))]
    assert answer.left_out == "metro"
