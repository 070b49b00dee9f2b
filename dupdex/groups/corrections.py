"""What people correct in groups: they stay together, or apart, whatever texts come later."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from dupdex.groups.assign import Correcting, Grouper
from dupdex.groups.correction_store import Correction, CorrectionKind, CorrectionStore, Pinned
from dupdex.groups.group_store import GroupRecord, now
from dupdex.groups.group_views import GroupViews
from dupdex.groups.pin_store import Pin, new_place
from dupdex.groups.undoing import undoing
from indexer.model import Ref
from mappings.errors import DupdexError, InputRefused, NotFound
from mappings.records import CORRECTIONS


@dataclass(frozen=True, slots=True)
class Corrections:
    """Corrects the groups of an index; `by` and `why` are kept with what is corrected."""

    views: GroupViews
    grouper: Grouper
    by: str = ""
    why: str = ""

    def merge(self, first: str, second: str) -> str:
        """Put all documents of two groups together; returns the id that the group has.

        Raises NotFound for no such group, InputRefused for a group and itself.
        """
        refs: list[Ref] = []

        def prepare() -> Correcting:
            groups = [self.views.resolved(first), self.views.resolved(second)]
            if groups[0] == groups[1]:
                raise InputRefused(f"{first!r} and {second!r} are one group already, {groups[0]!r}")
            refs.extend(ref for group in groups for ref in self.views.members(group))
            return self._pinning(CorrectionKind.MERGE, dict.fromkeys(refs, new_place()))

        self.grouper.correct(prepare)
        return self._group_of(refs[0])

    def split(self, group: str, ids: Sequence[str]) -> str:
        """Put documents of a group into one of their own, and keep the others apart from it;
        returns the id of the new group.

        Raises NotFound for no such group, InputRefused for documents that are not in it, and when
        none or all are named.
        """
        leaving: list[Ref] = []

        def prepare() -> Correcting:
            name = self.views.resolved(group)
            members = self.views.members(name)
            wanted = set(ids)
            if missing := sorted(wanted - {ref.id for ref in members}):
                raise InputRefused(
                    f"document {missing[0]!r} is not in group {name!r}; 'dupdex groups show "
                    f"{name}' lists its members"
                )
            leaving.extend(ref for ref in members if ref.id in wanted)
            staying = [ref for ref in members if ref.id not in wanted]
            if not leaving or not staying:
                raise InputRefused("name some documents of the group, and not all of them")
            places = dict.fromkeys(leaving, new_place()) | dict.fromkeys(staying, new_place())
            return self._pinning(CorrectionKind.SPLIT, places)

        self.grouper.correct(prepare)
        return self._group_of(leaving[0])

    def release(self, group: str) -> int:
        """Take back what was corrected: the documents of a group go where their texts belong.
        Returns how many documents were pinned.
        """
        pinned: dict[Ref, str] = {}
        released: list[tuple[Correction, str]] = []

        def prepare() -> Correcting:
            name = self.views.resolved(group)
            members = self.views.members(name)
            pins = self.grouper.pins
            pinned.update(pins.of(members))
            concerned = {*members, *pins.in_places(sorted(set(pinned.values())))}
            if not pinned:
                return concerned, lambda: None
            made = self._releasing(name, members)

            def change() -> None:
                released.append((made, self._store().put(made)))
                pins.remove(pinned)

            return concerned, change

        self.grouper.correct(prepare)
        for made, version in released:
            with suppress(DupdexError):  # it is done, and the group itself shows it
                self._show_elsewhere(made, version, pinned)
        return len(pinned)

    def canonical(self, document: str) -> str:
        """Make a document the canonical one of its group, whatever the policy says; returns the id
        of the group.

        Raises NotFound for no such document, InputRefused for one that is alone.
        """
        chosen: list[Ref] = []

        def prepare() -> Correcting:
            reader = self.views.session.reader(self.views.index)
            chosen.extend(reader.refs_of([document]).get(document, ())[:1])
            if not chosen:
                raise NotFound(f"no document {document!r} in the index; 'dupdex search' finds ids")
            group = self._group_of(chosen[0])
            record = self.grouper.groups.named([group]).get(group)
            if record is None or record.merged_into is not None:
                raise InputRefused(f"document {document!r} is alone, and stands for itself")
            return self._choosing(chosen[0], record)

        self.grouper.correct(prepare)
        return self._group_of(chosen[0])

    def undo(self, group: str) -> str:
        """Undo the latest merge, split, release or choice of a canonical document that a group
        shows: pins, groups and canonical documents are what they were, and documents that came
        since go where their texts belong. Returns the id of the group that is meant now.

        Raises NotFound for no such group, InputRefused where nothing can be undone, or some of the
        documents have been corrected again.
        """
        undone: list[Correction] = []

        def prepare() -> Correcting:
            last = self.views.last_correction(self.views.resolved(group))
            if last is None:
                raise InputRefused(
                    f"group {group!r} shows no merge, split, choice or release that could be undone"
                )
            undone.append(last)
            concerned, change = undoing(last, self.views, self.grouper)

            def and_forget() -> None:
                change()
                self._store().remove(last)

            return concerned, and_forget

        self.grouper.correct(prepare)
        self.grouper.refresh()
        try:
            return self.views.resolved(group)
        except NotFound:  # the id of a part that is no group any more
            documents = self.views.session.reader(self.views.index).standings(
                list(undone[0].documents)
            )
            return min(documents.values(), key=lambda each: each.indexed).group

    def _pinning(self, kind: CorrectionKind, places: Mapping[Ref, str]) -> Correcting:
        reader, pins = self.views.session.reader(self.views.index), self.grouper.pins
        groups = {ref: each.group for ref, each in reader.standings(list(places)).items()}
        before, at = pins.pins(places), now()
        made = Correction(
            kind,
            at,
            self.by,
            self.why,
            {ref: Pinned(place, groups[ref], before.get(ref)) for ref, place in places.items()},
            tuple(self.grouper.groups.named(sorted(set(groups.values()))).values()),
        )

        def change() -> None:
            self._store().put(made)
            pins.put({ref: Pin(place, at, self.by, self.why) for ref, place in places.items()})

        return list(places), change

    def _releasing(self, group: str, members: Sequence[Ref]) -> Correction:
        """With all groups that released documents may join: those of documents like them."""
        reader, matches = self.views.session.reader(self.views.index), self.grouper.matches
        matches.refresh()
        like = {ref for record in matches.of(members) for ref in (record.first, record.second)}
        names = {each.group for each in reader.standings([*like, *members]).values()}
        groups = reader.members(sorted(names))
        pins = self.grouper.pins.pins([ref for refs in groups.values() for ref in refs])
        leaving = set(members)
        documents = {
            ref: Pinned(
                pins[ref].place if ref in pins and ref not in leaving else "", name, pins.get(ref)
            )
            for name, refs in groups.items()
            for ref in refs
        }
        records = tuple(self.grouper.groups.named(sorted(names)).values())
        return Correction(
            CorrectionKind.RELEASE, now(), self.by, self.why, documents, records, shown=(group,)
        )

    def _show_elsewhere(self, made: Correction, version: str, released: Collection[Ref]) -> None:
        """The group keeps its id, or is part of another one; let a part that left it show the
        release, too, unless that was undone or forgotten since: others may have had a turn."""
        self.grouper.refresh()
        standings = self.views.session.reader(self.views.index).standings(list(released))
        parts = Counter(each.group for each in standings.values())
        del parts[self.grouper.groups.resolved(made.shown[0])]
        for part, _ in parts.most_common(1):
            self._store().update(replace(made, shown=(*made.shown, part)), version)

    def _choosing(self, ref: Ref, record: GroupRecord) -> Correcting:
        made = Correction(
            CorrectionKind.CANONICAL, now(), self.by, self.why, groups=(record,), chosen=ref
        )

        def change() -> None:
            self._store().put(made)
            chosen = replace(record, canonical=ref, by_hand=ref, changed=made.at)
            self.grouper.groups.put([chosen])

        return [ref], change

    def _store(self) -> CorrectionStore:
        return CorrectionStore(self.views.session.collection(CORRECTIONS, self.views.index))

    def _group_of(self, ref: Ref) -> str:
        reader = self.views.session.reader(self.views.index)
        return reader.standings([ref])[ref].group
