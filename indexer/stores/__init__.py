"""The writers of both stores, Elasticsearch and embedded, under one contract."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from indexer.meta import IndexMeta
from indexer.meta_watch import MetaWatch
from indexer.model import RecordWriter, Ref


class StoreWriter(RecordWriter, Protocol):
    """The writer of a store. `write` is described in `indexer.model`."""

    @property
    def meta(self) -> IndexMeta:
        """The plan and text fields of the index, as stored."""
        ...

    @property
    def watch(self) -> MetaWatch:
        """Keeps `meta` up to date; a reader of the same index may share it."""
        ...

    @property
    def problem(self) -> str:
        """A note to the user about an optional step that failed; "" if there is none."""
        ...

    def check_changeable(self) -> None:
        """Raise StoreRefused when `set_meta` cannot change the index as a whole."""
        ...

    def set_meta(self, meta: IndexMeta) -> None:
        """Replace the meta of the index, under the next revision; only a rebuild and `learn` do.

        Raises StoreRefused when the stored meta has another revision than `meta`, as another
        program has changed it. The change of that program stands.
        """
        ...

    def delete(self, ids: Sequence[str]) -> list[str]:
        """Remove documents; returns the ids that existed."""
        ...

    def set_groups(self, groups: Mapping[Ref, str]) -> list[Ref]:
        """Put documents into groups, and change nothing else of them; returns those that there are.

        Raises StoreRefused for an index that has no place for groups (`IndexMeta.standing`).
        """
        ...

    def refresh(self) -> None:
        """Make everything written so far visible to lookups and searches."""
        ...

    def close(self) -> None:
        """Release files and connections. Whatever was acknowledged is already durable."""
        ...
