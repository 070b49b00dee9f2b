"""What numbers are worth."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from query.facts.scan import remembered, scan
from query.facts.values import arabic_value, han_value, plain, scaled

_NAMES = "零一二三四五六七八九"


def spelled(value: int) -> str:
    """A number below 10,000 in Chinese, the long way."""
    if value < 10:
        return _NAMES[value]
    out, pending = "", False
    for power, unit in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit = value // power % 10
        if digit:
            out += ("零" if pending and out else "") + _NAMES[digit] + unit
            pending = False
        else:
            pending = True
    return out


@given(st.integers(0, 9_999), st.integers(1, 9_999))
def test_chinese_numerals(low: int, high: int) -> None:
    assert han_value(spelled(low)) == str(low)
    long = f"{spelled(high)}万零{spelled(low)}" if low else f"{spelled(high)}万"
    assert han_value(long) == str(high * 10_000 + low)


@given(st.integers(0, 10**12))
def test_digits_read_one_by_one(value: int) -> None:
    digits = str(value)
    assert han_value("".join(_NAMES[int(d)] for d in digits)) == digits
    assert plain(f"00{digits}.500") == f"{digits}.5"
    assert arabic_value(f"{value:,}", "") == digits
    assert arabic_value(digits, "千万") == str(value * 10**7)


@pytest.mark.parametrize(
    ("text", "value"),
    [("十二", "12"), ("二十", "20"), ("廿三", "23"), ("两百", "200"), ("一百零五", "105"),
     ("二〇二一", "2021"), ("叁佰万", "3000000"), ("一亿二千万", "120000000"), ("四五百", None),
     ("一万五", "15000"), ("两万三", "23000"), ("一百五", "150"), ("壹仟贰佰伍", "1250"),
     ("一亿二", "120000000"), ("五十万三", "503000"), ("一百〇五", "105"), ("一万零五", "10005"),
     ("一万零一百五", "10150"), ("十五", "15"), ("二十五", "25"), ("一百二十五", "125"),
     ("十五万", "150000"), ("一万五六", None), ("一万两千", "12000")],
)  # fmt: skip
def test_numerals_people_write(text: str, value: str | None) -> None:
    assert han_value(text) == value


def test_decimals_are_moved_exactly() -> None:
    assert arabic_value("1.2345", "万") == "12345"
    assert arabic_value("0.1", "亿") == "10000000"
    assert arabic_value("1.23456789", "千") == "1234.56789"
    assert scaled("two", "million") == scaled("2.0", "million") == "2000000"


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("共计1,234,567元", ["1234567"]),
        ("买了1,2,3号", ["1", "2", "3"]),
        ("气温零下4度", ["-4"]),
        ("气温为-4度", ["-4"]),
        ("同比-4%，环比 -3", ["-4%", "-3"]),
        ("民航-4航班，2%-4%", ["4", "2%", "4%"]),
        ("2003-2005年", ["2003", "2005"]),
        ("百姓与千家万户", []),
        ("增长5‰", ["5‰"]),
        ("2021-03-05 14:25:30", ["2021", "3", "5", "14", "25", "30"]),
        ("someone is done", []),
        ("one and twenty thousand", ["1", "20000"]),
        ("共有1,234,其中1,500,", ["1234", "1500"]),
        ("共有1,234,567,比去年", ["1234567"]),
        ("1,234.5,", ["1234.5"]),
        ("1,234,56", ["1", "234", "56"]),
        ("1,2345", ["1", "2345"]),
        ("2021,1,234人", ["2021", "1234"]),
        ("add 1/2 cup", ["1/2"]),
        ("主队3:1获胜，比例为1:2:3", ["3/1", "1/2/3"]),
        ("v1.2.3 and 1.10.2, 1.02.30", ["1.2.3", "1.10.2", "1.2.30"]),
        ("192.168.0.10:8080", ["192.168.0.10/8080"]),
        ("1.50-2.5 or 1.5~2.50", ["1.5/2.5", "1.5/2.5"]),
        ("1,000-2,000 people", ["1000/2000"]),
        ("3-4万人, 5-10%, 1-1.5 million", ["3/40000", "5/10%", "1/1500000"]),
        ("010-01234567, 978-7-02", ["10/01234567", "978/7/2"]),
        ("it was -5, (-6) and -1/2", ["-5", "-6", "-1/2"]),
        ("2019-2020, a-5", ["2019/2020", "5"]),
        ("3-15日, 2-3月, 8-10点", ["3", "15", "2", "3", "8", "10"]),
        ("9:30-10:30", ["9", "30", "10", "30"]),
        ("3 - 4, 3--4, 1.5, 1.", ["3", "4", "3", "4", "1.5", "1"]),
    ],
)
def test_numbers_of_a_text(text: str, values: list[str]) -> None:
    assert [fact.value for fact in scan(text).facts] == values


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("周一,5人", [("一", "date", False), ("5", "number", False)]),
        ("周一,5号楼", [("一", "date", False), ("5", "number", False)]),
        ("monday 5 people", [("monday", "date", False), ("5", "number", False)]),
        ("in may 300 people", [("may", "date", False), ("300", "number", False)]),
        ("in may,5 people", [("may", "date", False), ("5", "number", False)]),
        ("may 0", [("may", "date", False), ("0", "number", False)]),
        ("may 32", [("may", "date", False), ("32", "number", False)]),
        ("may 5%", [("may", "date", False), ("5%", "number", False)]),
        ("may 5", [("may", "date", False), ("5", "date", True)]),
        ("may five", [("may", "date", False), ("5", "date", True)]),
        ("may -5", [("may", "date", False), ("-5", "number", False)]),
        ("may 5-7", [("may", "date", False), ("5/7", "date", True)]),
        ("may 5-70", [("may", "date", False), ("5/70", "number", False)]),
        ("march 31,", [("march", "date", False), ("31", "date", True)]),
        ("周一 5日", [("一", "date", False), ("5", "date", False)]),
    ],
)
def test_only_a_day_belongs_to_a_month_by_name(
    text: str, kinds: list[tuple[str, str, bool]]
) -> None:
    assert [(fact.value, fact.kind.value, fact.follows) for fact in scan(text).facts] == kinds


@pytest.mark.parametrize("end", ["12 x", "1234", ",", "1日", ""])
@pytest.mark.parametrize("mark", [",", "-", ".", "/", "-1,234,", "日-"])
def test_long_lists_of_numbers_are_read_in_linear_time(mark: str, end: str) -> None:
    text = f"123{mark}" * 8_000 + end
    begin = time.process_time()
    scan(text)
    assert time.process_time() - begin < 0.4


def test_a_number_as_long_as_its_text_is_not_remembered() -> None:
    scan("3141592653")
    held = remembered.cache_info().currsize
    assert scan("27" * 500).facts[0].value == "27" * 500
    assert remembered.cache_info().currsize == held
    scan("2718281828459")
    assert remembered.cache_info().currsize > held
