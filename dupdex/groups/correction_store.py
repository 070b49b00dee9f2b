"""Corrections with what was before them, so that they can be undone."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, Self

from dupdex.groups.group_store import GroupRecord
from dupdex.groups.pin_store import Pin
from indexer.model import Ref
from indexer.stores.collection_store import (
    CollectionStore,
    Condition,
    EitherEquals,
    Equals,
    Query,
)
from mappings.records import key_of, parts_of_key

_PLACES: Final = ("first_place", "second_place")


class CorrectionKind(StrEnum):
    """What people did to groups."""

    MERGE = "merge"
    SPLIT = "split"
    CANONICAL = "canonical"
    RELEASE = "release"


@dataclass(frozen=True, slots=True)
class Pinned:
    """Where a correction pinned a document, or left it ("" for nowhere); the group and the pin that
    it had before."""

    place: str
    group: str
    before: Pin | None


@dataclass(frozen=True, slots=True)
class Correction:
    """What somebody corrected. `documents`: those that were pinned, or released and beside these;
    `groups`: the records of groups of two and more as they were; `chosen`: the document that became
    canonical; `shown`: ids of groups, two at most, that show a release.
    """

    kind: CorrectionKind
    at: str
    by: str = ""
    why: str = ""
    documents: Mapping[Ref, Pinned] = field(default_factory=dict)
    groups: tuple[GroupRecord, ...] = ()
    chosen: Ref | None = None
    shown: tuple[str, ...] = ()
    id: str = field(default_factory=lambda: uuid.uuid4().hex)

    def values(self) -> dict[str, Any]:
        """As the collection CORRECTIONS holds it."""
        places: Sequence[str] = self.shown
        if self.kind is not CorrectionKind.RELEASE:
            places = sorted({each.place for each in self.documents.values()})
        documents = {
            key_of(ref.index, ref.id): [
                each.place, each.group, each.before.values() if each.before else None
            ]
            for ref, each in self.documents.items()
        }  # fmt: skip
        groups = {
            record.id: {k: v for k, v in record.values().items() if v is not None}
            for record in self.groups
        }
        return {
            "kind": self.kind.value,
            **dict(zip(_PLACES, places, strict=False)),
            "chosen": key_of(self.chosen.index, self.chosen.id) if self.chosen else None,
            "by": self.by or None,
            "why": self.why or None,
            "at": self.at,
            "documents": documents,
            "groups": groups,
        }

    @classmethod
    def from_values(cls, name: str, values: Mapping[str, Any]) -> Self:
        """The correction that a collection holds."""
        kind = CorrectionKind(values["kind"])
        places = tuple(values[each] for each in _PLACES if values.get(each))
        return cls(
            kind,
            values["at"],
            values.get("by", ""),
            values.get("why", ""),
            {
                Ref(*parts_of_key(key)): Pinned(
                    place, group, None if before is None else Pin.from_values(before)
                )
                for key, (place, group, before) in values["documents"].items()
            },
            tuple(GroupRecord.from_values(*each) for each in values["groups"].items()),
            Ref(*parts_of_key(values["chosen"])) if values.get("chosen") else None,
            places if kind is CorrectionKind.RELEASE else (),
            name,
        )


class CorrectionStore:
    """The corrections of an index that can be undone, in its collection CORRECTIONS."""

    def __init__(self, store: CollectionStore) -> None:
        self._store = store

    def put(self, correction: Correction) -> str:
        """Keep a correction; returns the version of the item."""
        version = self._store.put(correction.id, correction.values())
        self._store.refresh()
        return version

    def update(self, correction: Correction, version: str) -> None:
        """Keep it as it is now, if its item still has this version: one that was undone or
        forgotten meanwhile does not come back."""
        self._store.update(correction.id, correction.values(), version)
        self._store.refresh()

    def remove(self, correction: Correction) -> None:
        """Forget a correction, once it is undone."""
        self._store.delete(correction.id)
        self._store.refresh()

    def last(self, places: Collection[str], chosen: Ref | None) -> Correction | None:
        """The latest correction that pinned documents to one of these places, that is a release
        and shown by a group of one of these ids, or that made this document canonical."""
        conditions: list[Condition] = []
        if places:
            conditions.append(EitherEquals(_PLACES, tuple(sorted(places))))
        if chosen is not None:
            conditions.append(Equals("chosen", (key_of(chosen.index, chosen.id),)))
        found = [
            Correction.from_values(item.id, item.values)
            for condition in conditions
            for item in self._store.query(Query((condition,), "at", True, 1)).items
        ]
        return max(found, key=lambda each: each.at, default=None)
