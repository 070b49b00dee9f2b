"""Records of groups: those of two and more, and those that merged into others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Final, Self

from indexer.model import Ref
from indexer.stores.collection_store import (
    Between,
    CollectionStore,
    Cursor,
    Equals,
    Query,
    scan,
)
from mappings.collections import moment
from mappings.errors import StoreRefused
from mappings.records import key_of, parts_of_key

_AT_ONCE: Final = 500
_YES: Final = "yes"


@dataclass(frozen=True, slots=True)
class GroupRecord:
    """What is kept of a group. `made` and `changed`: see `mappings.collections.moment`; `by_hand`:
    the canonical member that somebody chose; `merged`: ids of groups that it took in; `complete`:
    all members are similar to each other, and to no other document.
    """

    id: str
    canonical: Ref | None
    size: int
    made: str
    changed: str
    merged_into: str | None = None
    by_hand: Ref | None = None
    merged: tuple[str, ...] = ()
    complete: bool = False

    @property
    def made_at(self) -> int:
        """In milliseconds since 1970."""
        return round(datetime.fromisoformat(self.made).timestamp() * 1_000)

    def same_as(self, other: GroupRecord | None) -> bool:
        """Whether both say the same of the group, whenever that was written."""
        return other is not None and replace(self, changed="") == replace(other, changed="")

    def into(self, group: str, now: str) -> Self:
        """The record once the group has merged into another one."""
        return replace(
            self,
            canonical=None,
            size=0,
            changed=now,
            merged_into=group,
            by_hand=None,
            merged=(),
            complete=False,
        )

    def values(self) -> dict[str, Any]:
        """As the collection GROUPS holds it."""
        return {
            "canonical": _key(self.canonical) or "",
            "size": self.size,
            "made": self.made,
            "changed": self.changed,
            "merged_into": self.merged_into,
            "by_hand": _key(self.by_hand),
            "merged": list(self.merged) or None,
            "complete": _YES if self.complete else None,
        }

    @classmethod
    def from_values(cls, name: str, values: Mapping[str, Any]) -> Self:
        """The record that a collection holds."""
        return cls(
            name,
            _ref(values["canonical"]),
            values["size"],
            values["made"],
            values["changed"],
            values.get("merged_into"),
            _ref(values.get("by_hand")),
            tuple(values.get("merged", ())),
            values.get("complete") == _YES,
        )


@dataclass(frozen=True, slots=True)
class GroupPage:
    """Records in order; `next`: after what the next page begins, None on the last one."""

    records: tuple[GroupRecord, ...]
    next: Cursor | None


class GroupStore:
    """The records of an index, in its collection GROUPS."""

    def __init__(self, store: CollectionStore) -> None:
        self._store = store

    def named(self, names: Iterable[str]) -> dict[str, GroupRecord]:
        """The records of these ids, as of now; the others are left out."""
        items = self._store.get_all(names)
        return {name: GroupRecord.from_values(name, item.values) for name, item in items.items()}

    def resolved(self, name: str) -> str:
        """The id of the group that one of this id has become part of, by however many steps."""
        seen: set[str] = set()
        while name not in seen:
            seen.add(name)
            record = self.named([name]).get(name)
            if record is None or record.merged_into is None:
                break
            name = record.merged_into
        return name

    def of_canonical(self, refs: Sequence[Ref]) -> list[GroupRecord]:
        """The groups whose canonical member is one of the documents, as of now."""
        return self._scan("canonical", [key_of(ref.index, ref.id) for ref in refs])

    def merged_into(self, names: Sequence[str]) -> list[GroupRecord]:
        """The groups that have merged into one of these in one step, as of now."""
        return self._scan("merged_into", names)

    def everything(self) -> dict[str, GroupRecord]:
        """All records there are, as of now."""
        self._store.refresh()
        return {
            item.id: GroupRecord.from_values(item.id, item.values) for item in scan(self._store)
        }

    def put(self, records: Iterable[GroupRecord]) -> None:
        """Store records. Raises StoreRefused for one that cannot be kept."""
        for outcome in self._store.put_all((record.id, record.values()) for record in records):
            if outcome.reason:
                raise StoreRefused(f"group {outcome.id!r} cannot be kept: {outcome.reason}")

    def delete(self, names: Iterable[str]) -> None:
        """Remove records, if they are there."""
        self._store.delete_all(names)

    def page(self, sort: str = "size", limit: int = 100, after: Cursor | None = None) -> GroupPage:
        """Groups of two and more: the largest first, or by `made` or `changed` the latest."""
        query = Query((Between("size", 1),), sort, True, limit, after)
        page = self._store.query(query)
        records = (GroupRecord.from_values(item.id, item.values) for item in page.items)
        return GroupPage(tuple(records), page.next)

    def count(self) -> int:
        """How many groups of two and more there are, as of the last refresh."""
        return self._store.count([Between("size", 1)])

    def refresh(self) -> None:
        """Make everything written so far visible to pages and counts."""
        self._store.refresh()

    def _scan(self, attribute: str, values: Sequence[str]) -> list[GroupRecord]:
        if not values:
            return []
        self._store.refresh()
        found: list[GroupRecord] = []
        for start in range(0, len(values), _AT_ONCE):
            part = Equals(attribute, tuple(values[start : start + _AT_ONCE]))
            items = scan(self._store, [part])
            found += [GroupRecord.from_values(item.id, item.values) for item in items]
        return found


def now() -> str:
    """The time as records hold it."""
    return moment(datetime.now(UTC))


def _key(ref: Ref | None) -> str | None:
    return None if ref is None else key_of(ref.index, ref.id)


def _ref(key: str | None) -> Ref | None:
    return Ref(*parts_of_key(key)) if key else None
