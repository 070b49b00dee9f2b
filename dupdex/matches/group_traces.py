"""Groups without any trace of a document: one under its id gets another, and records that name it
as their canonical member, or among groups that merged, do so no longer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain, count
from typing import Any

from dupdex.matches.match_record import key
from indexer.model import Ref
from indexer.stores import StoreWriter
from indexer.stores.collection_store import CollectionStore, Item, scan
from query.stores import StoreReader


@dataclass(frozen=True, slots=True)
class GroupTraces:
    """The records of groups of one index, and its documents' groups. The caller holds the lease for
    grouping; the document itself is gone."""

    groups: CollectionStore
    reader: StoreReader
    writer: StoreWriter

    def removed(self, refs: list[Ref], is_trace: Callable[[str], bool]) -> dict[str, str]:
        """Remove all that `is_trace` finds; what was done to each record or group, by its id."""
        self.groups.refresh()
        items = {
            item.id: item
            for item in scan(self.groups)
            if any(map(is_trace, strings_in([item.id, item.values])))
        }
        done: dict[str, str] = {}
        named = {name for name in items if is_trace(name)} | {ref.id for ref in refs}
        renamed = {name: self._renamed(name) for name in sorted(named)}
        keys = set(map(key, refs))
        for name, item in items.items():
            values = self._cleaned(item, keys, renamed)
            target = renamed.get(name, name)
            if target == name and values == item.values:
                continue
            if target is None or values is None:
                done[name] = "removed"
            else:
                self.groups.put(target, values)
                done[name] = f"is {target} now" if target != name else "cleaned"
            if target != name or values is None:
                self.groups.delete(name)
        for name, target in renamed.items():
            if target is not None:
                done.setdefault(name, f"is {target} now")
        self.groups.refresh()
        return done

    def _renamed(self, name: str) -> str | None:
        """The new id of the group of an id, in which its members are from now on; None when there
        are none: then nobody needs the id."""
        members = self.reader.members([name]).get(name, ())
        if not members:
            return None
        new = self._free(members)
        self.writer.set_groups(dict.fromkeys(members, new))
        self.writer.refresh()
        return new

    def _free(self, members: tuple[Ref, ...]) -> str:
        """The id of a member that no group has; else one made from the first member's."""
        numbered = (f"{members[0].id}~{number}" for number in count(2))
        names = chain((ref.id for ref in members), numbered)
        return next(name for name in names if self._is_free(name))

    def _is_free(self, name: str) -> bool:
        return self.groups.get(name) is None and not self.reader.members([name])[name]

    def _cleaned(
        self, item: Item, keys: set[str], renamed: dict[str, str | None]
    ) -> dict[str, Any] | None:
        """The record without the document; None for one of a group that nobody is in any more."""
        values = dict(item.values)
        if values.get("by_hand") in keys:
            del values["by_hand"]
        if values.get("canonical") in keys:
            name = renamed.get(item.id, item.id)
            members = self.reader.members([name])[name] if name else ()
            if not members:
                return None
            values |= {"canonical": key(members[0]), "size": len(members)}
        into = values.get("merged_into")
        if into in renamed:
            if renamed[into] is None:
                return None
            values["merged_into"] = renamed[into]
        if merged := [each for each in values.get("merged", ()) if each not in renamed]:
            values["merged"] = merged
        else:
            values.pop("merged", None)
        return values


def strings_in(value: Any) -> Iterator[str]:
    """Every string in a JSON value, names of entries included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, item in value.items():
            yield name
            yield from strings_in(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from strings_in(item)
