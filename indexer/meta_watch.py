"""What an index says of itself, watched: a rebuild or `learn` elsewhere is seen within a second."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from threading import RLock
from typing import ClassVar

from indexer.meta import IndexMeta, check_unchanged
from mappings.errors import NotFound, StoreRefused


class MetaWatch:
    """The meta of an open index, read again once a second at most through the connection that is
    there. The reader and the writer of an index share one, and threads may share both.
    """

    EVERY: ClassVar[float] = 1.0
    """Seconds between two looks: asking ahead of every bulk request took 6 % of a write's time."""

    def __init__(self, meta: IndexMeta, read: Callable[[], IndexMeta | None], place: str) -> None:
        """`read` asks the store, None when the index is gone; `place` names it in messages."""
        self._meta, self._read, self._place = meta, read, place
        self._turn = RLock()
        self._next = time.monotonic() + self.EVERY

    @property
    def meta(self) -> IndexMeta:
        """As it was when it was last looked at."""
        return self._meta

    def look(self) -> None:
        """`check`, unless that was done a moment ago or another thread is doing it."""
        if time.monotonic() >= self._next and self._turn.acquire(blocking=False):
            try:
                self.check()
            finally:
                self._turn.release()

    def check(self) -> None:
        """Ask the store, and take over what it says: thresholds and boilerplate, too.

        Raises PlanMismatch when the plan has changed or a rebuild has begun, NotFound when the
        index is gone: a write would make it anew, without our mapping.
        """
        with self._turn:
            now = self._read()
            if now is None:
                raise NotFound(
                    f"{self._place} was removed meanwhile; run the same command again to make it "
                    "anew, or open it again"
                )
            check_unchanged(self._meta, now)
            if now != self._meta:
                self._meta = now
            self._next = time.monotonic() + self.EVERY

    def swap(self, meta: IndexMeta, write: Callable[[IndexMeta], None]) -> None:
        """Compare and set: `write` is given `meta` under the next revision.

        Raises StoreRefused when the index has another revision than the one `meta` was made from,
        PlanMismatch and NotFound as `check` does.
        """
        with self._turn:
            self.check()
            check_revision(self._meta, meta.revision, self._place)
            following = replace(meta, revision=meta.revision + 1)
            write(following)
            self._meta = following


def check_revision(stored: IndexMeta, wanted: int, place: str) -> None:
    """Raises StoreRefused when the stored meta is not of the revision `wanted`."""
    if stored.revision != wanted:
        raise StoreRefused(
            f"what {place} says of itself was changed by another program meanwhile (revision "
            f"{stored.revision}, not {wanted}); run the same command again"
        )
