"""All pairs of a snapshot: candidates by one join of its keys, judged as every lookup judges them.

Of two documents the one with the lower number asks, so each pair is judged once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from dupdex.jobs.gram_screen import GramScreen
from dupdex.jobs.snapshot import Snapshot
from indexer.boilerplate import NOTHING, Boilerplate
from indexer.fingerprints.key_rows import key_numbers
from indexer.model import Keys, Ref
from query.answers import Candidate, CandidatePage, Request, Stored, Term, Verdict
from query.key_join import Mask, Near, Numbers, block
from query.lookup import near_duplicates_all
from query.questions import Options, Question
from query.sweep import VerifiedPair

KEPT: Final = 200
KEPT_EQUAL: Final = 20
"""Pairs of one document with later ones at most, the best; equal texts need few to be one group."""

AT_ONCE: Final = 50

_OPTIONS: Final = Options(size=None, candidates=None, verify=None, located=False, bodies=False)


@dataclass(frozen=True)
class Joined:
    """What judging needs of an index; processes share it."""

    snapshot: Snapshot
    boilerplate: Boilerplate = NOTHING
    screen: GramScreen | None = None
    options: Options = _OPTIONS


@dataclass(frozen=True, slots=True)
class Found:
    """The pairs of some documents with later ones, how many candidates there were, and how many of
    these were read."""

    pairs: list[VerifiedPair] = field(default_factory=list)
    candidates: int = 0
    read: int = 0


def pairs_between(part: tuple[int, int], joined: Joined) -> Found:
    """The pairs of the documents [low, high) with later ones, by the asking document."""
    low, high = part
    snapshot = joined.snapshot
    candidates = block(snapshot.columns, low, high, _nearness(snapshot))
    met = len(candidates)
    if joined.screen is not None:
        candidates = candidates.kept(joined.screen.worth_reading(candidates))
    edges = candidates.first.searchsorted(np.arange(low, high + 1)).tolist()
    asking = [
        (number, candidates.second[start:stop])
        for number, start, stop in zip(range(low, high), edges, edges[1:], strict=False)
        if stop > start
    ]
    pairs: list[VerifiedPair] = []
    for at in range(0, len(asking), AT_ONCE):
        pairs += _judged(asking[at : at + AT_ONCE], joined)
    return Found(pairs, met, len(candidates))


def _judged(asking: Sequence[tuple[int, Numbers]], joined: Joined) -> Iterator[VerifiedPair]:
    snapshot = joined.snapshot
    reader = JoinedReader(snapshot, asking)
    questions = [
        Question(stored.text, stored.id, stored.ref, stored.fingerprint)
        for stored in snapshot.each([number for number, _ in asking])
    ]
    answers = near_duplicates_all(
        questions, snapshot.plan, reader, joined.options, joined.boilerplate
    )
    for (number, _), answer in zip(asking, answers, strict=True):
        kept: Counter[bool] = Counter()
        for match in answer.matches:  # best first
            equal = match.verdict is Verdict.EXACT
            kept[equal] += 1
            if kept[equal] <= (KEPT_EQUAL if equal else KEPT):
                yield VerifiedPair(snapshot.refs[number], match.ref, match)


def _nearness(snapshot: Snapshot) -> Near:
    """Documents that share keys of the simhash alone are candidates only where few bits differ."""
    most = snapshot.plan.thresholds.simhash_only

    def near(first: Numbers, second: Numbers) -> Mask:
        differ = np.bitwise_count(snapshot.simhashes[first] ^ snapshot.simhashes[second])
        is_near: Mask = differ <= most
        return is_near

    return near


class JoinedReader:
    """Answers lookups from a join; satisfies `query.answers.CandidateReader`."""

    at_once: Final = 0

    def __init__(self, snapshot: Snapshot, asking: Sequence[tuple[int, Numbers]]) -> None:
        """`asking`: documents by number, each with its candidates."""
        self._snapshot = snapshot
        self._numbers: dict[Ref, int] = {}
        self._pages: dict[Ref, CandidatePage] = {}
        for number, seconds in asking:
            self._pages[snapshot.refs[number]] = self._page(seconds.tolist())

    def candidates(self, requests: Sequence[Request]) -> list[CandidatePage]:
        """The page of each asking document, which is the one that is excluded."""
        return [self._pages[request.exclude] for request in requests if request.exclude]

    def documents(self, refs: Sequence[Ref]) -> dict[Ref, Stored]:
        """See `query.answers.CandidateReader`."""
        return {stored.ref: stored for stored in self.each(refs)}

    def each(self, refs: Sequence[Ref]) -> Iterator[Stored]:
        """See `query.answers.CandidateReader`."""
        numbers = [self._numbers[ref] for ref in dict.fromkeys(refs)]
        for at in range(0, len(numbers), AT_ONCE):
            yield from self._snapshot.each(numbers[at : at + AT_ONCE])

    def frequencies(self, keys: Keys) -> dict[Term, int]:
        """See `query.answers.CandidateReader`; as of the snapshot."""
        out: dict[Term, int] = {}
        for name, terms in keys.items():
            column = self._snapshot.columns.get(name)
            if column is None or not terms:
                out |= {(name, term): 0 for term in terms}
                continue
            counts = column.frequencies(key_numbers(terms)).tolist()
            out |= {(name, term): count for term, count in zip(terms, counts, strict=True)}
        return out

    def stored_ids(self, ids: Sequence[str]) -> set[str]:
        """See `query.answers.CandidateReader`; never asked, as questions name their index."""
        return set(ids)

    def _page(self, seconds: list[int]) -> CandidatePage:
        candidates = []
        for number in seconds:
            ref = self._snapshot.refs[number]
            self._numbers[ref] = number
            candidates.append(
                Candidate(ref.id, ref.index, 1.0, "", int(self._snapshot.simhashes[number]))
            )
        return CandidatePage(tuple(candidates), later_only=True)
