"""Facts that no list holds: titles, persons, organisations, classes, ordinals."""

from __future__ import annotations

import pytest

from mappings.plan import STANDARD
from query.facts.differ import facts_differ
from query.facts.titles import titles
from query.grams import features_all

FORM = (
    "本报文化副刊的音频栏目每天晚上更新，由编辑和热心读者轮流朗读，{}，点击页面上方的按钮即可"
    "收听全文，也可以关注我们的公众号，在菜单里选择往期内容，欢迎大家把录音发到编辑部的邮箱。"
)
ENGLISH = (
    "{} is looking for a bookkeeper to join its small and friendly team, and the post is "
    "permanent. "
    "The organisers of the {} annual meeting of the society wish to thank everybody who came along."
)


def compared(asked: str, stored: str) -> list[tuple[str, str, str]]:
    facts, _ = facts_differ(*features_all([asked, stored], STANDARD))
    return [(fact.kind.value, fact.asked, fact.stored) for fact in facts]


@pytest.mark.parametrize(
    ("said", "kind", "asked", "stored"),
    [
        ("今天的文章是《{}》", "name", "春江花月夜", "故园问答录"),
        ("今天的文章是《{}》", "name", "归途", "征途"),
        ("今天的文章是《{}》", "name", "归途", "归途札记"),
        ("今天的讲座以“{}”为题", "name", "流年往事", "山河来信"),
        ("今天的朗读者是{}", "name", "王伟", "李晓明"),
        ("今天的文章来自{}的新作", "name", "约翰·史密斯", "马丁·布朗"),
        ("这是该书的{}文版", "name", "法", "西班牙"),
        ("今天的录音来自{}有限公司", "name", "华星科技", "东岳药业"),
        ("地点在{}博物馆", "name", "云溪", "石桥"),
        ("{}全国朗读大会昨天闭幕", "number", "首", "第五"),
        ("大会在本周六{}开幕", "date", "上午", "下午"),
        ("本期话题：{}", "name", "天文观测", "家庭教育"),
        ("他获得了比赛的{}", "number", "金奖", "银奖"),
    ],
)
def test_a_fact_is_named(said: str, kind: str, asked: str, stored: str) -> None:
    ends = "届" if kind == "number" and asked == "首" else ""
    one, other = (FORM.format(said.format(name + ends)) for name in (asked, stored))
    found = compared(one, other)
    assert [each[0] for each in found] == [kind]
    assert asked in found[0][1] and stored.lstrip("第") in found[0][2]
    assert [(each[0], each[2], each[1]) for each in compared(other, one)] == found


@pytest.mark.parametrize(
    ("said", "asked", "stored"),
    [
        ("今天的文章是《{}》", "春江花月夜", "春江華月夜"),  # sounds the same
        ("今天的文章是《{}》", "哈利波特", "Harry Potter"),  # another script
        ("今天的文章是《{}》", "平凡的故事", "平的故事"),  # a character is lost
        ("今天的文章来自{}的新作", "约翰·史密斯", "约翰·史密思"),
        ("这是该书的{}文版", "中", "汉"),
        ("{}全国朗读大会昨天闭幕", "首届", "第一届"),
        ("本期话题：{}", "天文观测和摄影", "天文观测与摄影"),
        ("节目{}受到欢迎", "因为", "由于"),
        ("编辑问：“{}”", "你昨天读了什么文章", "他今天想听哪个故事"),
    ],
)
def test_no_fact_is_made_up(said: str, asked: str, stored: str) -> None:
    one, other = (FORM.format(said.format(name)) for name in (asked, stored))
    assert compared(one, other) == compared(other, one) == []


@pytest.mark.parametrize(
    ("asked", "stored", "expected"),
    [
        (
            ("Harlow Brothers", "fifth"),
            ("Harlow Brothers", "seventh"),
            [("number", "fifth", "seventh")],
        ),
        (("Harlow Brothers", "fifth"), ("Harlow Brothers", "5th"), []),
        (("Harlow Brothers", "21st"), ("Harlow Brothers", "22nd"), [("number", "21st", "22nd")]),
        (
            ("Harlow Brothers", "fifth"),
            ("Mundy Partners", "fifth"),
            [("name", "Harlow Brothers", "Mundy Partners")],
        ),
    ],
)  # fmt: skip
def test_english(
    asked: tuple[str, str], stored: tuple[str, str], expected: list[tuple[str, str, str]]
) -> None:
    assert compared(ENGLISH.format(*asked), ENGLISH.format(*stored)) == expected


def test_titles_are_what_stands_between_marks() -> None:
    written = "他读了《归途》和“流年往事”，说：“我不喜欢这两本书。”又听了『灯火』。"
    assert [written[slice(*span)] for span in titles(written)] == ["归途", "流年往事", "灯火"]
    assert titles('he read „Night Trains“ and "Salt and Cinders" aloud') == [(9, 21), (28, 44)]
    assert titles("no marks at all") == []
