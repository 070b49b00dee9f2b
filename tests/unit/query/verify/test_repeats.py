"""Texts that repeat themselves: what they have in common with any other such one proves nothing."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from mappings.plan import STANDARD
from query.answers import Candidate, Verdict
from query.explain.formula import Measure, formula
from query.grams import features_all
from query.pair import PairJudge, Text
from query.questions import Options
from query.verify.verdict import Judgement, judge
from tests.lookups import near_duplicates
from tests.texts import chinese, english
from tests.unit.query.memory import MemoryReader

ADVERT = "专业办理各类证件，加微信领取红包，名额有限先到先得，诚信经营二十年。"


def row(seed: int, kinds: Sequence[str], count: int, between: str = " ") -> str:
    choose = random.Random(seed)
    return between.join(choose.choices(kinds, k=count))


def judged(asked: str, stored: str) -> Judgement:
    one, other = features_all([asked, stored], STANDARD)
    return judge(one, other, STANDARD)


NUMBERS = [(1, f"1,500 {english(6, 3)} 20 {english(4, 4)}"), (2, f"20 {english(12, 5)} 300")]

ROWS = {
    "digits": [row(seed, "0123456789", 120) for seed in (1, 2)],
    "letters and digits": [row(seed, "0123456789abcdef", 200) for seed in (1, 2)],
    "results": [row(seed, ["0-1", "2-0", "1-1", "3-1", "2-2", "0-3"], 60) for seed in (1, 2)],
    "one character between all letters": ["〇".join(english(40, seed)) for seed in (1, 2)],
    "numbers among them": ["某".join(f"{english(20, seed)} {number}") for seed, number in NUMBERS],
    "the same in short": ["〇".join(english(12, seed)) for seed in (1, 2)],
}


@pytest.mark.parametrize("rows", ROWS.values(), ids=ROWS)
def test_two_rows_are_near_only_by_their_edits(rows: list[str]) -> None:
    one, other = rows
    assert judged(one, other).verdict is not Verdict.NEAR
    changed = f"{'7' if one[0] != '7' else '1'}{one[1:]}"
    assert judged(one, changed).verdict is Verdict.NEAR


def test_a_laugh_may_be_of_any_length() -> None:
    short, long = (f"今天的比赛实在太好笑了{'哈' * count}" for count in (4, 60))
    for pair in ((short, long), (long, short)):
        assert judged(*pair).verdict is Verdict.NEAR


def test_a_text_that_is_said_several_times_is_near_itself() -> None:
    for count in (2, 5, 12):
        assert judged(ADVERT, ADVERT * count).verdict is Verdict.NEAR
        assert judged(ADVERT * count, ADVERT).verdict is Verdict.NEAR


def masked(text: str) -> str:
    return "".join("*" if at % 6 == 1 else letter for at, letter in enumerate(text))


def swapped(text: str) -> str:
    out = list(text)
    for at in range(0, len(out) - 1, 4):
        out[at], out[at + 1] = out[at + 1], out[at]
    return "".join(out)


@pytest.mark.parametrize("count", [1, 2, 3, 6])
def test_disguised_ones_are_found_as_well(count: int) -> None:
    for disguised in (masked, swapped):
        assert judged(ADVERT * count, disguised(ADVERT) * count).verdict is Verdict.NEAR
        assert judged(disguised(ADVERT * count), ADVERT * count).verdict is Verdict.NEAR


@pytest.mark.parametrize("count", [2, 4, 6])
def test_so_are_those_in_which_another_letter_is_changed_each_time(count: int) -> None:
    choose, copies = random.Random(1), []
    for _ in range(count):
        at = choose.randrange(len(ADVERT))
        copies.append(f"{ADVERT[:at]}{choose.choice('金木水火土')}{ADVERT[at + 1 :]}")
    assert judged(ADVERT, "".join(copies)).verdict is Verdict.NEAR


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("嘻嘻哈哈" * 4, "嘻嘻哈哈" * 12),
        ("加油中国队" * 3, "加油中国队" * 9),
        ("ha" * 8, "ha" * 40),
        ("笑死我了" + "哈" * 10, "笑死我了" + "ha" * 10),
    ],
)
def test_slogans_and_laughs_of_several_letters(short: str, long: str) -> None:
    assert judged(short, long).verdict is judged(long, short).verdict is Verdict.NEAR


def test_verses_with_a_refrain_may_change_places() -> None:
    refrain, verses = chinese(20, 70), [chinese(40, seed) for seed in range(6)]
    choose = random.Random(3)
    song, other = ("".join(each + refrain * 3 for each in part) for part in (verses, verses[::-1]))
    edited = "".join(choose.choice("金木水火土") if choose.random() < 0.05 else c for c in other)
    assert judged(song, edited).verdict is Verdict.NEAR


def test_one_sound_in_other_characters_is_no_repetition() -> None:
    one, other = (row(1, "石室诗士施氏嗜狮誓食", 200, "") + row(s, "甲乙丙丁", 5) for s in (1, 2))
    assert judged(one, other).verdict is Verdict.NEAR


def test_the_explanation_names_the_limit_that_is_missed() -> None:
    told = judged(*ROWS["digits"])
    (near, *_) = formula(told, STANDARD.thresholds, True, 120).steps
    assert told.syllable_jaccard >= STANDARD.thresholds.near
    assert [(value.measure, value.limit) for value in near.measured] == [
        (Measure.SIMILARITY, None),
        (Measure.EDITS, STANDARD.thresholds.short_near),
    ]
    assert not near.holds


def test_equal_simhashes_of_such_texts_decide_nothing() -> None:
    judge_of = PairJudge(STANDARD)
    rows, prose = judge_of.read([*ROWS["digits"], english(120, 5)]), english(120, 5)

    def stored(text: Text) -> Candidate:
        return Candidate("x", "i", 1.0, "another", text.fingerprint.simhash)

    assert judge_of.match_of_values(rows[0], stored(rows[0])) is None
    match = judge_of.match_of_values(rows[2], stored(rows[2]))
    assert match is not None and match.verdict is Verdict.NEAR, prose


def test_lookups_among_rows_find_the_copy_alone() -> None:
    texts = {f"{seed}": row(seed, "0123456789", 120) for seed in range(60)}
    reader = MemoryReader(texts, STANDARD)
    for options in (Options(), Options(verify=1)):
        answer = near_duplicates(texts["7"], STANDARD, reader, options)
        assert {match.id for match in answer.matches} == {"7"}


def test_equal_hashes_of_texts_in_signs_decide_nothing() -> None:
    heading, other = "🅱🆁🅴🅰🅺🅸🅽🅶 🅽🅴🆆🆂 2024", "🆂🆄🅼🅼🅴🆁 🆂🅰🅻🅴🆂 2024"
    texts = {"same": heading, "other": other, "plain": "2024"}
    reader = MemoryReader(texts, STANDARD)
    found = near_duplicates(heading, STANDARD, reader).matches
    assert [(match.id, match.verdict) for match in found] == [("same", Verdict.EXACT)]
    unread = near_duplicates(heading, STANDARD, reader, Options(verify=0))
    assert unread.matches == ()
    assert unread.completeness.undecided == len(texts)
