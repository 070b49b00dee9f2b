"""Lookups while an index moves from one plan to another, and a document has the keys of either.

Each text is asked under both plans, among the documents of either. The old plan comes first: a
document only ever moves to the new one, so whatever the first search did not see any more the
second one does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from msgspec import structs

from indexer.boilerplate import Boilerplate
from indexer.meta import IndexMeta
from mappings.plan import Plan
from query.answers import Answer, CandidateReader, Match
from query.joined_answers import together
from query.lookup import near_duplicates_all
from query.questions import Options, Question


@dataclass(frozen=True, slots=True)
class Asked:
    """A plan to ask under, and the sentences that have no say under it."""

    plan: Plan
    boilerplate: Boilerplate


def answers_now(
    questions: Sequence[Question],
    meta: IndexMeta,
    reader: CandidateReader,
    options: Options | None = None,
) -> list[Answer]:
    """`near_duplicates_all` in an index of that meta: under its plan, or under two while it moves
    from one to another."""
    goal = meta.goal
    if goal is None or goal.id == meta.plan.id:
        return near_duplicates_all(questions, meta.plan, reader, options, meta.boilerplate)
    before = Asked(meta.plan, meta.boilerplate)
    after = Asked(goal, meta.boilerplate_of(goal))
    return near_duplicates_under(questions, before, after, reader, options)


def near_duplicates_under(
    questions: Sequence[Question],
    before: Asked,
    after: Asked,
    reader: CandidateReader,
    options: Options | None = None,
) -> list[Answer]:
    """`near_duplicates_all` among the documents of both plans."""
    size = (options or Options()).size
    plain = [replace(each, fingerprint=None) for each in questions]  # of one plan, if it has one
    old, new = (
        near_duplicates_all(plain, one.plan, reader, options, one.boilerplate, of_plan_only=True)
        for one in (before, after)
    )
    return [_joined(*pair, size) for pair in zip(old, new, strict=True)]


def _of_both(old: Answer, new: Answer) -> str:
    """What the layouts of two plans promise, each of the documents that have its keys."""
    before, after = old.completeness.guarantee, new.completeness.guarantee
    return before if before == after else f"before the move, {before}; after it, {after}"


def _joined(old: Answer, new: Answer, size: int | None) -> Answer:
    """One answer; a document that moved in between is in both, and counts as it is now."""
    moved = {match.ref for match in new.matches}
    kept = [match for match in old.matches if match.ref not in moved]
    matches = sorted([*new.matches, *kept], key=Match.rank)
    covered = together(old.completeness, new.completeness)
    return replace(
        new,
        matches=tuple(matches[:size]),
        completeness=structs.replace(covered, guarantee=_of_both(old, new)),
        left_out=new.left_out or old.left_out,
        compared_seconds=old.compared_seconds + new.compared_seconds,
    )
