"""Texts judged as they are given and as they may be meant, by what tells best; and what comparing
readings tells of the texts themselves.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import product
from typing import Final, NamedTuple

from msgspec import structs

from indexer.fingerprints.meant_keys import STEP, which_are_meant
from indexer.meant.meanings import meanings
from indexer.meant.meant import Disguise, Meant
from query.answers import Match, Ref, Stored, Verdict
from query.grams import Features
from query.pair import PairJudge, Text
from query.verify.verdict import Judgement

_OF_STROKES: Final = 0.5
"""The share from which a part of a text with strokes between its letters is a copy."""

_STROKES: Final = frozenset((Disguise.BETWEEN, Disguise.REFERENCES))

_BEST_FIRST: Final = (Verdict.EXACT, Verdict.NEAR, Verdict.PARTIAL, None)

_AS_GIVEN: Final = Meant.given("")
"""Stands for a text as it is given, whatever it says."""


class Told(NamedTuple):
    """A match, and the reading of the stored text that told it."""

    match: Match
    text: Text


class Readings:
    """Texts as they may be meant, each read when that is first asked for."""

    def __init__(self, judge: PairJudge) -> None:
        self._judge = judge
        self._known: dict[Features, list[Text]] = {}

    def of(self, texts: Sequence[Text]) -> list[list[Text]]:
        """What each text may mean, ready to be judged: nothing, for most."""
        new = {text.features: text for text in texts if text.features not in self._known}
        found = [(text, meant) for text in new.values() for meant in meanings(text.features.text)]
        self._known |= {features: [] for features in new}
        if found:
            fingerprints = [text.fingerprint for text, _ in found]
            read = self._judge.read([meant.text for _, meant in found], fingerprints)
            for (text, meant), reading in zip(found, read, strict=True):
                self._known[text.features].append(replace(reading, meant=meant))
        return [self._known[text.features] for text in texts]

    def matches(
        self, asked: Text, stored: Sequence[tuple[Text, Stored]], as_meant: bool, in_markup: bool
    ) -> list[Told | None]:
        """For each stored text its match as it is given or, where its keys say that it shows signs
        of a disguise, as it may be meant, whichever is better; `as_meant`: whether that counts.
        `in_markup`: the asked text, so that as they are given it is like any other that is.
        """
        out = self._told(asked, [(text, document.ref) for text, document in stored])
        fingerprints = [document.fingerprint for _, document in stored] if as_meant else []
        places = which_are_meant(fingerprints, self._judge.plan)
        if not places:
            return out
        meant = self.of([stored[at][0] for at in places])
        for at, texts in zip(places, meant, strict=True):
            given = out[at]
            both = in_markup and are_marked_up(text.meant or _AS_GIVEN for text in texts)
            if both and given is not None and given.match.verdict is not Verdict.EXACT:
                out[at] = None
        read = [(at, text) for at, texts in zip(places, meant, strict=True) for text in texts]
        others = self._told(asked, [(text, stored[at][1].ref) for at, text in read])
        for (at, _), told in zip(read, others, strict=True):
            out[at] = better_of(out[at], told)
        return out

    def _told(self, asked: Text, texts: Sequence[tuple[Text, Ref]]) -> list[Told | None]:
        matches = self._judge.matches(asked, [(text, ref, {}) for text, ref in texts])
        return [
            None if match is None else Told(match, text)
            for match, (text, _) in zip(matches, texts, strict=True)
        ]

    def judgements(
        self, asked: Text, stored: Sequence[Text], partial: bool = True
    ) -> list[Judgement | None]:
        """As `PairJudge.judgements`, of the readings that tell best."""
        out = self._judge.judgements(asked, stored, partial)
        if STEP in self._judge.plan.steps:
            own, *others = self.of([asked, *stored])
            for at, (text, meant) in enumerate(zip(stored, others, strict=True)):
                if own or meant:
                    out[at] = self._best(out[at], [asked, *own], [text, *meant], partial)
        return out

    def _best(
        self, given: Judgement | None, asked: list[Text], stored: list[Text], partial: bool
    ) -> Judgement | None:
        pairs = list(product(asked, stored))
        judged = [given]
        for one, other in pairs[1:]:
            judged += self._judge.judgements(one, [other], partial)
        meant = [(one.meant or _AS_GIVEN, other.meant or _AS_GIVEN) for one, other in pairs]
        at, verdict = which_tells(judged, meant)
        found = judged[at]
        return replace(found, verdict=verdict) if found and verdict else None


def which_tells(
    judged: Sequence[Judgement | None], pairs: Sequence[tuple[Meant, Meant]]
) -> tuple[int, Verdict | None]:
    """Which readings of two texts tell most, and what they tell of the texts as they are given.
    `pairs`: all pairs of readings, the texts as given first; `judged`: what is said of each.
    """
    strokes = tuple(in_strokes(pair[side] for pair in pairs) for side in (0, 1))
    marked = all(are_marked_up(pair[side] for pair in pairs) for side in (0, 1))
    best = len(_BEST_FIRST), 0.0, 0.0
    out: tuple[int, Verdict | None] = (0, None)
    for at, (found, pair) in enumerate(zip(judged, pairs, strict=True)):
        verdict = _verdict(found, pair, strokes) if found else None
        if not at and marked and verdict is not Verdict.EXACT:
            verdict = None  # tags are in all texts with tags
        similarity, share = (found.similarity, found.share) if found else (0.0, 0.0)
        rank = _BEST_FIRST.index(verdict), -similarity, -share
        if rank < best:
            best, out = rank, (at, verdict)
    return out


def _verdict(
    found: Judgement, pair: tuple[Meant, Meant], strokes: tuple[bool, ...]
) -> Verdict | None:
    """What readings tell of the texts. A text with strokes as it is given shares these with others,
    so that it tells only that both are the same."""
    for meant, has_strokes in zip(pair, strokes, strict=True):
        if has_strokes and not meant.disguises and found.verdict is not Verdict.EXACT:
            return None
    return given_verdict(found.verdict, *pair)


def better_of(given: Told | None, told: Told | None) -> Told | None:
    """Which of two tells more of a stored text: as it is given, or as it may be meant."""
    if told is None:
        return given
    meant = told.text.meant or _AS_GIVEN
    evidence = structs.replace(told.match.evidence, hamming=None)  # that is of the text as given
    match = structs.replace(of_disguised(told.match, meant), evidence=evidence)
    if given is None or (in_strokes([meant]) and is_of_strokes(given.match)):
        return Told(match, told.text)
    return given if given.match.rank() <= match.rank() else Told(match, told.text)


def in_strokes(meanings: Iterable[Meant]) -> bool:
    """Whether a text seems to have strokes, or numbers for letters, by what it may mean."""
    return any(not _STROKES.isdisjoint(meant.disguises) for meant in meanings)


def are_marked_up(meanings: Iterable[Meant]) -> bool:
    """Whether a text seems to be full of tags or references, by what it may mean; addresses are
    what it says."""
    return any(meant.in_tags for meant in meanings)


def is_of_strokes(match: Match) -> bool:
    """Whether a text with strokes and another may share no more than the stroke that stands between
    their letters, which is half of every gram, or digits of the numbers of their letters."""
    shares = (match.share or 0.0, match.stored_share or 0.0)
    return match.verdict is Verdict.PARTIAL and max(shares) < _OF_STROKES


def of_disguised(match: Match, *texts: Meant) -> Match:
    """A match of readings as one of the texts as they are given."""
    verdict = given_verdict(match.verdict, *texts) or match.verdict
    return structs.replace(match, verdict=verdict, disguise=disguised(match.disguise, *texts))


def disguised(told: tuple[str, ...], *texts: Meant) -> tuple[str, ...]:
    """What a comparison told of a disguise, and what was undone before it."""
    both = {*told, *(disguise for text in texts for disguise in text.disguises)}
    return tuple(disguise for disguise in Disguise if disguise in both)


def given_verdict(told: Verdict | None, *texts: Meant) -> Verdict | None:
    """What a verdict on readings is on the texts: in a disguise they are not the same."""
    if told is Verdict.EXACT and any(text.disguises for text in texts):
        return Verdict.NEAR
    return told
