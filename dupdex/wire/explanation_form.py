"""The JSON form of an explanation: all that was found, without the texts themselves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Self

from dupdex.wire.formula_lines import formula_lines
from indexer.meant.meant import Meant
from query.answers import Direction, FactDifference, Verdict
from query.explain.explanation import Explanation, FieldHits
from query.explain.formula import Combined, Measure, Measurement, Place, Step
from query.explain.shared_passages import Passage, Same


@dataclass(frozen=True, slots=True)
class SideForm:
    """One of the two texts: `length` and `boilerplate` in letters and digits, `coverage` the part
    of it in shared passages.
    """

    id: str | None
    length: int
    boilerplate: int
    coverage: float


@dataclass(frozen=True, slots=True)
class PassageForm:
    """A passage that both texts have: characters [start, stop) of either text as it was given.

    `units`: syllables or words; `same`: in characters, or in sounds, `swapped` characters apart.
    """

    number: int
    units: int
    same: Same
    swapped: int
    first: tuple[int, int]
    second: tuple[int, int]

    @classmethod
    def of(cls, number: int, passage: Passage, meant: tuple[Meant, Meant]) -> Self:
        """From a passage and its number on the page; `meant`: the texts that it is a passage of."""
        places = (
            text.span(span.start, span.stop)
            for text, span in zip(meant, (passage.left, passage.right), strict=True)
        )
        return cls(number, passage.units, passage.same, passage.swapped, *places)


@dataclass(frozen=True, slots=True)
class MeasurementForm:
    """A measured value beside its limit; `text`: of which text, None for both."""

    measure: Measure
    text: Place | None
    value: float
    limit: float | None
    holds: bool | None
    largest_of: tuple[MeasurementForm, ...]

    @classmethod
    def of(cls, measured: Measurement) -> Self:
        """From a measurement and those it is the largest of."""
        parts = tuple(map(MeasurementForm.of, measured.largest_of))
        values = measured.value, measured.limit, measured.holds
        return cls(measured.measure, measured.place, *values, parts)


@dataclass(frozen=True, slots=True)
class StepForm:
    """A rule that was tried, and whether it holds: numbers as exact as they were compared."""

    verdict: Verdict
    holds: bool
    combined: Combined
    measured: tuple[MeasurementForm, ...]

    @classmethod
    def of(cls, step: Step) -> Self:
        """From a step of a formula."""
        measured = tuple(map(MeasurementForm.of, step.measured))
        return cls(step.verdict, step.holds, step.combined, measured)


@dataclass(frozen=True, slots=True)
class SchemeForm:
    """What one scheme alone says."""

    name: str
    similarity: float
    threshold: float
    duplicate: bool


@dataclass(frozen=True, slots=True)
class ExplanationForm:
    """An explanation: fields as in `Judgement` and `Explanation`. `formula` is the sentence that
    `steps` say as data; `passages` are the first of `passages_found`.
    """

    verdict: Verdict | None
    similarity: float
    jaccard: float
    syllable_jaccard: float
    share: float
    stored_share: float
    direction: Direction | None
    formula: str
    steps: tuple[StepForm, ...]
    widespread: bool
    facts_differ: tuple[FactDifference, ...] | None
    facts_total: int | None
    disguise: tuple[str, ...]
    plan: str
    read_by: Literal["words", "syllables"]
    first: SideForm
    second: SideForm
    passages: tuple[PassageForm, ...]
    passages_found: int
    passages_complete: bool
    keys: tuple[FieldHits, ...]
    documents: int | None
    schemes: tuple[SchemeForm, ...]

    @classmethod
    def of(cls, explanation: Explanation) -> Self:
        """From an explanation; its texts stay behind."""
        judgement, passages = explanation.judgement, explanation.passages
        return cls(
            verdict=judgement.verdict,
            similarity=judgement.similarity,
            jaccard=judgement.jaccard,
            syllable_jaccard=judgement.syllable_jaccard,
            share=judgement.share,
            stored_share=judgement.stored_share,
            direction=judgement.direction,
            formula="; ".join(formula_lines(explanation.formula)),
            steps=tuple(map(StepForm.of, explanation.formula.steps)),
            widespread=explanation.widespread,
            facts_differ=explanation.facts_differ,
            facts_total=explanation.facts_total,
            disguise=explanation.disguise,
            plan=explanation.plan_id,
            read_by="words" if explanation.spaced else "syllables",
            first=_side(explanation, 0),
            second=_side(explanation, 1),
            passages=tuple(
                PassageForm.of(number, passage, explanation.meant)
                for number, passage in enumerate(passages.passages, 1)
            ),
            passages_found=passages.found,
            passages_complete=passages.complete,
            keys=explanation.keys,
            documents=explanation.documents,
            schemes=tuple(
                SchemeForm(score.name, score.similarity, score.threshold, score.verdict)
                for score in explanation.scores
            ),
        )


def _side(explanation: Explanation, at: int) -> SideForm:
    passages = explanation.passages
    return SideForm(
        (explanation.first, explanation.second)[at].id,
        explanation.lengths[at],
        explanation.boilerplate[at],
        (passages.coverage, passages.right_coverage)[at],
    )
