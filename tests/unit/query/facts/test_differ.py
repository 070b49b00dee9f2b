"""The facts guard, on texts written for it."""

from __future__ import annotations

import random
import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mappings.plan import STANDARD
from query.answers import FactDifference, FactKind
from query.facts.differ import LISTED, facts_differ
from query.grams import features_all
from tests.texts import features_of

NEWS = (
    "记者王伟从市政府获悉，2021年3月5日上午9:30，北京地铁12号线将向东延长3.5公里，总投资1.2亿元，"
    "预计每天运送二十万名乘客，占全市客流的5%。沿线居民表示，周三开通的临时公交已经方便了许多。"
)
REPORT = (
    "The company said on Monday, March 5, that John Smith will lead its office in Paris with 12 "
    "people and a budget of $1.5 million, up 5% from last year, according to the report."
)
TALES = [
    "从前山里住着一位木匠，他有三个儿子和两头黄牛。",
    "大儿子在1901年离开家乡，到海边学习造船。",
    "二儿子于1905年考进学堂，后来成了一名教师。",
    "小儿子留在家里，每年秋天收获四十担谷子。",
    "村口的石桥长12米，是乡亲们一起修建的。",
    "那年冬天下了一场大雪，足足有七尺深。",
]

Listed = list[tuple[str, str, str]]


def compared(asked: str, stored: str) -> Listed:
    facts, total = facts_differ(*features_all([asked, stored], STANDARD))
    assert total == len(facts) or len(facts) == LISTED < total
    return [(fact.kind.value, fact.asked, fact.stored) for fact in facts]


@pytest.mark.parametrize(
    ("kind", "old", "new", "asked", "stored"),
    [
        ("date", "3月5日", "3月6日", "2021年3月5日", "2021年3月6日"),
        ("date", "2021年3月5日", "2021-04-05", "2021年3月5日", "2021-04-05"),
        ("date", "2021年3月5日", "二〇二二年三月五日", "2021年3月5日", "二〇二二年三月五日"),
        ("date", "9:30", "10时30分", "9:30", "10时30分"),
        ("date", "周三", "周五", "周三", "周五"),
        ("number", "12号线", "１４号线", "12", "１４"),
        ("number", "1.2亿", "12亿", "1.2亿", "12亿"),
        ("number", "二十万", "三十万", "二十万", "三十万"),
        ("number", "5%", "百分之六", "5%", "百分之六"),
        ("number", "5%", "5", "5%", "5"),
        ("number", "公里", "米", "3.5公里", "3.5米"),
        ("number", "亿元", "亿美元", "1.2亿元", "1.2亿美元"),
        ("name", "北京", "南京", "北京", "南京"),
        ("name", "北京", "乌鲁木齐", "北京", "乌鲁木齐"),
        ("name", "北京", "上海市", "北京", "上海市"),
        ("name", "王伟", "李晓明", "王伟", "李晓明"),
        ("name", "王伟", "王刚", "王伟", "王刚"),
    ],
)
def test_a_changed_fact_is_named(kind: str, old: str, new: str, asked: str, stored: str) -> None:
    changed = NEWS.replace(old, new)
    assert compared(NEWS, changed) == [(kind, asked, stored)]
    assert compared(changed, NEWS) == [(kind, stored, asked)]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("2021年3月5日", "2021-03-05"),
        ("2021年3月5日", "2021/3/5"),
        ("2021年3月5日", "二零二一年三月五号"),
        ("9:30", "09时30分"),
        ("周三", "星期三"),
        ("12号", "十二号"),
        ("3.5公里", "3500米"),
        ("3.5公里", "3.50公里"),
        ("1.2亿", "120,000,000"),
        ("1.2亿", "１２０００万"),
        ("二十万", "20万"),
        ("5%", "百分之五"),
        ("每天", "每日"),
        ("获悉", "了解到"),
        ("王伟", "王炜"),  # sounds the same: a typing mistake
        ("北京", "背景"),
        ("总投资1.2亿元，", ""),
        ("，占全市客流的5%", ""),
        ("上午9:30，", ""),
        ("沿线居民", "7月起，沿线居民"),
    ],
)
def test_the_same_said_in_another_way_is_no_difference(old: str, new: str) -> None:
    assert old in NEWS
    assert compared(NEWS, NEWS.replace(old, new)) == []


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("Paris", "New York", [("name", "Paris", "New York")]),
        ("John Smith", "Mary Jones", [("name", "John Smith", "Mary Jones")]),
        ("March 5", "March 6", [("date", "March 5", "March 6")]),
        ("Monday", "Tuesday", [("date", "Monday", "Tuesday")]),
        ("12 people", "fifteen people", [("number", "12", "fifteen")]),
        ("million", "billion", [("number", "1.5 million", "1.5 billion")]),
        ("12 people", "twelve people", []),
        ("1.5 million", "1,500,000", []),
        ("Paris", "paris", []),
        ("The company", "This company", []),
        ("report", "Reuters", []),
    ],
)
def test_english(old: str, new: str, expected: Listed) -> None:
    assert compared(REPORT, REPORT.replace(old, new)) == expected


@pytest.mark.parametrize(
    ("said", "asked", "stored"),
    [
        ("记者{}国从市政府获悉", "王建国", "李建国"),
        ("记者{}从市政府获悉", "王建", "李建"),
        ("记者{}介绍说", "王建", "李建"),
    ],
)
def test_a_given_name_that_both_have_is_named_whole(said: str, asked: str, stored: str) -> None:
    text = NEWS.replace("记者王伟从市政府获悉", said)
    pair = (text.replace("{}", name[:2]) for name in (asked, stored))
    assert compared(*pair) == [("name", asked, stored)]


def test_other_names_of_a_place_are_no_difference() -> None:
    text = "代表团上个月访问了新西兰和老挝，双方签署了多项合作协议，并商定明年再次会面。"
    assert compared(text, text.replace("新西兰", "紐西蘭").replace("老挝", "寮国")) == []


@given(st.permutations(TALES), st.integers(3, len(TALES)))
def test_moved_and_missing_sentences_report_nothing(order: list[str], kept: int) -> None:
    assert compared("".join(TALES), "".join(order[:kept])) == []


@given(st.permutations(TALES))
def test_a_change_is_found_where_its_sentence_went(order: list[str]) -> None:
    moved = "".join(order).replace("四十担", "六十担").replace("12米", "21米")
    assert compared("".join(TALES), moved) == [("number", "四十", "六十"), ("number", "12", "21")]


def test_swapped_numbers_are_seen() -> None:
    text = "昨晚的比赛中，主队以3比1战胜客队，赛后双方教练都对裁判的判罚表示满意。"
    swapped = text.replace("3比1", "1比3")
    assert compared(text, swapped) == [("number", "3", "1"), ("number", "1", "3")]


def test_lists_of_numbers_are_compared_only_where_they_are_whole() -> None:
    text = "硬币的面值分别是1、2、5、10和50分，纸币的面值分别是20、30和100元，均由银行发行。"
    assert compared(text, text.replace("2、5、", "2、")) == []
    assert compared(text, text.replace("30和", "40和")) == [("number", "30", "40")]


def test_places_that_share_their_words_are_told_apart_by_neither_list() -> None:
    text = "这座城市的居民大多在港口工作，附近的村庄则以种植水稻和茶叶为生。"
    assert compared(text, text.replace("城市", "都市")) == []


def test_texts_in_the_original_are_quoted() -> None:
    text = "會議定於２０２１年３月５日在臺北舉行，屆時將有來自各地的代表出席並發表演講。"
    changed = text.replace("３月５日", "３月８日").replace("臺北", "高雄")
    assert compared(text, changed) == [
        ("date", "２０２１年３月５日", "２０２１年３月８日"),
        ("name", "臺北", "高雄"),
    ]


def test_a_text_of_a_batch_is_read_as_alone() -> None:
    batch = features_all([REPORT, NEWS, NEWS.replace("12号", "13号")], STANDARD)
    alone = features_of(NEWS.replace("12号", "13号"), STANDARD)
    expected = (FactDifference(FactKind.NUMBER, "12", "13"),)
    assert facts_differ(batch[1], batch[2]) == facts_differ(batch[1], alone) == (expected, 1)


@pytest.mark.parametrize(
    ("asked", "stored"),
    [("1,234", "999"), ("500", "1,500"), ("1,234,567", "1,234,568"), ("一万五", "10005")],
)
def test_numbers_before_a_wide_comma_are_whole(asked: str, stored: str) -> None:
    text = "据统计局昨天公布的数字，全市登记的志愿者共有{}，其中多数是在校学生和退休职工。"
    expected = [("number", asked, stored)]
    assert compared(text.format(asked), text.format(stored)) == expected


@pytest.mark.parametrize(
    ("text", "asked", "stored"),
    [
        ("add {} cup of sugar to the bowl and stir it well for a while", "1/2", "12"),
        ("加入{}杯糖，搅拌均匀后放入冰箱冷藏一夜", "1/2", "12"),
        ("they waited {} hours at the station before the train came", "3-4", "34"),
        ("the team said that v{} released today brings a new set of tools", "1.2.3", "123"),
        ("the team said that v{} released today brings a new set of tools", "1.2.3", "1.2.4"),
        ("it was {} outside and we stayed at home all day", "-5", "5"),
        ("it was cold ({}) outside and we stayed at home all day", "-5", "5"),
        ("{} degrees outside and we stayed at home all day", "-5", "5"),
        ("it was {} outside and we stayed at home all day", "1.5", "15"),
        ("昨晚主队以{}战胜客队，赛后双方教练都对裁判的判罚表示满意", "3:1", "1:3"),
        ("研究人员在山上走了{}，终于在天黑前回到了营地", "3-4公里", "3-4米"),
        ("管理员把服务器的地址改成了{}，随后又重新启动了它", "192.168.1.11", "192.168.11.1"),
        ("研究人员考察了{}的气候资料，认为降水在逐年减少", "2019-2020", "2019-2021"),
    ],
)
def test_numbers_joined_by_a_mark_are_one(text: str, asked: str, stored: str) -> None:
    one, other = text.format(asked), text.format(stored)
    assert compared(one, other) == [("number", asked, stored)]
    assert compared(other, one) == [("number", stored, asked)]
    wide = {ord(mark): ord(mark) + 0xFEE0 for mark in "0123456789-/:."}
    assert compared(one, text.format(asked.translate(wide))) == []


@pytest.mark.parametrize(
    ("asked", "stored"),
    [
        ("3-4", "3至4"),
        ("3-4", "3~4"),
        ("3:1", "3比1"),
        ("3 - 4", "3-4"),
        ("010-87654321", "01087654321"),
        ("010-87654321", "010-8765-4321"),
        ("010-01234567", "01001234567"),
        ("1000-2000米", "1-2公里"),
        ("978-7-111-12345-6", "9787111123456"),
        ("2019-2020", "2019/2020"),
        ("5-15", "15"),
        ("0.5-1", "0.5"),
        ("9:30-10:30", "9时30分至10时30分"),
        ("2021-03-05", "2021/3/5"),
    ],
)
def test_joined_numbers_written_in_another_way_are_no_difference(asked: str, stored: str) -> None:
    text = "他在信的末尾写下了{}这几个数字，没有说明这些数字有什么意思"
    for said in (text, text.partition("{}")[1] + text.partition("{}")[2], "信的末尾写下的数字是{}"):
        assert compared(said.format(asked), said.format(stored)) == []
        assert compared(said.format(stored), said.format(asked)) == []


def test_a_number_after_the_name_of_a_day_stands_alone() -> None:
    text = "会议改在周一，5人请假，其余成员都将按时到场，并就明年的工作计划发表意见。"
    assert compared(text, text.replace("5人", "8人")) == [("number", "5", "8")]
    text = "The committee was told that on Monday 5 people had asked for leave without a reason."
    assert compared(text, text.replace("5", "8")) == [("number", "5", "8")]


def test_many_differences_are_counted_in_full() -> None:
    text = "".join(
        f"第{name}队上周一共收到{n}封来信。" for n, name in enumerate("甲乙丙丁戊" * 6, 1)
    )
    changed = text.replace("封来信", "0封来信")
    facts, total = facts_differ(*features_all([text, changed], STANDARD))
    assert (len(facts), total) == (LISTED, 30)
    assert [fact.asked for fact in facts] == [str(n) for n in range(1, LISTED + 1)]


def test_what_stands_for_one_stretch_is_in_the_order_of_the_stored_text() -> None:
    filled = "".join(f"电话：138123456{number}\n" for number in range(10, 16))
    form = "姓名：王小明\n{}地址：上海市南京路12号\n" + TALES[0] + TALES[5]
    found = compared(form.format("电话：\n"), form.format(filled))
    assert [stored[-2:] for _, _, stored in found] == ["10", "11", "12", "13", "14", "15"]


def test_unlike_texts_have_no_facts_in_common() -> None:
    other = (
        "记者王伟从学校了解到，2022年6月1日，孩子们将在操场上表演节目，预计有300名家长到场观看。"
    )
    assert compared(NEWS, other) == []


@given(st.text(max_size=80), st.text(max_size=80))
def test_any_two_texts_can_be_compared(left: str, right: str) -> None:
    compared(left, right)
    assert compared(left, left) == []


@example("万0年0年0", "0年万0年1年")  # two alignments with as few edits
@given(*(st.text("0015-/:.~,%万米年日 ", max_size=12) for _ in range(2)))
def test_any_joined_numbers_differ_either_way(asked: str, stored: str) -> None:
    one, other = (f"他在信的末尾写下了{said}这几个数字，没有说明意思" for said in (asked, stored))
    assert compared(one, one) == []
    assert sorted((kind, b, a) for kind, a, b in compared(one, other)) == sorted(
        compared(other, one)
    )


@example(4_350_028)  # 全市 and 在市 are no places
@example(10_067)  # a gap of two characters, one of them common
@example(1_568)  # 王伟从市政府, 王伟有市政府: a word behind one of two equal names
@example(7_632)  # 王和从市政府: a list that ends before a word
@example(9_584)  # 就让伟为市: no place has a verb in it
@given(st.integers(0, 2**32))
def test_small_words_make_no_name(seed: int) -> None:
    """The most usual characters of Chinese, put anywhere, make no new place or person."""
    chance = random.Random(seed)
    text = list(NEWS)
    for place in chance.sample([i for i, c in enumerate(NEWS) if "一" <= c <= "鿿"], 5):
        text[place] = chance.choice("的是在有和这为而及与也就都被把让从")
    assert not [each for each in compared(NEWS, "".join(text)) if each[0] == "name"]


def test_a_chain_of_months_is_compared_in_linear_time() -> None:
    began = time.process_time()
    one, other = features_all(["1月" * 20_000, "1月2月" * 10_000], STANDARD)
    facts_differ(one, other)
    assert time.process_time() - began < 5
