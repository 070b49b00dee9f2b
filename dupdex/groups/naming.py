"""Ids of groups that stay: a group keeps its id while members join, leave and merge with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from indexer.model import Ref


@dataclass(frozen=True, slots=True)
class Named:
    """A group under its id, and the ids of groups that have merged into it."""

    id: str
    members: tuple[Ref, ...]
    merged: tuple[str, ...] = field(default=())


def named(
    groups: Sequence[Sequence[Ref]],
    before: Mapping[Ref, str],
    made: Mapping[str, int],
    taken: Collection[str] = (),
) -> list[Named]:
    """Ids for groups, which are disjoint; documents that are alone are groups, too.

    `before`: the ids of the groups in which their documents have been; `made`: when each of those
    was made, in any unit that ascends; a group of one need not be listed. `taken`: further ids that
    are in use.

    Of several groups that become one, the oldest keeps its id. Of the parts of one group the
    largest does, else the one with the document of that id, else the one with the first member.
    Others get the id of a member.
    """
    where = [Counter(before[ref] for ref in group if ref in before) for group in groups]
    claims = sorted(
        (made.get(name, _NEW), name, -count, not _has(groups[at], name), min(groups[at]), at)
        for at, counts in enumerate(where)
        for name, count in counts.items()
    )
    ids: dict[int, str] = {}
    held: dict[str, int] = {}
    for _, name, _, _, _, at in claims:
        if at not in ids and name not in held:
            ids[at], held[name] = name, at
    used = {*held, *taken, *(name for counts in where for name in counts)}
    for at, group in enumerate(groups):
        if at not in ids:
            ids[at] = _new_id(group, used)
            used.add(ids[at])
    gone = _gone(where, held)
    return [
        Named(ids[at], tuple(sorted(group)), tuple(sorted(gone.get(at, ()))))
        for at, group in enumerate(groups)
    ]


_NEW = 1 << 62
"""Later than any time: a group of one has no record."""


def _has(group: Sequence[Ref], name: str) -> bool:
    return any(ref.id == name for ref in group)


def _new_id(group: Sequence[Ref], used: Collection[str]) -> str:
    """The id of a member, if no group has it: a document that is alone is a group of its own id."""
    return new_id([ref.id for ref in sorted(group)], used)


def new_id(ids: Sequence[str], used: Collection[str]) -> str:
    """The first of the ids of members that no group has; else the first one, with a number."""
    for name in ids:
        if name not in used:
            return name
    number = 2
    while f"{ids[0]}~{number}" in used:
        number += 1
    return f"{ids[0]}~{number}"


def _gone(where: Sequence[Counter[str]], held: Mapping[str, int]) -> dict[int, list[str]]:
    """The ids that no group kept, by the group that most of their members are in now."""
    best: dict[str, tuple[int, int]] = {}
    for at, counts in enumerate(where):
        for name, count in counts.items():
            if name not in held:
                best[name] = max(best.get(name, (0, 0)), (count, -at))
    out: dict[int, list[str]] = {}
    for name, (_, at) in best.items():
        out.setdefault(-at, []).append(name)
    return out
