"""The common case in few steps: a new document that is alone, or one more copy in a group whose
members are all similar to each other and to nobody else.

Such a group is `complete`. A document that is similar to all its members and to no other one makes
it a larger complete group; so does one whose text equals a member's, as that is similar to whatever
the member is. Neither needs a look at the pairs of the others, of which there may be very many.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from dupdex.groups.group_store import GroupRecord
from indexer.model import Ref
from query.answers import Verdict
from query.sweep import VerifiedPair


@dataclass(slots=True)
class Joining:
    """Joins new documents one by one. `groups`: the group of each document that is similar to one
    of them; `records`: of these groups. Afterwards `joined` holds the new ones with their groups,
    and `rest` those that need a closer look.
    """

    groups: dict[Ref, str]
    records: Mapping[str, GroupRecord]
    joined: dict[Ref, str] = field(default_factory=dict)
    alone: set[Ref] = field(default_factory=set)
    rest: set[Ref] = field(default_factory=set)

    def join(self, refs: Sequence[Ref], near: Near, full: Collection[Ref]) -> None:
        """`near`: the similar documents of each, and whether their texts are equal; `full`: those
        that may have more than that."""
        waiting = set(refs)
        sizes = {name: record.size for name, record in self.records.items()}
        for ref in refs:
            waiting.discard(ref)
            others = near.get(ref, {})
            group = self._of_all(others, waiting)
            if not others and ref.id not in self.records:
                self.alone.add(ref)
            elif group is None or ref.id in self.records or not self.records[group].complete:
                self.rest.add(ref)
            elif any(others.values()) or (len(others) == sizes[group] and ref not in full):
                self.joined[ref] = self.groups[ref] = group
                sizes[group] += 1
            else:
                self.rest.add(ref)

    def _of_all(self, others: Iterable[Ref], waiting: Collection[Ref]) -> str | None:
        """The one group that all are in, if there is one and it has a record."""
        if any(other in waiting or other in self.rest for other in others):
            return None
        groups = {self.groups.get(other) for other in others}
        group = next(iter(groups)) if len(groups) == 1 else None
        return group if group in self.records else None

    def changed(self, chosen: Mapping[str, Ref], now: str) -> list[GroupRecord]:
        """The records of groups that were joined; `chosen`: their canonical members."""
        more: dict[str, int] = {}
        for group in self.joined.values():
            more[group] = more.get(group, 0) + 1
        out = []
        for group, count in more.items():
            record = self.records[group]
            canonical = record.by_hand or chosen[group]
            size = record.size + count
            out.append(replace(record, canonical=canonical, size=size, changed=now))
        return out


Near = Mapping[Ref, Mapping[Ref, bool]]


def near_of(pairs: Iterable[VerifiedPair]) -> dict[Ref, dict[Ref, bool]]:
    """The documents that are similar to each one, and whether the texts are equal."""
    out: dict[Ref, dict[Ref, bool]] = {}
    for pair in pairs:
        if pair.match.verdict is Verdict.PARTIAL or pair.match.template:
            continue
        equal = pair.match.verdict is Verdict.EXACT
        out.setdefault(pair.first, {})[pair.second] = equal
        out.setdefault(pair.second, {})[pair.first] = equal
    return out
