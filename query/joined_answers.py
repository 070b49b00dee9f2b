"""Answers to one text, asked in several ways, made one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from msgspec import structs

from indexer.meant.meant import Disguise, Meant
from query.answers import Answer, Completeness, Located, Match, Verdict
from query.meant_matches import of_disguised

_OF_STROKES: Final = 0.5
"""The share from which a part of a text with strokes between its letters is a copy."""

_STROKES: Final = frozenset((Disguise.BETWEEN, Disguise.REFERENCES))


def in_strokes(meanings: Iterable[Meant]) -> bool:
    """Whether a text seems to have strokes, or numbers for letters, by what it may mean."""
    return any(not _STROKES.isdisjoint(meant.disguises) for meant in meanings)


def is_of_strokes(match: Match) -> bool:
    """Whether a text with strokes and another may share no more than the stroke that stands between
    their letters, which is half of every gram, or digits of the numbers of their letters."""
    shares = (match.share or 0.0, match.stored_share or 0.0)
    return match.verdict is Verdict.PARTIAL and max(shares) < _OF_STROKES


def joined(given: Answer, others: Iterable[tuple[Meant, Answer]], size: int | None) -> Answer:
    """The answer to a text as it is given, with the matches of what it may mean, best first; a
    document that is in several answers is taken from the first.
    """
    matches = {match.ref: match for match in given.matches}
    covered, seconds = given.completeness, given.compared_seconds
    for meant, answer in others:
        for match in answer.matches:
            if match.ref not in matches:
                matches[match.ref] = _as_given(match, meant)
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
