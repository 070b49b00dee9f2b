"""Every pair of a store: one way through, for `pairs`, evaluation, and whatever groups documents.

    scan -> lookups without limits, some at a time -> each pair once -> what could not be covered

A lookup can be cut short (see Completeness), and the other document's lookup may still find the
pair: so the sweep keeps track of pairs, not only of documents that are done.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Final

from indexer.boilerplate import NOTHING, Boilerplate
from indexer.fingerprints.compute import check_text
from indexer.meta import IndexMeta
from indexer.model import Fingerprint
from mappings.errors import InputRefused
from mappings.plan import Plan
from query.answers import Answer, CandidateReader, Match, Ref, Stored
from query.lookup import near_duplicates_all
from query.pair import PairJudge
from query.questions import EVERYTHING, Options, Question
from query.two_plans import answers_now

BATCH: Final = 50
LISTED: Final = 20
"""Documents with incomplete lookups that a report names; the others are counted."""


@dataclass(frozen=True, slots=True)
class VerifiedPair:
    """Two documents of one store; of `match` the first is the asked text, the second the stored."""

    first: Ref
    second: Ref
    match: Match


@dataclass(slots=True)
class SweepReport:
    """What a sweep went through, brought up to date while it runs.

    `incomplete`: documents whose lookup could not cover all candidates, and `examples` of them:
    pairs of two such documents may be missing. `refused`: documents without a text that can be
    looked up.
    """

    documents: int = 0
    pairs: int = 0
    incomplete: int = 0
    refused: int = 0
    examples: list[str] = field(default_factory=list)

    @property
    def complete(self) -> bool:
        """Whether no pair can be missing for want of candidates."""
        return not self.incomplete

    def note(self, answer: Answer) -> None:
        """Count the answer of one document."""
        self.documents += 1
        covered = answer.completeness
        if covered.truncated or covered.undecided or covered.rare_only:
            self.incomplete += 1
            if len(self.examples) < LISTED:
                self.examples.append(str(answer.id))


def all_pairs(
    documents: Iterable[Stored],
    plan: Plan,
    reader: CandidateReader,
    boilerplate: Boilerplate = NOTHING,
    options: Options = EVERYTHING,
    report: SweepReport | None = None,
    meta: IndexMeta | None = None,
) -> Iterator[VerifiedPair]:
    """Each pair among stored documents once, at the lookup that finds it first.

    `options.size` bounds nothing here: every match is a pair.
    `documents` are all of the store, or those that are new: their pairs with others are found as
    well. `report` is brought up to date after every batch. Memory: a reference for each document,
    and pairs until the second document's turn. `meta`: of an index that may be moving to another
    plan, so that lookups ask under both.
    """
    options = replace(options, size=None)
    report = report if report is not None else SweepReport()
    done: set[Ref] = set()
    pending: dict[Ref, set[Ref]] = {}
    judge = PairJudge(plan, boilerplate)
    for asked, answer in _answers(documents, judge, reader, options, report, meta):
        report.note(answer)
        reported = pending.pop(asked, set())
        done.add(asked)
        for match in answer.matches:
            other = match.ref
            if other in reported:
                continue
            if other not in done:
                pending.setdefault(other, set()).add(asked)
            report.pairs += 1
            yield VerifiedPair(asked, other, match)


def _answers(
    documents: Iterable[Stored],
    judge: PairJudge,
    reader: CandidateReader,
    options: Options,
    report: SweepReport,
    meta: IndexMeta | None,
) -> Iterator[tuple[Ref, Answer]]:
    """The answer of each stored document, which is left out itself; some lookups at a time."""
    stored = (document for document in documents if _can_be_asked(document, judge.plan, report))
    while batch := list(islice(stored, BATCH)):
        questions = [
            Question(document.text, document.id, document.ref, _fingerprint(document, judge.plan))
            for document in batch
        ]
        if meta is not None:
            answers = answers_now(questions, meta, reader, options)
        else:
            answers = near_duplicates_all(questions, judge.plan, reader, options, judge.boilerplate)
        yield from zip((document.ref for document in batch), answers, strict=True)


def _fingerprint(document: Stored, plan: Plan) -> Fingerprint | None:
    """What is stored, when it was made under the plan: keys of another one meet nothing."""
    return document.fingerprint if document.plan_id == plan.id else None


def _can_be_asked(document: Stored, plan: Plan, report: SweepReport) -> bool:
    """Whether a document has a text that can be looked up; the report counts those without."""
    if _fingerprint(document, plan) is not None:
        return True
    try:
        check_text(document.text, plan)
    except InputRefused:
        report.refused += 1
        return False
    return True
