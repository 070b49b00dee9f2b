"""Texts as they may be meant beside texts as given: a stored one whose keys say that it shows signs
of a disguise, and what a comparison of readings tells of the texts themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice, product
from typing import NamedTuple

from msgspec import structs

from indexer.fingerprints.meant_keys import STEP, is_read_otherwise
from indexer.meant.meanings import meanings
from indexer.meant.meant import Meant
from query.answers import Match, Stored, Verdict
from query.grams import Features
from query.pair import PairJudge, Text
from query.verify.verdict import Judgement


class Readings:
    """Texts of a corpus, judged as they are given and as they may be meant; each is read so when
    that is first asked for.
    """

    def __init__(self, judge: PairJudge) -> None:
        self._judge = judge
        self._others: dict[Features, list[Text]] = {}

    def judgements(
        self, asked: Text, stored: Sequence[Text], partial: bool = True
    ) -> list[Judgement | None]:
        """As `PairJudge.judgements`, of the readings that tell."""
        out = self._judge.judgements(asked, stored, partial)
        if STEP in self._judge.plan.steps:
            for at, (found, text) in enumerate(zip(out, stored, strict=True)):
                out[at] = found or self._as_meant(asked, text, partial)
        return out

    def _as_meant(self, asked: Text, stored: Text, partial: bool) -> Judgement | None:
        own, others = self._readings(asked), self._readings(stored)
        for one, other in islice(product(own, others), 1, None):
            (found,) = self._judge.judgements(one, [other], partial)
            if found is not None:
                near = found.verdict is Verdict.EXACT
                return replace(found, verdict=Verdict.NEAR) if near else found
        return None

    def _readings(self, text: Text) -> list[Text]:
        """The text as it is given, and what it may mean."""
        found = self._others.get(text.features)
        if found is None:
            meant = [each.text for each in meanings(text.features.text)]
            read = self._judge.read(meant, [text.fingerprint] * len(meant)) if meant else []
            found = self._others[text.features] = [text, *read]
        return found


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
