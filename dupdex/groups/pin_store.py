"""Pins: documents that people put together, or apart, whatever their texts say."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from indexer.model import Ref
from indexer.stores.collection_store import CollectionStore, Equals, scan
from mappings.errors import StoreRefused
from mappings.records import key_of, parts_of_key


@dataclass(frozen=True, slots=True)
class Pin:
    """Where a document is pinned, and who said so when, and why."""

    place: str
    at: str
    by: str = ""
    why: str = ""

    def values(self) -> dict[str, Any]:
        """As the collection PINS holds it."""
        said = {"by": self.by, "why": self.why}
        return {"place": self.place, "at": self.at, **{k: v for k, v in said.items() if v}}

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> Self:
        """The pin that a collection holds."""
        return cls(values["place"], values["at"], values.get("by", ""), values.get("why", ""))


class PinStore:
    """The pins of an index, in its collection PINS: those of one place are one group."""

    def __init__(self, store: CollectionStore) -> None:
        self._store = store

    def any(self) -> bool:
        """Whether anything is pinned, as of the last refresh: pins are refreshed when made."""
        return self._store.count() > 0

    def of(self, refs: Iterable[Ref]) -> dict[Ref, str]:
        """The places of documents; those that are not pinned are left out."""
        return {ref: pin.place for ref, pin in self.pins(refs).items()}

    def pins(self, refs: Iterable[Ref]) -> dict[Ref, Pin]:
        """The pins of documents, whole; those that are not pinned are left out."""
        keys = {key_of(ref.index, ref.id): ref for ref in refs}
        items = self._store.get_all(keys)
        return {keys[name]: Pin.from_values(item.values) for name, item in items.items()}

    def in_places(self, places: Sequence[str]) -> dict[Ref, str]:
        """The documents that are pinned to places."""
        items = scan(self._store, [Equals("place", tuple(places))]) if places else ()
        return {Ref(*parts_of_key(item.id)): str(item.values["place"]) for item in items}

    def everything(self) -> dict[Ref, str]:
        """Every pinned document with its place."""
        items = scan(self._store)
        return {Ref(*parts_of_key(item.id)): str(item.values["place"]) for item in items}

    def put(self, pins: Mapping[Ref, Pin]) -> None:
        """Pin documents, wherever they were pinned before."""
        items = ((key_of(ref.index, ref.id), pin.values()) for ref, pin in pins.items())
        for outcome in self._store.put_all(items):
            if outcome.reason:
                raise StoreRefused(f"{outcome.id!r} cannot be pinned: {outcome.reason}")
        self._store.refresh()

    def remove(self, refs: Iterable[Ref]) -> None:
        """Take pins out, if they are there."""
        self._store.delete_all(key_of(ref.index, ref.id) for ref in refs)
        self._store.refresh()


def new_place() -> str:
    """A name that no place has."""
    return uuid.uuid4().hex
