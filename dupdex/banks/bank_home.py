"""Where the banks of a store are kept: an index of the texts of entries, with collections."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from threading import RLock
from typing import Any, Final

from dupdex.index import Index
from dupdex.session import Session
from indexer.stores.collection_store import CollectionStore
from mappings.collections import Collection
from mappings.errors import AccessRefused, NotFound, StoreUnavailable

BANK_FIELD: Final = "bank"
"""The field of a stored text that names its bank."""

TEXT_FIELD: Final = "text"

_READY_SECONDS, _PAUSE = 10.0, 0.05

_MAPPINGS: Final[Mapping[str, Any]] = {"properties": {BANK_FIELD: {"type": "keyword"}}}


class BankHome:
    """Opens the index and its collections, once each. Threads may share it."""

    def __init__(
        self,
        session: Session,
        name: str | None = None,
        mappings: Mapping[str, Any] = _MAPPINGS,
    ) -> None:
        """Of the moderation banks, or under the `name` of another index of known texts."""
        self.session, self.name = session, name or session.location.banks
        self._mappings = mappings
        self._stores: dict[str, CollectionStore] = {}
        self._to_read: dict[str, CollectionStore] = {}
        self._turn, self._writing = RLock(), RLock()

    def texts(self) -> Index:
        """The texts of entries, for lookups. Raises NotFound before there are any."""
        return Index.open(self.session, index=self.name)

    @contextmanager
    def writing(self) -> Iterator[Index]:
        """The write side, for as short as possible: a folder has one writer at a time."""
        mappings = self._mappings if self.session.location.is_server else None
        with (
            self._writing,
            Index.create(self.session, mappings=mappings, index=self.name) as texts,
        ):
            yield texts

    def make(self) -> None:
        """Make the index where it is absent."""
        with self._turn:
            try:
                self.session.reader(self.name)
                return
            except NotFound:
                pass
            with self.writing():
                if self.session.location.is_server:
                    from indexer.stores.elastic.our_names import hide  # heavy; folders do without

                    with suppress(AccessRefused):  # a role that may not: it is only seen more
                        hide(*self.session.connection(self.name))

    def collection(self, collection: Collection) -> CollectionStore:
        """A collection beside the texts, made when it is absent; so is the index."""
        with self._turn:
            store = self._stores.get(collection.name)
            if store is None:
                self.make()
                store = _ready(self.session.collection(collection, self.name))
                self._stores[collection.name] = store
            return store

    def stored(self, collection: Collection) -> CollectionStore | None:
        """The same when it is there, only to read; makes nothing."""
        store = self._stores.get(collection.name) or self._to_read.get(collection.name)
        if store is None:
            store = self.session.stored_collection(collection, self.name)
            if store is not None:
                self._to_read[collection.name] = _ready(store)
        return store


def _ready(store: CollectionStore) -> CollectionStore:
    """The collection once it can be queried: one that another program is making now cannot be for
    a moment. Raises StoreUnavailable when that lasts."""
    until = time.monotonic() + _READY_SECONDS
    while True:
        try:
            store.count()
            return store
        except StoreUnavailable:
            if time.monotonic() > until:
                raise
            time.sleep(_PAUSE)
