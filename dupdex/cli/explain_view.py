"""An explanation on a terminal."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Final

import click

from dupdex.wire.escapes import visible
from dupdex.wire.formula_lines import formula_lines
from dupdex.wire.output import disguise_line, fact_words
from mappings.schemes import label_of
from query.answers import Direction, Verdict
from query.explain.explanation import Explanation, Subject
from query.explain.shared_passages import Same, Span, pieces

_COLOURS: Final = ("yellow", "cyan", "green", "magenta", "bright_blue", "bright_red")
_PASSAGES: Final = 20
_TERMS: Final = 5
_OUTSIDE, _INSIDE = 160, 320
"""Longer pieces show their beginning and their end."""

_INDENT: Final = "  "
_LEAST_WIDTH, _MOST_WIDTH = 20, 100
_WAYS: Final = {
    Direction.CONTAINS: "contains",
    Direction.CONTAINED_IN: "is contained in",
    Direction.OVERLAPS: "overlaps",
}

Piece = tuple[str, str | None]
"""What to show, and in which colour."""


def explanation_lines(
    explanation: Explanation, width: int, colours: bool, full: bool = False
) -> Iterator[str]:
    """For people: the steps to the verdict, facts that differ, the passages, schemes and keys, then
    both texts with their marks.

    `width` is the terminal's, in cells. `full` shows all that is else cut short.
    """
    yield _headline(explanation)
    yield from formula_lines(explanation.formula)
    if any(explanation.boilerplate):
        first, second = explanation.boilerplate
        yield f"boilerplate: {first:,} letters of the first, {second:,} of the second not counted"
    if explanation.disguise:
        yield disguise_line(explanation.disguise)
    yield from _fact_lines(explanation)
    yield ""
    yield from _passage_lines(explanation, None if full else _PASSAGES)
    yield ""
    yield from _scheme_lines(explanation)
    yield ""
    yield from _key_lines(explanation, None if full else _TERMS)
    room = max(_LEAST_WIDTH, min(width, _MOST_WIDTH)) - len(_INDENT)
    for at, meant in enumerate(explanation.meant):
        yield ""
        head = _side(explanation, at)
        yield click.style(head, bold=True) if colours else head
        spans = [(passage.left, passage.right)[at] for passage in explanation.passages.passages]
        for line in _wrapped(_marked(meant.text, spans, full), room):
            yield (_INDENT + _painted(line, colours)).rstrip()


def _side(explanation: Explanation, at: int) -> str:
    passages, subject = explanation.passages, (explanation.first, explanation.second)[at]
    share = (passages.coverage, passages.right_coverage)[at]
    meant = ", as it may be meant" if explanation.meant[at].disguises else ""
    return (
        f"{_name(subject, at)}{meant}: {explanation.lengths[at]:,} letters and digits, "
        f"{share:.0%} in shared passages"
    )


def _name(subject: Subject, at: int) -> str:
    place = ("first", "second")[at]
    return f"{place} text" if subject.id is None else f"{place}, document {visible(subject.id)}"


def _headline(explanation: Explanation) -> str:
    judgement = explanation.judgement
    if judgement.verdict is None:
        return f"no duplicate {judgement.similarity:.2f}"
    share = max(judgement.share, judgement.stored_share)
    number = share if judgement.verdict is Verdict.PARTIAL else judgement.similarity
    way = f", the first {_WAYS[judgement.direction]} the second" if judgement.direction else ""
    return f"{judgement.verdict.value} {number:.2f}{way}"


def _fact_lines(explanation: Explanation) -> Iterator[str]:
    differ, total = explanation.facts_differ or (), explanation.facts_total or 0
    if total:
        yield ""
        yield f"facts differ: {total:,}, first / second"
    for fact in differ:
        yield f"{_INDENT}{fact_words(fact)}"
    if total > len(differ):
        yield f"{_INDENT}and {total - len(differ):,} more"


def _passage_lines(explanation: Explanation, limit: int | None) -> Iterator[str]:
    shared = explanation.passages
    unit = "words" if explanation.spaced else "syllables"
    if not shared.passages:
        yield "no shared passage"
        return
    yield f"shared passages: {shared.found:,}, longest first"
    for number, passage in list(enumerate(shared.passages, 1))[:limit]:
        same = "same characters"
        if passage.same is Same.SOUNDS:
            same = f"same sounds, {passage.swapped:,} characters differ"
        places = f"{_place(passage.left)} and {_place(passage.right)}"
        yield f"{_INDENT}{f'[{number}]':>6} {passage.units:>7,} {unit}  {same}  at {places}"
    unlisted = shared.found - min(shared.found, limit or len(shared.passages))
    if unlisted:
        yield f"{_INDENT}and {unlisted:,} shorter ones"
    if not shared.complete:
        yield f"{_INDENT}there are more: the texts are too long, or repeat themselves"


def _place(span: Span) -> str:
    return f"{span.start:,}-{span.stop:,}"


def _scheme_lines(explanation: Explanation) -> Iterator[str]:
    yield f"{'scheme':<20}similarity  threshold"
    for score in explanation.scores:
        says = "  duplicate" if score.verdict else ""
        yield f"{_INDENT}{score.name:<18}{score.similarity:>10.2f}{score.threshold:>11.2f}{says}"


def _key_lines(explanation: Explanation, limit: int | None) -> Iterator[str]:
    if not explanation.keys:
        yield "no key in common: a lookup of one does not find the other"
        return
    counted = explanation.documents is not None
    total = f", and in how many of {explanation.documents:,} documents" if counted else ""
    yield f"keys that both have{total}"
    for field in explanation.keys:
        terms = [
            hit.term if hit.documents is None else f"{hit.term} in {hit.documents:,}"
            for hit in field.hits[:limit]
        ]
        more = ", ..." if field.shared > len(terms) else ""
        yield f"{_INDENT}{label_of(field.field):<20}{field.shared:>6,}  {', '.join(terms)}{more}"


def _marked(text: str, spans: Sequence[Span], full: bool) -> Iterator[Piece]:
    """The text in pieces, each passage between its marks."""
    for piece, number in pieces(text, spans):
        if number is None:
            yield _printable(piece if full else _shortened(piece, _OUTSIDE)), None
            continue
        shown = _printable(piece if full else _shortened(piece, _INSIDE))
        yield f"[{number} {shown} {number}]", _COLOURS[(number - 1) % len(_COLOURS)]


def _shortened(text: str, limit: int) -> str:
    part = limit * 3 // 8
    if len(text) <= limit:
        return text
    return f"{text[:part]} … {len(text) - 2 * part:,} characters … {text[-part:]}"


def _printable(text: str) -> str:
    """No character that would move the cursor or turn the direction of writing."""
    text = re.sub(r"\r\n?", "\n", text).replace("\t", " ")
    return "".join(filter(None, map(_shown, text)))


def _shown(character: str) -> str:
    if character.isprintable() or character == "\n":
        return character
    kind = unicodedata.category(character)
    return character if kind == "Zs" else "" if kind == "Cf" else "·"


def _wrapped(pieces: Iterator[Piece], width: int) -> Iterator[list[Piece]]:
    """Lines of at most `width` cells; a wide character takes two, a combining mark none."""
    line: list[Piece] = []
    used = 0
    for text, colour in pieces:
        begin = 0
        for at, character in enumerate(text):
            size = _cells(character)
            if character == "\n" or used + size > width:
                yield [*line, (text[begin:at], colour)]
                line, used = [], 0
                begin = at + (character == "\n")
            used += size if character != "\n" else 0
        line.append((text[begin:], colour))
    if any(text for text, _ in line):
        yield line


def _cells(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _painted(line: list[Piece], colours: bool) -> str:
    if not colours:
        return "".join(text for text, _ in line)
    return "".join(
        text if colour is None or not text else click.style(text, fg="black", bg=colour)
        for text, colour in line
    )
