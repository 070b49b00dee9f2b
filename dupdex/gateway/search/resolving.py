"""Clauses into verified documents: one lookup a clause and index, several clauses together."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

from dupdex.gateway.callers import Caller, Right
from dupdex.gateway.observe.metrics import count_lookup
from dupdex.gateway.search.near_clause import NearClause
from dupdex.gateway.search.query_places import CLAUSE
from dupdex.gateway.search.search_refused import BAD_ARGUMENT, SearchRefused
from dupdex.gateway.search.search_targets import Target, Targets
from dupdex.gateway.services import Services
from mappings.errors import DupdexError, InputRefused, NotFound
from mappings.plan import Plan
from query.answers import Answer, Completeness, Match, Ref, Stored
from query.joined_answers import together
from query.questions import Options, Question


@dataclass(frozen=True, slots=True)
class Resolution:
    """What a clause stands for: documents, best first. `beyond`: how many more were found than the
    clause takes. `completeness` is None where there is no index to look in. `single`: the one
    index of the search, where it is for no other."""

    clause: NearClause
    matches: tuple[Match, ...] = ()
    beyond: int = 0
    completeness: Completeness | None = None
    single: str | None = None


class Resolver:
    """Resolves clauses for one caller."""

    def __init__(self, services: Services, caller: Caller) -> None:
        self._services, self._caller = services, caller

    async def resolve(
        self, clauses: Sequence[NearClause], targets: Targets, facts: bool = True
    ) -> list[Resolution]:
        """One resolution for each clause; `facts`: with facts that differ. Raises SearchRefused
        where the search is for indices of others only, a document is not there, or a text cannot be
        looked up."""
        if not targets.ours and targets.foreign:
            shown = ", ".join(targets.foreign[:5])
            raise SearchRefused(
                f"[{CLAUSE}] finds nothing in [{shown}], which dupdex does not answer from; run "
                "'dupdex attach' first",
                BAD_ARGUMENT,
            )
        once = list(dict.fromkeys(clauses))
        try:
            questions = await self._services.blocking(self.questions, once)
            found = await asyncio.gather(
                *(
                    self._services.blocking(self._answers, target, once, questions, facts)
                    for target in targets.ours
                )
            )
        except DupdexError as error:
            raise SearchRefused.of(error) from error
        resolved = {
            clause: _resolution(clause, [answers[at] for answers in found], targets.single)
            for at, clause in enumerate(once)
        }
        return [resolved[clause] for clause in clauses]

    def questions(self, clauses: Sequence[NearClause]) -> list[Question]:
        """What each clause asks. Raises NotFound for a stored document that is not there."""
        return [self._question(clause) for clause in clauses]

    def _question(self, clause: NearClause) -> Question:
        if clause.like is None:
            return Question(clause.text or "")
        stored = self._document(clause.like)
        return Question(stored.text, None, stored.ref)

    def _document(self, ref: Ref) -> Stored:
        """A stored document that the caller may know of."""
        self._caller.check(Right.READ, ref.index)
        index = self._services.indices.named(ref.index)
        stored = index.get_all([ref.id]).get(ref.id, ())
        for each in stored:
            filters = [*self._caller.filters_of(ref.index), *self._caller.filters_of(each.index)]
            named = {"bool": {"filter": [{"ids": {"values": [ref.id]}}, *filters]}}
            if not filters or any(one.ref == each.ref for one in index.find([named])):
                return each
        raise NotFound(f"[{CLAUSE}] there is no document [{ref.id}] in [{ref.index}]")

    def _answers(
        self,
        target: Target,
        clauses: Sequence[NearClause],
        questions: Sequence[Question],
        facts: bool,
    ) -> list[Answer]:
        """The answers of one index. Lookups that go equally far are made together."""
        index = self._services.indices.named(target.name)
        for clause in clauses:
            _check_schemes(clause, index.plan, target.name)
        answers: dict[int, Answer] = {}
        for options, places in _alike([each.options(target.filters, facts) for each in clauses]):
            made = index.lookup_all([questions[at] for at in places], options)
            answers.update(zip(places, made, strict=True))
        for answer in answers.values():
            count_lookup(answer)
        return [answers[at] for at in range(len(clauses))]


def _check_schemes(clause: NearClause, plan: Plan, name: str) -> None:
    for scheme in sorted(clause.schemes or ()):
        if scheme not in plan.schemes:
            raise InputRefused(
                f"[{CLAUSE}] [schemes] index {name!r} stores no {scheme}; it stores "
                f"{', '.join(plan.schemes)}"
            )


def _alike(wanted: Sequence[Options]) -> list[tuple[Options, list[int]]]:
    """The clauses, by number, whose lookups go equally far."""
    out: list[tuple[Options, list[int]]] = []
    for at, options in enumerate(wanted):
        same = next((places for one, places in out if one == options), None)
        if same is None:
            out.append((options, [at]))
        else:
            same.append(at)
    return out


def _resolution(clause: NearClause, answers: Sequence[Answer], single: str | None) -> Resolution:
    """The matches of all indices, each document once."""
    found = {match.ref: match for answer in answers for match in answer.matches}
    wanted = sorted((match for match in found.values() if clause.accepts(match)), key=Match.rank)
    covered = [answer.completeness for answer in answers]
    return Resolution(
        clause,
        tuple(wanted[: clause.most]),
        max(0, len(wanted) - clause.most),
        reduce(together, covered) if covered else None,
        single,
    )
