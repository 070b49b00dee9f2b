"""Moderation banks for people: lines of text."""

from __future__ import annotations

from typing import Final

from dupdex.banks.bank_forms import BankLine, RetroLines
from dupdex.banks.bank_model import BankAnswer, BankEntry, BankHit, Flood, Ruling
from dupdex.wire.counted import counted
from query.answers import Verdict

_TEXT: Final = 60
"""Characters that are shown of a text."""


def bank_columns(bank: BankLine) -> tuple[str, ...]:
    """Name, kind, number of entries, what it is for, and what is said about it."""
    for_these = f"for {', '.join(bank.indices)}"
    about = (bank.about,) if bank.about else ()
    return (bank.name, bank.kind.value, counted(bank.entries, "entry"), for_these, *about)


def entry_columns(entry: BankEntry) -> tuple[str, ...]:
    """Id, labels, when it was added and expires, and how its text begins."""
    until = f"until {entry.expires[:16].replace('T', ' ')}" if entry.expires else "for ever"
    return (entry.id, ", ".join(entry.labels), entry.added[:10], until, begun(entry.text))


def bank_answer_lines(answer: BankAnswer, text: str) -> list[str]:
    """The ruling; for each hit a line, and one for each place of the text that it has."""
    lines = [f"banks: {_said(answer)}"]
    for hit in answer.hits:
        labels = f"  [{', '.join(hit.labels)}]" if hit.labels else ""
        out = "  (overruled)" if hit.overruled else ""
        reason = f"  {hit.reason}" if hit.reason else ""
        head = f"{hit.kind.value}  {hit.bank}/{hit.entry}"
        lines.append(f"  {head}  {_measured(hit)}{labels}{reason}{out}")
        for place in hit.passages[:3]:
            start, stop = place.asked
            lines.append(f"    {start}-{stop}: {begun(text[start:stop])}")
        if len(hit.passages) > 3:
            lines.append(f"    and {len(hit.passages) - 3:,} more passages")
    if answer.total > len(answer.hits):
        lines.append(f"  and {answer.total - len(answer.hits):,} more entries")
    if not answer.complete:
        lines.append("  more entries share something with the text than were compared with it")
    if answer.flood is not None:
        lines.append(flood_line(answer.flood))
    return lines


def bank_column(answer: BankAnswer) -> str:
    """The ruling and the entry that decided, in few words."""
    if answer.ruling is Ruling.NONE:
        return "banks: none"
    return f"{answer.ruling.value} by {answer.hits[0].bank}/{answer.hits[0].entry}"


def flood_line(flood: Flood) -> str:
    """How often the text has arrived."""
    said = "a flood" if flood.is_flood else "no flood"
    return f"flood: {said}, {flood.count:,} of {flood.times:,} in {flood.seconds:,.0f} s"


def retro_columns(lines: RetroLines) -> list[tuple[str, ...]]:
    """A row a document: where it is, the entry that matches it, and how well."""
    return [
        (
            f"{hit.index}/{hit.document}",
            hit.entry,
            f"{hit.verdict.value} {hit.similarity:.2f}",
            *(("overruled",) if hit.overruled else ()),
        )
        for hit in lines.hits
    ]


def begun(text: str) -> str:
    """The beginning of a text on one line."""
    line = " ".join(text[: 4 * _TEXT].split())
    return line if len(line) <= _TEXT else f"{line[:_TEXT]}…"


def _said(answer: BankAnswer) -> str:
    if answer.ruling is Ruling.NONE:
        return f"none of {len(answer.banks):,} says anything"
    labels = ", ".join(answer.labels)
    return f"{answer.ruling.value}{f' as {labels}' if labels else ''}"


def _measured(hit: BankHit) -> str:
    share = max(hit.share or 0.0, hit.stored_share or 0.0)
    number = share if hit.verdict is Verdict.PARTIAL else hit.similarity
    return f"{hit.verdict.value} {number:.2f}"
