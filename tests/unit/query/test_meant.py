"""Asked as it may be meant, and backwards: the same documents, with their places in the text as it
was given."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest
from msgspec import structs

from indexer.meant.meant import Disguise, Meant
from mappings.contract import Field
from mappings.plan import STANDARD
from query.answers import Verdict
from query.lookup import near_duplicates_all
from query.meant_matches import Told, better_of, in_strokes, is_of_strokes
from query.pair import PairJudge
from query.questions import Options, Question
from query.sweep import all_pairs
from tests.lookups import near_duplicates, near_duplicates_of
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
    assert (match.id, match.verdict, match.disguise) == (name, Verdict.NEAR, ("backwards",))


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


AS_WRITTEN = Options(as_meant=False)
SIGNS = LIBRARY.translate(str.maketrans("aise", "@!$€"))
STROKES = "丨".join(TEA)
NUMBERS = "".join(f"&#{ord(each)};" for each in TEA)
COLUMNS = "\n".join(METRO[row:120:12] for row in range(12))


@pytest.mark.parametrize(
    ("name", "text", "disguise"),
    [
        ("library", SIGNS, Disguise.SIGNS),
        ("tea", STROKES, Disguise.BETWEEN),
        ("metro", f"\u202e{METRO[::-1]}\u202c", Disguise.BACKWARDS),
        ("metro", COLUMNS, Disguise.VERTICAL),
    ],
)
def test_a_disguise_is_undone_when_it_is_asked(
    reader: MemoryReader, name: str, text: str, disguise: Disguise
) -> None:
    assert near_duplicates(text, STANDARD, reader, AS_WRITTEN).matches == ()
    (match,) = near_duplicates(text, STANDARD, reader).matches
    assert (match.id, match.disguise) == (name, (disguise,))


def test_the_place_is_one_of_the_text_with_strokes(reader: MemoryReader) -> None:
    """What is undone changes the number of characters before the copy."""
    page = "丨".join(chinese(1_000, 1) + METRO + chinese(400, 2))
    (match,) = near_duplicates(page, STANDARD, reader).matches
    assert match.located is not None
    start, stop = match.located.asked
    assert page[start:stop].replace("丨", "").strip("。，") == METRO.strip("。，")


def test_what_the_text_as_given_finds_comes_from_it(reader: MemoryReader) -> None:
    """A stored text in the same disguise is found as it is; the plain one as it is meant."""
    reader = MemoryReader({"plain": TEA, "strokes": STROKES, "metro": METRO}, STANDARD)
    answer = near_duplicates(STROKES, STANDARD, reader)
    assert {match.id: match.disguise for match in answer.matches} == {
        "strokes": (),
        "plain": (Disguise.BETWEEN,),
    }
    written = near_duplicates(STROKES, STANDARD, reader, AS_WRITTEN)
    assert written.matches == tuple(m for m in answer.matches if m.id == "strokes")
    one = near_duplicates(STROKES, STANDARD, reader, Options(size=1))
    assert one.matches == answer.matches[:1]


@pytest.mark.parametrize("disguise", [Disguise.BETWEEN, Disguise.REFERENCES])
def test_a_stroke_that_two_texts_share_makes_no_copy(
    reader: MemoryReader, disguise: Disguise
) -> None:
    """A small part in common is dropped where one stroke is half of every gram; a large one not."""
    (exact,) = near_duplicates(TEA, STANDARD, reader).matches
    small, large = (
        structs.replace(exact, verdict=Verdict.PARTIAL, share=share, stored_share=0.1)
        for share in (0.2, 0.8)
    )
    assert [is_of_strokes(match) for match in (small, large, exact)] == [True, False, False]
    strokes = Meant("", (), (disguise,))
    plain = [replace(strokes, disguises=others) for others in ((), (Disguise.MARKUP,))]
    assert in_strokes([*plain, strokes])
    assert not in_strokes(plain)


def test_what_shares_strokes_alone_takes_no_place() -> None:
    """Another text with strokes is more similar than the page that has all of the asked one."""
    asked = "丨".join(METRO[:150])
    page = f"{chinese(900, 1)}。{asked}。{chinese(900, 2)}"
    others = {f"{at}": "丨".join(METRO[:40] + chinese(110, at)) for at in range(3, 6)}
    reader = MemoryReader({"page": page, **others}, STANDARD)
    written = near_duplicates(asked, STANDARD, reader, replace(AS_WRITTEN, size=3))
    assert {match.id for match in written.matches} == {*others}
    for size in (1, None):
        answer = near_duplicates(asked, STANDARD, reader, Options(size=size))
        assert [match.id for match in answer.matches] == ["page"]


def test_plain_texts_are_asked_once(reader: MemoryReader) -> None:
    questions = [Question(METRO, "a"), Question(LIBRARY, "b"), Question("别的什么", "c")]
    answers = near_duplicates_all(questions, STANDARD, reader)
    assert len(reader.requests) == len(questions)
    assert answers == near_duplicates_all(questions, STANDARD, reader, AS_WRITTEN)


def test_those_with_signs_are_asked_together_with_the_others(reader: MemoryReader) -> None:
    questions = [Question(STROKES, "a"), Question(METRO, "b"), Question(SIGNS, "c")]
    answers = near_duplicates_all(questions, STANDARD, reader)
    assert [[match.id for match in each.matches] for each in answers] == [
        ["tea"],
        ["metro"],
        ["library"],
    ]
    assert [answer.id for answer in answers] == ["a", "b", "c"]
    assert len(reader.requests) == len(questions) + 2
    assert answers[1] == near_duplicates_all(questions[1:2], STANDARD, reader)[0]


def test_pairs_are_what_comparing_finds() -> None:
    """Whichever of two texts is in a disguise, or both, and whichever comes first."""
    texts = {"plain": TEA, "strokes": STROKES, "numbers": NUMBERS, "metro": METRO}
    for order in (1, -1):
        reader = MemoryReader(dict([*texts.items()][::order]), STANDARD)
        found = list(all_pairs(reader.stored.values(), STANDARD, reader))
        assert {frozenset((pair.first.id, pair.second.id)) for pair in found} == {
            frozenset(both) for both in combinations(("plain", "strokes", "numbers"), 2)
        }
        assert {pair.match.verdict for pair in found} == {Verdict.NEAR}


def test_a_stored_text_in_a_disguise_is_found(reader: MemoryReader) -> None:
    """By the plain text, by one in another disguise, and by a part of it."""
    reader = MemoryReader({"strokes": STROKES, "numbers": NUMBERS, "metro": METRO}, STANDARD)
    both = {"strokes": Disguise.BETWEEN, "numbers": Disguise.REFERENCES}
    answer = near_duplicates(TEA, STANDARD, reader)
    assert {match.id: match.disguise for match in answer.matches} == {
        name: (disguise,) for name, disguise in both.items()
    }
    assert {match.verdict for match in answer.matches} == {Verdict.NEAR}
    assert all(match.facts_differ == () for match in answer.matches)
    assert {match.evidence.hamming for match in answer.matches} == {None}
    assert near_duplicates(TEA, STANDARD, reader, AS_WRITTEN).matches == ()
    other = near_duplicates("\U0001f600".join(TEA), STANDARD, reader)
    assert {match.id for match in other.matches} == {*both}
    turned = near_duplicates(f"\u202e{TEA[::-1]}", STANDARD, reader)
    assert {match.id: match.disguise for match in turned.matches} == {
        name: tuple(each for each in Disguise if each in (disguise, Disguise.BACKWARDS))
        for name, disguise in both.items()
    }


def test_the_place_is_one_of_the_stored_text_as_given() -> None:
    page = "丨".join(chinese(1_000, 1) + METRO + chinese(400, 2))
    reader = MemoryReader({"page": page}, STANDARD)
    (match,) = near_duplicates(METRO, STANDARD, reader).matches
    assert (match.verdict, match.disguise) == (Verdict.PARTIAL, (Disguise.BETWEEN,))
    assert match.located is not None
    start, stop = match.located.stored
    assert page[start:stop].replace("丨", "").strip("。，") == METRO.strip("。，")


def test_the_better_reading_of_a_stored_text_and_of_an_asked_one_tells() -> None:
    page = "".join(f"<i>{TEA[at : at + 3]}</i>" for at in range(0, len(TEA), 3)) + METRO
    for stored, asked in ((page, TEA + METRO), (TEA + METRO, page)):
        reader = MemoryReader({"stored": stored}, STANDARD)
        (match,) = near_duplicates(asked, STANDARD, reader).matches
        (written,) = near_duplicates(asked, STANDARD, reader, AS_WRITTEN).matches
        assert written.similarity < match.similarity == 1.0
        assert (match.verdict, match.disguise) == (Verdict.NEAR, (Disguise.MARKUP,))


def test_a_part_that_strokes_make_gives_way_to_a_smaller_one_that_is_said(
    reader: MemoryReader,
) -> None:
    (told,) = near_duplicates(TEA, STANDARD, reader).matches
    (text,) = PairJudge(STANDARD).read([TEA])
    strokes = replace(text, meant=Meant.given(TEA).taken(range(len(TEA)), Disguise.BETWEEN))
    by_strokes, said = (
        structs.replace(told, verdict=Verdict.PARTIAL, similarity=share, share=share)
        for share in (0.4, 0.2)
    )
    by_strokes = structs.replace(by_strokes, stored_share=0.1)
    better = better_of(Told(by_strokes, text), Told(said, strokes))
    assert better is not None
    assert (better.text, better.match.share) == (strokes, 0.2)
    plain = replace(strokes, meant=Meant.given(TEA).other_letters(TEA, Disguise.SIGNS))
    assert better_of(Told(by_strokes, text), Told(said, plain)) == Told(by_strokes, text)


def test_an_index_of_a_plan_without_meanings_is_asked_as_before() -> None:
    plan = replace(STANDARD, steps=STANDARD.steps[:-1])
    reader = MemoryReader({"strokes": STROKES}, plan)
    assert near_duplicates(TEA, plan, reader).matches == ()
    (match,) = near_duplicates(STROKES, plan, MemoryReader({"plain": TEA}, plan)).matches
    assert match.disguise == (Disguise.BETWEEN,)


@pytest.mark.parametrize("text", ["<br><br><br>", "[b][b][b]", "<b></b><i></i><b></b>"])
def test_markup_alone_is_a_text_as_any_other(reader: MemoryReader, text: str) -> None:
    assert near_duplicates(text, STANDARD, reader).matches == ()


def test_a_part_of_a_page_with_tags_stays_a_match() -> None:
    """Of texts that are digits for the most part a small part may be chance; of tags it is not."""
    marked = "".join(f"<p>{TEA[at : at + 40]}</p>\n" for at in range(0, 400, 40))
    reader = MemoryReader({"page": f"{marked}{chinese(900, 3)}"}, STANDARD)
    asked = f"<div>{chinese(300, 5)}<br><br>{marked[:200]}</div>"
    (match,) = near_duplicates(asked, STANDARD, reader).matches
    assert (match.id, match.verdict) == ("page", Verdict.PARTIAL)


def test_matches_by_the_other_reading_show_their_keys() -> None:
    page = "\n".join((chinese(900, 1), LIBRARY, chinese(700, 3)))
    reader = MemoryReader({"page": page, "tea": TEA}, STANDARD)
    (match,) = near_duplicates(f"他们说：{LIBRARY}很好看，我也喜欢。", STANDARD, reader).matches
    assert match.id == "page"
    assert match.evidence.keys[Field.PASSAGE_KEYS]
