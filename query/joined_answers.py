"""Answers to one text, asked in several ways, made one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from msgspec import structs

from indexer.meant.meant import Meant
from query.answers import Answer, Completeness, Located, Match
from query.meant_matches import of_disguised


def joined(given: Answer, others: Iterable[tuple[Meant, Answer]], size: int | None) -> Answer:
    """The answer to a text as it is given, with the matches of what it may mean, best first; of a
    document that is in several answers the best one, and the first of equal ones.
    """
    matches = {match.ref: match for match in given.matches}
    covered, seconds = given.completeness, given.compared_seconds
    for meant, answer in others:
        for match in answer.matches:
            here, there = _as_given(match, meant), matches.get(match.ref)
            if there is None or here.rank() < there.rank():
                matches[match.ref] = here
        covered = together(covered, answer.completeness)
        seconds += answer.compared_seconds
    ranked = tuple(sorted(matches.values(), key=Match.rank)[:size])
    return replace(given, matches=ranked, completeness=covered, compared_seconds=seconds)


def _as_given(match: Match, meant: Meant) -> Match:
    """The match of a text as it may be meant as one of the text as it is given."""
    place = match.located
    if place is not None:
        place = Located(meant.span(*place.asked), place.stored)
    return structs.replace(of_disguised(match, meant), located=place)


def together(one: Completeness, other: Completeness) -> Completeness:
    """What two lookups cover; a document that both looked at counts twice."""
    return Completeness(
        candidates=one.candidates + other.candidates,
        examined=one.examined + other.examined,
        from_stored=one.from_stored + other.from_stored,
        undecided=one.undecided + other.undecided,
        truncated=one.truncated or other.truncated,
        frequent_keys=one.frequent_keys + other.frequent_keys,
        rare_only=one.rare_only or other.rare_only,
        boilerplate=one.boilerplate,
        widespread=one.widespread + other.widespread,
        templates=one.templates + other.templates,
        guarantee=one.guarantee,
        decided=one.decided + other.decided,
    )
