"""Verdicts on constructed pairs: exact, near, partial, none; of short texts by their edits."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from mappings.plan import STANDARD, Plan
from query.answers import Verdict
from query.grams import features_all
from query.verify.verdict import Judgement, judge
from tests.texts import (
    CHARACTERS,
    LIBRARY,
    METRO,
    METRO_HOMOPHONES,
    METRO_TRADITIONAL,
    MIXED,
    ORCHARD,
    PLAIN,
    TEA,
    chinese,
    english,
)


def compare(asked: str, stored: str, plan: Plan = STANDARD) -> Judgement:
    one, other = features_all([asked, stored], plan)
    return judge(one, other, plan)


def edited(text: str, share: float, seed: int) -> str:
    """With that share of its characters replaced."""
    choose = random.Random(seed)
    places = set(choose.sample(range(len(text)), round(len(text) * share)))
    return "".join(choose.choice(CHARACTERS) if i in places else c for i, c in enumerate(text))


def homophones(text: str) -> str:
    """Every character that has one becomes another character of the same sound."""
    from indexer.text.table import LIMIT, load
    from mappings.plan import STEPS

    table = load("1", STEPS)
    others: dict[int, list[str]] = {}
    for character in CHARACTERS:
        others.setdefault(int(table.syllable[ord(character)]), []).append(character)
    out = []
    for c in text:
        sound = int(table.syllable[ord(c)])
        choices = [o for o in others.get(sound, []) if o != c] if sound >= LIMIT else []
        out.append(choices[0] if choices else c)
    return "".join(out)


# --- exact


@pytest.mark.parametrize(
    ("asked", "stored"),
    [
        (METRO, METRO),
        (METRO, METRO_TRADITIONAL),
        (METRO, METRO.replace("，", " ").replace("。", "\n")),
        (LIBRARY, LIBRARY.upper().replace(".", " ").replace("1 5", "1.5")),
        ("好", "好！"),
        ("😀", "😀"),
    ],
)
def test_exact(asked: str, stored: str) -> None:
    found = compare(asked, stored)
    assert found.verdict is Verdict.EXACT
    assert (found.similarity, found.share, found.stored_share) == (1, 1, 1)
    assert found.direction is None


@pytest.mark.parametrize(
    ("asked", "stored"),
    [
        (METRO + "涨幅1.5", METRO + "涨幅15"),
        (METRO + "气温-4度", METRO + "气温4度"),
        (METRO, METRO.replace("李明华", "李明花")),
    ],
)
def test_an_edited_fact_is_near_and_not_exact(asked: str, stored: str) -> None:
    found = compare(asked, stored)
    assert found.verdict is Verdict.NEAR
    assert found.similarity > 0.9


# --- near


@pytest.mark.parametrize(("share", "verdict"), [(0.02, Verdict.NEAR), (0.1, Verdict.NEAR)])
def test_near_by_characters(share: float, verdict: Verdict) -> None:
    text = chinese(600, 1)
    found = compare(text, edited(text, share, 1))
    assert found.verdict is verdict
    assert found.similarity == max(found.jaccard, found.syllable_jaccard) >= 0.4
    assert found.direction is None


def test_near_by_syllables_only() -> None:
    text = chinese(600, 2)
    found = compare(text, homophones(text), PLAIN)  # parts of characters have sounds of their own
    assert found.verdict is Verdict.NEAR
    assert found.jaccard < STANDARD.thresholds.near < found.syllable_jaccard == 1.0
    assert compare(METRO, METRO_HOMOPHONES).syllable_jaccard == 1.0


def test_near_by_characters_where_many_sound_alike() -> None:
    """Characters are looked at although the syllables alone stay below the threshold."""
    text = "有不时时十十市十的他事是时四在他是人是有一在十了他有的时的在"
    found = compare(text, "有不时时十十市十的他事是时在在他是人是有人在十了他有的有的在")
    assert found.verdict is Verdict.NEAR
    assert found.syllable_jaccard < STANDARD.thresholds.near <= found.jaccard


def test_near_english_by_words() -> None:
    words = LIBRARY.split()
    for place in range(5, len(words), 12):
        words[place] = "perhaps"
    found = compare(LIBRARY, " ".join(words))
    assert found.verdict is Verdict.NEAR
    turned = compare(LIBRARY, LIBRARY[200:] + " " + LIBRARY[:200])
    assert turned.verdict is Verdict.NEAR


def test_where_near_begins() -> None:
    """The verdict turns at the threshold itself, whatever its value."""
    text = chinese(600, 3)
    other = edited(text, 0.06, 3)
    similarity = compare(text, other).similarity
    for near, verdict in ((similarity, True), (similarity + 1e-9, False)):
        plan = replace(STANDARD, thresholds=replace(STANDARD.thresholds, near=near))
        assert (compare(text, other, plan).verdict is Verdict.NEAR) is verdict


# --- partial


def test_a_copy_of_half_the_text_is_found() -> None:
    text = chinese(1_200, 6)
    for half in (text[:600], text[300:900], text[600:]):
        assert compare(half, text).verdict in (Verdict.NEAR, Verdict.PARTIAL)


def test_partial_needs_enough_shared_grams() -> None:
    """A short quotation is no copy, whatever its share of a short text."""
    quote = chinese(34, 7)
    short = chinese(60, 8) + quote
    found = compare(short, chinese(900, 9) + quote + chinese(900, 10))
    assert found.share >= STANDARD.thresholds.partial
    assert found.shared < STANDARD.thresholds.shared
    assert found.verdict is None
    eased = replace(STANDARD, thresholds=replace(STANDARD.thresholds, shared=found.shared))
    assert compare(short, chinese(900, 9) + quote + chinese(900, 10), eased).verdict is not None


def test_the_output_of_a_command_makes_no_copy_of_a_chinese_article() -> None:
    """One article has so much of it that it is read by words, yet the pair is by syllables."""
    output = english(60, 1)
    few, many = (f"{chinese(size, size)}\n{output}" for size in (120, 1_200))
    few += english(150, 2)
    assert [each.spaced for each in features_all([few, many], STANDARD)] == [True, False]
    assert compare(few, many).verdict is compare(many, few).verdict is None
    assert compare(few, many).syllables == 0
    assert compare(few + chinese(60, 1_200), many).verdict is not None  # prose as well
    byline = "作者：王小明、李大伟，清华大学计算机系 "  # makes no Chinese article of English prose
    assert compare(f"{byline}{english(300, 7)} {output}", many).verdict is not None
    assert compare(english(200, 3) + output, output + chinese(200, 4)).verdict is not None


# --- none


@pytest.mark.parametrize("asked", [METRO, TEA, LIBRARY, ORCHARD, MIXED, "好", "😀"])
@pytest.mark.parametrize("stored", [METRO, TEA, LIBRARY, ORCHARD, MIXED, "好", "😀"])
def test_unrelated_texts_are_none(asked: str, stored: str) -> None:
    if asked is not stored:
        found = compare(asked, stored)
        assert found.verdict is None
        assert found.similarity < 0.1


def template(city: str, low: int, high: int, wind: str, advice: str) -> str:
    return (
        f"{city}气象台今天下午发布天气预报：预计今天夜间{wind}，最低气温{low}度；明天白天"
        f"{advice}，最高气温{high}度。"
    )


@pytest.mark.parametrize(
    ("asked", "stored"),
    [
        (
            template("银川", 4, 17, "晴间多云转北风三到四级", "空气干燥请注意防火并多喝水"),
            template("海口", 23, 31, "有雷阵雨局部暴雨", "闷热潮湿出门记得带雨伞"),
        ),
        (
            template("哈尔滨", -19, -8, "小雪转多云西北风五级", "道路结冰司机应减速慢行"),
            template("杭州", 6, 12, "阴有零星小雨", "湖面大雾部分游船停航"),
        ),
    ],
)
def test_texts_from_one_template_are_not_matched(asked: str, stored: str) -> None:
    found = compare(asked, stored)
    assert 0.1 < found.similarity < 0.40  # alike, and below the threshold
    assert found.verdict is None


def test_a_text_with_spaces_and_one_without_are_not_compared_by_words() -> None:
    """Letters stand for themselves among syllables, so both Jaccards are the same number."""
    found = compare(LIBRARY, MIXED + LIBRARY[:80])
    assert found.jaccard == found.syllable_jaccard > 0
    both = compare(LIBRARY, LIBRARY[:200] + ORCHARD)
    assert both.jaccard != both.syllable_jaccard


# --- short texts: edits are counted


@pytest.mark.parametrize(
    ("asked", "stored", "near"),
    [
        ("谢谢童学们的支持", "谢谢同学们的支持", True),  # one wrong character in eight
        ("今天晚上一起去看电影吧", "今天晚上一起去看电视吧", True),
        ("今天晚上一起去看电影吧", "明天早上我要去看医生了", False),
        ("公式", "攻势", False),  # the same sounds are no copy of two characters
        ("他是谁", "她是谁", True),
        ("我喜欢看电影我不喜欢看电视", "我喜欢看电视我也不喜欢看电影", False),
        ("great movie, loved it", "great movie, loved it!!", True),
        ("great movie, loved it", "awful movie, hated it", False),
    ],
)
def test_short_texts_are_near_by_their_edits(asked: str, stored: str, near: bool) -> None:
    for judged in (compare(asked, stored), compare(stored, asked)):
        assert (judged.verdict is not None) is near
        assert judged.verdict is Verdict.EXACT or judged.kept is not None


def test_edits_are_counted_in_short_texts_only() -> None:
    limit = STANDARD.thresholds.short
    text = chinese(limit, 1)
    assert compare(text, edited(text, 0.02, 3)[: limit - 1] + "完").kept is not None
    assert compare(text + chinese(limit, 2), text).kept is None


# --- tiny texts: what a skeleton leaves out is a difference


@pytest.mark.parametrize(
    ("asked", "stored"),
    [
        ("选A", "选B"),
        ("O型血", "A型血"),
        ("bet", "beet"),
        ("to", "too"),
        ("CC", "C"),
        ("门口有人", "问有人"),
        ("六月半", "六胖"),
        ("答案B", "答案C"),
        ("A股涨了", "B股涨了"),
        ("5G手机", "5手机"),
    ],
)
def test_a_letter_that_the_skeleton_leaves_out_counts_in_tiny_texts(
    asked: str, stored: str
) -> None:
    for one, other in ((asked, stored), (stored, asked)):
        judgement = compare(one, other)
        assert judgement.verdict is None and judgement.similarity < 1


@pytest.mark.parametrize(
    ("asked", "stored"), [("加微信", "加薇信"), ("hello", "h3llo"), ("paypal", "pаypаl")]
)
def test_a_letter_that_is_replaced_does_not(asked: str, stored: str) -> None:
    assert compare(asked, stored).verdict is Verdict.NEAR
