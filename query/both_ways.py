"""A text asked forwards and backwards: two answers made one."""

from __future__ import annotations

from dataclasses import replace

from query.answers import Answer, Completeness, Disguise, Located, Match


def both_ways(forwards: Answer, backwards: Answer, length: int, size: int | None) -> Answer:
    """The matches of a text of `length` characters, and those of the same text read backwards,
    best first; a document that is in both answers is taken from the first.
    """
    found = {match.ref for match in forwards.matches}
    others = [_turned(match, length) for match in backwards.matches if match.ref not in found]
    matches = sorted([*forwards.matches, *others], key=Match.rank)
    covered = together(forwards.completeness, backwards.completeness)
    return replace(forwards, matches=tuple(matches[:size]), completeness=covered)


def _turned(match: Match, length: int) -> Match:
    """The match of a text as the match of the same text backwards."""
    place = match.located
    if place is not None:
        start, stop = place.asked
        place = Located((length - stop, length - start), place.stored)
    return replace(match, located=place, disguise=(*match.disguise, Disguise.BACKWARDS))


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
