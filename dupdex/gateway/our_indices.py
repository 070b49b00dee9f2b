"""Which names in requests stand for indices that dupdex answers from."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from dupdex.index import Index
from dupdex.session import Session
from indexer.stores.elastic.client import translated
from indexer.stores.elastic.record_homes import home_of, index_of
from mappings.contract import OBJECT_FIELD
from mappings.errors import IndexBlocked, InputRefused, NotFound, StoreRefused

LOOK_AGAIN: Final = 1.0
"""Seconds after which a name that stood for no index of ours is looked at again; `dupdex attach`
waits for that before it looks for the last time (SEEN_SECONDS)."""

_MOST_FOREIGN: Final = 10_000

HOMES: Final = 1.0
"""Seconds after which the name is looked up again that the records of an index lie beside."""


@dataclass(frozen=True, slots=True)
class _Foreign:
    until: float


class OurIndices:
    """Opens the indices of a session once each, for reading and for writing. Threads share it.

    The methods ask the store, and so belong on a thread of `Services.blocking`.
    """

    def __init__(self, session: Session, clock: Callable[[], float] = time.monotonic) -> None:
        self.session = session
        self._clock = clock
        self._open: dict[str, Index] = {}
        self._writable: dict[str, Index] = {}
        self._foreign: dict[str, _Foreign] = {}
        self._homes: dict[tuple[str, bool], tuple[float, str]] = {}
        self._turn = threading.RLock()

    def get(self, name: str) -> Index | None:
        """The index, alias or data stream of this name, for reading; None when there is none, or
        it has no meta of dupdex. Raises PlanMismatch for one that cannot answer now, IndexBlocked
        for one of ours whose meta is not to be read."""
        with self._turn:
            foreign = self._foreign.get(name)
            if foreign is not None and foreign.until > self._clock():
                return None
            try:
                # Asked anew: a reader that may not go on any more is opened again by the session.
                self.session.reader(name)
                at = self._named(name, for_writing=False)
                if at not in self._open:
                    self._open[at] = Index.open(self.session, index=at)
            except (NotFound, StoreRefused, InputRefused) as error:
                # Its meta cannot be read. To take it for a foreign one would pass on documents
                # without fingerprint.
                if isinstance(error, IndexBlocked) and self._has_object(name):
                    raise
                self._forget(name)
                return None
            return self._open[at]

    def named(self, name: str) -> Index:
        """The same; raises NotFound where `get` gives None."""
        index = self.get(name)
        if index is None:
            raise NotFound(
                f"no index {name!r} that dupdex answers from; write documents with 'dupdex index', "
                f"or run 'dupdex attach {name}'"
            )
        return index

    def for_writing(self, name: str) -> Index:
        """The index of this name, open for writing. Raises NotFound as `named` does."""
        with self._turn:
            self.named(name)
            home = self._named(name, for_writing=True)
            if home not in self._writable:
                self._writable[home] = Index.create(self.session, index=home)
            return self._writable[home]

    def home(self, name: str) -> str:
        """The name of ours that groups, pairs and leases are kept beside, for writes by `name`."""
        with self._turn:
            return self._named(name, for_writing=True)

    def made(self, name: str) -> None:
        """An index of this name was made, attached or detached just now."""
        with self._turn:
            self._foreign.pop(name, None)

    def close(self) -> None:
        with self._turn:
            for index in (*self._open.values(), *self._writable.values()):
                index.close()

    def _named(self, name: str, for_writing: bool) -> str:
        if not self.session.location.is_server:
            return name
        until, known = self._homes.get((name, for_writing), (0.0, name))
        if until > self._clock():
            return known
        find = home_of if for_writing else index_of
        found = find(*self.session.connection(name))
        if len(self._homes) >= _MOST_FOREIGN:
            self._homes.clear()
        self._homes[name, for_writing] = (self._clock() + HOMES, found)
        return found

    def _has_object(self, name: str) -> bool:
        """Whether an index has fields of ours, which a metadata block does not hide."""
        client, settings = self.session.connection(name)
        with translated("read its fields", settings):
            found = client.field_caps(index=name, fields=f"{OBJECT_FIELD}.*", filters="-parent")
        return bool(found["fields"])

    def _forget(self, name: str) -> None:
        for known in (self._open, self._writable):
            if index := known.pop(name, None):
                index.close()
        if len(self._foreign) >= _MOST_FOREIGN:
            self._foreign.clear()
        self._foreign[name] = _Foreign(self._clock() + LOOK_AGAIN)
