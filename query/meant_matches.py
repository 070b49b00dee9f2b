"""Texts as they may be meant beside texts as given: a stored one whose keys say that it shows signs
of a disguise, and what a comparison of readings tells of the texts themselves.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from msgspec import structs

from indexer.fingerprints.meant_keys import is_read_otherwise
from indexer.meant.meanings import meanings
from indexer.meant.meant import Meant
from query.answers import Match, Stored, Verdict
from query.pair import PairJudge, Text


class Told(NamedTuple):
    """A match, and the reading of the stored text that told it."""

    match: Match
    text: Text


def of_meaning(judge: PairJudge, asked: Text, document: Stored) -> Told | None:
    """The match of a stored text as it may be meant, which as given is none. Only texts with the
    keys of a meaning are looked at: for others it takes no time.
    """
    if not is_read_otherwise(document.fingerprint, judge.plan):
        return None
    for meant in meanings(document.text):
        (read,) = judge.read([meant.text], [document.fingerprint])
        reading = replace(read, meant=meant)
        (match,) = judge.matches(asked, [(reading, document.ref, {})])
        if match is not None:
            return Told(of_disguised(match, meant), reading)
    return None


def of_disguised(match: Match, *texts: Meant) -> Match:
    """A match of readings as one of the texts as they are given."""
    disguise = disguised(match.disguise, *texts)
    verdict = given_verdict(match.verdict, *texts) or match.verdict
    return structs.replace(match, verdict=verdict, disguise=disguise)


def disguised(told: tuple[str, ...], *texts: Meant) -> tuple[str, ...]:
    """What a comparison told of a disguise, and what was undone before it."""
    undone = (disguise for text in texts for disguise in text.disguises)
    return tuple(dict.fromkeys((*told, *undone)))


def given_verdict(told: Verdict | None, *texts: Meant) -> Verdict | None:
    """What a verdict on readings is on the texts: in a disguise they are not the same."""
    if told is Verdict.EXACT and any(text.disguises for text in texts):
        return Verdict.NEAR
    return told
