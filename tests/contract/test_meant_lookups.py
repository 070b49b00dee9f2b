"""Texts in disguises, asked and stored, are found as they are meant, on both stores."""

from __future__ import annotations

import pytest

from mappings.plan import CHARACTERS, STANDARD
from query.answers import Verdict
from query.lookup import near_duplicates_all
from query.pair import PairJudge
from query.questions import EVERYTHING, Options, Question
from query.telling_pair import compared
from tests.contract.stores import Store, real
from tests.texts import TEA, chinese

ACADEMY = "One woman in seven in military academies was assaulted last year, a survey found."
MEETING = "The Dalai Lama was due to meet the opposition leader on Friday, his office said."


def test_a_disguised_text_is_found_as_it_is_meant(store: Store) -> None:
    plain = "云溪市北岸的白鹭大桥今天上午正式通车，第一批车辆驶过大桥用了四分钟。"
    store.write(real("a", plain), real("b", "清明前后，山里的茶农天不亮就上山了，今年春天来得晚。"))
    questions = [Question("丨".join(plain), "strokes"), Question(plain, "plain")]
    strokes, same = near_duplicates_all(questions, CHARACTERS, store.reader)
    assert [(match.id, match.disguise) for match in strokes.matches] == [("a", ("marks between",))]
    assert [(match.id, match.disguise) for match in same.matches] == [("a", ())]
    written = near_duplicates_all(questions, CHARACTERS, store.reader, Options(as_meant=False))
    assert [len(answer.matches) for answer in written] == [0, 1]


def test_a_stored_text_in_a_disguise_is_found(store: Store) -> None:
    plain = "云溪市北岸的白鹭大桥今天上午正式通车，第一批车辆驶过大桥用了四分钟。"
    numbers = "".join(f"&#{ord(each)};" for each in plain)
    store.write(real("strokes", "丨".join(plain)), real("numbers", numbers), real("other", TEA))
    for asked in (plain, "丶".join(plain), f"\u202e{plain[::-1]}"):
        (answer,) = near_duplicates_all([Question(asked)], CHARACTERS, store.reader)
        assert {(match.id, match.verdict) for match in answer.matches} == {
            ("strokes", Verdict.NEAR),
            ("numbers", Verdict.NEAR),
        }
        assert all(match.disguise for match in answer.matches)
    (written,) = near_duplicates_all(
        [Question(plain)], CHARACTERS, store.reader, Options(as_meant=False)
    )
    assert written.matches == ()


def test_the_better_reading_tells(store: Store) -> None:
    """What a text with tags has in common as it is given is less than what it is meant to say."""
    foot = (
        "本网站所有内容均来自合作媒体的公开报道，转载请注明出处并保留原文链接，未经允许不得用于商业用途。"
        * 2
    )
    page = "".join(f"<i>{TEA[at : at + 3]}</i>" for at in range(0, len(TEA), 3)) + foot
    others = [real(f"u{at}", chinese(300, at) + foot) for at in range(4)]
    store.write(real("page", page), *others)
    plain = TEA + foot
    for stored, asked in (("page", plain), ("plain", page)):
        if stored == "plain":
            store.write(real("plain", plain))
        (answer,) = near_duplicates_all([Question(asked)], CHARACTERS, store.reader, EVERYTHING)
        best = {match.id: match for match in answer.matches}[stored]
        assert (best.verdict, best.similarity, best.disguise) == (Verdict.NEAR, 1.0, ("markup",))
        assert answer.matches[0].verdict in (Verdict.EXACT, Verdict.NEAR)


@pytest.mark.parametrize(
    "letter", ['<font size="2">{}</font>', "[color=red]{}[/color]", "{}&ZeroWidthSpace;"]
)
def test_markup_is_not_what_texts_have_in_common(store: Store, letter: str) -> None:
    """Tags around each letter are most of such a text, and of any other."""
    stored, other = (
        "".join(letter.format(each) if each.strip() else each for each in text)
        for text in (ACADEMY, MEETING)
    )
    store.write(real("a", stored))
    questions = [Question(each) for each in (other, stored, ACADEMY)]
    unlike, same, plain = near_duplicates_all(questions, STANDARD, store.reader)
    assert unlike.matches == ()
    assert [match.verdict for match in same.matches] == [Verdict.EXACT]
    assert [match.verdict for match in plain.matches] == [Verdict.NEAR]
    assert compared(PairJudge(STANDARD), other, stored).verdict is None


def test_addresses_are_what_texts_have_in_common(store: Store) -> None:
    addresses = " ".join(f"http://www.site{at}.example/{at * 7919}" for at in range(8))
    stored = f"My brother sent me these, look: {addresses}"
    asked = f"All of the best pages that I know: {addresses}"
    store.write(real("a", stored))
    (answer,) = near_duplicates_all([Question(asked)], STANDARD, store.reader)
    assert [match.verdict for match in answer.matches] == [Verdict.NEAR]
    assert compared(PairJudge(STANDARD), asked, stored).verdict is Verdict.NEAR


def test_markup_beside_none_is_judged_as_it_is_given(store: Store) -> None:
    """Only what two texts with tags have in common may be the tags."""
    page = "".join(f"<p>{each}</p>" for each in (MEETING, ACADEMY)) + "<br>" * 9
    store.write(real("page", page), real("plain", f"{MEETING} {ACADEMY}"))
    (answer,) = near_duplicates_all([Question(f"{MEETING} {ACADEMY}")], STANDARD, store.reader)
    verdicts = {match.id: match.verdict for match in answer.matches}
    assert verdicts == {"page": Verdict.NEAR, "plain": Verdict.EXACT}
    assert compared(PairJudge(STANDARD), page, page).verdict is Verdict.EXACT
