"""Disguised copies are near, and say by what; other texts with the same letters are not."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.meant.meant import Disguise
from mappings.plan import STANDARD
from query.answers import Direction, Verdict
from query.explain.formula import formula
from query.grams import features_all
from query.pair import PairJudge
from query.verify.scrambled import could_be_scrambled, scrambled
from query.verify.strewn import strewn
from query.verify.verdict import Judgement, judge
from tests.texts import CHARACTERS, LAW, LIBRARY, METRO, ORCHARD, TEA, chinese, pieced
from tests.unit.query.verify.possible import could_match

LONG = METRO + TEA
JUDGE = PairJudge(STANDARD)
HOMOPHONES = str.maketrans("的是有时一在他作不和年中大上", "地事友十衣再她做步合黏终达尚")


def names(judgement: Judgement) -> tuple[str, ...]:
    return () if judgement.scrambled is None else (judgement.scrambled.disguise,)


def judged(asked: str, stored: str) -> Judgement:
    left, right = features_all([asked, stored], STANDARD)
    judgement = judge(left, right, STANDARD)
    mirrored = judge(right, left, STANDARD)
    assert (judgement.verdict, names(judgement)) == (mirrored.verdict, names(mirrored))
    assert judgement.verdict is None or could_match(left, right, STANDARD)
    steps = formula(judgement, STANDARD.thresholds, left.spaced, max(left.length, right.length))
    assert steps.verdict is judgement.verdict
    assert steps.steps[-1].holds is (judgement.verdict is not None)
    return judgement


def swapped(text: str, share: float, seed: int = 1) -> str:
    rng, letters = Random(seed), list(text)
    places = rng.sample(range(0, len(text) - 1, 2), round(share * len(text)))
    for at in places:
        letters[at], letters[at + 1] = letters[at + 1], letters[at]
    return "".join(letters)


def without(text: str, share: float, sign: str, seed: int = 1) -> str:
    hidden = set(Random(seed).sample(range(len(text)), round(share * len(text))))
    return "".join(sign if at in hidden else letter for at, letter in enumerate(text))


@pytest.mark.parametrize("text", [TEA[:60], METRO[:110], METRO, LONG, LIBRARY, ORCHARD])
@pytest.mark.parametrize("seed", range(5))
def test_every_fifth_letter_swapped(text: str, seed: int) -> None:
    found = judged(swapped(text, 0.2, seed), text)
    assert (found.verdict, names(found)) == (Verdict.NEAR, ("letters swapped",))
    assert 0.65 <= found.similarity < 1


@pytest.mark.parametrize("text", [TEA[:60], METRO[:110], LONG, LIBRARY])
@pytest.mark.parametrize("sign", ["", "*"])
def test_letters_missing(text: str, sign: str) -> None:
    found = judged(without(text, 0.25, sign), text)
    assert (found.verdict, names(found)) == (Verdict.NEAR, ("letters missing",))
    assert found.similarity == pytest.approx(0.75, abs=0.03)


@pytest.mark.parametrize(
    ("around", "verdict"), [(30, Verdict.PARTIAL), (55, Verdict.PARTIAL), (100, None)]
)
def test_a_short_text_among_others(around: int, verdict: Verdict | None) -> None:
    text = TEA[:32]
    found = judged(f"{chinese(around, 1)}。{text}。{chinese(around, 2)}", text)
    assert found.verdict is verdict
    if verdict is not None:
        assert names(found) == ("text added",)
        assert found.direction is Direction.CONTAINS


def test_what_is_near_by_itself_is_not_disguised() -> None:
    assert names(judged(METRO, METRO)) == ()
    found = judged(METRO.replace("八", "九"), METRO)
    assert (found.verdict, names(found)) == (Verdict.NEAR, ())


@pytest.mark.parametrize("length", [12, 20, 60, 120, 280, 600])
def test_other_texts_of_the_same_letters_are_none(length: int) -> None:
    """In another order; or every second letter is another one."""
    rng = Random(length)
    text = "".join(rng.choices(CHARACTERS, k=length))
    assert judged("".join(rng.sample(text, length)), text).verdict is None
    other = "".join(rng.choice(CHARACTERS) if at % 2 else letter for at, letter in enumerate(text))
    assert judged(other, text).verdict is None


TEMPLATES = (
    "{0}今天白天{1}，最高气温{2}度，夜间{3}，最低气温{4}度，{5}风{6}级。",
    "{0}队主场以{2}比{4}战胜{5}队，{1}在第{6}分钟打进制胜一球，{3}获评最佳。",
    "讣告：{0}于{2}月{4}日因病逝世，享年{6}岁，告别仪式定于{1}在{3}{5}举行。",
)


@pytest.mark.parametrize("template", TEMPLATES)
def test_a_template_with_other_facts_is_no_disguise(template: str) -> None:
    for seed in range(40):
        rng = Random(seed)
        one, two = (
            template.format(
                *("".join(rng.choices(CHARACTERS, k=rng.randint(2, 4))) for _ in range(2)),
                rng.randint(10, 99),
                "".join(rng.choices(CHARACTERS, k=3)),
                rng.randint(10, 99),
                "".join(rng.choices(CHARACTERS, k=2)),
                rng.randint(10, 99),
            )
            for _ in range(2)
        )
        assert names(judged(one, two)) == ()


def test_few_letters_and_very_many_are_left_alone() -> None:
    assert names(judged("一二三四五六", "二一三四五六")) == ()
    text = chinese(4_000, 1)
    assert names(judged(swapped(text, 0.2), text)) == ()


def test_a_single_swap_in_a_long_text_is_an_edit() -> None:
    letters = list(LONG)
    letters[3], letters[4] = letters[4], letters[3]
    assert names(judged("".join(letters), LONG)) == ()


@given(pieced, pieced, st.sampled_from([0.0, 0.1, 0.2, 0.35]), st.integers(0, 9))
@LAW
def test_the_quick_no_is_never_wrong(one: str, two: str, share: float, seed: int) -> None:
    other = swapped(two, share, seed) if seed % 2 else without(two, share, "", seed)
    if not other.strip():
        return
    left, right = features_all([one, other], STANDARD)
    limits, spaced = STANDARD.thresholds, left.spaced and right.spaced
    if scrambled(left, right, spaced, limits):
        assert could_be_scrambled(left, right, spaced, limits)
    if judge(left, right, STANDARD).verdict is not None:
        assert could_match(left, right, STANDARD)


def test_the_quick_no_says_no() -> None:
    left, right = features_all([LONG, chinese(len(LONG), 3)], STANDARD)
    assert not could_be_scrambled(left, right, False, STANDARD.thresholds)


@pytest.mark.parametrize(
    ("text", "opposite"),
    [
        (
            "我同意甲方案，同意乙方案，同意丙方案，同意丁方案",
            "我不同意甲方案，不同意乙方案，不同意丙方案，不同意丁方案",
        ),
        (
            "请把钱转给他，也把密码告诉他，更要点链接",
            "请不要把钱转给他，也不要把密码告诉他，更不要点链接",
        ),
        (
            "可以吸烟，可以喝酒，可以熬夜，可以开车",
            "不可以吸烟，不可以喝酒，不可以熬夜，不可以开车",
        ),
        (
            "Yes we can. Yes we will. Yes we should. Yes we may",
            "Yes we cannot. Yes we will not. Yes we should not. Yes we may not",
        ),
    ],
)
def test_a_word_put_in_throughout_is_no_disguise(text: str, opposite: str) -> None:
    assert judged(text, opposite).verdict is None


def test_a_letter_masked_throughout_is_a_disguise() -> None:
    text = "不可以吸烟，不可以喝酒，不可以熬夜，不可以开车"
    found = judged(text.replace("不", "*"), text)
    assert (found.verdict, names(found)) == (Verdict.NEAR, ("letters missing",))


@pytest.mark.parametrize(
    ("number", "other"),
    [
        ("13812345678", "13812345687"),
        ("1234567890", "1234567809"),
        ("3.1415926535", "3.1415926553"),
        ("+86 138 1234 5678", "+86 138 1243 5678"),
        ("abc1234567890", "abc1243567890"),
    ],
)
def test_digits_in_another_order_are_another_number(number: str, other: str) -> None:
    assert judged(number, other).verdict is None


def test_swaps_beside_a_number_are_told() -> None:
    text = "客服电话13812345678请尽快联系我们办理退款"
    found = judged("服客电话13812345678尽请快联我系们理办退款", text)
    assert (found.verdict, names(found)) == (Verdict.NEAR, ("letters swapped",))
    other = judged("服客电话13821354768尽请快联我系们理办退款", text)
    assert other.similarity <= found.similarity - 4 / len(text)


def test_near_duplicates_by_their_grams_are_named_as_well() -> None:
    """Swaps, masks and homophones all over a text; not a few edits, nor an end that is missing."""
    text = chinese(200, 5)
    masked = "".join("*" if at % 12 == 5 else each for at, each in enumerate(text))
    dropped = "".join(each for at, each in enumerate(text) if at % 14 != 3)
    swapped = list(text)
    for at in range(3, 190, 18):
        swapped[at : at + 2] = swapped[at : at + 2][::-1]
    edited = "".join("改" if at % 20 == 7 else each for at, each in enumerate(text))
    for other, expected in (
        (masked, (Disguise.MISSING,)),
        (dropped, (Disguise.MISSING,)),
        ("".join(swapped), (Disguise.SWAPPED,)),
        (text.translate(HOMOPHONES), (Disguise.HOMOPHONES,)),
        (edited, ()),
        (text[:150], ()),
        (text + chinese(40, 6), ()),
    ):
        for pair in ((text, other), (other, text)):
            found = JUDGE.comparison(*JUDGE.read(pair))
            assert (found.verdict, found.disguise) == (Verdict.NEAR, expected)


SHORT = "那么适当示弱有帮助你成为更好的领导者吗？很多人不愿意承认自己的弱点，也不会请求别人帮忙。"


@pytest.mark.parametrize(
    ("other", "name"),
    [
        (SHORT.translate(str.maketrans("的有你", "旳冇伱")), Disguise.LOOK_ALIKES),
        (SHORT.translate(str.maketrans("己人未力", "已入末刀")), Disguise.LOOK_ALIKES),
        (SHORT.replace("领", "*").replace("求", "#"), Disguise.MISSING),
        (SHORT.replace("示弱", "弱示").replace("承认", "认承"), Disguise.SWAPPED),
        (SHORT.replace("领", "甲").replace("求", "乙").replace("愿", "丙"), None),
        (SHORT.replace("领", "").replace("求", ""), None),
        (SHORT.replace("人", "入", 1), None),
    ],
)
def test_a_few_letters_name_a_short_disguise(other: str, name: Disguise | None) -> None:
    """Where they are no slips: others that look alike, signs for them, and neighbours swapped."""
    for pair in ((SHORT, other), (other, SHORT)):
        found = JUDGE.comparison(*JUDGE.read(pair))
        assert (found.verdict, found.disguise) == (Verdict.NEAR, () if name is None else (name,))


@pytest.mark.parametrize(("people", "names"), [(2, ("look-alikes",)), (1, ())])
def test_look_alikes_are_a_part_of_a_long_text(people: int, names: tuple[str, ...]) -> None:
    """Three of some 280 letters are one in a hundred, two are slips."""
    rest = chinese(240, 3)
    other = SHORT.replace("人", "入", people).replace("己", "已")
    assert JUDGE.comparison(*JUDGE.read((SHORT + rest, other + rest))).disguise == names


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            "他不喜欢苹果，不喜欢香蕉，不喜欢葡萄，不喜欢西瓜，不喜欢草莓，不喜欢菠萝，也不喜欢梨。",
            "他喜欢苹果，喜欢香蕉，喜欢葡萄，喜欢西瓜，喜欢草莓，喜欢菠萝，也喜欢梨。",
        ),
        (
            "The colour, honour, favour and labour of our neighbours at the harbour are no rumour.",
            "The color, honor, favor and labor of our neighbors at the harbor are no rumor.",
        ),
        (
            "他已经在北京的公司工作了十年，对这座城市的街道非常熟悉，也认识了许多有趣的人。",
            "他在北京公司工作十年，对这座城市街道非常熟悉，也认识许多有趣的人。",
        ),
        (
            "一号车有15人，二号车有26人，三号车有37人，四号车有48人，五号车有59人，六号车有61人。",
            "一号车有5人，二号车有6人，三号车有7人，四号车有8人，五号车有9人，六号车有1人。",
        ),
    ],
)
def test_ordinary_edits_are_no_disguise(one: str, other: str) -> None:
    for pair in ((one, other), (other, one)):
        found = JUDGE.comparison(*JUDGE.read(pair))
        assert Disguise.SWAPPED not in found.disguise
        assert strewn(*(text.features for text in JUDGE.read(pair))) is None


def test_long_texts_are_not_looked_at_for_a_name() -> None:
    for size, expected in ((900, Disguise.MISSING), (1_400, None)):
        text = chinese(size, 5)
        masked = "".join("*" if at % 12 == 5 else each for at, each in enumerate(text))
        assert strewn(*(each.features for each in JUDGE.read([text, masked]))) is expected
