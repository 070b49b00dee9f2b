"""The write side of the stores: Elasticsearch and the embedded one, one contract."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from indexer.meta import IndexMeta
from indexer.model import RecordWriter


class StoreWriter(RecordWriter, Protocol):
    """All that a store's write side does. `write` is described in `indexer.model`."""

    @property
    def meta(self) -> IndexMeta:
        """The plan and text fields of the index, as stored."""
        ...

    def set_meta(self, meta: IndexMeta) -> None:
        """Replace what the index says of itself (a rebuild and `learn` do, nothing else)."""
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
