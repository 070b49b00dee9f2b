"""The line with the sum: its comparisons are true, and the verdict follows from them."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mappings.plan import STANDARD
from query.answers import Verdict
from query.explain.explanation import Subject, explain
from query.explain.formula import formula
from query.verify.verdict import Judgement, Shared
from tests.texts import LAW, LIBRARY, METRO, METRO_HOMOPHONES, ORCHARD, TEA, chinese

LIMITS = replace(
    STANDARD.thresholds,
    near=0.4,
    short_near=0.8,
    partial=0.18,
    shared=30,
    covered=0.2,
    covered_units=70,
)
PAGE = "".join(chinese(27, at) + chinese(30, at + 50) for at in range(3)) + chinese(200, 8)
SOURCE = "".join(chinese(27, at) + chinese(150, at + 90) for at in range(3))
PIECES = (
    TEA[:40],
    METRO[:8],
    METRO_HOMOPHONES[:8],
    METRO,
    LIBRARY[:200],
    ORCHARD,
    "甲乙",
    "5",
    PAGE,
    SOURCE,
    "!",
)
TEXTS = st.lists(st.sampled_from(PIECES), min_size=1, max_size=4).map("".join)


def made(
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
    ("found", "longer", "line"),
    [
        (
            Judgement(Verdict.EXACT, 1.0, 1.0, 1.0, None, 1.0, 1.0, 9),
            500,
            "similarity = 1, the letters and digits are the same: exact",
        ),
        (
            made(0.82, verdict=Verdict.NEAR),
            500,
            "similarity = max(characters 0.82, sounds 0.41) = 0.82 >= 0.40: near",
        ),
        (
            made(0.1, 0.5, Verdict.PARTIAL, shared=1_234),
            5_000,
            "similarity = max(characters 0.10, sounds 0.05) = 0.10 < 0.40; share = max(first 0.50, "
            "second 0.25) = 0.50 >= 0.18, shared long grams 1,234 >= 30: partial",
        ),
        (
            made(0.3999, 0.5, shared=29),
            500,
            "similarity = max(characters 0.40, sounds 0.20) = 0.3999 < 0.4000; share = max(first "
            "0.50, second 0.25) = 0.50 >= 0.18, shared long grams 29 < 30: no duplicate",
        ),
        (
            replace(made(0.1, 0.5, Verdict.PARTIAL, shared=20), runs=Shared(1_075, 0.5, 0.25)),
            500,
            "similarity = max(characters 0.10, sounds 0.05) = 0.10 < 0.40; share in long runs = "
            "max(first 0.50, second 0.25) = 0.50 >= 0.20, sounds in long runs 1,075 >= 70: partial",
        ),
        (
            replace(made(0.1, 0.15, shared=20), runs=Shared(69, 0.5, 0.25)),
            500,
            "similarity = max(characters 0.10, sounds 0.05) = 0.10 < 0.40; share = max(first 0.15, "
            "second 0.07) = 0.15 < 0.18, shared long grams 20 < 30; share in long runs = max("
            "first 0.50, second 0.25) = 0.50 >= 0.20, sounds in long runs 69 < 70: no duplicate",
        ),
        (
            replace(made(0.2, verdict=Verdict.NEAR, kept=0.875), similarity=0.875, same=0.5),
            8,
            "similarity = left by edits 0.88 >= 0.80, left of the characters 0.50 >= 0.50: near",
        ),
    ],
)
def test_lines(found: Judgement, longer: int, line: str) -> None:
    assert formula(found, LIMITS, False, longer) == line


def test_words_are_called_words() -> None:
    assert "words 0.41" in formula(made(0.82, verdict=Verdict.NEAR), LIMITS, True, 500)


def follows(line: str) -> str:
    """The verdict that the comparisons of a line allow."""
    if line.startswith("similarity = 1,"):
        return "exact"
    near, *shares = re.split("; (?=share)", line)
    *_, measures = near.split("; ")
    needed = measures.count(" of the characters ") + 1  # of tiny texts both have to do
    if measures.count(">=") >= needed:
        return "near"
    return "partial" if any(rule.count(">=") == 2 for rule in shares) else "no duplicate"


@LAW
@given(TEXTS, TEXTS)
@example("今天天气很好啊", "今天天汽很好啊")
@example("今天天气很好啊", "金添田汽横号阿")
@example("a", "b")
@example(PAGE, SOURCE)
@example(PAGE[:57], SOURCE)
def test_the_verdict_follows_from_true_comparisons(left: str, right: str) -> None:
    found = explain(Subject(left), Subject(right), STANDARD)
    line = found.formula
    assert "\n" not in line
    for value, sign, limit in re.findall(r"([\d.,]*\d) (>=|<) ([\d.,]*\d)", line):
        value, limit = (float(number.replace(",", "")) for number in (value, limit))
        assert (value >= limit) is (sign == ">="), line
    verdict = found.verdict.value if found.verdict else "no duplicate"
    assert line.endswith(f": {verdict}")
    assert follows(line) == verdict, line
    if found.verdict is None and not found.spaced:  # every rule was tried
        assert line.count("share in long runs = ") == line.count("; share = ") == 1, line


def test_the_formula_of_a_copy_told_by_runs_counts_runs() -> None:
    found = explain(Subject(PAGE), Subject(SOURCE), STANDARD)
    limits = STANDARD.thresholds
    assert found.judgement.runs is not None
    told = found.judgement.runs.common
    units = f"sounds in long runs {told} >= {limits.covered_units}: partial"
    assert found.formula.endswith(units)
    assert f">= {limits.covered:.2f}, sounds" in found.formula
    assert "long grams" not in found.formula
