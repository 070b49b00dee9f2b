"""From a correction to what undoes it: pins, ids of groups and canonical members as they were."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from dupdex.groups.assign import Correcting, Grouper
from dupdex.groups.correction_store import Correction, CorrectionKind
from dupdex.groups.group_store import GroupRecord, GroupStore
from dupdex.groups.group_views import GroupViews
from indexer.model import Ref
from mappings.errors import InputRefused


def undoing(correction: Correction, views: GroupViews, grouper: Grouper) -> Correcting:
    """The documents that are concerned, and what brings back what was before.

    Raises InputRefused when documents were pinned elsewhere since.
    """
    if correction.chosen is not None:
        return _choice(correction, correction.chosen, views, grouper.groups)
    reader = views.session.reader(views.index)
    standings = reader.standings(list(correction.documents))  # deleted ones have none
    places = grouper.pins.of(standings)
    concerned = _concerned(correction, standings, places)
    restored, others = _records(correction, grouper.groups)
    groups = {
        ref: correction.documents[ref].group
        for ref in standings
        if correction.documents[ref].group in restored
    }

    def change() -> None:
        grouper.groups.put([*restored.values(), *others])
        grouper.set_groups(groups)
        _pins(correction, grouper, concerned)

    return list(standings), change


def _concerned(
    correction: Correction, standings: Iterable[Ref], places: Mapping[Ref, str]
) -> list[Ref]:
    """The documents whose pins are put back: those that were released, or those that a merge or
    split pinned; whatever was released since that stays so. Some are where they were before when
    a release, or the undoing of one, was interrupted: groups go on showing it."""
    documents = correction.documents
    releases = correction.kind is CorrectionKind.RELEASE
    refs = [ref for ref in standings if not documents[ref].place] if releases else list(places)
    for ref in refs:
        expected, before = {documents[ref].place}, documents[ref].before
        if releases and before is not None:
            expected.add(before.place)
        if places.get(ref, "") not in expected:
            raise InputRefused(
                f"document {ref.id!r} was corrected again since; undo that first: 'dupdex groups "
                f"undo {ref.id}'"
            )
    return refs


def _records(
    correction: Correction, store: GroupStore
) -> tuple[dict[str, GroupRecord], list[GroupRecord]]:
    """Records of groups that are no more, by id, and those of the others as they should be. What
    such a record says of its members is put right when they are grouped anew."""
    present = store.named([record.id for record in correction.groups])
    restored: dict[str, GroupRecord] = {}
    kept: list[tuple[GroupRecord, GroupRecord]] = []
    for before in correction.groups:
        record = present.get(before.id)
        if record is None or record.merged_into is not None:
            restored[before.id] = replace(before, complete=False)
        else:
            kept.append((before, record))
    others = [
        replace(
            record,
            canonical=before.canonical,  # the policy keeps it among equals
            by_hand=before.by_hand,
            merged=tuple(name for name in record.merged if name not in restored),
            complete=False,
        )
        for before, record in kept
    ]
    return restored, others


def _pins(correction: Correction, grouper: Grouper, refs: Iterable[Ref]) -> None:
    """Pin documents where they were pinned before."""
    before = {ref: correction.documents[ref].before for ref in refs}
    grouper.pins.remove([ref for ref, pin in before.items() if pin is None])
    grouper.pins.put({ref: pin for ref, pin in before.items() if pin is not None})


def _choice(
    correction: Correction, chosen: Ref, views: GroupViews, store: GroupStore
) -> tuple[list[Ref], Callable[[], None]]:
    reader = views.session.reader(views.index)
    group = reader.standings([chosen])[chosen].group
    record = store.named([group])[group]
    before = correction.groups[0]
    earlier = replace(record, canonical=before.canonical, by_hand=before.by_hand, complete=False)
    return [chosen], lambda: store.put([earlier])
