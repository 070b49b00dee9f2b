"""Groups as they are shown: a line each, or one with its members, its pairs, and why."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final

from dupdex.groups.correction_store import Correction, CorrectionStore
from dupdex.groups.group_forms import (
    GroupDetail,
    GroupEdge,
    GroupLine,
    GroupLines,
    GroupMember,
    LastCorrection,
    Sort,
)
from dupdex.groups.group_store import GroupRecord, GroupStore
from dupdex.groups.pin_store import PinStore
from dupdex.matches.match_store import MatchStore
from dupdex.session import Session
from dupdex.wire.cursors import from_word, to_word
from indexer.field_path import values_at
from indexer.grouping import Grouping, Policy
from indexer.model import Ref, Standing
from mappings.collections import moment
from mappings.errors import InputRefused, NotFound
from mappings.records import CORRECTIONS, GROUPS, PINS
from query.answers import Stored

_AT_ONCE: Final = 100
"""Groups whose members are read together."""


@dataclass(frozen=True, slots=True)
class GroupViews:
    """Reads the groups of an index; makes nothing where there are none."""

    session: Session
    index: str | None = None

    def lines(
        self, sort: Sort, field: str = "", limit: int = 20, after: str | None = None
    ) -> GroupLines:
        """Groups of two and more: the largest or the newest first, or those first whose members
        have most values of a field (`spread`), for which all members are read.

        Raises InputRefused for a spread without a field, and a cursor of it.
        """
        store = self._groups()
        if store is None:
            return GroupLines(0, ())
        store.refresh()
        total = store.count()
        if sort is Sort.SPREAD:
            if not field:
                raise InputRefused("a spread needs a field; name one with --field")
            if after is not None:
                raise InputRefused("groups by spread have no pages; ask for more with --size")
            best = heapq.nsmallest(
                limit, self._spreads(store, field), key=lambda line: (-(line.spread or 0), line.id)
            )
            return GroupLines(total, tuple(best))
        column = "size" if sort is Sort.SIZE else "made"
        begun = from_word(after) if after else None
        page = store.page(column, limit, begun)
        following = to_word(page.next) if page.next else None
        lines = self._with_spread(page.records, field) if field else map(_line, page.records)
        return GroupLines(total, tuple(lines), following)

    def resolved(self, name: str) -> str:
        """The id of the group that is meant: by its id, by that of one of its documents, or by
        that of a group that merged into it.

        A document knows its group; an id that merged may have come into another one since.
        Raises NotFound when there is no such group or document.
        """
        reader, store = self.session.reader(self.index), self._groups()
        if reader.members([name])[name]:
            return name
        if standing := reader.standings([Ref("", name)]).get(Ref("", name)):
            return standing.group
        found = store.resolved(name) if store is not None else name
        if not reader.members([found])[found]:
            raise NotFound(f"there is no group or document {name!r}; 'dupdex groups' lists groups")
        return found

    def members(self, group: str) -> tuple[Ref, ...]:
        """The documents of a group, as of the last refresh."""
        return self.session.reader(self.index).members([group])[group]

    def detail(self, name: str) -> GroupDetail:
        """A group with all that is known of it. Raises NotFound as `resolved` does."""
        reader, store = self.session.reader(self.index), self._groups()
        group = self.resolved(name)
        refs = self.members(group)
        record = store.named([group]).get(group) if store is not None else None
        first = record.canonical if record is not None and record.canonical in refs else refs[0]
        standings, pins = reader.standings(refs), self._pinned(refs)
        documents = {stored.ref: stored for stored in reader.each(refs)}
        assert first is not None
        members = tuple(
            self._member(ref, documents.get(ref), standings.get(ref), ref in pins)
            for ref in sorted(refs, key=lambda ref: (ref != first, ref))
        )
        grouping = reader.meta.grouping or Grouping()
        return GroupDetail(
            group,
            name,
            members[0],
            _why(record, grouping, documents.get(first), len(refs)),
            len(refs),
            record.made if record else "",
            record.changed if record else "",
            record.merged if record else (),
            members,
            tuple(self._edges(refs)),
            self._undoable(group, record, pins),
        )

    def last_correction(self, group: str) -> Correction | None:
        """The latest correction of a group that can be undone: what pinned one of its members,
        released it, or chose its canonical one."""
        store = self._groups()
        record = store.named([group]).get(group) if store is not None else None
        return self._last(group, record, self._pinned(self.members(group)))

    def _groups(self) -> GroupStore | None:
        stored = self.session.stored_collection(GROUPS, self.index)
        return None if stored is None else GroupStore(stored)

    def _pinned(self, refs: Sequence[Ref]) -> dict[Ref, str]:
        stored = self.session.stored_collection(PINS, self.index)
        return PinStore(stored).of(refs) if stored is not None else {}

    def _last(
        self, group: str, record: GroupRecord | None, pins: Mapping[Ref, str]
    ) -> Correction | None:
        stored = self.session.stored_collection(CORRECTIONS, self.index)
        if stored is None:
            return None
        chosen, merged = (record.by_hand, record.merged) if record is not None else (None, ())
        return CorrectionStore(stored).last({*pins.values(), group, *merged}, chosen)

    def _undoable(
        self, group: str, record: GroupRecord | None, pins: Mapping[Ref, str]
    ) -> LastCorrection | None:
        last = self._last(group, record, pins)
        return LastCorrection(last.kind.value, last.at, last.by, last.why) if last else None

    def _member(
        self, ref: Ref, stored: Stored | None, standing: Standing | None, pinned: bool
    ) -> GroupMember:
        meta = self.session.reader(self.index).meta
        titles = values_at(stored.body, meta.title_field) if stored else ()
        title = next((str(value) for value in titles if isinstance(value, str)), "")
        at = _moment(standing.indexed) if standing and standing.indexed else ""
        return GroupMember(ref.id, ref.index, title, at, pinned)

    def _edges(self, refs: Sequence[Ref]) -> Iterator[GroupEdge]:
        """The pairs among members that count, or are decided."""
        matches = MatchStore.stored(self.session, self.index)
        if matches is None:
            return
        matches.refresh()
        inside = set(refs)
        decided = {(each.first, each.second): each.decision for each in matches.decisions_of(refs)}
        for record in matches.of(refs):
            pair = (record.first, record.second)
            said = decided.pop(pair, None)
            record = replace(record, decision=said)
            if inside.issuperset(pair) and (record.is_edge or said):
                verdict, similarity = record.verdict, record.similarity
                yield GroupEdge(pair[0].id, pair[1].id, verdict, similarity, said)
        for pair, said in decided.items():
            if said and inside.issuperset(pair):
                yield GroupEdge(pair[0].id, pair[1].id, None, None, said)

    def _spreads(self, store: GroupStore, field: str) -> Iterator[GroupLine]:
        page = store.page(limit=_AT_ONCE)
        while True:
            yield from self._with_spread(page.records, field)
            if page.next is None:
                return
            page = store.page(limit=_AT_ONCE, after=page.next)

    def _with_spread(self, records: Sequence[GroupRecord], field: str) -> Iterator[GroupLine]:
        """Lines with how many values of a field the members have."""
        reader = self.session.reader(self.index)
        members = reader.members([record.id for record in records])
        group_of = {ref: group for group, refs in members.items() for ref in refs}
        values: dict[str, set[str]] = {}
        for stored in reader.each(sorted(group_of)):
            found = (str(value) for value in values_at(stored.body, field) if value is not None)
            values.setdefault(group_of[stored.ref], set()).update(found)
        for record in records:
            yield replace(_line(record), spread=len(values.get(record.id, ())))


def _line(record: GroupRecord) -> GroupLine:
    canonical = record.canonical.id if record.canonical else ""
    return GroupLine(record.id, canonical, record.size, record.made, record.changed)


def _why(record: GroupRecord | None, grouping: Grouping, document: Stored | None, size: int) -> str:
    """Why the canonical member is that."""
    if size == 1:
        return "it is alone"
    if record is None:
        return "not grouped since it was written"
    if record.by_hand is not None and record.by_hand == record.canonical:
        return "chosen by hand"
    if grouping.policy is Policy.LONGEST:
        return "the longest of those that are similar to all others"
    if grouping.policy is Policy.FIRST:
        return "the first seen of those that are similar to all others"
    values = values_at(document.body, grouping.field) if document else ()
    shown = ", ".join(str(value) for value in values if value is not None) or "none has one"
    what = "the earliest" if grouping.policy is Policy.EARLIEST else "the first authority"
    return f"{what} by {grouping.field} ({shown}) of those that are similar to all others"


def _moment(milliseconds: int) -> str:
    return moment(datetime.fromtimestamp(milliseconds / 1_000, UTC))
