"""The write side of the stores: Elasticsearch and the embedded one, one contract."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from indexer.meta import IndexMeta
from indexer.meta_watch import MetaWatch
from indexer.model import RecordWriter


class StoreWriter(RecordWriter, Protocol):
    """All that a store's write side does. `write` is described in `indexer.model`."""

    @property
    def meta(self) -> IndexMeta:
        """The plan and text fields of the index, as stored."""
        ...

    @property
    def watch(self) -> MetaWatch:
        """What keeps `meta` up to date; a reader of the same index may share it."""
        ...

    @property
    def problem(self) -> str:
        """What did not succeed and was no condition, for a note to the user; "" for nothing."""
        ...

    def check_changeable(self) -> None:
        """Raises StoreRefused when `set_meta` cannot change the index as a whole."""
        ...

    def set_meta(self, meta: IndexMeta) -> None:
        """Replace what the index says of itself (a rebuild and `learn` do, nothing else) under the
        next revision.

        Raises StoreRefused when the stored meta has another revision than `meta`: another program
        has changed it. Nothing was changed then, or what the other program wrote stands.
        """
        ...

    def delete(self, ids: Sequence[str]) -> list[str]:
        """Remove documents; returns the ids that were there."""
        ...

    def refresh(self) -> None:
        """Make everything written so far visible to lookups and searches."""
        ...

    def close(self) -> None:
        """Let go of files and connections. What was acknowledged is already durable."""
        ...
