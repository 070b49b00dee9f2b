"""The interface of a collection in both stores (see `mappings.collections`).

Writes and `get` take effect at once. An Elasticsearch query sees the state of the last `refresh`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from mappings.collections import ID, Collection, Kind, check_item_id
from mappings.errors import InputRefused

Values = Mapping[str, Any]
Cursor = tuple[Any, ...]
"""Where a page ended: the sort values after which the next one begins, as plain JSON."""


@dataclass(frozen=True, slots=True)
class Item:
    """A stored item. `version`, for `update`, differs after every change."""

    id: str
    values: Values
    version: str


@dataclass(frozen=True, slots=True)
class PutOutcome:
    """The outcome for an item of `put_all`; an empty `reason` means that it was stored."""

    id: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Equals:
    """The attribute equals one of these values."""

    name: str
    values: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class EitherEquals:
    """One of these attributes equals one of these values."""

    names: tuple[str, ...]
    values: tuple[Any, ...]

    def parts(self) -> list[Equals]:
        """The conditions of which one must be met."""
        return [Equals(name, self.values) for name in self.names]


@dataclass(frozen=True, slots=True)
class Between:
    """The attribute is at least `at_least` and less than `below`; None leaves a side open."""

    name: str
    at_least: Any = None
    below: Any = None


Condition = Equals | EitherEquals | Between


@dataclass(frozen=True, slots=True)
class Query:
    """Items that meet all conditions, sorted by an attribute and then by id."""

    conditions: tuple[Condition, ...] = ()
    sort: str = ID
    descending: bool = False
    limit: int = 100
    after: Cursor | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """Items of a query; `next` is the cursor of the next page, None on the last one."""

    items: tuple[Item, ...]
    next: Cursor | None


class CollectionStore(Protocol):
    """An open collection of an index. Threads may share it."""

    @property
    def collection(self) -> Collection:
        """The description it was opened with."""
        ...

    def put(self, name: str, values: Values) -> str:
        """Store an item, replacing any with the same id; returns its version."""
        ...

    def create(self, name: str, values: Values) -> str | None:
        """Store an item that must not exist yet (a lock, a lease); None if it does."""
        ...

    def update(self, name: str, values: Values, version: str) -> str | None:
        """Replace the item if it still has this version; None if it does not or is gone."""
        ...

    def put_all(self, items: Iterable[tuple[str, Values]]) -> Iterator[PutOutcome]:
        """Store many items, in chunks; yields one outcome each, in order, once it is durable."""
        ...

    def get(self, name: str) -> Item | None:
        """The current item, None if there is none."""
        ...

    def get_all(self, names: Iterable[str]) -> dict[str, Item]:
        """The current items of these ids; absent ones are left out."""
        ...

    def delete(self, name: str, version: str | None = None) -> bool:
        """Remove the item if it still has this version; whether it was removed."""
        ...

    def delete_all(self, names: Iterable[str]) -> int:
        """Remove many items, in chunks, whatever their versions; how many there were."""
        ...

    def query(self, query: Query) -> Page:
        """One page. Raises InputRefused for an attribute that queries may not name."""
        ...

    def count(self, conditions: Sequence[Condition] = ()) -> int:
        """The number of items that meet all conditions."""
        ...

    def tally(
        self, names: Sequence[str], conditions: Sequence[Condition] = ()
    ) -> Iterator[tuple[tuple[Any, ...], int]]:
        """How many items have each combination of values of these attributes, in no order; None
        where an item has no value. Raises InputRefused for times and what queries may not name."""
        ...

    def refresh(self) -> None:
        """Make all writes visible to queries."""
        ...

    def sync(self) -> None:
        """Wait until all that was written to the index is on disk, whatever the collection; not by
        one that is `passing`."""
        ...

    def drop(self) -> None:
        """Remove the collection and all its items."""
        ...

    def close(self) -> None:
        """Release files and connections."""
        ...


def scan(store: CollectionStore, conditions: Sequence[Condition] = ()) -> Iterator[Item]:
    """Every item that meets all conditions, sorted by id, read page by page. An item written
    meanwhile is yielded once or not at all."""
    after: Cursor | None = None
    while True:
        page = store.query(Query(tuple(conditions), limit=500, after=after))
        yield from page.items
        after = page.next
        if after is None:
            return


def cursor_of(query: Query, item: Item) -> Cursor:
    """The cursor of a page that ends with this item."""
    return (item.id,) if query.sort == ID else (item.values[query.sort], item.id)


def check_tally(collection: Collection, names: Sequence[str]) -> None:
    """Raise InputRefused for attributes that no store can count by."""
    for name in names:
        if collection.queried(name).kind is Kind.DATE:
            raise InputRefused(f"{collection.name}: items cannot be counted by {name!r}, a time")
    if not names:
        raise InputRefused(f"{collection.name}: name at least one attribute to count by")


def check_query(collection: Collection, query: Query) -> None:
    """Raise InputRefused for a query that no store can answer."""
    if query.sort != ID:
        collection.queried(query.sort, sorting=True)
    if not 1 <= query.limit <= 1_000:
        raise InputRefused(f"{collection.name}: a page has 1 to 1,000 items, not {query.limit}")
    after = query.after
    if after is None:
        return
    if len(after) != (1 if query.sort == ID else 2):
        raise InputRefused(f"{collection.name}: the cursor belongs to another query")
    check_item_id(after[-1])
    if query.sort != ID:
        collection.value(collection.queried(query.sort), after[0])
