"""Groups for people: lines of text."""

from __future__ import annotations

from typing import Final

from dupdex.groups.group_forms import GroupDetail, GroupEdge, GroupLines
from dupdex.wire.counted import counted

_SHOWN: Final = 20
"""Pairs that are listed; the others are counted."""


def list_lines(lines: GroupLines) -> list[str]:
    """A line a group: size, id, canonical member, when it was made, spread."""
    out = []
    for group in lines.groups:
        spread = f"  {group.spread:,} values" if group.spread is not None else ""
        out.append(
            f"{group.size:>6,}  {group.id}  canonical {group.canonical}  "
            f"since {_time(group.made)}{spread}"
        )
    out.append(f"({counted(lines.total, 'group')} of two and more)")
    return out


def detail_lines(detail: GroupDetail) -> list[str]:
    """A group with its members and pairs."""
    head = f"group {detail.id}: {counted(detail.size, 'document')}"
    if detail.asked != detail.id:
        head += f" (asked for {detail.asked})"
    lines = [head]
    if detail.made:
        lines.append(f"made {_time(detail.made)}, changed {_time(detail.changed)}")
    lines.append(f"canonical {detail.canonical.id}: {detail.why}")
    if detail.merged:
        lines.append(f"took in {', '.join(detail.merged)}")
    if detail.undoable:
        last = detail.undoable
        by = f" by {last.by}" if last.by else ""
        why = f" ({last.why})" if last.why else ""
        lines.append(
            f"last corrected {_time(last.at)}: {last.kind}{by}{why}; 'groups undo' undoes it"
        )
    for member in detail.members:
        mark = "*" if member == detail.canonical else " "
        pinned = "  (pinned)" if member.pinned else ""
        lines.append(f"{mark} {member.id}  {member.title}{pinned}".rstrip())
    lines += [_edge_line(edge) for edge in detail.edges[:_SHOWN]]
    if len(detail.edges) > _SHOWN:
        lines.append(f"  and {len(detail.edges) - _SHOWN:,} more pairs: --json shows all")
    return lines


def _edge_line(edge: GroupEdge) -> str:
    said = f"  decided: {edge.decision}" if edge.decision else ""
    verdict = edge.verdict.value if edge.verdict else "no verdict"
    number = f" {edge.similarity:.2f}" if edge.similarity is not None else ""
    return f"  {edge.first} - {edge.second}  {verdict}{number}{said}"


def _time(moment: str) -> str:
    return moment[:16].replace("T", " ")
