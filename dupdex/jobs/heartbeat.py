"""Leases for long work: renewed beside it, so that no single step has to be short."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from indexer.stores.collection_store import CollectionStore
from indexer.stores.lease import SECONDS, Lease, LeaseLost, leased
from mappings.errors import StoreUnavailable

WAIT: Final = 1.5 * SECONDS
"""How long another owner is waited for: longer than the lease of one that was killed lasts."""


class Held:
    """A lease that a thread renews. Its owner calls `check` before steps that only it may take."""

    def __init__(self, lease: Lease, seconds: float) -> None:
        self._lease, self._seconds = lease, seconds
        self._lost: LeaseLost | None = None
        self._turn, self._over = threading.Lock(), threading.Event()
        self._thread = threading.Thread(target=self._beat, daemon=True, name="dupdex-lease")
        self._thread.start()

    @property
    def unsettled(self) -> Any:
        """What was noted in the lease last, by this owner or by one before."""
        return self._lease.unsettled

    def note(self, unsettled: Any) -> None:
        """Note something for the next owner. Raises LeaseLost."""
        with self._turn:
            self.check()
            self._lease.renew(unsettled)

    def check(self) -> None:
        """Raises LeaseLost when another may have the lease by now."""
        if self._lost is not None:
            raise LeaseLost(str(self._lost)) from self._lost

    def stop(self) -> None:
        """Renew it no more."""
        self._over.set()
        self._thread.join()

    def _beat(self) -> None:
        last = time.monotonic()
        while not self._over.wait(self._seconds / 4):
            try:
                with self._turn:
                    self._lease.renew(self._lease.unsettled)
                last = time.monotonic()
            except LeaseLost as error:
                self._lost = error
                return
            except StoreUnavailable as error:  # it may come back before the lease lapses
                if time.monotonic() - last > self._seconds:
                    self._lost = LeaseLost(f"the lease lapsed: {error}")
                    return


@contextmanager
def held(
    leases: CollectionStore, name: str, seconds: float = SECONDS, wait: float = WAIT
) -> Iterator[Held]:
    """Hold a lease while the block runs. Raises StoreUnavailable, naming the owner, when it is not
    free in time."""
    with leased(leases, name, seconds, wait) as lease:
        holding = Held(lease, seconds)
        try:
            yield holding
        finally:
            holding.stop()
