"""Collections in the embedded store: each is a table in the file of the index it belongs to.

SQLite lets one program write at a time, so a write waits while the writer of the index commits; the
writer lock of the index is not needed.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from threading import RLock
from typing import Any, Final, Self

import orjson

from indexer.stores.collection_store import (
    Between,
    Condition,
    EitherEquals,
    Item,
    Page,
    PutOutcome,
    Query,
    Values,
    check_query,
    check_tally,
    cursor_of,
)
from indexer.stores.embedded import migrations, schema
from indexer.stores.embedded.rows import Unreadable, body_of
from indexer.stores.embedded.writer_lock import take_lock
from mappings.collections import ID, Attribute, Collection, Kind, check_item_id
from mappings.errors import InputRefused, NotFound, StoreRefused

_CHUNK: Final = 500
_BUSY_MILLISECONDS: Final = 30_000
"""Long enough for the commit of a chunk of documents, including a merge of postings."""

_TYPES: Final = {
    Kind.KEYWORD: "TEXT",
    Kind.LONG: "INTEGER",
    Kind.DOUBLE: "REAL",
    Kind.DATE: "TEXT",
}


class EmbeddedCollection:
    """Satisfies `indexer.stores.collection_store.CollectionStore`; threads take turns."""

    def __init__(self, path: Path, db: sqlite3.Connection, collection: Collection) -> None:
        """For a collection whose table exists; other callers use `open`."""
        self.collection = collection
        self._path, self._db = path, db
        self._table = f'"collection_{collection.name}"'
        self._turn = RLock()

    @classmethod
    def open(cls, folder: Path, index: str, collection: Collection) -> Self:
        """Open the collection of an index; its table is created, or updated to a newer description,
        if necessary.

        Raises NotFound when there is no such index, StoreRefused when the stored description is
        newer.
        """
        path = schema.path_of(folder, index)
        if schema.identity(path) is None:
            raise NotFound(f"there is no index at {path}; make one with 'dupdex index'")
        with schema.translated(path):
            db = schema.connect(path, "rw")
            try:
                db.execute(f"PRAGMA busy_timeout={_BUSY_MILLISECONDS}")
                # one log for all: what a later commit brings to disk has this one before it
                db.execute(f"PRAGMA synchronous={'NORMAL' if collection.passing else 'FULL'}")
                if schema.read_layout(db, path) != schema.LAYOUT:
                    _migrate(db, path)
                opened = cls(path, db, collection)
                opened._describe()
            except BaseException:
                db.close()
                raise
        return opened

    @classmethod
    def open_stored(cls, folder: Path, index: str, collection: Collection) -> Self:
        """Open, only to read, a collection that is there; the file need not be writable.

        Raises NotFound when there is no such index or collection, StoreRefused when the stored
        description is newer.
        """
        path = schema.path_of(folder, index)
        if schema.identity(path) is None:
            raise NotFound(f"there is no index at {path}; make one with 'dupdex index'")
        with schema.translated(path):
            db = schema.connect_to_read(path)
            try:
                db.execute(f"PRAGMA busy_timeout={_BUSY_MILLISECONDS}")
                opened = cls(path, db, collection)
                opened._check_made()
            except BaseException:
                db.close()
                raise
        return opened

    def put(self, name: str, values: Values) -> str:
        with self._transaction():
            return self._write(check_item_id(name), self.collection.item(values))

    def create(self, name: str, values: Values) -> str | None:
        with self._transaction():
            if self._version(check_item_id(name)) is not None:
                return None
            return self._write(name, self.collection.item(values))

    def update(self, name: str, values: Values, version: str) -> str | None:
        with self._transaction():
            if self._version(check_item_id(name)) != version:
                return None
            return self._write(name, self.collection.item(values))

    def put_all(self, items: Iterable[tuple[str, Values]]) -> Iterator[PutOutcome]:
        remaining = iter(items)
        while chunk := list(islice(remaining, _CHUNK)):
            outcomes = []
            with self._transaction():
                first = self._next_versions(len(chunk))
                for number, (name, values) in enumerate(chunk, first):
                    try:
                        self._put(check_item_id(name), self.collection.item(values), number)
                        outcomes.append(PutOutcome(name))
                    except InputRefused as error:
                        outcomes.append(PutOutcome(name, str(error)))
            yield from outcomes

    def get(self, name: str) -> Item | None:
        with self._transaction("BEGIN"):
            row = self._db.execute(
                f"SELECT id, _version, _body FROM {self._table} WHERE id = ?",
                (check_item_id(name),),
            ).fetchone()
            return None if row is None else self._item(row)

    def get_all(self, names: Iterable[str]) -> dict[str, Item]:
        out: dict[str, Item] = {}
        remaining = map(check_item_id, dict.fromkeys(names))
        while chunk := list(islice(remaining, _CHUNK)):
            with self._transaction("BEGIN"):
                rows = self._db.execute(
                    f"SELECT id, _version, _body FROM {self._table} WHERE id IN ({_marks(chunk)})",
                    chunk,
                ).fetchall()
            out |= {row[0]: self._item(row) for row in rows}
        return out

    def delete(self, name: str, version: str | None = None) -> bool:
        with self._transaction():
            stored = self._version(check_item_id(name))
            if stored is None or version not in (None, stored):
                return False
            self._db.execute(f"DELETE FROM {self._table} WHERE id = ?", (name,))
            return True

    def delete_all(self, names: Iterable[str]) -> int:
        remaining = map(check_item_id, dict.fromkeys(names))
        deleted = 0
        while chunk := list(islice(remaining, _CHUNK)):
            with self._transaction():
                deleted += self._db.execute(
                    f"DELETE FROM {self._table} WHERE id IN ({_marks(chunk)})", chunk
                ).rowcount
        return deleted

    def query(self, query: Query) -> Page:
        check_query(self.collection, query)
        clauses, bound = self._where(query.conditions)
        order = "id"
        if query.sort != ID:
            direction, beyond = ("DESC", "<") if query.descending else ("ASC", ">")
            order = f'"{query.sort}" {direction}, id'
            if query.after is not None:
                value, name = query.after
                clauses.append(f'("{query.sort}" {beyond} ? OR ("{query.sort}" = ? AND id > ?))')
                bound += [value, value, name]
        else:
            order, beyond = ("id DESC", "<") if query.descending else ("id", ">")
            if query.after is not None:
                clauses.append(f"id {beyond} ?")
                bound += query.after
        with self._transaction("BEGIN"):
            rows = self._db.execute(
                f"SELECT id, _version, _body FROM {self._table} WHERE {' AND '.join(clauses)}"
                f" ORDER BY {order} LIMIT ?",
                (*bound, query.limit + 1),
            ).fetchall()
            items = tuple(self._item(row) for row in rows[: query.limit])
        return Page(items, cursor_of(query, items[-1]) if len(rows) > query.limit else None)

    def count(self, conditions: Sequence[Condition] = ()) -> int:
        clauses, bound = self._where(conditions)
        with self._transaction("BEGIN"):
            (total,) = self._db.execute(
                f"SELECT count(*) FROM {self._table} WHERE {' AND '.join(clauses)}", bound
            ).fetchone()
        return int(total)

    def tally(
        self, names: Sequence[str], conditions: Sequence[Condition] = ()
    ) -> Iterator[tuple[tuple[Any, ...], int]]:
        check_tally(self.collection, names)
        clauses, bound = self._where(conditions)
        columns = ", ".join(f'"{name}"' for name in names)
        with self._transaction("BEGIN"):
            rows = self._db.execute(
                f"SELECT {columns}, count(*) FROM {self._table} WHERE {' AND '.join(clauses)}"
                f" GROUP BY {columns}",
                bound,
            ).fetchall()
        return (((*row[:-1],), row[-1]) for row in rows)

    def refresh(self) -> None:
        """Nothing to do: committed changes are visible."""

    def sync(self) -> None:
        with self._transaction():  # one that changes something: SQLite leaves out the others
            self._next_versions(1)

    def drop(self) -> None:
        with self._transaction():
            self._db.execute(f"DROP TABLE {self._table}")
            self._db.execute("DELETE FROM collections WHERE name = ?", (self.collection.name,))

    def close(self) -> None:
        self._db.close()

    @contextmanager
    def _transaction(self, begin: str = "BEGIN IMMEDIATE") -> Iterator[None]:
        with self._turn, schema.transaction(self._db, self._path, begin):
            yield

    def _check_made(self) -> None:
        """Raise NotFound for a collection that is not there, StoreRefused for a newer one."""
        table = "SELECT 1 FROM sqlite_master WHERE name = 'collections'"
        row = None
        if self._db.execute(table).fetchone() is not None:
            query = "SELECT version FROM collections WHERE name = ?"
            row = self._db.execute(query, (self.collection.name,)).fetchone()
        if row is None:
            raise NotFound(f"there is no {self.collection.name} in {self._path} yet")
        self._check_version(row[0])

    def _check_version(self, version: int) -> None:
        if version > self.collection.version:
            raise StoreRefused(
                f"collection {self.collection.name!r} in {self._path} has version {version}, this "
                f"dupdex knows version {self.collection.version}; use the dupdex that wrote it"
            )

    def _describe(self) -> None:
        """Create the table by its description, or add new attributes."""
        wanted = self.collection
        row = self._db.execute(
            "SELECT version FROM collections WHERE name = ?", (wanted.name,)
        ).fetchone()
        if row is not None and row[0] == wanted.version:
            return
        with self._transaction():
            self._db.execute(
                f"CREATE TABLE IF NOT EXISTS {self._table}"
                " (id TEXT NOT NULL UNIQUE, _version INTEGER NOT NULL, _body BLOB NOT NULL)"
            )
            rows = self._db.execute(f"PRAGMA table_info({self._table})").fetchall()
            present = {column[1] for column in rows}
            for attribute in wanted.indexed:
                if attribute.name not in present:
                    self._add(attribute)
            self._db.execute(
                "INSERT INTO collections VALUES (?1, ?2, 0)"
                " ON CONFLICT (name) DO UPDATE SET version = max(version, ?2)",
                (wanted.name, wanted.version),
            )
            (version,) = self._db.execute(
                "SELECT version FROM collections WHERE name = ?", (wanted.name,)
            ).fetchone()
            self._check_version(version)

    def _add(self, attribute: Attribute) -> None:
        column, kind = f'"{attribute.name}"', _TYPES[attribute.kind]
        index = f'"collection_{self.collection.name}_{attribute.name}"'
        self._db.execute(f"ALTER TABLE {self._table} ADD COLUMN {column} {kind}")
        self._db.execute(f"CREATE INDEX {index} ON {self._table} ({column}, id)")

    def _version(self, name: str) -> str | None:
        row = self._db.execute(
            f"SELECT _version FROM {self._table} WHERE id = ?", (name,)
        ).fetchone()
        return None if row is None else str(row[0])

    def _write(self, name: str, item: Values) -> str:
        version = self._next_versions(1)
        self._put(name, item, version)
        return str(version)

    def _next_versions(self, count: int) -> int:
        """The first of so many new versions. They count up over the whole collection: an id never
        repeats one."""
        given = (count, self.collection.name)
        self._db.execute("UPDATE collections SET written = written + ? WHERE name = ?", given)
        (last,) = self._db.execute(
            "SELECT written FROM collections WHERE name = ?", given[1:]
        ).fetchone()
        return int(last) - count + 1

    def _put(self, name: str, item: Values, version: int) -> None:
        columns = ["id", "_version", "_body"]
        values: list[Any] = [name, version, orjson.dumps(item)]
        for attribute in self.collection.indexed:
            columns.append(f'"{attribute.name}"')
            values.append(item.get(attribute.name))
        self._db.execute(
            f"REPLACE INTO {self._table} ({', '.join(columns)})"
            f" VALUES ({', '.join('?' * len(values))})",
            values,
        )

    def _where(self, conditions: Sequence[Condition]) -> tuple[list[str], list[Any]]:
        clauses, bound = ["1"], list[Any]()
        for condition in conditions:
            if isinstance(condition, EitherEquals):
                parts = [self._where([part]) for part in condition.parts()]
                clauses.append(f"({' OR '.join(part[-1] for part, _ in parts)})")
                bound += [value for _, values in parts for value in values]
                continue
            attribute = self.collection.queried(condition.name)
            column = f'"{condition.name}"'
            if isinstance(condition, Between):
                sides = ((">=", condition.at_least), ("<", condition.below))
                for operator, value in sides:
                    if value is not None:
                        clauses.append(f"{column} {operator} ?")
                        bound.append(self.collection.value(attribute, value))
                clauses.append(f"{column} IS NOT NULL")
            else:
                clauses.append(f"{column} IN ({_marks(condition.values)})")
                bound += [self.collection.value(attribute, value) for value in condition.values]
        return clauses, bound

    def _item(self, row: tuple[Any, ...]) -> Item:
        name, version, packed = row
        try:
            return Item(name, body_of(packed), str(version))
        except Unreadable as error:
            raise StoreRefused(
                f"collection {self.collection.name!r} in {self._path} is damaged: item {name!r} "
                f"cannot be read, {error}; put the item again or delete it"
            ) from error


def _marks(values: Sequence[Any]) -> str:
    return ", ".join("?" * len(values))


def _migrate(db: sqlite3.Connection, path: Path) -> None:
    lock = take_lock(path)
    try:
        migrations.migrate(db, path)
    finally:
        lock.close()
