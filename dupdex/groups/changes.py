"""From the groups that should be, and those that are, to what has to be written."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from dupdex.groups.equal_texts import groups_of
from dupdex.groups.group_store import GroupRecord
from dupdex.groups.naming import Named, named
from dupdex.groups.partition import Star
from dupdex.groups.surroundings import Surroundings
from indexer.model import Ref

Choose = Callable[[Sequence[tuple[Sequence[Ref], Ref | None]]], list[Ref]]
"""For each group, from its members that may be canonical and the one that was: the one that is."""


@dataclass(frozen=True, slots=True)
class Before:
    """The groups as they are. `ids`: of the group of each document; `records`: of groups of two and
    more, and of merged ones, by id; `taken`: ids of groups that other documents are in.
    """

    ids: Mapping[Ref, str]
    records: Mapping[str, GroupRecord]
    taken: Collection[str] = ()


@dataclass(slots=True)
class Changes:
    """What to write, in this order: records, groups of documents, records to remove."""

    records: list[GroupRecord] = field(default_factory=list)
    groups: dict[Ref, str] = field(default_factory=dict)
    gone: list[str] = field(default_factory=list)


def changes(around: Surroundings, before: Before, choose: Choose, now: str) -> Changes:
    """What makes the groups of some documents what they should be. `around` is all that they are
    connected with; `now`: the time as records hold it.
    """
    stars = [
        star for star in groups_of(around.edges, around.equal, around.pins) if len(star.members) > 1
    ]
    made = {name: record.made_at for name, record in before.records.items()}
    taken = {*before.taken, *before.records}
    groups = named([star.members for star in stars], before.ids, made, taken)
    together = {ref for group in groups for ref in group.members}
    alone = _alone(sorted(around.refs - together), {group.id for group in groups}, before)
    ids = {ref: group.id for group in groups for ref in group.members} | alone
    out = Changes(groups={ref: name for ref, name in ids.items() if before.ids.get(ref) != name})
    merged = _merged(groups, set(ids.values()), before)
    complete = _complete(stars, around)
    asked = [
        (star.common, _canonical_before(group, before)) for star, group in _both(stars, groups)
    ]
    for group, chosen in zip(groups, choose(asked), strict=True):
        taken_in = [name for name, into in merged.items() if into == group.id]
        record = _record(group, chosen, taken_in, before, now)
        record = replace(record, complete=group.members in complete)
        if not record.same_as(before.records.get(group.id)):
            out.records.append(record)
    for name, into in sorted(merged.items()):
        if before.records[name].merged_into != into:
            out.records.append(before.records[name].into(into, now))
    out.gone = _gone({group.id for group in groups}, merged, set(alone.values()), before)
    return out


def _complete(stars: Sequence[Star[Ref]], around: Surroundings) -> set[tuple[Ref, ...]]:
    """The members of groups in which everybody is similar to everybody, and to nobody else."""
    group_of = {ref: at for at, star in enumerate(stars) for ref in star.members}
    open_ones = {
        group_of.get(ref)
        for edge in around.edges
        for ref in edge
        if group_of.get(edge[0]) != group_of.get(edge[1])
    }
    open_ones |= {group_of.get(ref) for ref in around.pins}
    return {
        star.members
        for at, star in enumerate(stars)
        if at not in open_ones and len(star.common) == len(star.members)
    }


def _both(stars: Sequence[Star[Ref]], groups: Sequence[Named]) -> Iterable[tuple[Star[Ref], Named]]:
    return zip(stars, groups, strict=True)


def _canonical_before(group: Named, before: Before) -> Ref | None:
    record = before.records.get(group.id)
    return record.canonical if record else None


def _alone(refs: Sequence[Ref], groups: Collection[str], before: Before) -> dict[Ref, str]:
    """The ids of groups of one: that of the document. Where others have it, the one that it had, if
    they do not have that as well.
    """
    out: dict[Ref, str] = {}
    used = {*groups, *before.taken}
    for ref in refs:
        earlier = before.ids.get(ref, ref.id)
        name, number = ref.id if ref.id not in used else earlier, 2
        while name in used:
            name, number = f"{ref.id}~{number}", number + 1
        used.add(name)
        out[ref] = name
    return out


def _record(
    group: Named, chosen: Ref, taken_in: Sequence[str], before: Before, now: str
) -> GroupRecord:
    record, by_hand = before.records.get(group.id), _by_hand(group, before)
    return GroupRecord(
        group.id,
        by_hand or chosen,
        len(group.members),
        record.made if record else now,
        now,
        by_hand=by_hand,
        merged=tuple(dict.fromkeys((*(record.merged if record else ()), *taken_in))),
    )


def _by_hand(group: Named, before: Before) -> Ref | None:
    """The member that somebody chose: for the group itself, else for one that it was part of."""
    names = [group.id, *sorted({before.ids[ref] for ref in group.members if ref in before.ids})]
    records = (before.records.get(name) for name in names)
    chosen = (record.by_hand for record in records if record and record.by_hand)
    return next((ref for ref in chosen if ref in group.members), None)


def _merged(groups: Sequence[Named], used: Collection[str], before: Before) -> dict[str, str]:
    """The groups of two and more that are part of others now, by those: a group of one that joins
    another leaves nothing that need be found.
    """
    return {
        name: group.id
        for group in groups
        for name in group.merged
        if name in before.records and name not in used and name not in before.taken
    }


def _gone(
    groups: Collection[str], merged: Collection[str], alone: Collection[str], before: Before
) -> list[str]:
    """Records that say nothing any more: of groups without documents, and of ids that documents
    which are alone have again.
    """
    return sorted(
        name
        for name, record in before.records.items()
        if name in alone
        or not (name in groups or name in merged or name in before.taken or record.merged_into)
    )
