"""The steps to a verdict: every comparison is true, the verdict follows, and all is plain data."""

from __future__ import annotations

import json
import pickle
from dataclasses import asdict, replace

from hypothesis import example, given

from mappings.plan import STANDARD
from query.answers import Verdict
from query.explain.explanation import Subject, explain
from query.explain.formula import (
    COUNTS,
    Combined,
    Formula,
    Measure,
    Measurement,
    Place,
    Step,
    formula,
)
from query.verify.verdict import Judgement
from tests.texts import (
    LAW,
    LIBRARY,
    METRO,
    ORCHARD,
    RUNS_PAGE,
    RUNS_SOURCE,
    pieced,
)


def measurements(steps: Formula) -> list[Measurement]:
    return [value for step in steps.steps for value in step.measured]


@LAW
@given(pieced, pieced)
@example("今天天气很好啊", "今天天汽很好啊")
@example("今天天气很好啊", "金添田汽横号阿")
@example("a", "b")
@example(RUNS_PAGE, RUNS_SOURCE)
@example(RUNS_PAGE[:57], RUNS_SOURCE)
def test_the_verdict_follows_from_the_steps(left: str, right: str) -> None:
    explained = explain(Subject(left), Subject(right), STANDARD)
    *tried, last = explained.formula.steps
    assert not any(step.holds for step in tried)
    assert (last.verdict if last.holds else None) is explained.formula.verdict is explained.verdict
    for value in measurements(explained.formula):
        if value.largest_of:
            assert value.value == max(part.value for part in value.largest_of)
        assert (value.measure in COUNTS) or 0 <= value.value <= 1
    similarity = explained.formula.steps[0].measured[0]
    assert similarity.value == explained.judgement.similarity
    if explained.verdict is None and not explained.spaced:  # every rule was tried
        assert [step.measured[0].measure for step in explained.formula.steps] == [
            Measure.SIMILARITY,
            Measure.SHARE,
            Measure.SHARE_IN_RUNS,
        ]


def test_one_of_two_limits_is_enough_for_short_texts_and_both_are_needed_for_tiny_ones() -> None:
    short = explain(Subject(METRO[:60]), Subject(METRO[:60].replace("市", "")), STANDARD).formula
    tiny = explain(Subject("今天天气很好啊"), Subject("今天天汽很好啊"), STANDARD).formula
    assert [step.combined for step in (*short.steps, *tiny.steps)] == [Combined.ANY, Combined.ALL]
    similarity, edits = short.steps[0].measured
    assert similarity.limit is similarity.holds is None
    assert edits == Measurement(Measure.EDITS, edits.value, STANDARD.thresholds.short_near)
    assert [value.limit for value in tiny.steps[0].measured] == [
        STANDARD.thresholds.short_near,
        0.5,
    ]


def test_a_copy_told_by_runs_counts_runs() -> None:
    explained = explain(Subject(RUNS_PAGE), Subject(RUNS_SOURCE), STANDARD)
    runs, limits = explained.judgement.runs, STANDARD.thresholds
    assert runs is not None
    share, units = explained.formula.steps[-1].measured
    assert units == Measurement(Measure.SYLLABLES_IN_RUNS, runs.common, limits.covered_units)
    assert (share.value, share.limit) == (runs.most, limits.covered)
    assert [value.place for value in share.largest_of] == [Place.FIRST, Place.SECOND]
    assert Measure.LONG_GRAMS not in {value.measure for value in measurements(explained.formula)}


def test_texts_with_spaces_are_measured_by_words_against_limits_of_their_own() -> None:
    near, partial, runs = explain(Subject(LIBRARY), Subject(ORCHARD), STANDARD).formula.steps
    assert [value.measure for value in near.measured[0].largest_of] == [
        Measure.CHARACTERS,
        Measure.WORDS,
    ]
    limits = STANDARD.thresholds
    assert [value.limit for value in partial.measured] == [limits.word_partial, limits.word_shared]
    assert [(value.measure, value.limit) for value in runs.measured] == [
        (Measure.SHARE_IN_RUNS, limits.word_passage_share),
        (Measure.WORDS_IN_RUNS, limits.word_passage_units),
    ]


def test_what_lookups_leave_out_keeps_its_steps() -> None:
    judgement = Judgement(Verdict.PARTIAL, 0.1, 0.5, 0.25, None, 0.1, 0.05, 99)
    kept = formula(judgement, STANDARD.thresholds, False, 500)
    left_out = formula(judgement, STANDARD.thresholds, False, 500, widespread=True)
    assert left_out == replace(kept, widespread=True)
    assert left_out.verdict is Verdict.PARTIAL


def test_steps_are_plain_data() -> None:
    steps = explain(Subject(RUNS_PAGE), Subject(RUNS_SOURCE), STANDARD).formula
    assert pickle.loads(pickle.dumps(steps)) == steps
    assert json.loads(json.dumps(asdict(steps)))["steps"][0]["measured"][0]["limit"] == 0.4
    assert len({steps, replace(steps)}) == 1


def test_a_step_can_fail() -> None:
    reached, missed, stated = (
        Measurement(Measure.SHARE, value, limit)
        for value, limit in ((0.5, 0.5), (0.49, 0.5), (0.1, None))
    )
    for measured, in_all, in_any in (
        ((reached, missed), False, True),
        ((reached, stated), True, True),
        ((missed, stated), False, False),
    ):
        assert Step(Verdict.NEAR, Combined.ALL, measured).holds is in_all
        assert Step(Verdict.NEAR, Combined.ANY, measured).holds is in_any
