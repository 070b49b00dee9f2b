"""Leases: one owner at a time for what several programs must not do at once, until it lapses.

The clocks of the programs that share a store may differ by a part of a lease's length, no more.
"""

from __future__ import annotations

import os
import random
import socket
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from indexer.stores.collection_store import CollectionStore, Item
from mappings.collections import moment
from mappings.errors import StoreUnavailable

SECONDS: Final = 30.0
"""How long a lease lasts that is not renewed: as long others wait for an owner that was killed."""

_PAUSES: Final = (0.005, 0.05)
"""Between two looks at a lease that has an owner, the first and the longest, in seconds."""


class LeaseLost(StoreUnavailable):
    """The lease lapsed before the work was done, and may have another owner by now."""


class Lease:
    """A lease that is held. `unsettled`: what an owner before left unfinished, None if nothing."""

    def __init__(
        self, store: CollectionStore, name: str, seconds: float, version: str, unsettled: Any
    ) -> None:
        self._store, self._name, self._seconds = store, name, seconds
        self._version, self._until = version, time.monotonic() + seconds
        self.unsettled = unsettled

    def renew(self, unsettled: Any = None) -> None:
        """Hold it for its whole length again, and say what is under way from now on.

        Raises LeaseLost when it is another's by now.
        """
        values = _values(self._seconds, unsettled)
        version = self._store.update(self._name, values, self._version)
        if version is None:
            raise LeaseLost(f"another program took over {self._name!r}; run the same command again")
        self._version, self._until = version, time.monotonic() + self._seconds
        self.unsettled = unsettled

    def check(self) -> None:
        """Before a step that only the owner may take: renew in good time.

        Raises LeaseLost as `renew` does."""
        if self._until - time.monotonic() < self._seconds / 2:
            self.renew(self.unsettled)

    def give_back(self) -> None:
        """Let others have it; what is unsettled is kept for them."""
        if self.unsettled is None:
            self._store.delete(self._name, self._version)
            return
        self._store.update(self._name, _values(0.0, self.unsettled), self._version)


@contextmanager
def leased(
    store: CollectionStore, name: str, seconds: float = SECONDS, wait: float = 120.0
) -> Iterator[Lease]:
    """Hold a lease while the block runs; it waits up to `wait` seconds for another owner.

    Raises StoreUnavailable, naming the owner, when it is not free by then.
    """
    lease = _taken(store, name, seconds, time.monotonic() + wait)
    try:
        yield lease
    finally:
        lease.give_back()


def _taken(store: CollectionStore, name: str, seconds: float, until: float) -> Lease:
    pause, longest = _PAUSES
    item: Item | None = None
    while True:
        if item is None:  # as is mostly the case
            version = store.create(name, _values(seconds, None))
            if version is not None:
                return Lease(store, name, seconds, version, None)
        elif item.values["until"] <= moment(datetime.now(UTC)):
            unsettled = item.values.get("unsettled")
            version = store.update(name, _values(seconds, unsettled), item.version)
            if version is not None:
                return Lease(store, name, seconds, version, unsettled)
        elif time.monotonic() > until:
            raise StoreUnavailable(
                f"{name!r} is under way elsewhere ({item.values['owner']}); wait until it is done, "
                "or, if that program is gone, try again in a minute"
            )
        item = store.get(name)
        if item is not None and item.values["until"] > moment(datetime.now(UTC)):
            time.sleep(pause * random.uniform(0.5, 1.0))
            pause = min(1.5 * pause, longest)


def _values(seconds: float, unsettled: Any) -> dict[str, Any]:
    until = moment(datetime.now(UTC) + timedelta(seconds=seconds))
    return {"owner": _OWNER, "until": until, "unsettled": unsettled}


_OWNER: Final = f"{socket.gethostname()}:{os.getpid()}:{uuid.uuid4().hex[:8]}"[:200]
