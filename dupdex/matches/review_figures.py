"""What reviewers did: how many decisions, how fast, and whether two who saw one pair agree.

A decision that was taken back does not count, nor one that its reviewer has changed since.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Final

from dupdex.matches.decisions import UNDO, Decided
from indexer.model import Ref

PAUSE: Final = 600.0
"""Seconds between two decisions from which the time between them was no work."""

_LISTED: Final = 20


@dataclass(frozen=True, slots=True)
class ReviewerFigures:
    """`since`: decisions since the time that was asked about; `per_hour`: of these, how many an
    hour of work, pauses left out; None for less than two decisions in a row."""

    reviewer: str
    decisions: int
    since: int
    duplicates: int
    per_hour: float | None


@dataclass(frozen=True, slots=True)
class HourFigures:
    """Decisions within the hour that begins at a time."""

    hour: str
    decisions: int


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Two reviewers, in order of time, who said different things of one pair."""

    first: Ref
    second: Ref
    reviewers: tuple[str, ...]
    decisions: tuple[str, ...]
    at: str


@dataclass(frozen=True, slots=True)
class ReviewFigures:
    """`left`: pairs that nobody decided about, of which `held` are before a reviewer; `decided`
    pairs of all times, `since` how many decisions since the time that was asked about; `twice`:
    pairs that two reviewers decided about, `agreed` how many of them alike; `hours` since then."""

    left: int
    held: int
    decided: int
    since: int
    twice: int
    agreed: int
    agreement: float | None
    reviewers: tuple[ReviewerFigures, ...]
    hours: tuple[HourFigures, ...]
    disagreements: tuple[Disagreement, ...]


Entry = Mapping[str, str]


def reviewers_of(said: Decided) -> set[str]:
    """Who has said something of a pair that stands."""
    return {entry.get("by", "") for entry in standing(said)}


def standing(said: Decided) -> list[Entry]:
    """The last word of each reviewer about a pair, oldest first."""
    last = {"decision": said.decision or UNDO, "by": said.by, "at": said.at}
    words: dict[str, Entry] = {}
    kept: list[Entry] = []
    for entry in (*said.history, last):
        if entry["decision"] == UNDO:  # it takes back the word before, whoever says it
            if kept:
                kept.pop()
            continue
        kept.append(entry)
    for entry in kept:
        words.pop(entry.get("by", ""), None)
        words[entry.get("by", "")] = entry
    return list(words.values())


def figures_of(decided: Iterable[Decided], since: str, left: int, held: int) -> ReviewFigures:
    """The figures of all that was decided; `since` bounds speed and what was done lately."""
    pairs = twice = agreed = 0
    entries: list[Entry] = []
    apart: list[Disagreement] = []
    for each in decided:
        words = standing(each)
        pairs += bool(words)
        entries += words
        named = [entry for entry in words if entry.get("by")]
        if len(named) > 1:
            twice += 1
            said = tuple(str(entry["decision"]) for entry in named)
            if len(set(said)) == 1:
                agreed += 1
            else:
                by = tuple(entry["by"] for entry in named)
                at = named[-1]["at"]
                apart.append(Disagreement(each.first, each.second, by, said, at))
    late = [entry for entry in entries if entry["at"] >= since]
    hours = Counter(f"{entry['at'][:13]}:00:00.000Z" for entry in late)
    apart.sort(key=lambda each: each.at, reverse=True)
    return ReviewFigures(
        left,
        held,
        pairs,
        len(late),
        twice,
        agreed,
        agreed / twice if twice else None,
        tuple(_by_reviewer(entries, since)),
        tuple(HourFigures(hour, hours[hour]) for hour in sorted(hours)),
        tuple(apart[:_LISTED]),
    )


def _by_reviewer(entries: Sequence[Entry], since: str) -> list[ReviewerFigures]:
    """Who decided most first."""
    out = []
    for name in {entry.get("by", "") for entry in entries}:
        own = [entry for entry in entries if entry.get("by", "") == name]
        late = sorted(entry["at"] for entry in own if entry["at"] >= since)
        duplicates = sum(entry["decision"] == "duplicate" for entry in own)
        out.append(ReviewerFigures(name, len(own), len(late), duplicates, pace(late)))
    return sorted(out, key=lambda each: (-each.decisions, each.reviewer))


def pace(times: Sequence[str]) -> float | None:
    """Decisions an hour of work, of their times in order."""
    moments = [datetime.fromisoformat(time).timestamp() for time in times]
    gaps = [later - earlier for earlier, later in pairwise(moments)]
    worked = [gap for gap in gaps if gap < PAUSE]
    if not worked or not sum(worked):
        return None
    return len(worked) / sum(worked) * 3600
