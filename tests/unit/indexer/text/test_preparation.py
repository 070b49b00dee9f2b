"""Preparation: each step by name, the way back to the original, batches, the exact form."""

from __future__ import annotations

import unicodedata
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from indexer.text import Prepared, prepare, prepare_all
from indexer.text.preparation import exact_form
from indexer.text.table import DROP, JOINS, LIMIT, load
from mappings.plan import TABLE_STEPS as STEPS
from mappings.plan import Plan
from tests.texts import LAW, METRO, METRO_TRADITIONAL, mixtures, texts
from tests.texts import PLAIN as STANDARD

TABLE = load(STANDARD.table, STEPS)


def without(step: str) -> Plan:
    return replace(STANDARD, steps=tuple(name for name in STEPS if name != step))


def only(*steps: str) -> Plan:
    return replace(STANDARD, steps=steps)


def text_of(text: str, plan: Plan = STANDARD) -> str:
    return prepare(text, plan).text()


def codes(text: str) -> list[int]:
    return [ord(character) for character in text]


# --- the steps, by name


@pytest.mark.parametrize(
    ("step", "text", "applied", "left_out"),
    [
        ("nfkc", "①㌔５ª", "1キロ5a", "①㌔５ª"),
        ("nfkc", "cafe\u0301", "café", "cafe\u0301"),
        ("casefold", "ABCßΣς", "abcssσσ", "ABCßΣς"),
        ("simplified", "電腦與軟體", "电脑与软体", "電腦與軟體"),
        ("invisible", "零\u200b宽\ufeff度\x01a\ufe0f", "零宽度a", "零\u200b宽\ufeff度\x01a\ufe0f"),
        ("invisible", "a\x01 b", "a b", "a\x01 b"),
        ("space", "左\u2003\t右\r\n\r\n下", "左 右\n下", None),
        ("punctuation", "“引”《书》—、", '"引"(书)-,', "“引”《书》—、"),
    ],
)
def test_a_step_left_out_changes_just_that(
    step: str, text: str, applied: str, left_out: str | None
) -> None:
    assert text_of(text) == applied
    if left_out is None:
        # white space is kept as it came, but for NFKC's own view of it
        left_out = unicodedata.normalize("NFKC", text)
    assert text_of(text, without(step)) == left_out


@pytest.mark.parametrize("step", STEPS)
def test_no_step_does_the_work_of_another(step: str) -> None:
    """A text that only `step` would alter stays as it is when only the others run."""
    alters = {
        "nfkc": "①㌔",
        "casefold": "ABC",
        "simplified": "電腦",
        "invisible": "零\u200b宽",
        "space": "左  右",
        "punctuation": "“引”",
    }
    for name, text in alters.items():
        changed = text_of(text, only(step)) != text
        assert changed == (name == step), (step, name)


def test_no_steps_change_nothing() -> None:
    text = "Ａ①電腦 \u200b “引”  e\u0301"
    assert text_of(text, only()) == text


@pytest.mark.parametrize(
    ("composed", "decomposed"),
    [
        ("café", "cafe\u0301"),
        ("ṩ", "s\u0307\u0323"),  # marks in the wrong order
        ("ộ", "o\u0302\u0323"),
        ("ガパ", "か\u3099".replace("か", "カ") + "ハ\u309a"),
        ("ガパ", "ｶﾞﾊﾟ"),
        ("한글", "\u1112\u1161\u11ab\u1100\u1173\u11af"),
        ("각", "가\u11a8"),
        ("≠", "=\u0338"),
        ("é", "\u0065\u0301"),
    ],
)
def test_decomposed_equals_composed(composed: str, decomposed: str) -> None:
    assert composed != decomposed
    assert text_of(decomposed) == text_of(composed)
    assert text_of("字" + decomposed + "字") == "字" + text_of(composed) + "字"


@given(texts)
@LAW
def test_nfkc_alone_is_nfkc(text: str) -> None:
    """The table and the slow path together are the normal form, for all assigned characters."""
    assume(all(TABLE.assigned[ord(c)] and not 0xD800 <= ord(c) < 0xE000 for c in text))
    assert text_of(text, only("nfkc")) == unicodedata.normalize("NFKC", text)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("ABC", "abc"),
        ("STRASSE", "straße"),
        ("ΣΊΣΥΦΟΣ", "σίσυφος"),
        ("Ａ１", "a1"),
        ("什麼", "什么"),  # 麼 becomes 么: 么 itself must not become 幺
        ("什麽", "什么"),
        ("裡面", "里面"),
        ("臺灣", "台湾"),
        ("頭髮發展", "头发发展"),
        ("a\u200bb", "ab"),
        ("soft\u00adhyphen", "softhyphen"),
        ("❤\ufe0f", "❤"),
        ("中\ufeff文", "中文"),
        ("\x00a\x1fb\x7f", "ab"),
        ("你好　世界", "你好 世界"),
        ("一\r\n二", "一\n二"),
        ("一\u2028二", "一\n二"),
        ("a \n b", "a\nb"),
        ("a\u00a0b", "a b"),
        ("“引用”", '"引用"'),
        ("「引用」", '"引用"'),
        ("一—二", "一-二"),
        ("甲、乙", "甲,乙"),
        ("甲，乙！", "甲,乙!"),
        ("列夫·托尔斯泰", "列夫・托尔斯泰"),
        ("《书》", "(书)"),
        ("\ud800字\udfff", "字"),
    ],
)
def test_what_reads_the_same_is_the_same(left: str, right: str) -> None:
    assert text_of(left) == text_of(right)


def test_traditional_article_is_the_simplified_one() -> None:
    assert METRO != METRO_TRADITIONAL
    assert text_of(METRO_TRADITIONAL) == text_of(METRO)


def test_no_character_of_gb2312_loses_its_simplified_self() -> None:
    """Simplified text stays as it is: only these listed characters of GB 2312 are altered."""
    hanzi = [
        bytes([high, low]).decode("gb2312", "ignore")
        for high in range(0xB0, 0xF8)
        for low in range(0xA1, 0xFF)
    ]
    altered = {c for c in filter(None, hanzi) if text_of(c) != c}
    assert altered == set("乾著菸薹拚捱摺吒後徵夥榘於袷麴醣麽")


def test_full_stop_of_chinese_stays_and_emoji_stay() -> None:
    assert text_of("好。") == "好。"
    assert text_of("😀👍🏽") == "😀👍🏽"
    assert text_of("👩\u200d👧") == "👩👧"


@pytest.mark.parametrize("plan", [STANDARD, only(), *map(without, STEPS)], ids=lambda p: p.id)
def test_lone_surrogates_never_fail(plan: Plan) -> None:
    assert text_of("\ud83d字\ude00", plan) == "字"


@given(texts)
@LAW
def test_prepared_text_holds_no_code_point_that_a_step_would_drop(text: str) -> None:
    made = prepare(text, STANDARD)
    assert not (TABLE.target[made.codes] == DROP).any()
    made.text().encode("utf-8")


# --- idempotence


def is_settled(text: str) -> bool:
    """Not one of the known exceptions: a mark after something that a step drops or folds apart."""
    kept = "".join(c for c in text if TABLE.target[ord(c)] != DROP)
    apart = {"\u0345", "\u0130"} | {c for c in text if "\u0345" in unicodedata.normalize("NFD", c)}
    marks = any(TABLE.first[ord(c)] == JOINS for c in text)
    drops = kept != text
    expands = any(LIMIT <= TABLE.target[ord(c)] < JOINS for c in text)
    return not (marks and (drops or expands)) and not apart & set(text)


@given(texts)
@LAW
def test_preparing_twice_is_preparing_once(text: str) -> None:
    assume(is_settled(text))
    once = text_of(text)
    assert text_of(once) == once


def test_every_single_character_is_settled_by_one_preparation() -> None:
    # beyond the two ends nothing is assigned or everything is for private use: a few tell for all
    few, ends = 251, (0x40000, 0xE0000, 0xF0000, 0x110000)
    codes = [*range(ends[0]), *range(ends[0], ends[1], few)]
    codes += [*range(ends[1], ends[2]), *range(ends[2], ends[3], few)]
    characters = list(map(chr, codes))
    first = prepare_all(characters, STANDARD)
    again = prepare_all([first.text(row) for row in range(len(first))], STANDARD)
    assert np.array_equal(first.codes, again.codes)
    assert np.array_equal(first.rows.bounds, again.rows.bounds)


def test_known_exception_a_mark_after_a_character_that_becomes_several() -> None:
    """ß folds to ss, and only then has the mark an s to join. One preparation gives every such text
    one form, so equal texts stay equal; another form is for another format of the plan.
    """
    assert text_of("ß\u0301") == "ss\u0301"
    assert text_of("ss\u0301") == "s\u015b"


def test_known_exception_a_mark_after_an_invisible_character() -> None:
    """Composition looks at neighbours before the joiner between them is dropped."""
    once = text_of("e\u200d\u0301")
    assert once == "e\u0301"
    assert text_of(once) == "é"


# --- the way back


def stretch(text: str, made: Prepared, start: int, stop: int) -> str:
    low, high = made.span(start, stop)
    return text[low:high]


@given(texts)
@LAW
def test_spans_lie_in_the_text_and_in_order(text: str) -> None:
    made = prepare(text, STANDARD)
    spans = [made.span(i, i + 1) for i in range(len(made.codes))]
    assert all(0 <= low < high <= len(text) for low, high in spans)
    assert spans == sorted(spans)
    if spans:
        assert made.span(0, len(spans)) == (spans[0][0], spans[-1][1])
    assert made.span(3, 3) == made.folded_span(2, 2) == (0, 0)


@given(texts)
@LAW
def test_every_prepared_character_is_found_in_what_it_came_from(text: str) -> None:
    assume(not (TABLE.first[codes(text)] == JOINS).any())
    made = prepare(text, STANDARD)
    for place, code in enumerate(made.codes.tolist()):
        original = stretch(text, made, place, place + 1)
        if code in (0x20, 0x0A):
            assert {" ", "\n"} & set(text_of(original))  # the run it begins may hold a line feed
        else:
            assert chr(code) in text_of(original)


@given(
    st.lists(st.sampled_from(["e\u0301", "か\u3099", "ｶﾞ", "한", "\u1112\u1161\u11ab", "中", "a"]))
)
@LAW
def test_a_letter_owns_its_marks(parts: list[str]) -> None:
    text = "".join(parts)
    made = prepare(text, STANDARD)
    assert len(made.codes) == len(parts)
    for place, part in enumerate(parts):
        assert stretch(text, made, place, place + 1) == part


@given(mixtures, st.integers(0, 60), st.integers(0, 60))
@LAW
def test_a_stretch_prepares_to_itself(text: str, one: int, other: int) -> None:
    """Where nothing joins, expands or is white space, the way there and back is exact."""
    text = "".join(c for c in text if not c.isspace() and TABLE.first[ord(c)] != JOINS)
    assume(all(TABLE.target[ord(c)] < 0x110000 or TABLE.target[ord(c)] == DROP for c in text))
    made = prepare(text, STANDARD)
    start, stop = sorted((min(one, len(made.codes)), min(other, len(made.codes))))
    assert text_of(stretch(text, made, start, stop)) == made.text()[start:stop]


def test_a_span_never_reaches_into_the_next_text() -> None:
    made = prepare_all(["caf e", "\u0301x", "か", "\u3099"], STANDARD)
    assert made.span(4, 5) == (4, 5)
    assert made.span(7, 8) == (7, 8)


def test_folded_span_shows_the_original() -> None:
    text = "【快讯】Ｎｏｄｅ.js  發佈，2．0 版！"
    made = prepare(text, STANDARD)
    folded = made.folded[0].tobytes().decode("utf-32-le")
    assert folded == "快讯nodejs发布20版"
    start = folded.index("nodejs")
    low, high = made.folded_span(start, start + len("nodejs发布20"))
    assert text[low:high] == "Ｎｏｄｅ.js  發佈，2．0"


# --- batches


@given(st.lists(texts, max_size=6))
@LAW
def test_together_is_alone(batch: list[str]) -> None:
    together = prepare_all(batch, STANDARD)
    assert len(together) == len(batch)
    before = 0
    for row, text in enumerate(batch):
        alone = prepare(text, STANDARD)
        low, high = together.rows.bounds[row], together.rows.bounds[row + 1]
        assert together.text(row) == alone.text()
        assert np.array_equal(together.sources[low:high] - before, alone.sources)
        assert np.array_equal(together.kinds[low:high], alone.kinds)
        assert np.array_equal(together.folded[row], alone.folded[0])
        assert np.array_equal(exact_form(together)[row], exact_form(alone)[0])
        spans = [together.span(i, i + 1) for i in range(low, high)]
        assert [(a - before, b - before) for a, b in spans] == [
            alone.span(i, i + 1) for i in range(len(alone.codes))
        ]
        before += len(text)


def test_nothing_at_all() -> None:
    assert len(prepare_all([], STANDARD)) == 0
    assert text_of("") == text_of("\u200b\ufeff") == ""


# --- what `exact` compares


def exact_text(text: str) -> str:
    return exact_form(prepare(text, STANDARD))[0].tobytes().decode("utf-32-le")


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("涨幅1.5个点", "涨幅15个点"),
        ("零下-4度", "零下4度"),
        ("零下−4度", "零下4度"),
        ("比分3:2", "比分32"),
        ("3,000元", "3.000元"),
        ("2020-10", "202010"),
        ("比例1/2", "比例12"),
    ],
)
def test_marks_that_change_a_number_count(left: str, right: str) -> None:
    assert exact_text(left) != exact_text(right)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("你好，世界！", "你好世界"),
        ("你 好\n世界", "你好世界"),
        ("“引用”的话。", "引用的话"),
        ("第4，第5", "第4第5"),
        ("1.5", "１．５"),
        ("温度-4", "温度－4"),
        ("版本2.", "版本2"),
        ("Hello, World", "helloworld"),
        ("a-b", "ab"),
        ("1 5", "15"),
    ],
)
def test_white_space_and_punctuation_do_not_count(left: str, right: str) -> None:
    assert exact_text(left) == exact_text(right)


def test_a_mark_between_digits_of_two_texts_is_none() -> None:
    forms = exact_form(prepare_all(["共1.", "5元", "", "-", "4", ".5"], STANDARD))
    assert [forms[row].tobytes().decode("utf-32-le") for row in range(6)] == [
        *("共1", "5元", "", "", "4", "5"),
    ]


def test_texts_are_selected_in_any_order() -> None:
    prepared = prepare_all(["甲乙", "丙丁"], STANDARD)
    for rows in ([0, 1], [1, 0], [1, 1], [0]):
        chosen = prepared.select(np.array(rows))
        assert [chosen.text(at) for at in range(len(rows))] == [prepared.text(at) for at in rows]
