"""Where the chapters of a novel begin."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.sources.chapters import chapters_of, heading_of, pieces_of
from tests.texts import LAW, chinese

BODY = chinese(60, 1)


@pytest.mark.parametrize(
    "line",
    [
        "第一章",
        "第一章 雨夜渡口",
        "　　第12章：旧信",
        "第一百二十回　甄士隐详说太虚情 贾雨村归结红楼梦",
        "第三卷 北望",
        "正文 第７章 换马",
        "第一章雨夜渡口",
        "第2节 对弈",
        "序",
        "序章 起雾",
        "楔子",
        "尾声",
        "后记",
        "番外二 柳七",
        "Chapter 1",
        "CHAPTER XII. The Bridge",
        "Chapter Twenty-One: Fog",
        "Prologue",
        "Part Two",
        "第九话 天亮以前！？"[:-2],
    ],
)
def test_headings(line: str) -> None:
    assert heading_of(line) is not None


@pytest.mark.parametrize(
    "line",
    [
        "",
        "第一章的内容讲的是一个船工",
        "第三章里说，他早就走了",
        "第二天一早，他们就出发了。",
        "序号是三的那一份",
        "第一章 他说完这句话就走了。",
        "第一" + "很" * 80,
        "Chapter and verse were quoted",
        "Partly cloudy",
        "Introductions were made",
        "前言不搭后语",
        "他翻到第三章",
        "尾声渐渐远去",
    ],
)
def test_lines_that_are_none(line: str) -> None:
    assert heading_of(line) is None


def test_chapters_in_order() -> None:
    text = f"《夜渡》\n作者：某人\n第一章 雨夜\n{BODY}\n\n第二章 旧信\n{BODY}甲\n尾声\n{BODY}乙\n"
    found = chapters_of(text)
    assert [(each.number, each.title, each.line) for each in found] == [
        (1, "第一章 雨夜", 3),
        (2, "第二章 旧信", 6),
        (3, "尾声", 8),
    ]
    assert [each.text for each in found] == [BODY, BODY + "甲", BODY + "乙"]


def test_a_table_of_contents_makes_no_chapters() -> None:
    names = [f"第{number}章 名字{number}" for number in range(1, 6)]
    contents = [f"{name}……{at * 10}" for at, name in enumerate(names)]
    for table in (contents, names):
        text = "\n".join(["目录", *table, *(f"{name}\n{BODY}{name}" for name in names)])
        assert [each.title for each in chapters_of(text)] == names
        front = chinese(200, 5)
        text = "\n".join([*table, front, *(f"{name}\n{BODY}{name}" for name in names)])
        first, *rest = chapters_of(text)
        assert (first.number, first.text) == (0, front)
        assert [each.title for each in rest] == names


def test_volumes_are_kept_with_their_chapters() -> None:
    parts = [f"第一卷 上\n第一章 甲\n{BODY}\n第二章 乙\n{BODY}", f"第二卷 下\n第一章 丙\n{BODY}"]
    found = chapters_of("\n".join(parts))
    assert [(each.number, each.volume) for each in found] == [
        (1, "第一卷 上"),
        (2, "第一卷 上"),
        (3, "第二卷 下"),
    ]


def test_a_heading_that_stands_twice_makes_one_chapter() -> None:
    found = chapters_of(f"第一章 甲\n第一章 甲\n{BODY}\n第二章 乙\n第二章 乙\n{BODY}")
    assert [each.title for each in found] == ["第一章 甲", "第二章 乙"]


def test_no_headings_no_chapters() -> None:
    assert chapters_of(BODY) == []
    assert chapters_of("") == []
    assert chapters_of("第一章\n第二章\n第三章") == []


@LAW
@given(st.lists(st.text(st.sampled_from("甲乙丙，。 \n第一二章序"), max_size=30), max_size=20))
def test_no_text_below_a_heading_is_lost(lines: list[str]) -> None:
    """Only headings and a short front are left out, and the order stays."""
    text = "\n".join(lines)
    found = chapters_of(text)
    if not found:
        return
    numbers = [each.line for each in found]
    assert numbers == sorted(numbers)
    kept = "".join(each.text for each in found)
    start = min(each.line for each in found)
    below = [line for line in text.split("\n")[start - 1 :] if heading_of(line) is None]
    assert sum(map(str.isalnum, "".join(below))) <= sum(map(str.isalnum, kept))


@LAW
@given(st.text(st.sampled_from("甲乙。\n"), max_size=200), st.integers(1, 50))
def test_pieces_make_the_text_again(text: str, size: int) -> None:
    pieces = [piece for _, piece in pieces_of(text, size)]
    assert all(len(piece) <= size + 1 for piece in pieces)
    assert "".join(pieces).replace("\n", "") == text.replace("\n", "")
