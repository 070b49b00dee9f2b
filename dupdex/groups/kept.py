"""The groups of an open index: how programs show, correct and bring them up to date."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from itertools import islice

from dupdex.groups.assign import Grouper
from dupdex.groups.corrections import Corrections
from dupdex.groups.group_views import GroupViews
from dupdex.groups.live import AT_ONCE, grouped
from dupdex.matches.match_store import MatchStore
from dupdex.session import Session
from indexer.model import Outcome, Ref
from indexer.stores import StoreWriter
from mappings.errors import InputRefused
from mappings.records import GROUPS


def are_kept(session: Session, index: str | None) -> bool:
    """Whether documents are in groups: from when they are written, or since a sweep."""
    grouping = session.reader(index).meta.grouping
    return grouping is not None or session.stored_collection(GROUPS, index) is not None


class KeptGroups:
    """What an `Index` does with groups. `writer` gives its writer, or says why there is none."""

    def __init__(
        self, session: Session, index: str | None, writer: Callable[[], StoreWriter]
    ) -> None:
        self._session, self._index, self._writer = session, index, writer
        self._grouper: Grouper | None = None

    def views(self) -> GroupViews:
        """What shows groups."""
        return GroupViews(self._session, self._index)

    def corrections(self, by: str = "", why: str = "") -> Corrections:
        """What merges and splits groups by hand; who did it, and why, is kept."""
        return Corrections(self.views(), self.grouper(), by, why)

    def grouper(self) -> Grouper:
        """What puts documents into groups."""
        writer = self._writer()
        if self._grouper is None:
            self._grouper = Grouper(self._session, writer, self._index)
        return self._grouper

    def written(self, outcomes: Iterator[Outcome]) -> Iterator[Outcome]:
        """The outcomes of a writer; where groups are live, each once its document is grouped."""
        grouping = self._writer().meta.grouping
        if grouping is None or not grouping.live:
            return outcomes
        return grouped(outcomes, self.grouper().assign)

    def delete(self, ids: Sequence[str]) -> list[str]:
        """Remove documents, from their groups as well; returns the ids that were there."""
        writer = self._writer()
        return writer.delete(ids) if writer.meta.grouping is None else self.grouper().delete(ids)

    def around(self, refs: Sequence[Ref]) -> list[Ref]:
        """The documents whose groups may be others once these are gone: those of their groups, and
        those that they are paired with; none where the index keeps no groups."""
        reader = self._session.reader(self._index)
        if reader.meta.grouping is None:
            return []
        names = sorted({standing.group for standing in reader.standings(refs).values()})
        found = {ref for members in reader.members(names).values() for ref in members}
        matches = MatchStore.stored(self._session, self._index)
        if matches is not None:
            matches.refresh()
            found |= {ref for pair in matches.of(refs) for ref in (pair.first, pair.second)}
            decided = matches.decisions_of(refs)
            found |= {ref for pair in decided for ref in (pair.first, pair.second)}
        return sorted(found - set(refs))

    def affected(self, refs: Sequence[Ref]) -> None:
        """Group documents anew about which something else was said, where the index keeps groups;
        it need not be open for writing."""
        if not refs or self._session.reader(self._index).meta.grouping is None:
            return
        try:
            grouper = self.grouper()
        except InputRefused:
            with closing(self._session.writer(self._index)) as writer:
                Grouper(self._session, writer, self._index).assign(refs)
        else:
            grouper.assign(refs)

    def bring_up_to_date(self, progress: Callable[[int], None]) -> None:
        """Group every document. Raises InputRefused for an index that keeps no groups."""
        writer, grouper = self._writer(), self.grouper()
        if writer.meta.grouping is None:
            raise InputRefused("the index keeps no groups; give Index.create(..., grouping=...)")
        writer.refresh()
        refs = (ref for ref, _ in self._session.reader(self._index).all_standings())
        while batch := list(islice(refs, AT_ONCE)):
            grouper.assign(batch)
            progress(len(batch))
