"""The read side of the stores: Elasticsearch and the embedded one, one contract."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

from indexer.meta import IndexMeta
from indexer.meta_watch import MetaWatch
from indexer.model import Keys, Ref, Standing
from mappings.contract import Field
from query.answers import DocumentReader, Filter, GroupHits, Hits, Stored


class StoreReader(DocumentReader, Protocol):
    """All that a store's read side does; documents and candidates as in `query.answers`."""

    @property
    def meta(self) -> IndexMeta:
        """The plan and text fields of the index, as stored."""
        ...

    @property
    def watch(self) -> MetaWatch:
        """What keeps `meta` up to date; a writer of the same index may share it."""
        ...

    def search(
        self, text: str, size: int = 10, offset: int = 0, filters: Sequence[Filter] = ()
    ) -> Hits:
        """Full text: documents that hold every white-space separated term of `text`, each as a
        phrase, in the title or a text field; quotes make one phrase of several words."""
        ...

    def search_groups(
        self, text: str, size: int = 10, after: Any = None, filters: Sequence[Filter] = ()
    ) -> GroupHits:
        """The same with one hit a group, its best; `after`: the cursor of the page before. Both
        totals are exact. Raises InputRefused for a cursor that has expired."""
        ...

    def scan(self, without_plan: str | None = None, share: float = 1.0) -> Iterator[Stored]:
        """Every stored document, in no particular order, with bounded memory; with
        `without_plan` only those whose stored plan id is another (what a rebuild must do). With
        `share` only about so many of them, spread over the index: the others are not read."""
        ...

    def find(self, filters: Sequence[Filter] = (), text: str = "") -> Iterator[Stored]:
        """Every document that all filters accept and, when there is a `text`, that `search` finds;
        in no particular order, with bounded memory, as of the last refresh."""
        ...

    def indices(self) -> tuple[str, ...]:
        """The indices behind the name that was opened, as references name them."""
        ...

    def frequencies(self, keys: Keys) -> dict[tuple[Field, str], int]:
        """In how many documents each term is, exactly; 0 for a term that is in none."""
        ...

    def standings(self, refs: Sequence[Ref]) -> dict[Ref, Standing]:
        """The group of each document, and when it was written; absent documents are left out."""
        ...

    def refs_of(self, ids: Sequence[str]) -> dict[str, tuple[Ref, ...]]:
        """The full names of the documents of each id; absent ids are left out."""
        ...

    def all_standings(self) -> Iterator[tuple[Ref, Standing]]:
        """Every document with its group and time, as of the last refresh, in no order."""
        ...

    def members(self, groups: Sequence[str]) -> dict[str, tuple[Ref, ...]]:
        """The documents of each group, as of the last refresh."""
        ...

    def count(self, without_plan: str | None = None) -> int:
        """The number of stored documents; with `without_plan` as in `scan`."""
        ...

    def describe(self) -> dict[str, object]:
        """Facts for `dupdex info`: where the index is, its size in bytes, server version."""
        ...

    def close(self) -> None:
        """Let go of files and connections."""
        ...
