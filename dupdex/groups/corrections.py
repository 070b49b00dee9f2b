"""What people correct in groups: they stay together, or apart, whatever texts come later."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dupdex.groups.assign import Grouper
from dupdex.groups.group_views import GroupViews
from dupdex.groups.pin_store import new_place
from indexer.model import Ref
from mappings.errors import InputRefused


@dataclass(frozen=True, slots=True)
class Corrections:
    """Corrects the groups of an index; `by` and `why` are kept with what is pinned."""

    views: GroupViews
    grouper: Grouper
    by: str = ""
    why: str = ""

    def merge(self, first: str, second: str) -> str:
        """Put all documents of two groups together; returns the id that the group has.

        Raises NotFound for no such group, InputRefused for a group and itself.
        """
        refs: list[Ref] = []

        def places() -> Mapping[Ref, str]:
            groups = [self.views.resolved(first), self.views.resolved(second)]
            if groups[0] == groups[1]:
                raise InputRefused(f"{first!r} and {second!r} are one group already, {groups[0]!r}")
            refs.extend(ref for group in groups for ref in self.views.members(group))
            return dict.fromkeys(refs, new_place())

        self.grouper.pin(places, self.by, self.why)
        return self._group_of(refs[0])

    def split(self, group: str, ids: Sequence[str]) -> str:
        """Put documents of a group into one of their own, and keep the others apart from it;
        returns the id of the new group.

        Raises NotFound for no such group, InputRefused for documents that are not in it, and when
        none or all are named.
        """
        leaving: list[Ref] = []

        def places() -> Mapping[Ref, str]:
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
            return dict.fromkeys(leaving, new_place()) | dict.fromkeys(staying, new_place())

        self.grouper.pin(places, self.by, self.why)
        return self._group_of(leaving[0])

    def release(self, group: str) -> int:
        """Take back what was corrected: the documents of a group go where their texts belong.
        Returns how many documents were pinned.
        """
        return self.grouper.unpin(lambda: self.views.members(self.views.resolved(group)))

    def canonical(self, document: str) -> str:
        """Make a document the canonical one of its group; returns the id of the group.

        Raises NotFound for no such document, InputRefused for one that is alone.
        """
        return self.grouper.choose_by_hand(document)

    def _group_of(self, ref: Ref) -> str:
        reader = self.views.session.reader(self.views.index)
        return reader.standings([ref])[ref].group
