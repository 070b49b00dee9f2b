"""Titles in marks of any kind, and what is speech instead."""

from __future__ import annotations

import pytest

from query.facts.titles import titles
from tests.unit.query.facts.test_named_facts import FORM, compared


def found(written: str) -> list[str]:
    return [written[slice(*span)] for span in titles(written)]


@pytest.mark.parametrize(
    "marks", ["“”", '""', "＂＂", "‘’", "「」", "『』", "《》", "〈〉", "<>", ("<<", ">>")]
)
@pytest.mark.parametrize("before", ["今天放映", "本期讲座：", "作者的长篇小说"])
def test_a_title_that_touches_chinese(marks: tuple[str, str], before: str) -> None:
    opening, closing = marks
    one, other = (
        FORM.format(f"{before}{opening}{title}{closing}，大家都说好")
        for title in ("海边的旧书", "平常人的一生")
    )
    assert compared(one, other) == [("name", "海边的旧书", "平常人的一生")]


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ('放映"归途"和"征途"，', ["归途", "征途"]),
        ('放映"归途和"征途"，', []),  # of three marks none says which one opens
        ('放映"归途"\n和"征途"，', ["归途", "征途"]),
        ('他说："我来了。"，又说："你好"', []),
        ("一幅5' x 7\"的画", []),
        ('<p class="头条">正文</p>', []),
        ("<b>Night Trains</b>", []),
        ("it’s ‘Night Trains’, don’t you see", []),
        ('it said"Night Trains"aloud', []),
        ("<归途>", ["归途"]),
        ("长篇小说“归途”", ["归途"]),
        ("他说“今天不去”", []),
        ("他回忆说，“今天不去”", []),
        ("张敏：“今天不去”", []),
        ("主持人：“今天不去”", []),
        ("专家表示：“今天不去”", []),
        ("题目：“今天不去”", ["今天不去"]),
        ("他名叫“小灯笼”", ["小灯笼"]),
    ],
)
def test_marks_are_paired(written: str, expected: list[str]) -> None:
    assert found(written) == expected


@pytest.mark.parametrize(
    ("asked", "stored", "differ"),
    [
        ("Raja", "灯火", False),
        ("Raja", "灯火歌", True),  # no title of three characters has four letters
        ("Hamlet", "哈姆雷特", False),
    ],
)
def test_titles_in_two_scripts(asked: str, stored: str, differ: bool) -> None:
    one, other = (FORM.format(f"今天放映《{title}》") for title in (asked, stored))
    assert bool(compared(one, other)) == bool(compared(other, one)) == differ
