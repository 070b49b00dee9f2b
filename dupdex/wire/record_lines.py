"""What is kept of pairs, for people: lines of text."""

from __future__ import annotations

from dupdex.matches.decisions import Decided
from dupdex.matches.forgetting import Receipt
from dupdex.matches.match_record import MatchRecord
from indexer.model import Ref
from query.answers import Verdict


def name_of(ref: Ref, several: bool) -> str:
    """The id, with the index where there are `several`."""
    return f"{ref.index}/{ref.id}" if several else ref.id


def record_columns(record: MatchRecord, several: bool) -> tuple[str, ...]:
    """Verdict and number, both documents, the day it was found, and what else is to be said."""
    return (
        _headline(record),
        name_of(record.first, several),
        name_of(record.second, several),
        record.found[:10],
        *_remarks(record),
    )


def decided_lines(decided: Decided) -> list[str]:
    """What is decided now, and what was before."""
    said = decided.decision.value if decided.decision else "nothing is decided any more"
    lines = [f"{decided.first.id}  {decided.second.id}  {said}"]
    for entry in decided.history:
        reason = f": {entry['why']}" if "why" in entry else ""
        by = f" by {entry['by']}" if "by" in entry else ""
        lines.append(f"    before: {entry['decision']}{by}, {entry['at'][:10]}{reason}")
    return lines


def receipt_lines(receipt: Receipt) -> list[str]:
    """A receipt, a line for each place."""
    keys = sum(receipt.keys.values())
    there = ", ".join(receipt.documents) or "none was there"
    lines = [
        f"forgotten     {receipt.id}, {receipt.at}",
        f"documents     {there}",
        f"keys          {keys:,} in {len(receipt.keys)} fields",
        f"group         {receipt.group or 'none'}",
        f"matches       {receipt.matches:,}",
        f"decisions     {receipt.decisions:,}",
        f"pins          {receipt.pins:,}",
        *([f"pages         {receipt.pages:,}"] if receipt.pages else []),
    ]
    lines += [f"group record  {name}: {done}" for name, done in receipt.groups.items()]
    return [*lines, *left_lines(receipt.left)]


def left_lines(left: tuple[str, ...]) -> list[str]:
    """What a search for a forgotten document still finds."""
    if not left:
        return ["left          nothing: search, groups, pairs, decisions and jobs do not name it"]
    return [f"left          {place}" for place in left]


def _headline(record: MatchRecord) -> str:
    share = max(record.first_share or 0.0, record.second_share or 0.0)
    number = share if record.verdict is Verdict.PARTIAL else record.similarity
    way = f", {record.direction.value.replace('_', ' ')}" if record.direction else ""
    return f"{record.verdict.value} {number:.2f}{way}"


def _remarks(record: MatchRecord) -> list[str]:
    remarks = []
    if record.decision:
        remarks.append(f"decided: {record.decision.value}")
    if record.facts_total:
        remarks.append(f"{record.facts_total} facts differ")
    if record.template:
        remarks.append("template")
    return remarks
