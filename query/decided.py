"""Lookups of stored documents about which people have decided: what they said goes before the
verdict.

A pair that is no duplicate by decision is left out, and counted; one that is a duplicate is a match
also where comparison finds none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from msgspec import structs

from indexer.boilerplate import NOTHING
from indexer.meta import IndexMeta
from query.answers import Answer, CandidateReader, Decision, Match, Ref
from query.pair import PairJudge
from query.questions import Options, Question
from query.two_plans import answers_now

Decisions = Mapping[Ref, Decision]
"""What is decided about one document and each of others."""


def decided_all(
    questions: Sequence[Question],
    decisions: Sequence[Decisions],
    meta: IndexMeta,
    reader: CandidateReader,
    options: Options | None = None,
) -> list[Answer]:
    """`answers_now` with the decisions about each of the asked documents."""
    options = options or Options()
    apart = max((_apart(each) for each in decisions), default=0)
    asked = options
    if options.size is not None and not options.decided:
        asked = replace(options, size=options.size + apart)
    answers = answers_now(questions, meta, reader, asked)
    judge = PairJudge(meta.plan, NOTHING if options.boilerplate else meta.boilerplate)
    return [
        _decided(answer, each, options, _added(question, answer, each, judge, reader, options))
        for question, answer, each in zip(questions, answers, decisions, strict=True)
    ]


def _apart(decisions: Decisions) -> int:
    return sum(each is Decision.NOT_DUPLICATE for each in decisions.values())


def _decided(
    answer: Answer, decisions: Decisions, options: Options, added: Sequence[Match]
) -> Answer:
    """The answer with its matches marked, left out and added."""
    marked = [structs.replace(match, decided=decisions.get(match.ref)) for match in answer.matches]
    marked = sorted([*marked, *added], key=Match.rank)
    kept = [
        match for match in marked if options.decided or match.decided is not Decision.NOT_DUPLICATE
    ]
    covered = structs.replace(answer.completeness, decided=len(marked) - len(kept))
    return replace(answer, matches=tuple(kept[: options.size]), completeness=covered)


def _added(
    question: Question,
    answer: Answer,
    decisions: Decisions,
    judge: PairJudge,
    reader: CandidateReader,
    options: Options,
) -> list[Match]:
    """The documents that are duplicates by decision and not in the answer. With filters none are
    added: whether a document passes them, only the store knows."""
    found = {match.ref for match in answer.matches}
    missing = [
        ref
        for ref, said in decisions.items()
        if said is Decision.DUPLICATE and ref not in found and not options.filters
    ]
    if not missing:
        return []
    (asked,) = judge.read([question.text], [question.fingerprint])
    out = []
    for document in reader.each(missing):
        (stored,) = judge.read([document.text], [document.fingerprint])
        body = document.body if options.bodies else {}
        match = judge.match_by_decision(asked, stored, document.ref, body)
        if options.facts:
            (compared,) = judge.facts(asked, [(match, stored)])
            match = judge.with_facts(match, compared)
        if options.located:
            match = judge.with_place(match, asked, stored)
        out.append(structs.replace(match, decided=Decision.DUPLICATE))
    return out
