"""Slots: names that nothing tells but that nothing else differs."""

from __future__ import annotations

import pytest

from tests.unit.query.facts.test_named_facts import FORM, compared


@pytest.mark.parametrize(
    ("said", "asked", "stored"),
    [
        ("会长后来由{}接任", "宫崎骏", "羽生结弦"),
        ("会长后来由{}接任", "李宏伟", "李世荣"),  # of one surname
        ("他喜欢{}的小说", "卡尔维诺", "东野圭吾"),
        ("他喜欢{}的小说", "村上春树", "安妮·埃尔诺"),
        ("他和{}一起朗读", "保罗", "卡洛斯"),
        ("他和{}一起朗读", "塔亚尼", "林芳正"),
        ("他支持{}", "成都蓉城", "云南玉昆"),
        ("他买了{}的产品", "比亚迪", "美的集团"),
        ("他买了{}汽车", "一汽-大众", "北京奔驰"),
        ("他在{}工作", "红帽", "高通"),  # one of them is of a list
        ("他读过{}", "新京报", "南方周末"),
        ("他去过{}", "波尔图", "釜山"),
        ("他是{}人", "河南成都", "四川合肥"),
        ("他去过{}", "海南岛", "巴士海峡"),
        ("他去过{}", "碧潭", "慈恩医院"),
        ("他听过{}乐团的音乐", "对位室内", "台湾国"),
        ("他其后与{}合作多年", "王建国", "王建军"),
        ("会长后来由{}接任", "木村拓哉", "佐佐木健"),
        ("台风{}登陆沿海", "山竹", "利奇"),
        ("他的孩子取名{}", "青山", "秋水"),
        ("他听过专辑{}", "旧日时光", "远方来信"),
        ("他读过{}报", "远江青年", "大公"),
        ("公司股东{}上周离职", "田泽宇", "彭泽宇"),
        ("他当时在{}任教", "光明巷幼儿园", "学府路小学"),
    ],
)
def test_a_slot_is_named(said: str, asked: str, stored: str) -> None:
    one, other = (FORM.format(said.format(name)) for name in (asked, stored))
    found = compared(one, other)
    assert [each[0] for each in found] == ["name"]
    assert asked in found[0][1] and stored in found[0][2]
    assert [(each[0], each[2], each[1]) for each in compared(other, one)] == found


def test_a_few_slots_are_named() -> None:
    said = FORM.format("会长后来由{}接任，他去过{}")
    found = compared(said.format("宫崎骏", "碧潭"), said.format("羽生结弦", "慈恩医院"))
    assert {each[1] for each in found} == {"宫崎骏", "碧潭"}


@pytest.mark.parametrize(
    ("said", "asked", "stored"),
    [
        ("他{}参加朗读", "愿意", "乐意"),
        ("这个节目{}好听", "相当", "十分"),
        ("大家{}参加", "踊跃", "积极"),
        ("他在手机上{}节目", "收听", "点播"),
        ("他编写{}", "程序", "程式"),  # a word of Taiwan
        ("他喜欢{}", "编程", "程式设计"),
        ("他管理{}", "项目", "专案"),
        ("他买了{}汽车", "大众", "福斯"),
        ("这家{}很有名", "古汉越音", "购涸揭"),  # what lost bytes make
        ("他读的是《{}灾难》", "信息", "资讯"),
        ("{}，他们来朗读", "就在那时", "此时此刻"),
        ("会长后来由{}接任", "王建国", "王建的"),
        ("他其后与{}合作多年", "王建国", "王建洲"),  # no usual name
        ("他{}这件事", "知道", "知晓"),
        ("台风{}以后", "登陆", "过境"),
    ],
)
def test_other_words_are_no_slot(said: str, asked: str, stored: str) -> None:
    one, other = (FORM.format(said.format(name)) for name in (asked, stored))
    assert compared(one, other) == compared(other, one) == []


@pytest.mark.parametrize(("old", "new"), [("热心读者", "热读者"), ("往期内容", "王者内容")])
def test_no_slot_beside_damage(old: str, new: str) -> None:
    said = FORM.format("他喜欢{}的小说")
    other = said.format("东野圭吾").replace(old, new)
    assert compared(said.format("卡尔维诺"), other) == []
