"""Facts that no list holds: titles, persons, organisations, classes, ordinals."""

from __future__ import annotations

import time

import pytest

from mappings.plan import STANDARD
from query.facts.differ import facts_differ
from query.facts.persons import may_be_names
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


SPELT = str.maketrans("0123456789", "abcdefghij")


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
        ("今天的文章是《{}》", "name", "Linux 编程接口", "深入理解内核"),  # one is in both scripts
        ("今天的朗读者是{}", "name", "王伟", "李晓明"),
        ("今天的文章来自{}的新作", "name", "约翰·史密斯", "马丁·布朗"),
        ("这是该书的{}文版", "name", "法", "西班牙"),
        ("今天的录音来自{}有限公司", "name", "华星科技", "东岳药业"),
        ("地点在{}博物馆", "name", "云溪", "石桥"),
        ("{}全国朗读大会昨天闭幕", "number", "首", "第五"),
        ("大会在本周六{}开幕", "date", "上午", "下午"),
        ("本期话题：{}", "name", "天文观测", "家庭教育"),
        ("朗读者有{}、赵敏和李娜", "name", "傅杰", "贺坤慕"),  # surnames that are rarer
        ("朗读者是梁文、{}、胡良", "name", "任金", "易龙飞"),  # and those that are words
        ("来宾有{}和其他作家", "name", "欧阳清", "上官健晨"),
        ("他请来了{}，大家都很高兴", "name", "加西亚", "约翰·史密斯"),  # without a dot in one text
        ("录音来自{}", "name", "金城西部农业股份有限公司", "永州中孚传播集团"),
        ("他毕业于{}业大学", "name", "兴城农", "宁远工"),  # the ends that both have
        ("节目由{}赞助", "name", "博汇电子", "安琪生物技术"),
        ("他在{}局工作", "name", "教育", "交通运输"),
        ("他长期从事{}的教学", "name", "天文观测", "家庭教育"),  # all that differs
        ("他以前在{}工作", "name", "微软", "三星"),  # names of which no end tells anything
        ("他买了{}的机票", "name", "南航", "国航"),
        ("会议由{}主办", "name", "东盟", "欧盟"),
        ("。\n{} 还补充说，朗读很好", "name", "Torvalds", "Grant"),  # no English sentence begins
        ("他在手机上用 {} 收听", "name", "iOS", "Fedora"),
        ("他获得了比赛的{}", "number", "金奖", "银奖"),
        ("今天的朗读者是{}", "name", "陈向东", "李晓明"),  # a small word in a given name
        ("今天的朗读者是{}", "name", "安娜·席尔瓦", "李晓明"),
        ("他听说过马丁·{}的故事", "name", "理察德", "门德斯"),  # of a longer run
        ("大家都喜欢{}的文章", "name", "次仁卓玛", "王敏"),  # no word of every day
        ("校长{}出席了会议", "name", "陈向东", "孙为民"),
        ("昨天{}板块领跌", "name", "锂电池", "旅游"),
        ("这是一件{}时期的瓷器", "name", "宋代", "清代"),
        ("公司宣布股价{}", "name", "上涨", "下跌"),
        ("记者{}从市里获悉", "date", "昨天", "今天"),
        ("朗读会{}开始", "date", "上周", "下周"),
        ("他花了五百{}买书", "number", "美元", "欧元"),
        ("船沿着{}航行", "name", "长江", "黄河"),
        ("他介绍了{}的文章", "name", "普京", "泽连斯基"),
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
        ("地点在{}大家都知道的车站", "地区", "区域"),
        ("电台{}铁路局一起制作", "和", "以及"),
        ("他参观了{}和技术", "设备", "装置"),
        ("他去过{}国家队", "克罗地亚", "克罗埃西亚"),  # one place
        ("冠军是{}联盟", "挑战者", "挦战者"),  # a broken character
        ("他{}朗读", "正在努力", "还在认真"),
        ("编辑问：“{}”", "你昨天读了什么文章", "他今天想听哪个故事"),
        ("书店{}云溪县城", "位于", "坐落于"),  # no part of the name
        ("他买了{}的机票", "南航", "南方航空"),  # one company
        ("今天放映《{}》", "流浪地球2", "The Wandering Earth 2"),
        ("。\n{} 大家好，欢迎收听", "Hello", "Hi"),  # what is said to somebody
        ("。\n{} 这个节目真好听", "Wow", "OMG"),
        ("今天的文章是《{}》", "现代操作系统", "Modern Operating Systems"),
        ("他在{}公司工作", "数据", "资料"),  # one thing
        ("大家都说这是{}计", "锦囊妙", "阴谋诡"),
        ("这是{}之后的事", "价廉物美", "便宜好用"),
        ("来的人是{}，大家高兴", "约翰·史密斯", "文学家"),
        ("他买了一部{}手机", "Mate", "M\u0430t\u0435"),  # letters that look alike
        ("他听过维克多·雨果{}巴尔扎克的故事", "和", "以及"),
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


@pytest.mark.parametrize(
    ("said", "asked", "stored"),
    [("雨{}天气很好", "后", "前"), ("山{}周围都是花", "上", "下"), ("以{}月份的文章", "上", "下")],
)
def test_words_of_days_are_whole_words(said: str, asked: str, stored: str) -> None:
    one, other = (FORM.format(said.format(name)) for name in (asked, stored))
    assert compared(one, other) == []


def test_persons_in_long_stretches() -> None:
    said = "云溪{}被免去一切职务，并被通报批评，纪检部门提醒全体干部引以为戒，严格遵守各项规定。"
    asked = said.format("市民政局原院长戴秀珍因公车私用")
    stored = said.format("市卫生健康委员会原支队长秦桂英因违规借用车辆")
    assert compared(asked, stored) == [("name", "戴秀珍", "秦桂英")]


@pytest.mark.parametrize(
    ("said", "asked", "stored"),
    [
        ("零件由{}成，然后装好", "金属制", "石料做"),
        ("系统由{}控制", "计算机", "温度计"),
        ("居民{}，大家高兴", "安居乐业", "幸福生活"),
        ("培训包括{}", "安全检查和设备维护", "应急演练和人员培训"),
        ("这件事由{}决定", "管理层", "董事会"),
        ("来的人是{}，大家高兴", "约翰·史密斯", "文学家"),
        ("他买了一部{}手机", "Mate", "M\u0430t\u0435"),  # letters that look alike
        ("他带来了{}，大家高兴", "约翰·史密斯", "毛衣"),
        ("活动包括{}", "谢师宴等等", "汤泡饭这些"),
    ],
)
def test_rewordings_name_no_person(said: str, asked: str, stored: str) -> None:
    one, other = (FORM.format(said.format(words)) for words in (asked, stored))
    other = other.replace("上方的按钮", "顶端的图标").replace("往期内容", "以前的节目")
    assert compared(one, other) == compared(other, one) == []


def test_a_fact_far_from_an_edit() -> None:
    """Where all edits are of Chinese characters, hardly any of them makes a digit of a digit."""
    numbers = "、".join(map(str, range(1_001, 1_020)))
    said = f"号码{numbers}，{FORM.format('全程由原来的{}小时缩短至三小时')}"
    edited = said.replace("文化副刊", "文他副刊").replace("关注我们", "关注天们")
    edited = edited.replace("往期内容", "往期好内容").replace("编辑部的", "编辑步队")
    assert compared(said.format("7"), edited.format("9")) == [("number", "7", "9")]
    broken = edited.replace("文他副刊", "文x副刊").replace("邮箱", "q箱").replace("点击", "点k")
    assert compared(said.format("7"), broken.format("9")) == []


@pytest.mark.parametrize(
    ("asked", "stored", "kind"),
    [("公元500年", "公元前500年", "number"), ("警告处分", "严重警告处分", "name")],
)
def test_a_word_of_a_class_may_hold_another(asked: str, stored: str, kind: str) -> None:
    said = FORM.format("这里说的是{}")
    for pair in ((asked, stored), (stored, asked)):
        assert [each[0] for each in compared(*map(said.format, pair))] == [kind]


def test_first_words_take_no_long_time() -> None:
    """The names of a text are looked for once, not for each sentence."""
    one, other = (
        " ".join(f"{word}{at}x said that the harbour of the town was open." for at in range(800))
        for word in ("Anna", "Bob")
    )
    began = time.process_time()
    compared(one.translate(SPELT), other.translate(SPELT))
    assert time.process_time() - began < 2


def test_a_name_is_told_from_the_word_behind_it() -> None:
    said = FORM.format("校长{}出席了会议")
    assert compared(said.format("张建国"), said.format("李明将")) == [("name", "张建国", "李明")]


def test_words_that_change_places_are_no_facts() -> None:
    said = (
        "The talk in the {} is short, and that in the {} is long, so come early and bring "
        "everybody along with you."
    )
    assert compared(said.format("morning", "evening"), said.format("evening", "morning")) == []


def test_a_word_that_is_small_elsewhere_is_no_name() -> None:
    more = " The Farmers and the Workers met, and other farmers and other workers came."
    one, other = (LISTED.format("Ann", "Hooper", each) + more for each in ("Farmers", "Workers"))
    assert compared(one, other) == []


def test_a_date_is_listed_once() -> None:
    found = compared(FORM.format("自2月25日起播出"), FORM.format("自6月17日起播出"))
    assert found == [("date", "2月25日", "6月17日")]


def test_titles_are_what_stands_between_marks() -> None:
    written = "他读了《归途》和“流年往事”，说：“我不喜欢这两本书。”又听了『灯火』。"
    assert [written[slice(*span)] for span in titles(written)] == ["归途", "流年往事", "灯火"]
    assert titles('he read „Night Trains“ and "Salt and Cinders" aloud') == [(9, 21), (28, 44)]
    assert titles("no marks at all") == []


LISTED = (
    "The chair will be {}, with {} as treasurer, and the members thanked the outgoing committee "
    "for its hard work. {} will conduct the concert that is given in the garden of the old house."
)


@pytest.mark.parametrize(
    ("asked", "stored", "expected"),
    [
        (("Ann Lee", "Carl Orr", "Ida Moss"), ("Ann Lee", "Carl Orr", "Ida Moss"), []),
        (("Ann Lee", "Carl B. Orr", "I"), ("Ann Lee", "Carl Orr", "I"), []),  # an initial
        (
            ("Jan van der Berg", "Carl Orr", "He"),
            ("Luis de la Cruz", "Carl Orr", "He"),
            [("name", "Jan van der Berg", "Luis de la Cruz")],
        ),
        (
            ("Ann Lee", "Carl Orr and Eve Ross", "He"),
            ("Ann Lee", "Carl Orr and Max T. Hill", "He"),
            [("name", "Eve Ross", "Max T. Hill")],
        ),
        (
            ("Ann Lee", "Acorn & Co.", "He"),
            ("Ann Lee", "Beacon Foods plc", "He"),
            [("name", "Acorn & Co", "Beacon Foods")],
        ),
        (("Ann Lee", "FIFA", "He"), ("Ann Lee", "UEFA", "He"), [("name", "FIFA", "UEFA")]),
        (("Ann Lee", "Ana Orr", "He"), ("Ann Lee", "Anna Orr", "He"), [("name", "Ana", "Anna")]),
        (
            ("Ann Lee", "Carl Orr", "The University of Kent"),
            ("Ann Lee", "Carl Orr", "The Museum of Devon"),
            [("name", "The University of Kent", "The Museum of Devon")],
        ),
        (("Ann Lee", "Carl Orr", "Nobody"), ("Ann Lee", "Carl Orr", "Everybody"), []),
        (("Lisbon", "Ann", "Carl Orr"), ("Dublin", "Ann", "Lisbon"), [
            ("name", "Lisbon", "Dublin"),
            ("name", "Carl Orr", "Lisbon"),
        ]),  # one name may be in both, when the other is not
        (("Ann Lee", "Carl Orr", "Israel's army"), ("Ann Lee", "Carl Orr", "Kenya's army"), [
            ("name", "Israel's", "Kenya's"),
        ]),  # the first word of a sentence
        (("Ann Lee", "Carl Orr", "OPEC"), ("Ann Lee", "Carl Orr", "NATO"), [
            ("name", "OPEC", "NATO"),
        ]),
        (("Ann Lee", "Hooper", "Ann"), ("Ann Lee", "Hooper", "Hooper"), [
            ("name", "Ann", "Hooper"),
        ]),  # names elsewhere
        (("Ann Lee", "Carl Orr", "Germany"), ("Ann Lee", "Carl Orr", "Everyone"), []),
        (("Ann Lee", "Carl Orr", "Moscow"), ("Ann Lee", "Carl Orr", "Russia"), []),
        (("Ann Lee", "Carl Orr", "NOTE:"), ("Ann Lee", "Carl Orr", "NEWS:"), []),
        (("Ann Lee", "Carl Orr", "They"), ("Ann Lee", "Carl Orr", "Israel"), []),
        (("Ann Lee", "President Carl Orr", "He"), ("Ann Lee", "Carl Orr", "He"), []),
        (("Ann Lee", "Beijing", "He"), ("Ann Lee", "Beiijng", "He"), []),  # misspelt
    ],
)  # fmt: skip
def test_names_by_capital_letters(
    asked: tuple[str, ...], stored: tuple[str, ...], expected: list[tuple[str, str, str]]
) -> None:
    found = compared(LISTED.format(*asked), LISTED.format(*stored))
    assert [(kind, *map(_core, said)) for kind, *said in found] == [
        (kind, *map(_core, said)) for kind, *said in expected
    ]


def _core(name: str) -> str:
    return name.removeprefix("The ").rstrip(".")


@pytest.mark.parametrize(
    ("asked", "stored", "differ"),
    [
        ("v1.1", "v1.10", True),
        ("version 1.1", "version 1.10", True),
        ("v1.1", "v1.1.0", False),
        ("1.5 tons", "1.50 tons", False),
        ("v1.10", "1.10", False),
        ("v2.1", "v2.3", True),
    ],
)
def test_versions_are_no_decimal_fractions(asked: str, stored: str, differ: bool) -> None:
    pair = (f"The reader was told to wait for {said} of the catalogue" for said in (asked, stored))
    assert bool(compared(*pair)) == differ


BLANK = (
    "申请表\n姓名：{}\n单位：{}\n本人申请加入市作家协会，愿意遵守协会的章程，按时缴纳会费，"
    "积极参加协会组织的各项活动，如实填写以上各项内容。"
)


def test_a_blank_and_what_is_filled_in_are_facts() -> None:
    empty, filled = BLANK.format("", "____"), BLANK.format("王建国", "云溪县教育局")
    expected = [("name", "姓名", "姓名：王建国"), ("name", "单位", "单位：云溪县教育局")]
    assert compared(empty, filled) == expected
    assert compared(filled, empty) == [(kind, stored, asked) for kind, asked, stored in expected]
    assert compared(BLANK.format("王建国", ""), BLANK.format("王建国", "")) == []
    assert compared(BLANK.format("王建国", ""), BLANK.format("王建国", "裁")) == []  # a mistake
    assert compared(BLANK.format("王建国", "县文化馆"), BLANK.format("\n王建国", "县文化馆")) == []


@pytest.mark.parametrize(
    ("asked", "stored", "differ"),
    [("diner", "dinner", True), ("hopping", "hoping", True), ("coming", "comming", False)],
)
def test_a_doubled_letter_that_makes_another_word(asked: str, stored: str, differ: bool) -> None:
    pair = (asked, stored)
    found = compared(*(f"he was {said} today" for said in pair))
    assert found == ([("name", *pair)] if differ else [])


@pytest.mark.parametrize(
    ("asked", "stored"),
    [("In 2019", "By 2019"), ("About 200 people", "Around 200 people"), ("At 5 kWh", "At 5 MWh")],
)
def test_the_first_word_of_a_sentence_and_units_are_no_names(asked: str, stored: str) -> None:
    said = " the council approved the bridge near the old market, to the joy of its members. "
    assert compared(asked + said + ENGLISH, stored + said + ENGLISH) == []


def test_two_small_words_are_no_given_name() -> None:
    assert may_be_names("陈向东", "孙为民")
    assert not may_be_names("王伟从", "王在从")
