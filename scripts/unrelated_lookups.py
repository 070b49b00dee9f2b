"""Look up unrelated documents and light copies: what is flagged, what is looked at, how long."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from random import Random
from typing import Final

from dupdex.index import Index
from query.answers import Completeness, Match, Ref
from query.explain.explanation import Subject
from query.questions import EVERYTHING, Options, Question
from scripts.benchmark.measure import percentile
from scripts.benchmark.texts_of_corpus import edited

EDITS: Final = (0.03, 0.05)
"""Shares of the characters edited in copies, in turns."""

_EVERY: Final = 10
"""One lookup with every limit off for so many at default options, as they take far longer."""

_SHOWN: Final = 10
_LONGEST: Final = 3
_SEEN: Final = 100


@dataclass(frozen=True, slots=True)
class Asked:
    """A text to look up: a stored document under its id, or a light copy of one."""

    text: str
    source: str
    copy: bool = False


@dataclass(slots=True)
class Tally:
    """What the lookups of one kind came to."""

    answers: list[Completeness] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    flagged: list[tuple[Asked, Match]] = field(default_factory=list)
    copies: int = 0
    found: int = 0

    def row(self) -> Iterator[str]:
        """The cells of the table."""
        candidates = [answer.candidates for answer in self.answers]
        verified = [answer.examined for answer in self.answers]
        yield f"{len(self.answers):,}"
        yield f"{sum(candidates) / len(candidates):,.1f}"
        yield from (f"{percentile(candidates, share):,}" for share in (0.5, 0.99))
        yield f"{sum(verified) / len(verified):,.1f}"
        verdicts = Counter(match.verdict.value for _, match in self.pairs().values())
        yield (
            ", ".join(f"{count:,} {verdict}" for verdict, count in sorted(verdicts.items())) or "0"
        )
        yield f"{self.found / self.copies:.4f}" if self.copies else "-"
        yield f"{sum(self.seconds) / len(self.seconds) * 1e3:,.1f}"

    def pairs(self) -> dict[frozenset[str], tuple[Asked, Match]]:
        """Two documents that were called copies and are none, once for both directions."""
        return {
            frozenset((asked.source, match.id)): (asked, match) for asked, match in self.flagged
        }


def tallies(index: Index, stored: Sequence[Asked], copies: Sequence[Asked]) -> dict[str, Tally]:
    """Every lookup by itself, as a user would wait for it."""
    return {
        "unrelated, default options": _looked_up(index, stored, Options()),
        "unrelated, no limits": _looked_up(index, stored[::_EVERY], EVERYTHING),
        "light copies, default options": _looked_up(index, copies, Options()),
    }


def questions(texts: Sequence[str], wanted: int, seed: int) -> tuple[list[Asked], list[Asked]]:
    """Stored documents to look up, drawn at random, and light copies of half of them."""
    places = Random(f"{seed}/queries").sample(range(len(texts)), min(wanted, len(texts)))
    stored = [Asked(texts[place], name_of(place)) for place in places]
    copies = [
        Asked(edited(each.text, at, EDITS[at % len(EDITS)]), each.source, copy=True)
        for at, each in enumerate(stored[::2])
    ]
    return stored, copies


def name_of(number: int) -> str:
    """The id of a document."""
    return f"u{number:07}"


def judged(index: Index, tally: Tally) -> Iterator[str]:
    """The first flagged pairs with what they have in common, for a person to judge."""
    one_each = {asked.source: (asked, match) for asked, match in tally.pairs().values()}
    for asked, match in islice(one_each.values(), _SHOWN):
        stored = index.get([match.id])[match.id].text
        yield (
            f"{match.verdict.value} {match.similarity:.2f}, share {match.share or 0:.2f} and "
            f"{match.stored_share or 0:.2f}: {asked.source} ({len(asked.text):,} characters) and "
            f"{match.id} ({len(stored):,})"
        )
        explained = index.explain(Subject(asked.text), Subject(stored))
        for passage in explained.passages.passages[:_LONGEST]:
            common = asked.text[passage.left.start : passage.left.stop]
            yield f"    {passage.units} units: {' '.join(common.split())[:_SEEN]}"


def _looked_up(index: Index, every: Sequence[Asked], options: Options) -> Tally:
    tally = Tally()
    for asked in every:
        began = time.perf_counter()
        itself = None if asked.copy else Ref("", asked.source)
        question = Question(asked.text, asked.source, itself)
        (answer,) = index.lookup_all([question], options)
        tally.seconds.append(time.perf_counter() - began)
        tally.answers.append(answer.completeness)
        tally.copies += asked.copy
        tally.found += asked.copy and any(match.id == asked.source for match in answer.matches)
        tally.flagged += [(asked, match) for match in answer.matches if match.id != asked.source]
    return tally
