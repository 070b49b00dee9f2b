"""Bylines: who wrote and passed on a text is no part of what it says."""

from __future__ import annotations

import pytest

from query.facts.bylines import in_byline

BODY = "船离了岸,筐边的铜铃一路走一路响,桥头的铁匠铺刚刚生火,学堂里的孩子背着书包跑过。" * 2


def said(text: str, fact: str) -> bool:
    start = text.index(fact)
    return in_byline(text, start, start + len(fact))


@pytest.mark.parametrize(
    "line",
    [
        "责任编辑:王建国",
        "来源:新华网 作者:王建国",
        "文/王建国",
        "王建国/摄",
        "(记者 李晓明 王建国)",
        "(王建国)",
        "王建国",
        "王建国 供图",
    ],
)
def test_a_person_in_a_line_at_either_end(line: str) -> None:
    assert said(f"{line}\n{BODY}", "王建国")
    assert said(f"{BODY}\n{line}", "王建国")


@pytest.mark.parametrize(
    "line", ["by john smith, staff writer", "photo by john smith", "editor: john smith"]
)
def test_english_bylines(line: str) -> None:
    assert said(f"{line}\n{BODY}", "john smith")


@pytest.mark.parametrize("words", ["photo: ", "additional reporting by ", "(editing by "])
def test_english_bylines_at_the_end_of_a_paragraph(words: str) -> None:
    assert said(f"{BODY} {words}john smith", "john smith")


def test_an_english_author_the_text_is_about() -> None:
    assert not said(f"{BODY} the new novel by john smith", "john smith")


@pytest.mark.parametrize("line", ["2023-4-5 10:20", "发布时间:2023-4-5", "2023-4-5 来源:新华网"])
def test_the_date_of_a_byline(line: str) -> None:
    assert said(f"{line}\n{BODY}", "2023-4-5")


@pytest.mark.parametrize(
    "text",
    [
        f"{BODY}作家王建国的新书{BODY}",
        f"王建国:本院受理原告的申请\n{BODY}",
        f"主讲人王建国\n{BODY}",
        f"{BODY}译者王建国说。\n{BODY}",
        f"{BODY}\n{BODY}\n{BODY}\n{BODY}\n王建国\n" + f"{BODY}\n" * 4,
    ],
)
def test_a_person_the_text_is_about(text: str) -> None:
    assert not said(text, "王建国")


def test_a_day_of_an_event_is_no_byline() -> None:
    assert not said(f"时间:4月5日 地点:三楼\n{BODY}", "4月5日")
