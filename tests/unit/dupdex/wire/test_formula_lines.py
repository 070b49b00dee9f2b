"""A formula in words: a line for every rule, the same in both languages; and as JSON."""

from __future__ import annotations

import re
from dataclasses import replace
from enum import StrEnum

import msgspec
import pytest
from hypothesis import example, given

from dupdex.wire.explanation_form import StepForm
from dupdex.wire.forms import _lists
from dupdex.wire.formula_lines import formula_lines
from dupdex.wire.vocabulary import DIRECTIONS, FACTS, MEASURES, PLACES, VERDICTS
from mappings.plan import STANDARD
from query.answers import Direction, FactKind, Verdict
from query.explain.explanation import Subject, explain
from query.explain.formula import Combined, Formula, Measure, Measurement, Place, Step, formula
from query.verify.long_runs import Shared
from query.verify.verdict import Judgement
from tests.texts import LAW, RUNS_PAGE, RUNS_SOURCE, pieced

LIMITS = replace(
    STANDARD.thresholds,
    near=0.4,
    short_near=0.8,
    partial=0.18,
    shared=30,
    covered=0.2,
    covered_units=70,
)


def judged(
    similarity: float,
    share: float = 0.0,
    verdict: Verdict | None = None,
    kept: float | None = None,
    shared: int = 0,
) -> Judgement:
    return Judgement(
        verdict, similarity, share, share / 2, None, similarity, similarity / 2, shared, kept
    )


@pytest.mark.parametrize(
    ("judgement", "longer", "lines", "chinese"),
    [
        (
            Judgement(Verdict.EXACT, 1.0, 1.0, 1.0, None, 1.0, 1.0, 9),
            500,
            ["similarity = 1, the letters and digits are the same: exact"],
            ["相似度 = 1, 字母与数字全同: 完全相同"],
        ),
        (
            judged(0.82, verdict=Verdict.NEAR),
            500,
            ["similarity = max(characters 0.82, sounds 0.41) = 0.82 >= 0.40: near"],
            ["相似度 = max(字 0.82, 音 0.41) = 0.82 >= 0.40: 近似重复"],
        ),
        (
            judged(0.1, 0.5, Verdict.PARTIAL, shared=1_234),
            5_000,
            [
                "similarity = max(characters 0.10, sounds 0.05) = 0.10 < 0.40",
                "share = max(first 0.50, second 0.25) = 0.50 >= 0.18, "
                "shared long grams 1,234 >= 30: partial",
            ],
            [
                "相似度 = max(字 0.10, 音 0.05) = 0.10 < 0.40",
                "所占比例 = max(前者 0.50, 后者 0.25) = 0.50 >= 0.18, "
                "共有长片段 1,234 >= 30: 部分重复",
            ],
        ),
        (
            judged(0.3999, 0.5, shared=29),
            500,
            [
                "similarity = max(characters 0.40, sounds 0.20) = 0.3999 < 0.4000",
                "share = max(first 0.50, second 0.25) = 0.50 >= 0.18, "
                "shared long grams 29 < 30: no duplicate",
            ],
            [
                "相似度 = max(字 0.40, 音 0.20) = 0.3999 < 0.4000",
                "所占比例 = max(前者 0.50, 后者 0.25) = 0.50 >= 0.18, 共有长片段 29 < 30: 不重复",
            ],
        ),
        (
            replace(judged(0.1, 0.5, Verdict.PARTIAL, shared=20), runs=Shared(1_075, 0.5, 0.25)),
            500,
            [
                "similarity = max(characters 0.10, sounds 0.05) = 0.10 < 0.40",
                "share in long runs = max(first 0.50, second 0.25) = 0.50 >= 0.20, "
                "sounds in long runs 1,075 >= 70: partial",
            ],
            [
                "相似度 = max(字 0.10, 音 0.05) = 0.10 < 0.40",
                "连续长片段所占比例 = max(前者 0.50, 后者 0.25) = 0.50 >= 0.20, "
                "连续长片段的音 1,075 >= 70: 部分重复",
            ],
        ),
        (
            replace(judged(0.2, verdict=Verdict.NEAR, kept=0.875), similarity=0.875, same=0.5),
            8,
            ["similarity = left by edits 0.88 >= 0.80, left of the characters 0.50 >= 0.50: near"],
            ["相似度 = 编辑后保留 0.88 >= 0.80, 字面保留 0.50 >= 0.50: 近似重复"],
        ),
        (
            replace(judged(0.2, verdict=Verdict.NEAR, kept=0.875), similarity=0.875),
            80,
            [
                "similarity = max(characters 0.20, sounds 0.10, left by edits 0.88) = 0.88, "
                "left by edits 0.88 >= 0.80: near"
            ],
            [
                "相似度 = max(字 0.20, 音 0.10, 编辑后保留 0.88) = 0.88, "
                "编辑后保留 0.88 >= 0.80: 近似重复"
            ],
        ),
        (
            judged(0.5, verdict=Verdict.NEAR, kept=0.75),
            80,
            [
                "similarity = max(characters 0.50, sounds 0.25) = 0.50 >= 0.40, "
                "left by edits 0.75 < 0.80: near"
            ],
            ["相似度 = max(字 0.50, 音 0.25) = 0.50 >= 0.40, 编辑后保留 0.75 < 0.80: 近似重复"],
        ),
    ],
)
def test_lines(judgement: Judgement, longer: int, lines: list[str], chinese: list[str]) -> None:
    steps = formula(judgement, LIMITS, False, longer)
    assert formula_lines(steps) == lines
    assert formula_lines(steps, chinese=True) == chinese


def test_words_are_called_words() -> None:
    steps = formula(judged(0.82, verdict=Verdict.NEAR), LIMITS, True, 500)
    assert "words 0.41" in formula_lines(steps)[0]
    assert "词 0.41" in formula_lines(steps, chinese=True)[0]


def test_what_lookups_leave_out_is_told_at_the_end() -> None:
    steps = formula(
        judged(0.1, 0.5, Verdict.PARTIAL, shared=99), LIMITS, False, 500, widespread=True
    )
    *_, verdict, left_out = formula_lines(steps)
    assert verdict.endswith(": partial")
    assert left_out.startswith("left out of lookups, as many unrelated documents")
    assert formula_lines(steps, chinese=True)[-1].startswith("查重时略去：")


@pytest.mark.parametrize("value", [0.4 - 1e-3, 0.4 - 1e-8, 0.4, 0.4 + 1e-11])
def test_as_many_digits_as_it_takes_to_see_why(value: float) -> None:
    step = Step(Verdict.NEAR, Combined.ALL, (Measurement(Measure.SIMILARITY, value, 0.4),))
    (line,) = formula_lines(Formula((step,), None))
    shown, sign, limit = re.findall(r"similarity ([\d.]+) (>=|<) ([\d.]+):", line)[0]
    assert (float(shown) >= float(limit)) is (sign == ">=")
    assert (shown == limit) is (value == 0.4)


@LAW
@given(pieced, pieced)
@example("今天天气很好啊", "今天天汽很好啊")
@example("a", "b")
@example(RUNS_PAGE, RUNS_SOURCE)
def test_the_comparisons_shown_are_true_in_either_language(left: str, right: str) -> None:
    explained = explain(Subject(left), Subject(right), STANDARD)
    english, chinese = (
        formula_lines(explained.formula, chinese=language) for language in (False, True)
    )
    for line in english:
        for value, sign, limit in re.findall(r"([\d.,]*\d) (>=|<) ([\d.,]*\d)", line):
            value, limit = (float(number.replace(",", "")) for number in (value, limit))
            assert (value >= limit) is (sign == ">="), line
    assert english[-1].endswith(
        f": {explained.verdict.value if explained.verdict else 'no duplicate'}"
    )
    numbers = [
        [re.findall(r"[\d.,]*\d|>=|<", line) for line in lines] for lines in (english, chinese)
    ]
    assert numbers[0] == numbers[1]
    assert set(re.findall("[A-Za-z]+", "".join(chinese))) <= {"max"}


@pytest.mark.parametrize(
    ("kind", "phrases"),
    [
        (Measure, MEASURES),
        (Place, PLACES),
        (Verdict, VERDICTS),
        (Direction, DIRECTIONS),
        (FactKind, FACTS),
    ],
)
def test_everything_has_a_name_in_both_languages(
    kind: type[StrEnum], phrases: dict[object, tuple[str, str]]
) -> None:
    assert set(phrases) - {None} == set(kind)
    for item in kind:
        chinese, english = phrases[item]
        assert english.isascii()
        assert re.search("[\u4e00-\u9fff]", chinese)
    if kind in (Verdict, FactKind):  # as everywhere else
        assert [phrases[item][1] for item in kind] == [item.value for item in kind]


def test_json_has_the_numbers_as_they_were_compared() -> None:
    steps = formula(judged(0.39999, 0.5, shared=29), LIMITS, False, 500)
    near, partial = [_lists(msgspec.to_builtins(StepForm.of(step))) for step in steps.steps]
    assert near == {
        "verdict": "near",
        "holds": False,
        "combined": "any",
        "measured": [
            {
                "measure": "similarity",
                "text": None,
                "value": 0.39999,
                "limit": 0.4,
                "holds": False,
                "largest_of": [
                    {
                        "measure": measure,
                        "text": None,
                        "value": value,
                        "limit": None,
                        "holds": None,
                        "largest_of": [],
                    }
                    for measure, value in (("characters", 0.39999), ("syllables", 0.199995))
                ],
            }
        ],
    }
    assert [item["holds"] for item in partial["measured"]] == [True, False]
    assert [item["text"] for item in partial["measured"][0]["largest_of"]] == ["first", "second"]
