"""What both stores do for a collection (see `mappings.collections`).

Writing and `get` are immediate. A query in Elasticsearch sees what was there at the last `refresh`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from mappings.collections import ID, Collection, check_item_id
from mappings.errors import InputRefused

Values = Mapping[str, Any]
Cursor = tuple[Any, ...]
"""Where a page ended: the values that the next one begins after. Plain JSON values."""


@dataclass(frozen=True, slots=True)
class Item:
    """An item as it is stored. `version` is another one after every change, for `update`."""

    id: str
    values: Values
    version: str


@dataclass(frozen=True, slots=True)
class PutOutcome:
    """What became of one item of `put_all`; an empty `reason` means that it is stored."""

    id: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Equals:
    """The attribute has one of these values."""

    name: str
    values: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Between:
    """The attribute is `at_least` so much and `below` so much; None leaves a side open."""

    name: str
    at_least: Any = None
    below: Any = None


Condition = Equals | Between


@dataclass(frozen=True, slots=True)
class Query:
    """Items that meet all conditions, in the order of an attribute and then of their ids."""

    conditions: tuple[Condition, ...] = ()
    sort: str = ID
    descending: bool = False
    limit: int = 100
    after: Cursor | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """Items of a query; `next` continues it, None when there is no more."""

    items: tuple[Item, ...]
    next: Cursor | None


class CollectionStore(Protocol):
    """One collection beside one index, open. Threads may share it."""

    @property
    def collection(self) -> Collection:
        """The description it was opened with."""
        ...

    def put(self, name: str, values: Values) -> str:
        """Store an item, whatever was there; returns its version."""
        ...

    def create(self, name: str, values: Values) -> str | None:
        """Store an item that must not be there yet: a lock, a lease; None when it is."""
        ...

    def update(self, name: str, values: Values, version: str) -> str | None:
        """Replace the item if it still has this version; None when it has not, or is gone."""
        ...

    def put_all(self, items: Iterable[tuple[str, Values]]) -> Iterator[PutOutcome]:
        """`put` of many, in chunks; one outcome for each, in order, once it is durable."""
        ...

    def get(self, name: str) -> Item | None:
        """The item as it is now."""
        ...

    def delete(self, name: str, version: str | None = None) -> bool:
        """Remove the item, if it still has this version; whether that was done."""
        ...

    def query(self, query: Query) -> Page:
        """One page. Raises InputRefused for an attribute that queries may not name."""
        ...

    def count(self, conditions: Sequence[Condition] = ()) -> int:
        """How many items meet all conditions."""
        ...

    def refresh(self) -> None:
        """Make what was written visible to queries."""
        ...

    def drop(self) -> None:
        """Remove the collection and all that is in it."""
        ...

    def close(self) -> None:
        """Let go of files and connections."""
        ...


def scan(store: CollectionStore, conditions: Sequence[Condition] = ()) -> Iterator[Item]:
    """Every item that meets all conditions, by id, a page at a time. An item that is written
    meanwhile comes once or not at all."""
    after: Cursor | None = None
    while True:
        page = store.query(Query(tuple(conditions), limit=500, after=after))
        yield from page.items
        after = page.next
        if after is None:
            return


def cursor_of(query: Query, item: Item) -> Cursor:
    """Where a page that ends with this item ended."""
    return (item.id,) if query.sort == ID else (item.values[query.sort], item.id)


def check_query(collection: Collection, query: Query) -> None:
    """Raises InputRefused for what no store can answer."""
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
