"""Headers and footers beside the first and last fact, and first words of English sentences."""

from __future__ import annotations

import pytest

from tests.unit.query.facts.test_english_facts import SAID
from tests.unit.query.facts.test_named_facts import FORM, compared

HEADERS = ["据媒体报道：\n", "来源：新浪网　作者：编辑部整理\n\n", "本网讯\n"]


@pytest.mark.parametrize("header", HEADERS)
@pytest.mark.parametrize(
    ("asked", "stored", "behind"),
    [
        ("洛杉矶", "巴黎", "圣礼拜教堂今天开放参观。"),
        ("恒瑞医药", "美的集团", "今天公布年报。"),
        ("“山水清音", "“大河文明", "”特展今天开幕。"),
    ],
)
def test_a_header_hides_no_fact(header: str, asked: str, stored: str, behind: str) -> None:
    one, other = (f"{name}{behind}{FORM}" for name in (asked, stored))
    expected = [("name", asked.strip("“"), stored.strip("“"))]
    assert compared(one, header + other) == expected
    assert compared(header + other, one) == [("name", *expected[0][:0:-1])]
    assert compared(one, header + one) == []


def test_a_footer_hides_no_fact() -> None:
    one, other = (f"{FORM}他后来去了{name}" for name in ("洛杉矶", "巴黎"))
    footer = "\n责任编辑：小编　未经授权不得转载"
    assert compared(one, other + footer) == [("name", "洛杉矶", "巴黎")]
    assert compared(one, one + footer) == []


@pytest.mark.parametrize("header", ["BREAKING NEWS -- ", "Reposted from the web.\n\n"])
def test_an_english_header_is_no_name(header: str) -> None:
    one, other = (f"{name} was named to the post. {SAID}" for name in ("Ann Lee", "Carl Orr"))
    assert compared(one, header + other) == [("name", "Ann Lee", "Carl Orr")]


FIRST = "{} " + SAID


@pytest.mark.parametrize(
    ("asked", "stored", "behind"),
    [
        ("Acornix", "Bakelit", "said Wednesday it will close its office."),
        ("Acornix", "Macy's", "said Wednesday it will close its office."),
        ("Hamas", "Hezbollah", "said Friday that talks had failed."),
        ("OPEC's", "UNESCO's", "report is ready."),
        ("Black & Decker", "Bissell", "of Dallas recalls the product."),
        ("Bissell", "Acornix", "of Dallas recalls the product."),
    ],
)
def test_first_words_that_are_names(asked: str, stored: str, behind: str) -> None:
    for before in ("", f"{SAID} "):
        one, other = (f"{before}{name} {behind} {SAID}" for name in (asked, stored))
        found = compared(one, other)
        assert [each[0] for each in found] == ["name"]
        assert found[0][1].startswith(asked) and found[0][2].startswith(stored)


@pytest.mark.parametrize(
    ("asked", "stored", "behind"),
    [
        ("Police", "Officials", "said Wednesday they will close the office."),
        ("Acornix", "Investigators", "said Wednesday that the office is closed."),
        ("However", "Meanwhile", "the office is closed."),
        ("However,", "Acornix", "said the office is closed."),
        ("That's", "It's", "what they do."),
        ("Most", "Some", "of Dallas is dark."),
        ("He", "She", "said the office is closed."),
    ],
)
def test_first_words_that_are_none(asked: str, stored: str, behind: str) -> None:
    one, other = (f"{name} {behind} {SAID}" for name in (asked, stored))
    assert compared(one, other) == compared(other, one) == []
