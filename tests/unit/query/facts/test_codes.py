"""Codes of letters and digits, halves of a day, months, people by what they are called."""

from __future__ import annotations

import pytest

from tests.unit.query.facts.test_english_facts import SAID
from tests.unit.query.facts.test_named_facts import FORM, compared


@pytest.mark.parametrize(
    ("said", "asked", "stored", "expected"),
    [
        ("他坐{}次列车来", "G5561", "Z2015", ("number", "G5561", "Z2015")),
        ("他坐{}次列车来", "G1234", "D1234", ("number", "G1234", "D1234")),
        ("他坐{}航班来", "MU5137", "3U9435", ("number", "MU5137", "3U9435")),
        ("他开{}来", "京A12345", "沪B67890", ("number", "京A12345", "沪B67890")),
        ("他开{}来", "浙C58978", "浙B51614", ("number", "浙C58978", "浙B51614")),
        ("案号为{}民初176号", "豫4396", "京4138", ("number", "豫4396", "京4138")),
        ("大会在{}初三开幕", "腊月", "正月", ("date", "腊月", "正月")),
        ("据{}先生回忆", "贾", "叶", ("name", "贾先生", "叶先生")),
        ("由{}老师接听", "秦", "李", ("name", "秦老师", "李老师")),
        ("他请来一位{}专家", "法籍", "德籍", ("name", "法籍", "德籍")),
        ("他获得{}等奖", "一", "二", ("number", "一", "二")),
        ("他获得{}", "一等奖", "优秀奖", ("number", "一等奖", "优秀奖")),
        ("大会在本周六{}开幕", "上午", "晚间", ("date", "上午", "晚间")),
    ],
)
def test_codes_and_classes(
    said: str, asked: str, stored: str, expected: tuple[str, str, str]
) -> None:
    one, other = (FORM.format(said.format(name)) for name in (asked, stored))
    found = compared(one, other)
    assert [each[0] for each in found] == [expected[0]]
    assert expected[1] in found[0][1] and expected[2] in found[0][2]
    assert [(kind, b, a) for kind, a, b in compared(other, one)] == found


@pytest.mark.parametrize(
    ("said", "asked", "stored"),
    [
        ("大会在{}初三开幕", "一月", "正月"),
        ("大会在{}初三开幕", "十二月", "腊月"),
        ("他{}月薪不高", "真正", "真的"),
        ("他坐{}次列车来", "G1234", "G 1234"),
        ("他坐{}老师的车来", "好", "高"),  # no surname
    ],
)
def test_no_codes(said: str, asked: str, stored: str) -> None:
    one, other = (FORM.format(said.format(name)) for name in (asked, stored))
    assert compared(one, other) == compared(other, one) == []


@pytest.mark.parametrize(
    ("asked", "stored", "expected"),
    [
        ("on flight B6 218", "on flight UA 1162", [("number", "B6 218", "UA 1162")]),
        ("on flight DL 615", "on flight AA 615", [("number", "DL 615", "AA 615")]),
        ("from 7 a.m.", "from 7 p.m.", [("date", "7 a.m.", "7 p.m.")]),
        ("from 7:30 a.m.", "from 7:30 p.m.", [("date", "7:30 a.m.", "7:30 p.m.")]),
        ("from 7am", "from 7pm", [("date", "7am", "7pm")]),
        ("from 7:30 p.m.", "from 19:30", []),
        ("from 7:30 p.m.", "from 7:30 pm", []),
        ("in 20 days", "at 20 days", []),
    ],
)
def test_english_codes(asked: str, stored: str, expected: list[tuple[str, str, str]]) -> None:
    assert compared(SAID.format(asked), SAID.format(stored)) == expected
