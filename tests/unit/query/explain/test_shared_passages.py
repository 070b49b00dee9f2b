"""Shared passages: where they are in both originals, and that they are what they say."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.text import Streams, prepare, prepare_all, spaced_rows
from mappings.plan import STANDARD
from query.explain import shared_passages as spans
from query.explain.shared_passages import (
    Passage,
    Passages,
    Same,
    Span,
    least_units,
    pieces,
    shared_passages,
)
from tests.texts import (
    LAW,
    LIBRARY,
    METRO,
    METRO_HOMOPHONES,
    METRO_TRADITIONAL,
    ORCHARD,
    TEA,
    chinese,
    texts,
)


def streams_of(*both: str) -> Streams:
    prepared = prepare_all(both, STANDARD)
    return Streams(prepared, STANDARD, bool(spaced_rows(prepared).all()))


def shared(left: str, right: str) -> Passages:
    return shared_passages(streams_of(left, right))


def cut(text: str, span: Span) -> str:
    return text[span.start : span.stop]


def test_a_passage_between_other_words() -> None:
    found = shared(f"甲乙丙，{TEA}", f"{chinese(50, 1)}“{TEA}”")
    (passage,) = found.passages
    assert f"甲乙丙，{TEA}"[passage.left.start :] == TEA
    assert cut(f"{chinese(50, 1)}“{TEA}”", passage.right) == TEA.removesuffix("。")
    assert passage.same is Same.CHARACTERS
    assert found.found == 1
    assert found.complete


def test_moved_passages_are_found_longest_first() -> None:
    first, second, third = chinese(60, 1), chinese(90, 2), chinese(30, 3)
    left, right = first + second + third, third + first + second
    found = shared(left, right)
    assert [cut(left, each.left)[:20] for each in found.passages] == [first[:20], third[:20]]
    assert [each.units for each in found.passages] == sorted(
        (each.units for each in found.passages), reverse=True
    )
    assert (found.coverage, found.right_coverage) == (1.0, 1.0)


def test_homophones_sound_the_same() -> None:
    (passage,) = shared(METRO, METRO_HOMOPHONES).passages
    assert passage.same is Same.SOUNDS
    assert passage.swapped == sum(a != b for a, b in zip(METRO, METRO_HOMOPHONES, strict=True))


def test_the_other_script_is_the_same_characters() -> None:
    (passage,) = shared(METRO, METRO_TRADITIONAL).passages
    assert (passage.same, passage.swapped) == (Same.CHARACTERS, 0)


def test_white_space_and_marks_stay_inside_of_a_passage() -> None:
    left, right = "第一句话，第二句话，第三句话。", "前言：第一句话\n\n  第二句话！！第三句话"
    (passage,) = shared(left, right).passages
    assert cut(right, passage.right) == "第一句话\n\n  第二句话！！第三句话"


def test_one_changed_character_parts_two_passages() -> None:
    left = TEA
    at = 50
    right = f"{left[:at]}鑫{left[at + 1 :]}"
    found = shared(left, right)
    assert len(found.passages) == 2
    letters = prepare(TEA, STANDARD).folded.lengths[0]
    assert found.coverage == pytest.approx(1 - 1 / letters)


def test_words_in_scripts_with_spaces() -> None:
    right = ORCHARD[:150] + LIBRARY[60:300].upper()
    found = shared(LIBRARY, right)
    (passage,) = found.passages
    assert cut(LIBRARY, passage.left).upper() == cut(right, passage.right)
    assert passage.units == len(cut(right, passage.right).split())
    assert shared(LIBRARY, ORCHARD).passages == ()


def test_a_foreign_word_in_chinese_is_no_passage() -> None:
    assert shared(f"{METRO}International{METRO}", f"{TEA}international{TEA}").passages == ()
    assert shared(f"{METRO}一二三International四", f"{TEA}一二三international四").passages


def test_short_texts_have_short_passages() -> None:
    assert [least_units(n, False) for n in (0, 1, 3, 8, 12, 24, 1_000)] == [0, 1, 2, 2, 3, 6, 6]
    found = shared("我是中国人", "我是中国人啊")
    assert [each.units for each in found.passages] == [5]
    assert found.coverage == 1.0
    assert found.right_coverage == pytest.approx(5 / 6)


@pytest.mark.parametrize(("left", "right"), [("", ""), ("", TEA), ("！？", "，。"), ("啊", "哦")])
def test_nothing_in_common(left: str, right: str) -> None:
    assert shared(left, right) == Passages((), 0, 0.0, 0.0, True)


def test_a_character_of_several_letters_belongs_to_one_passage() -> None:
    """㌔ is prepared as キロ: the first passage ends in it and the second begins there."""
    before, after = "".join(filter(str.isalnum, chinese(40, 1))), chinese(40, 2)
    left, right = f"{before}㌔{after}", f"ロ{after}。。。{before}キ"
    found = shared(left, right)
    ends = sorted((each.left.start, each.left.stop) for each in found.passages)
    assert ends[0] == (0, len(before) + 1)
    assert ends[1][0] == len(before) + 1
    assert found.coverage == 1.0
    assert disjoint([each.left for each in found.passages])
    assert disjoint([each.right for each in found.passages])


def test_many_passages_are_counted_and_the_longest_listed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(spans, "LISTED", 3)
    parts = [chinese(20 + number, number) for number in range(8)]
    left, right = "甲".join(parts), "乙".join(reversed(parts))
    found = shared(left, right)
    assert (found.found, len(found.passages)) == (8, 3)
    assert found.coverage > 0.9


def test_too_much_work_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spans, "_WORK", 100)
    found = shared(TEA + METRO, METRO + TEA)
    assert not found.complete


def disjoint(all_spans: list[Span]) -> bool:
    ordered = sorted(all_spans, key=lambda span: span.start)
    return all(a.stop <= b.start for a, b in itertools.pairwise(ordered))


def sounds(text: str, passage: Passage, left: bool, spaced: bool) -> list[int]:
    span = passage.left if left else passage.right
    prepared = prepare_all([cut(text, span)], STANDARD)
    units: list[int] = Streams(prepared, STANDARD, spaced).units[0].tolist()
    return units


SENTENCES = st.lists(
    st.sampled_from(
        [TEA[:30], METRO[:12], METRO_HOMOPHONES[:12], "甲", "乙，", LIBRARY[:60], "\n"]
    ),
    max_size=8,
).map("".join)


@LAW
@given(SENTENCES, SENTENCES)
def test_passages_are_equal_units_that_nothing_shares(left: str, right: str) -> None:
    streams = streams_of(left, right)
    found = shared_passages(streams)
    assert disjoint([each.left for each in found.passages])
    assert disjoint([each.right for each in found.passages])
    lengths = [each.units for each in found.passages]
    assert lengths == sorted(lengths, reverse=True)
    for each in found.passages:
        mine = sounds(left, each, True, streams.spaced)
        assert mine == sounds(right, each, False, streams.spaced)
        assert len(mine) == each.units


@LAW
@given(texts, texts)
def test_no_text_is_too_strange(left: str, right: str) -> None:
    found = shared(left, right)
    for text, side in (
        (left, [p.left for p in found.passages]),
        (right, [p.right for p in found.passages]),
    ):
        assert disjoint(side)
        assert all(0 <= span.start < span.stop <= len(text) for span in side)
        assert "".join(piece for piece, _ in pieces(text, side)) == text
    assert 0 <= found.coverage <= 1
    assert 0 <= found.right_coverage <= 1


@LAW
@given(texts.filter(lambda text: any(map(str.isalnum, text))))
def test_a_text_is_covered_by_itself(text: str) -> None:
    found = shared(text, text)
    assert found.coverage == found.right_coverage == 1.0
    assert len(found.passages) == 1


def test_pieces_carry_the_numbers_of_their_spans() -> None:
    assert list(pieces("abcdefg", [Span(4, 6), Span(1, 3)])) == [
        ("a", None), ("bc", 2), ("d", None), ("ef", 1), ("g", None),
    ]  # fmt: skip
    assert list(pieces("", [])) == []
