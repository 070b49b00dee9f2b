"""Skeletons: each disguise undone, the way back to the original, batches, what stays as it was."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from indexer.fingerprints import fingerprint_of
from indexer.text import Prepared, preparation, prepare, prepare_all
from indexer.text import skeleton as skeletons
from indexer.text.skeleton import Undone
from indexer.text.skeleton_table import load_skeleton
from mappings.plan import STANDARD, Plan
from tests.texts import LAW, LIBRARY, METRO, PLAIN, mixtures, texts

SPACED = "t h e   q u i c k   b r o w n   f o x"


def skeleton(text: str) -> str:
    return prepare(text, STANDARD).text()


@pytest.mark.parametrize(
    ("plain", "disguised", "undone"),
    [
        ("have a coke", "hаve а соke", Undone.LOOK_ALIKES),
        ("HAVE A COKE", "НАVЕ А СОКЕ", Undone.LOOK_ALIKES),
        ("no alibi", "nο αlιbι", Undone.LOOK_ALIKES),
        ("cafe abc", "café 🅰🅱🅲", Undone.LOOK_ALIKES),
        ("生日", "生曰", Undone.LOOK_ALIKES),
        ("the quick brown fox", SPACED, Undone.SPACED),
        ("the quick brown fox", "t|h|e| |q|u|i|c|k| |b|r|o|w|n| |f|o|x", Undone.SPACED),
        ("leet is a book", "l33t 1s 4 b00k", Undone.DIGITS),
        ("so good", "sooooo goooood", Undone.STRETCHED),
        ("今天天气很好", "今天tian气hen好", Undone.PINYIN),
        ("他们5月4日来", "tamen5月4日来", Undone.PINYIN),
        ("去威心公园", "去weixin公园", Undone.PINYIN),
        ("今天天气很好", "今x天天y气很z好", Undone.STRAY),
        ("三月五日开会去", "三q月五w日开e会去", Undone.STRAY),
        ("你好的", "你女子白勺", Undone.APART),
        ("法语", "氵去讠吾", Undone.APART),
        ("法语", "水去言吾", Undone.APART),
        ("好的", "女*子*白*勺", Undone.APART),
        ("好年好月好", "女x子年女x子月女x子", Undone.STRAY),
    ],
)
def test_a_disguise_is_undone(plain: str, disguised: str, undone: Undone) -> None:
    made = prepare(disguised, STANDARD)
    table = made.table.syllable
    assert (
        table[made.folded.values].tolist() == table[prepare(plain, STANDARD).folded.values].tolist()
    )
    assert undone in made.undone
    assert undone not in prepare(plain, STANDARD).undone or undone is Undone.LOOK_ALIKES


def test_words_of_spaced_letters_are_whole() -> None:
    assert skeleton(SPACED) == skeleton("the quick brown fox")
    assert skeleton("t h e q u i c k") == skeleton("thequick")
    assert skeleton("plan a b c") == "pian a b c"  # three are no word


@pytest.mark.parametrize(
    "text", ["2008年3月5日", "版本2.10", "the linux kernel", "ni hao", "第100届", "a", "😀!"]
)
def test_numbers_and_plain_words_are_not_read_as_something_else(text: str) -> None:
    undone = prepare(text, STANDARD).undone
    assert not undone


@pytest.mark.parametrize("between", ["", "x", "*", "x2", "z*"])
def test_parts_of_two_texts_stay_apart(between: str) -> None:
    """Also where the letter that is passed over stands at an edge."""
    whole = [f"白{between}", "勺", f"女{between}子", between, f"{between}女", "子"]
    made = prepare_all(whole, STANDARD)
    assert [made.text(row) for row in range(len(whole))] == [*map(skeleton, whole)]
    assert Undone.APART not in prepare_all(["女" + between, between + "子"], STANDARD).undone


def test_letters_that_are_gone_part_nothing() -> None:
    assert skeleton("女x子白y勺年z月") == "好的年月"
    assert skeleton("女女x子子年y月z日") == "女好子年月日"


@pytest.mark.parametrize(
    "text", ["选a", "a股涨了", "血型b型阳性", "维生素e和维生素a", "我在b站看视频", "甲a,乙b,丙c"]
)
def test_a_letter_by_itself_is_a_word(text: str) -> None:
    """An A in front of 股 was put there by nobody."""
    assert skeleton(text) == text


def test_two_numbers_stay_two() -> None:
    made = {skeleton(f"in {number} days") for number in range(2_000)}
    assert len(made) == 2_000


def test_places_in_the_original() -> None:
    text = "我们wei信，今x天 女子白勺 soooo"
    made = prepare(text, STANDARD)
    found = {made.text()[i]: text[slice(*made.span(i, i + 1))] for i in range(len(made.codes))}
    assert found["好"] == "女子" and found["的"] == "白勺" and found["o"] == "oooo"
    assert made.span(2, 3) == (2, 5)
    assert made.span(0, len(made.codes)) == (0, len(text))


def test_the_text_before_is_what_it_was() -> None:
    for text in ("我们wei信，今x天 女子白勺", METRO, SPACED):
        made, plain = prepare(text, STANDARD), prepare(text, PLAIN)
        assert made.literal.text() == plain.text()
        assert fingerprint_of(text, STANDARD).text_hash == fingerprint_of(text, PLAIN).text_hash
        assert fingerprint_of(text, STANDARD).length == fingerprint_of(text, PLAIN).length


def test_a_plain_text_is_its_own_skeleton() -> None:
    text = "市轨道交通集团昨天宣布，地铁八号线将于下月十五日开通，全长23.6公里。"
    assert prepare(text, STANDARD).before is None
    assert prepare("", STANDARD).before is None


def test_syllables_are_read_as_few_as_can_be() -> None:
    table = load_skeleton("1")
    assert [start for start, _ in table.syllables["xianzai"]] == [0, 4]
    assert [start for start, _ in table.syllables["zhongguoren"]] == [0, 5, 8]
    assert table.syllables["linux"] == () and table.syllables["zz"] == ()


def same(left: Prepared, row: int, right: Prepared) -> bool:
    begin = left.rows.bounds[row]
    places = {
        kind: at[(at >= low) & (at < high)] - low
        for kind, at in left.undone.items()
        for low, high in [left.literal.rows.bounds[row : row + 2]]
    }
    assert {k: v.tolist() for k, v in places.items() if len(v)} == {
        k: v.tolist() for k, v in right.undone.items()
    }
    if left.before is not None and right.before is not None:
        at = left.at[begin : left.rows.bounds[row + 1]] - left.literal.rows.bounds[row]
        assert np.array_equal(at, right.at)
    return left.text(row) == right.text()


PIECES = [*"abilowz013 .*\n女子白勺天气未末зое\u0301\u0338é①😀", "wei", "xin", "oooo"]
DISGUISED = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)


@LAW
@given(st.lists(st.one_of(DISGUISED, texts, mixtures), max_size=5))
def test_a_text_has_the_same_skeleton_in_any_batch(batch: list[str]) -> None:
    together = prepare_all(batch, STANDARD)
    for row, text in enumerate(batch):
        assert same(together, row, prepare(text, STANDARD))


def in_numpy(batch: list[str], plan: Plan = STANDARD) -> Prepared:
    with pytest.MonkeyPatch.context() as patch:
        for module in (preparation, skeletons):
            patch.setattr(module, "compiled", None)
        return prepare_all(batch, plan)


def content(made: Prepared) -> list[object]:
    """All that is in prepared texts, with the types of numbers."""
    arrays: list[npt.NDArray[Any]]
    arrays = [made.rows.values, made.rows.bounds, made.sources, made.at, *made.undone.values()]
    parts: list[object] = [(array.dtype.str, array.tolist()) for array in arrays]
    before = [] if made.before is None else content(made.before)
    return [*parts, list(made.undone), before]


@LAW
@given(st.lists(st.one_of(DISGUISED, texts, mixtures), max_size=5))
@example(["b o o k s , e e", "s - p - a - c - e - d  w o r d s  1 2 3 4"])
@example(["女x子白x勺天y气", "a1a 11 天1b1天", "天tianqi气xinx未", "天" + "xian" * 15 + "气"])
@example(["天" + "xian" * 16 + "气", "llll11l", "ﷺ" * 20, "女女子子女", "天aa天dada天"])
@example(["\u0301a \n \n", "", "\n", "天。 \u200b 气", "天x气"])
def test_the_compiled_loops_make_the_same(batch: list[str]) -> None:
    assert content(prepare_all(batch, STANDARD)) == content(in_numpy(batch))
    plain = replace(STANDARD, steps=("casefold", "skeleton"))  # without single spaces
    assert content(prepare_all(batch, plain)) == content(in_numpy(batch, plain))


@LAW
@given(st.one_of(DISGUISED, texts, mixtures))
def test_places_go_on_and_stay_inside(text: str) -> None:
    made = prepare(text, STANDARD)
    spans = [made.span(i, i + 1) for i in range(len(made.codes))]
    assert all(0 <= low < high <= len(text) for low, high in spans)
    assert [low for low, _ in spans] == sorted(low for low, _ in spans)


@LAW
@given(st.text(st.sampled_from("天气女子白勺好的未来今"), min_size=1, max_size=30), st.data())
def test_what_is_strewn_in_changes_nothing(text: str, data: st.DataObject) -> None:
    mark = data.draw(st.sampled_from([*"*|~😀\u200b\u0338"]))
    strewn, plain = (
        prepare_all([mark.join(text), text], STANDARD).folded[0],
        prepare(text, STANDARD),
    )
    assert strewn.tolist() == plain.folded.values.tolist()


@LAW
@given(st.text(st.sampled_from("天气女子白勺好的未来今"), min_size=4, max_size=30))
def test_letters_strewn_in_change_nothing(text: str) -> None:
    strewn, plain = prepare("x".join(text), STANDARD), prepare(text, STANDARD)
    assert strewn.folded.values.tolist() == plain.folded.values.tolist()


def test_a_selection_keeps_the_texts_before() -> None:
    made = prepare_all([METRO, "今x天y好z吗", LIBRARY], STANDARD).select(np.array([1]))
    assert (made.text(), made.literal.text()) == ("今天好吗", "今x天y好z吗")
