"""Two texts as a page shows them side by side: pieces in chunks, and a map of each.

spans of passages, spans of facts -> chunks of pieces of parts
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from dupdex.wire.vocabulary import Phrase
from query.explain.explanation import Explanation
from query.explain.shared_passages import Same, Span, pieces

_CHUNKED: Final = 10_000
"""Characters from which on a text is laid out in chunks: a browser skips those out of sight."""

_CHUNK: Final = 2_000
_MAP_HEIGHT: Final = 1_000
_LEAST_MARK: Final = 4
"""Thousandths of the map, so that a short passage in a long text can be seen."""

_ENDS: Final = (re.compile(r"\n"), re.compile(r"[。！？!?]|\. "), re.compile(r"\s"))
"""Where a chunk may end, best first: a chunk begins a line."""


class Part(NamedTuple):
    """A part of a piece; `fact`: the number of the fact that it is, in the list of those that
    differ."""

    text: str
    fact: int | None = None


class Piece(NamedTuple):
    """A piece of a text: a passage with its number, its id and that of its counterpart, or what
    stands between passages. `sounds`: the passage is the same in sound, not in writing; `goes_on`:
    it began in the chunk before."""

    parts: tuple[Part, ...]
    number: int | None = None
    sounds: bool = False
    id: str = ""
    counterpart: str = ""
    goes_on: bool = False


class Mark(NamedTuple):
    """A stretch of a text on its map, from `top` on, in thousandths of the text."""

    number: int
    top: float
    height: float


@dataclass(frozen=True, slots=True)
class Side:
    """One text as the page shows it.

    `letter` begins the ids of its elements; `length` in letters and digits; `share`: the part of
    them in shared passages. `chunks` are the whole text; `passages` and `facts` its map.
    """

    letter: str
    name: Phrase
    length: int
    share: float
    chinese: bool
    chunks: list[list[Piece]]
    passages: list[Mark]
    facts: list[Mark]


def side_of(explanation: Explanation, at: int) -> Side:
    """The first (0) or the second text (1) of an explanation."""
    shared = explanation.passages
    subject = (explanation.first, explanation.second)[at]
    if subject.id is not None:
        name = Phrase(f"文档 {subject.id}", f"document {subject.id}")
    else:
        name = (Phrase("前者", "first text"), Phrase("后者", "second text"))[at]
    meant = explanation.meant[at]
    if meant.disguises:
        name = Phrase(f"{name.zh}（还原后）", f"{name.en}, as it may be meant")
    spans = [(passage.left, passage.right)[at] for passage in shared.passages]
    facts = [place[at] for place in explanation.fact_places]
    return Side(
        letter="ab"[at],
        name=name,
        length=explanation.lengths[at],
        share=(shared.coverage, shared.right_coverage)[at],
        chinese=not explanation.spaced,
        chunks=list(_chunks(explanation, at, meant.text, spans, facts)),
        passages=list(_marks(spans, len(meant.text))),
        facts=list(_marks(facts, len(meant.text))),
    )


def _chunks(
    explanation: Explanation, at: int, text: str, spans: Sequence[Span], facts: Sequence[Span]
) -> Iterator[list[Piece]]:
    letter, other = ("ab", "ba")[at]
    cuts = cuts_of(text)
    ends = frozenset(cuts)
    chunk: list[Piece] = []
    place = 0
    for whole, number in pieces(text, spans):
        begun, end = False, place + len(whole)
        between = cuts[bisect_right(cuts, place) : bisect_left(cuts, end)]
        for stop in (*between, end):
            parts = tuple(_parts(text, place, stop, facts))
            if number is None:
                chunk.append(Piece(parts))
            else:
                sounds = explanation.passages.passages[number - 1].same is Same.SOUNDS
                names = f"{letter}{number}", f"{other}{number}"
                chunk.append(Piece(parts, number, sounds, *names, goes_on=begun))
            place, begun = stop, True
            if place in ends:
                yield chunk
                chunk = []
    if chunk or not text:
        yield chunk


def _parts(text: str, start: int, stop: int, facts: Sequence[Span]) -> Iterator[Part]:
    """A stretch of a text, cut at the facts in it."""
    for number, fact in sorted(enumerate(facts, 1), key=lambda numbered: numbered[1].start):
        first, last = max(start, fact.start), min(stop, fact.stop)
        if first >= last:
            continue
        if start < first:
            yield Part(text[start:first])
        yield Part(text[first:last], number)
        start = last
    if start < stop:
        yield Part(text[start:stop])


def cuts_of(text: str) -> list[int]:
    """Where the chunks of a text end, but for the last; none in a text that is not long. A line
    ends there, or else a sentence, or a word: every chunk begins a line of its own."""
    cuts: list[int] = []
    if len(text) <= _CHUNKED:
        return cuts
    done = 0
    while len(text) - done > 2 * _CHUNK:
        low, high = done + _CHUNK, done + 2 * _CHUNK
        found = (end.search(text, low, high) for end in _ENDS)
        hit = next((each for each in found if each), None)
        done = hit.end() if hit else high
        cuts.append(done)
    return cuts


def _marks(spans: Sequence[Span], length: int) -> Iterator[Mark]:
    scale = _MAP_HEIGHT / max(1, length)
    for number, span in enumerate(spans, 1):
        height = max(_LEAST_MARK, (span.stop - span.start) * scale)
        top = min(span.start * scale, _MAP_HEIGHT - height)
        yield Mark(number, round(max(0.0, top), 1), round(height, 1))
