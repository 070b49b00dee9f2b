"""Watches the meta of an index: a rebuild or `learn` elsewhere is noticed within a second."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from threading import RLock
from typing import ClassVar

from indexer.meta import IndexMeta, check_unchanged
from mappings.errors import NotFound, StoreRefused


class MetaChanged(StoreRefused):
    """The meta has a newer revision than the one a change was made from: read it again first."""


class MetaWatch:
    """The meta of an open index, read again at most once a second over the open connection.

    The reader and the writer of an index share one watch, and threads may share both.
    """

    EVERY: ClassVar[float] = 1.0
    """Seconds between reads: a read before every bulk request took 6 % of the write time."""

    def __init__(self, meta: IndexMeta, read: Callable[[], IndexMeta | None], place: str) -> None:
        """`read` returns the stored meta, None if the index is gone; messages name `place`."""
        self._meta, self._read, self._place = meta, read, place
        self._turn = RLock()
        self._next = time.monotonic() + self.EVERY

    @property
    def meta(self) -> IndexMeta:
        """The meta as of the last read."""
        return self._meta

    def read_with(self, read: Callable[[], IndexMeta | None]) -> None:
        """Read the meta by `read` from now on: over the connection of a reader that stays open when
        the writer, whose watch this was, is closed."""
        with self._turn:
            self._read = read

    def look(self) -> None:
        """`check`, unless that happened a moment ago or another thread is at it."""
        if time.monotonic() >= self._next and self._turn.acquire(blocking=False):
            try:
                self.check()
            finally:
                self._turn.release()

    def check(self) -> None:
        """Read the stored meta and adopt it, thresholds and boilerplate included.

        Raises PlanMismatch when the plan has changed or a rebuild has begun, NotFound when the
        index is gone: a write would recreate it without dupdex's mapping.
        """
        with self._turn:
            stored = self._read()
            if stored is None:
                raise NotFound(
                    f"{self._place} was removed meanwhile; run the same command again to make it "
                    "anew, or open it again"
                )
            check_unchanged(self._meta, stored)
            if stored != self._meta:
                self._meta = stored
            self._next = time.monotonic() + self.EVERY

    def swap(self, meta: IndexMeta, write: Callable[[IndexMeta], None]) -> None:
        """Compare and set: calls `write` with `meta` under the next revision.

        Raises MetaChanged when the stored revision is not that of `meta`, PlanMismatch and
        NotFound as `check` does.
        """
        with self._turn:
            self.check()
            check_revision(self._meta, meta.revision, self._place)
            following = replace(meta, revision=meta.revision + 1)
            write(following)
            self._meta = following


def check_revision(stored: IndexMeta, wanted: int, place: str) -> None:
    """Raise MetaChanged unless the stored meta has the revision `wanted`."""
    if stored.revision != wanted:
        raise MetaChanged(
            f"the meta of {place} was changed meanwhile (revision {stored.revision}, not "
            f"{wanted}); run the same command again"
        )
